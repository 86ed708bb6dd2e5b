"""The scripted user: tells what it knows when asked, once, and never more."""

import dataclasses
from decimal import Decimal

import pytest
from refund_world import CENTS, ask, call, played, respond, task

from caselock.oracles.grade import grade
from caselock.world.events import AskEvent, CallEvent, FinalEvent, SayEvent, UserEvent
from caselock.world.user import asked_in, disclosed, opening_turn, reply

WHICH = {"slots": {"amount": CENTS}, "knows": {"order_id": "A2048"}, "say": "Please refund {amount}."}


def answer(made, *slots):
    return played(made, ask(*slots)).session.log[-1]


def test_the_opening_states_its_slots_and_no_other():
    script = task(**WHICH).script
    assert opening_turn(script) == (UserEvent(text="Please refund 80.", slots={"amount": CENTS}),)


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
    (opening,) = opening_turn(script)
    for log in [
        (),
        (opening,),
        (opening, FinalEvent(outcome="clarify", says={})),
        (AskEvent(slots=("order_id",)), opening),
    ]:
        assert reply(script, log) == ()


def test_a_question_is_answered_also_after_a_call():
    script = task(**WHICH).script
    log = (AskEvent(slots=("order_id",)), CallEvent(call=1, tool="get_order", args={}))
    assert reply(script, log)[0].slots == {"order_id": "A2048"}


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


# --- prose --------------------------------------------------------------------------------------------------------


def prose(made, text):
    return next(iter(reply(made.script, (*opening_turn(made.script), SayEvent(text=text)))), None)


@pytest.mark.parametrize("text", ["Which order do you mean?", "Please tell me the order number."])
def test_a_question_in_prose_is_answered_like_a_listed_one(text):
    assert prose(task(**WHICH), text) == answer(task(**WHICH), "order_id")


def test_a_question_nobody_understands_discloses_nothing():
    told = prose(task(**WHICH), "What is your favourite colour?")
    assert (dict(told.slots), told.text) == ({}, "Sorry, I do not understand what you need from me.")


def test_a_remark_gets_no_answer():
    assert prose(task(**WHICH), "One moment, I am looking.") is None


def test_a_german_user_tells_in_german():
    told = prose(task(**WHICH, locale="de"), "Wie lautet Ihre Bestellnummer?")
    assert told.text == "Hier die Angabe, Bestellnummer: A2048."
    half = {"slots": {}, "knows": {"amount": CENTS / 3 * 2 + Decimal("0.01")}, "say": "Bitte um Erstattung."}
    assert "53,34" in answer(task(**half, locale="de"), "amount").text


def test_a_slow_user_goes_on_unasked():
    slow = {"slots": {}, "knows": {"order_id": "A2048", "amount": CENTS}, "say": "Hello.", "one_by_one": True}
    made = task(**slow)
    first = prose(made, "Of course, go on.")
    assert first.slots == {"order_id": "A2048"}
    log = (*opening_turn(made.script), SayEvent(text="Go on."), first, SayEvent(text="Go on."))
    assert reply(made.script, log)[0].slots == {"amount": CENTS}


def test_a_question_to_confirm_is_understood():
    made = task(**WHICH)
    wish, locale = dataclasses.replace(made.wish, confirms=("order_id",)), made.script.locale
    assert asked_in(wish, locale, SayEvent(text="Shall I go ahead?")) == ("order_id",)
    assert asked_in(wish, locale, SayEvent(text="I went ahead.")) == ()


def test_a_question_in_prose_counts_as_asked():
    """The order stays open, and the agent asked for it in its own words."""
    open_ = {"slots": {"amount": CENTS}, "say": "Please refund {amount}."}
    made = task(**open_)
    listed = call("list_orders", customer_id="C009")
    session = played(made, listed).session

    def ended(text):
        log = (*session.log, SayEvent(text=text), FinalEvent(outcome="clarify", says={}))
        return [failure.element for failure in grade(made, dataclasses.replace(session, log=log))]

    assert ended("Which order do you mean?") == []
    assert ended("I will think about it.") == ["asks.order_id"]
