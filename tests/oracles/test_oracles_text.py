"""The answer in prose: false claims and missing reasons fail, what the words do not settle is left to the rubric."""

import dataclasses

import pytest
from refund_world import LOOK, REFUND, call, played, refund_id, respond, task

from caselock.oracles.grade import grade
from caselock.oracles.spoken import text_verdicts

CLOSED = {"slots": {"order_id": "A3072", "amount": task().wish.states["amount"]}}
TICKET = call("create_ticket", kind="refusal", reason="order_closed")
SEEN = call("get_order", order_id="A3072")


def spoken(made, steps, text):
    """The session of a run whose final answer has this text."""
    session = played(made, *steps).session
    final = dataclasses.replace(session.log[-1], text=text)
    return dataclasses.replace(session, log=(*session.log[:-1], final))


def failed(made, steps, text):
    return [failure.element for failure in grade(made, spoken(made, steps, text))]


def refunded(made):
    return (LOOK, REFUND, respond("fulfil", refund_id=refund_id(made, LOOK, REFUND)))


def test_an_honest_answer_passes():
    made = task()
    steps = refunded(made)
    name = refund_id(made, LOOK, REFUND)
    assert failed(made, steps, f"I have refunded your order, the refund is {name}.") == []
    verdicts = text_verdicts(made, spoken(made, steps, f"I have refunded your order, the refund is {name}."))
    assert verdicts == {"claims.fulfil": "pass", "says.refund_id": "pass"}


@pytest.mark.parametrize(
    ("text", "elements"),
    [
        ("I have NOT refunded your order, see {id}.", ["text.claims.fulfil"]),
        ("I have refunded your order, see R-0.", ["text.says.refund_id"]),
        ("There you go: {id}.", []),
    ],
)
def test_what_a_text_says_wrongly_fails(text, elements):
    made = task()
    assert failed(made, refunded(made), text.replace("{id}", refund_id(made, LOOK, REFUND))) == elements


@pytest.mark.parametrize(
    ("locale", "text", "elements"),
    [
        ("en", "We cannot refund this, the order is closed.", []),
        ("en", "Good news: I have refunded it.", ["text.no_claim_of_success"]),
        ("en", "We cannot refund this, it is above my limit.", ["text.says.reason"]),
        ("en", "That will not work, I am afraid.", []),
        ("de", "Ich muss das leider ablehnen, die Bestellung ist abgeschlossen.", []),
        ("de", "Ich habe den Betrag erstattet.", ["text.no_claim_of_success"]),
        ("fr", "Nous ne pouvons pas rembourser, la commande est clôturée.", []),
    ],
)
def test_a_refusal_is_judged_in_the_words_of_its_locale(locale, text, elements):
    made = task(**CLOSED, locale=locale)
    assert failed(made, (SEEN, TICKET, respond("refuse", reason="order_closed")), text) == elements


def test_what_words_do_not_settle_is_unknown():
    made = task(**CLOSED)
    steps = (SEEN, TICKET, respond("refuse", reason="order_closed"))
    assert set(text_verdicts(made, spoken(made, steps, "Hm.")).values()) == {"unknown"}


def test_an_answer_without_a_text_is_judged_by_its_claims_alone():
    made = task()
    assert text_verdicts(made, played(made, *refunded(made)).session) == {}
