"""The scripted user: tells what it knows when asked, once, and never more."""

import dataclasses

import pytest
from refund_world import CENTS, ask, played, respond, task

from caselock.world.events import AskEvent, CallEvent, FinalEvent, UserEvent
from caselock.world.user import disclosed, opening_turn, reply

WHICH = {"slots": {"amount": CENTS}, "knows": {"order_id": "A2048"}, "say": "Please refund {amount}."}


def answer(made, *slots):
    return played(made, ask(*slots)).session.log[-1]


def test_the_opening_states_its_slots_and_no_other():
    script = task(**WHICH).script
    assert opening_turn(script) == UserEvent(text="Please refund 80.", slots={"amount": CENTS})


def test_a_slot_that_is_asked_for_is_told():
    told = answer(task(**WHICH), "order_id")
    assert told == UserEvent(text="The order number is A2048.", slots={"order_id": "A2048"}, answers=True)


def test_a_slot_that_nobody_asked_for_is_not_told():
    assert disclosed(played(task(**WHICH), ask("notify")).session.log) == {"amount": CENTS}


@pytest.mark.parametrize("slot", ["notify", "no_such_slot", ""])
def test_what_the_user_does_not_know_is_said(slot):
    told = answer(task(**WHICH), slot)
    assert told.slots == {}
    assert told.text.startswith("I do not know the ")


def test_a_slot_that_was_stated_is_told_again():
    assert answer(task(**WHICH), "amount").text == "The amount to refund is 80."


def test_without_an_open_question_the_conversation_is_over():
    script = task(**WHICH).script
    opening = opening_turn(script)
    for log in [
        (),
        (opening,),
        (opening, FinalEvent(outcome="clarify", says={})),
        (AskEvent(slots=("order_id",)), opening),
    ]:
        assert reply(script, log) is None


def test_a_question_is_answered_also_after_a_call():
    script = task(**WHICH).script
    log = (AskEvent(slots=("order_id",)), CallEvent(call=1, tool="get_order", args={}))
    assert reply(script, log).slots == {"order_id": "A2048"}


def test_the_script_holds_nothing_of_the_oracle():
    script = task(**WHICH).script
    text = repr(dataclasses.replace(script, locale=None))  # the words of a locale are the same in every case
    assert not any(word in text for word in ("fulfil", "refund.ok", "escalate", "R-"))


def test_the_same_transcript_gives_the_same_reply():
    made = task(**WHICH)
    assert answer(made, "order_id", "notify") == answer(made, "order_id", "notify")
    assert (
        played(made, ask("order_id"), respond("clarify")).session
        == played(made, ask("order_id"), respond("clarify")).session
    )
