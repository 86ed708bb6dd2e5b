"""Requests said over several turns: each kind of dialogue, what it makes of the label, and what it refuses."""

import dataclasses
import functools
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from refund_world import BASE, CENTS, LOOK, REFUND, ask, call, elements, played, program, refund_id, respond, scenario
from test_cases_mutations import operator

from caselock.cases.build import build_task
from caselock.cases.derive import derive, first_stages
from caselock.cases.dialogue import collection_keys, lost, speak, unclear
from caselock.cases.mutations import mutate
from caselock.cases.parent import Parent, parent_of
from caselock.cases.paths import BadPath
from caselock.cases.wording import BadWording, parts
from caselock.oracles.task import Task
from caselock.spec.seeds import Authored, Phrasing, Phrasings, Seed, Turn
from caselock.spec.small_talk import Exchange, SmallTalk
from caselock.spec.workspace import Entry
from caselock.views.dialogue import told

SEED = Seed.model_construct(seed="s", risk="high", provenance=Authored(kind="authored"))
EN = program().workspace.locales["en"].value
SCHEMAS = program().goals["refund_order"].spec.slots
FIRST = Decimal("60.00")
ORDER_FIRST = (("user", "I have a question about order {order_id}."), ("assistant", "Which question?"))
ASKED = (("user", "Please refund {amount} from order {order_id}."), ("assistant", "One moment."))


def turns(*said):
    return tuple(Turn(role=role, text=text) for role, text in said)


def phrasing(tag, text, conversation=()):
    return Phrasing(
        id=tag, text=text, tags=(tag,), locale="en", approved_by="somebody", conversation=turns(*conversation)
    )


ITEMS = (
    phrasing("reference", "Please refund {amount} for that order.", ORDER_FIRST),
    phrasing("off_topic", "Please refund {amount} from {order_id}.", [("user", "What a day!")]),
    phrasing(
        "task_switch", "Now the refund, please.", [*ASKED, ("user", "First: are you open?"), ("assistant", "Yes.")]
    ),
    phrasing("changed_requirement", "Sorry, make it {amount}.", ASKED),
    phrasing("contradiction", "I want {amount}.", ASKED),
    phrasing("slow_reveal", "I need money back."),
    phrasing("omission", "Please refund {amount}."),
)


@functools.cache
def told_program(talk=20):
    """The refund program with one phrasing of every kind, and some small talk."""
    workspace = program().workspace
    entry = next(iter(workspace.goals.values()))
    words = Phrasings(phrasings="f", goal="refund_order", owner="somebody", items=ITEMS)
    exchanges = tuple(Exchange(user=f"Question {'x' * n}?", assistant="Yes.") for n in range(1, talk + 1))
    small = SmallTalk(small_talk="t", locale="en", owner="o", approved_by="a", exchanges=exchanges)
    changed = dataclasses.replace(
        workspace,
        phrasings={"f": Entry(words, entry.document)},
        small_talk={"t": Entry(small, entry.document)},
    )
    return dataclasses.replace(program(), workspace=changed)


def parent(**changes):
    found = parent_of(told_program(), SEED, scenario(**changes))
    assert isinstance(found, Parent), found
    return found


def children(mutation, built=None, **changes):
    made = operator(mutation, type="dialogue", changes=("conversation",))
    return [child.scenario for child in mutate(built or told_program(), made, parent(**changes))]


def child(mutation, **changes):
    (made,) = children(mutation, **changes)
    assert lost(made, SCHEMAS, EN) is None
    return made


def task_of(made):
    task = build_task(told_program(), made, "salt")
    assert isinstance(task, Task), task
    return task


def outcomes(made):
    task = task_of(made)
    return [stage.outcome for stage in first_stages(task, task.setup.state)]


def keys():
    return collection_keys(program().world.fixtures[BASE.fixture].state)


# --- reference ---------------------------------------------------------------------------------------------------


def test_a_slot_said_earlier_counts_as_said():
    made = child({"kind": "phrase", "tag": "reference"})
    assert made.slots == BASE.slots
    assert speak(made, EN).opening == "Please refund 80 for that order."
    assert unclear(made, SCHEMAS, EN, keys()) is None
    assert outcomes(made) == ["fulfil"]


@pytest.mark.parametrize(
    "conversation",
    [
        [("user", "Order {order_id}."), ("assistant", "A1024, I see.")],
        [("user", "Order {order_id}."), ("assistant", "Or A2048?")],
    ],
)
def test_a_referent_that_is_not_unique_is_unclear(conversation):
    made = scenario(say="Refund {amount} for that order.", conversation=turns(*conversation))
    assert "order_id" in unclear(made, SCHEMAS, EN, keys())


def test_an_id_inside_a_longer_word_is_another_id():
    made = scenario(
        say="Refund {amount} for it.", conversation=turns(("user", "{order_id}"), ("assistant", "A1024-7?"))
    )
    assert unclear(made, SCHEMAS, EN, keys()) is None


def test_only_the_user_states_slots():
    made = scenario(say="Yes, {amount}.", conversation=turns(("assistant", "Is it {order_id}?")))
    with pytest.raises(BadWording):
        speak(made, EN)


def test_a_slot_that_no_turn_states_is_lost():
    assert "does not mention 'order_id'" in lost(scenario(say="Refund {amount}."), SCHEMAS, EN)


# --- off topic, task switch ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("tag", ["off_topic", "task_switch"])
def test_other_talk_leaves_the_request_as_it_is(tag):
    made = child({"kind": "phrase", "tag": tag})
    assert made.slots == BASE.slots
    assert outcomes(made) == ["fulfil"]
    assert unclear(made, SCHEMAS, EN, keys()) is None


def test_a_phrasing_that_states_less_is_no_wording_of_the_request():
    assert children({"kind": "phrase", "tag": "omission"}) == []


# --- changed requirement ------------------------------------------------------------------------------------------

CORRECT = {"kind": "correct", "slot": "amount", "first": FIRST}


def test_the_value_said_last_stands():
    made = child(CORRECT)
    spoken = speak(made, EN)
    assert spoken.conversation[0].text == "Please refund 60 from order A1024."
    assert spoken.opening == "Sorry, make it 80."
    assert derive(task_of(made)).label == ("fulfil",)


def test_writing_the_value_that_was_taken_back_fails():
    task = task_of(child(CORRECT))
    wrong = call("create_refund", order_id="A1024", amount=FIRST, idempotency_key="k1")
    done = respond("fulfil", refund_id=refund_id(task, LOOK, wrong))
    assert {"ensures[1]", "ensures[2]"} <= set(elements(task, LOOK, wrong, done))
    right = respond("fulfil", refund_id=refund_id(task, LOOK, REFUND))
    assert elements(task, LOOK, REFUND, right) == []


def test_a_correction_to_the_same_value_is_none():
    (made,) = children({**CORRECT, "first": CENTS})
    assert "not said in two turns with two values" in lost(made, SCHEMAS, EN)


def test_a_first_value_that_does_not_fit_is_refused():
    with pytest.raises(BadPath):
        children({**CORRECT, "first": "many"})


# --- contradiction ------------------------------------------------------------------------------------------------

CONTRADICT = {"kind": "contradict", "slot": "amount", "other": FIRST}


def test_a_contradicted_slot_is_missing_until_the_user_settles_it():
    made = child(CONTRADICT)
    assert made.slots == {"order_id": "A1024"}
    assert derive(task_of(made)).label == ("clarify", "fulfil")


@pytest.mark.parametrize("amount", [FIRST, CENTS])
def test_acting_on_either_value_without_asking_fails(amount):
    task = task_of(child(CONTRADICT))
    write = call("create_refund", order_id="A1024", amount=amount, idempotency_key="k1")
    done = respond("fulfil", refund_id=refund_id(task, LOOK, write))
    found = elements(task, LOOK, write, done)
    assert "guarded" in found
    assert not any(element.startswith("provenance") for element in found)  # it was said, so it is no invention


def test_asking_settles_it():
    task = task_of(child(CONTRADICT))
    done = respond("fulfil", refund_id=refund_id(task, LOOK, ask("amount"), REFUND))
    assert elements(task, LOOK, ask("amount"), REFUND, done) == []


def test_two_equal_values_contradict_nothing():
    (made,) = children({**CONTRADICT, "other": CENTS})
    assert lost(made, SCHEMAS, EN) is not None


# --- slow reveal --------------------------------------------------------------------------------------------------


def test_a_slow_user_tells_one_slot_at_a_time():
    task = task_of(child({"kind": "slow_reveal"}))
    told_slots = [
        dict(event.slots)
        for event in played(task, ask("amount", "order_id"), ask("amount", "order_id")).session.log
        if getattr(event, "answers", False)
    ]
    assert told_slots == [{"amount": CENTS}, {"order_id": "A1024"}]


def test_a_quick_user_tells_all_at_once():
    made = dataclasses.replace(child({"kind": "slow_reveal"}), one_by_one=False)
    assert played(task_of(made), ask("amount", "order_id")).session.log[-1].slots == BASE.slots


def test_a_slow_reveal_asks_once_for_each_slot():
    assert derive(task_of(child({"kind": "slow_reveal"}))).label == ("clarify", "clarify", "fulfil")


def test_a_request_that_states_nothing_has_nothing_to_reveal():
    assert children({"kind": "slow_reveal"}, slots={}, say="I need money back.") == []


# --- long histories -----------------------------------------------------------------------------------------------


def test_a_history_has_exactly_its_turns_and_keeps_what_was_said_first():
    made = child({"kind": "history", "turns": 40, "tag": "reference"})
    assert len(made.conversation) == 40
    assert speak(made, EN).conversation[0].text == "I have a question about order A1024."
    assert outcomes(made) == ["fulfil"]


def test_a_history_follows_from_seed_and_operator_alone():
    history = {"kind": "history", "turns": 10}
    assert child(history) == child(history)
    assert child(history).conversation != child(history, seed="t").conversation


@pytest.mark.parametrize("turns", [41, 42])
def test_a_history_that_cannot_be_filled_is_refused(turns):
    with pytest.raises(BadPath):
        children({"kind": "history", "turns": turns})


def test_a_long_conversation_is_folded_for_people():
    lines = list(told([turn.model_dump() for turn in child({"kind": "history", "turns": 40}).conversation], 100))
    assert len(lines) == 5
    assert lines[2] == "  ... 36 more turns ..."
    assert len(list(told([{"role": "user", "text": "Hi"}] * 6, 100))) == 6


# --- abbreviation -------------------------------------------------------------------------------------------------


def test_words_are_abbreviated_and_slots_are_not():
    made = child({"kind": "abbreviate"}, say="Please refund {amount} from order {order_id}.")
    assert made.say == "pls rfnd {amount} from ord. {order_id}."


def test_a_slot_whose_value_is_an_abbreviated_word_stays():
    made = child({"kind": "abbreviate"}, slots={**BASE.slots, "order_id": "order"})
    assert speak(made, EN).opening == "pls rfnd 80 from ord. order."


def test_the_stop_of_an_abbreviation_ends_the_sentence():
    made = child({"kind": "abbreviate"}, say="{amount} from {order_id}, my last order. Please.")
    assert made.say == "{amount} from {order_id}, my last ord. pls."


def test_a_text_without_such_words_is_left_alone():
    (made,) = children({"kind": "abbreviate"}, say="{amount} from {order_id}!")
    assert made == scenario(say="{amount} from {order_id}!")


WORDS = st.lists(st.sampled_from(["order", "Refund", "please", "thing", "orders", "reorder"]), max_size=6)


@given(WORDS, WORDS, WORDS)
def test_an_abbreviated_text_states_the_same_slots(first, second, third):
    say = " ".join([*first, "{amount}", *second, "{order_id}", *third])
    (made,) = children({"kind": "abbreviate"}, say=say)
    assert lost(made, SCHEMAS, EN) is None
    left = {word for piece in parts(made.say) if piece.slot is None for word in piece.text.split()}
    assert not left & {"order", "Refund", "please"}
    assert {"thing", "orders", "reorder"} & {*first, *second, *third} <= left
