"""Confirmation as a stage: the rules ask for a yes, the user gives it or not, and nothing is written before."""

from decimal import Decimal

import pytest
from refund_world import LOOK, PLAIN, REFUND, ask, call, elements, refund_id, replaced, respond, task, variant

from caselock.cases.derive import Derived, derive

RULES = """\
  - id: refund.say_yes
    version: "1"
    title: More than 50 needs a yes
    when: owned && amount > 50.0 && !present(confirmed)
    then: confirm
    reason: confirm_large
    overrides: [refund.ok]
    because: [refund_sop_v3.2#section-4]
  - id: refund.said_no
    version: "1"
    title: Without the yes nothing is refunded
    when: present(confirmed) && !confirmed
    then: refuse
    reason: bad_amount
    overrides: [refund.ok]
    because: [refund_sop_v3.2#section-4]
  - id: refund.ok
"""


@pytest.fixture(scope="module")
def program(tmp_path_factory):
    return variant(
        tmp_path_factory.mktemp("confirm"),
        rules__refund=lambda text: text.replace("  - id: refund.ok\n", RULES).replace(
            "  amount: {from", "  confirmed: {from: request.confirmed, type: bool}\n  amount: {from"
        ),
        spec__goals__refund_order=lambda text: text.replace(
            "  notify: {type", "  confirmed: {type: boolean, title: go-ahead}\n  notify: {type"
        ).replace("  clarify:\n", "  confirm:\n    asks: {confirm_large: [confirmed]}\n  clarify:\n"),
        spec__permissions=replaced("create_refund: allow", "create_refund: confirm"),
    )


def done(case, *steps):
    return respond("fulfil", refund_id=refund_id(case, *steps))


def made(program, answer):
    return task(program, knows={"confirmed": answer}, tools=PLAIN)


def test_a_yes_leads_from_confirm_to_fulfil(program):
    derived = derive(made(program, True))
    assert isinstance(derived, Derived), derived
    assert derived.label == ("confirm", "fulfil")


def test_a_no_leads_from_confirm_to_refuse(program):
    derived = derive(made(program, False))
    assert isinstance(derived, Derived), derived
    assert derived.label == ("confirm", "refuse")


def test_the_user_says_yes_in_words(program):
    derived = derive(made(program, True))
    said = [event.text for event in derived.plan.run.session.log if type(event).__name__ == "UserEvent"]
    assert said[-1] == "The go-ahead is yes."


def test_writing_before_the_yes_fails(program):
    case = made(program, True)
    failed = elements(case, LOOK, REFUND, ask("confirmed"), done(case, LOOK, REFUND))
    assert "guarded" in failed


def test_writing_after_the_yes_passes(program):
    case = made(program, True)
    assert elements(case, LOOK, ask("confirmed"), REFUND, done(case, LOOK, ask("confirmed"), REFUND)) == []


def test_a_tool_that_needs_a_yes_is_not_used_without_one_whatever_the_table_says(program):
    """At 40.00 the table asks nothing; the permission still wants the user's yes."""
    case = task(program, slots={"order_id": "A1024", "amount": Decimal("40.00")}, tools=PLAIN)
    small = call("create_refund", order_id="A1024", amount="40.00", idempotency_key="k1")
    assert "confirmed.create_refund" in elements(case, LOOK, small, respond("fulfil", refund_id="R-1"))
