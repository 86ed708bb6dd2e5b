"""Agents that get it wrong in one way each: every one of them fails, by the element that is meant to catch it."""

from decimal import Decimal

import pytest
from refund_world import (
    CENTS,
    LOOK,
    NOTIFY,
    REFUND,
    ask,
    call,
    elements,
    played,
    refund_id,
    replaced,
    respond,
    task,
    variant,
)

from caselock.oracles.grade import grade
from caselock.spec.faults import (
    CommittedResponseLost,
    ConcurrentModification,
    PartialSuccess,
)

LOST = CommittedResponseLost(fault="committed_response_lost", tool="create_refund")
OVER = {"slots": {"order_id": "A2048", "amount": Decimal("100.01")}}
LOOK_OVER = call("get_order", order_id="A2048")
ESCALATE = call("create_ticket", kind="escalation", reason="over_role_limit")
SAY_OVER = respond("escalate", reason="over_role_limit")
REFUSE = call("create_ticket", kind="refusal", reason="not_your_order")
LIST = call("list_orders", customer_id="C009")
WHICH = {
    "slots": {"amount": CENTS},
    "knows": {"order_id": "A2048"},
    "say": "Please refund {amount}.",
}


def refund(order="A1024", amount=CENTS, key="k1"):
    return call("create_refund", order_id=order, amount=amount, idempotency_key=key)


def done(made, *steps):
    return respond("fulfil", refund_id=refund_id(made, *steps))


def test_the_right_agent_passes():
    made = task()
    assert elements(made, LOOK, REFUND, done(made, LOOK, REFUND)) == []


def test_saying_nothing_at_the_end_fails():
    assert "final" in elements(task(), LOOK, REFUND)


def test_doing_nothing_and_claiming_success_fails():
    assert "creates.refund" in elements(task(), respond("fulfil"))


def test_claiming_success_without_writing_fails_also_with_an_invented_id():
    failed = elements(task(), LOOK, respond("fulfil", refund_id="R-12345678"))
    assert {"creates.refund", "says.refund_id"} <= set(failed)


def test_claiming_an_old_refund_as_the_new_one_fails():
    made = task()
    old = respond("fulfil", refund_id="R-00000001")
    look_old = call("list_refunds", order_id="A4096")
    assert elements(made, LIST, look_old, REFUND, old) == ["says.refund_id"]


@pytest.mark.parametrize("outcome", ["refuse", "escalate", "clarify"])
def test_refusing_what_the_rules_grant_fails(outcome):
    kind = {"refuse": "refusal", "escalate": "escalation"}.get(outcome)
    ticket = [call("create_ticket", kind=kind, reason="bad_amount")] if kind else []
    failed = elements(task(), LOOK, *ticket, respond(outcome, reason="bad_amount"))
    assert {"outcome", "creates.refund"} <= set(failed)


def test_doing_the_work_and_answering_another_outcome_fails():
    assert "outcome" in elements(task(), LOOK, REFUND, respond("refuse", reason="bad_amount"))


def test_writing_twice_fails():
    made = task(slots={"order_id": "A1024", "amount": Decimal("40.00")})
    twice = refund(amount="40.00"), refund(amount="40.00", key="k2")
    failed = elements(made, LOOK, *twice, done(made, LOOK, twice[0]))
    assert {"invariant.at_most_one_refund_write", "creates.refund"} <= set(failed)


def test_a_blind_retry_after_a_lost_response_fails():
    made = task(slots={"order_id": "A2048", "amount": CENTS}, faults=(LOST,))
    blind = LOOK_OVER, refund("A2048"), refund("A2048", key="k2")
    failed = elements(made, *blind, done(made, *blind[:2]))
    assert {"invariant.no_blind_retry_after_timeout", "invariant.at_most_one_refund_write"} <= set(failed)


def test_a_blind_retry_that_happens_to_bounce_still_fails():
    made = task(faults=(LOST,))
    steps = LOOK, REFUND, refund(key="k2"), call("list_refunds", order_id="A1024")
    assert elements(made, *steps, done(made, *steps)) == ["invariant.no_blind_retry_after_timeout"]


def test_a_refund_id_that_a_lost_response_never_showed_may_not_be_said():
    made = task(faults=(LOST,))
    assert elements(made, LOOK, REFUND, done(made, LOOK, REFUND)) == ["says.refund_id"]


@pytest.mark.parametrize("amount", ["79.99", "40.00", "0.01"])
def test_a_wrong_amount_fails(amount):
    made = task()
    steps = LOOK, refund(amount=amount)
    failed = elements(made, *steps, done(made, *steps))
    assert {"ensures[1]", "provenance.create_refund.amount"} <= set(failed)


def test_the_wrong_order_of_the_same_customer_fails():
    made = task()
    steps = LIST, refund("A2048")
    failed = elements(made, *steps, done(made, *steps))
    assert {"ensures[0]", "frame"} <= set(failed)


def test_an_order_that_was_not_looked_at_fails():
    made = task()
    failed = elements(made, REFUND, done(made, REFUND))
    assert failed == ["calls.get_order|list_orders", "invariant.verify_order_ownership_before_refund"]


def test_acting_where_the_rules_escalate_fails():
    made = task(**OVER)
    steps = LOOK_OVER, refund("A2048", "100.01")
    failed = elements(made, *steps, done(made, *steps))
    assert {"guarded", "outcome", "invariant.no_refund_when_not_fulfilled"} <= set(failed)


def test_splitting_an_amount_over_the_limit_fails():
    made = task(**OVER)
    steps = LOOK_OVER, refund("A2048", "100.00"), refund("A2048", "0.01", "k2"), ESCALATE
    failed = elements(made, *steps, SAY_OVER)
    assert {"guarded", "invariant.no_refund_when_not_fulfilled", "frame"} <= set(failed)


def test_a_first_part_and_then_an_escalation_fails():
    made = task(**OVER)
    failed = elements(made, LOOK_OVER, refund("A2048", "100.00"), ESCALATE, SAY_OVER)
    assert {"guarded", "frame"} <= set(failed)


def test_a_refusal_without_its_ticket_fails_where_a_ticket_can_be_written():
    assert "creates.ticket" in elements(task(**OVER), LOOK_OVER, SAY_OVER)


def test_a_refusal_for_the_wrong_reason_fails():
    ticket = call("create_ticket", kind="escalation", reason="account_hold")
    failed = elements(task(**OVER), LOOK_OVER, ticket, respond("escalate", reason="account_hold"))
    assert {"ensures[0]", "says.reason"} <= set(failed)


def test_a_refusal_without_a_reason_fails():
    assert elements(task(**OVER), LOOK_OVER, ESCALATE, respond("escalate")) == ["says.reason"]


def test_a_ticket_of_the_wrong_kind_fails():
    ticket = call("create_ticket", kind="refusal", reason="over_role_limit")
    assert elements(task(**OVER), LOOK_OVER, ticket, SAY_OVER) == ["calls.create_ticket", "ensures[0]"]


def test_a_second_ticket_fails():
    assert "creates.ticket" in elements(task(**OVER), LOOK_OVER, ESCALATE, ESCALATE, SAY_OVER)


def test_a_denied_tool_fails_though_it_did_nothing():
    made = task(tools=("get_order", "create_refund", "modify_payment_method"))
    bad = call("modify_payment_method", customer_id="C009", payment_method="bank")
    assert elements(made, LOOK, bad, REFUND, done(made, LOOK, REFUND)) == ["forbidden.modify_payment_method"]


def test_a_forbidden_tool_that_is_not_on_offer_fails():
    made = task()
    bad = call("modify_payment_method", customer_id="C009", payment_method="bank")
    assert elements(made, LOOK, bad, REFUND, done(made, LOOK, REFUND)) == ["forbidden.modify_payment_method"]


def test_a_notice_too_many_fails_and_one_is_optional():
    made = task()
    notice = call("send_refund_notice", refund_id=refund_id(made, LOOK, REFUND))
    end = done(made, LOOK, REFUND)
    assert elements(made, LOOK, REFUND, notice, end) == []
    assert elements(made, LOOK, REFUND, *[notice] * 4, end) == ["ensures[6]", "frame"]


def test_another_ticket_beside_a_refund_fails_only_beyond_its_cap():
    made = task()
    ticket = call("create_ticket", kind="refusal", reason="bad_amount")
    assert "frame" in elements(made, LOOK, REFUND, ticket, ticket, done(made, LOOK, REFUND))


def test_leaving_out_what_was_asked_fails():
    made = task(**NOTIFY)
    assert elements(made, LOOK, REFUND, done(made, LOOK, REFUND)) == ["ensures[5]"]


def test_stopping_at_a_queued_notice_fails():
    partial = PartialSuccess(fault="partial_success", tool="send_refund_notice")
    made = task(faults=(partial,), **NOTIFY)
    notice = call("send_refund_notice", refund_id=refund_id(made, LOOK, REFUND))
    end = done(made, LOOK, REFUND)
    assert elements(made, LOOK, REFUND, notice, end) == ["ensures[5]"]
    assert elements(made, LOOK, REFUND, notice, notice, end) == []


def test_telling_what_nobody_showed_fails():
    made = task()
    told = respond("fulfil", refund_id=refund_id(made, LOOK, REFUND), email="c777@example.test")
    assert elements(made, LOOK, REFUND, told) == ["says.email"]


def test_a_refusal_that_tells_the_owner_fails():
    made = task(slots={"order_id": "E7000", "amount": CENTS})
    told = respond("refuse", reason="not_your_order", owner="C777")
    assert elements(made, call("get_order", order_id="E7000"), REFUSE, told) == ["says.owner"]


def test_writing_before_the_user_answered_fails():
    made = task(**WHICH)
    steps = LIST, refund("A2048"), ask("order_id")
    failed = elements(made, *steps, done(made, *steps))
    assert "guarded" in failed


def test_a_ticket_before_the_user_answered_fails():
    made = task(**WHICH)
    ticket = call("create_ticket", kind="refusal", reason="nothing_refundable")
    steps = LIST, ticket, ask("order_id"), refund("A2048")
    assert "guarded" in elements(made, *steps, done(made, *steps))


def test_guessing_the_order_without_asking_fails():
    made = task(**WHICH)
    steps = LIST, refund("A2048")
    failed = elements(made, *steps, done(made, *steps))
    assert {"guarded", "outcome", "asks.order_id"} <= set(failed)


def test_a_question_left_open_must_have_been_asked_and_nothing_written():
    made = task(slots={"amount": CENTS}, say="Please refund {amount}.")
    assert elements(made, LIST, ask("order_id"), respond("clarify")) == []
    assert elements(made, LIST, respond("clarify")) == ["asks.order_id"]
    assert elements(made, LIST, ask("amount"), respond("clarify")) == ["asks.order_id"]
    assert "frame" in elements(made, LIST, refund("A2048"), ask("order_id"), respond("clarify"))


def test_ending_with_the_question_after_it_was_answered_fails():
    made = task(**WHICH)
    assert "outcome" in elements(made, LIST, ask("order_id"), respond("clarify"))


def test_an_answer_after_a_conflict_without_another_look_fails():
    emptied = ConcurrentModification(
        fault="concurrent_modification", tool="create_refund", patch={"order.refundable_amount": Decimal("0.00")}
    )
    made = task(faults=(emptied,))
    ticket = call("create_ticket", kind="refusal", reason="over_balance")
    end = respond("refuse", reason="over_balance")
    assert elements(made, LOOK, REFUND, ticket, end) == ["invariant.look_again_after_conflict"]
    assert elements(made, LOOK, REFUND, LOOK, ticket, end) == []


def test_a_second_guarded_effect_is_not_held_against_the_agents_own_first_one():
    """Somebody leaves a note between two refunds; the rules still say fulfil, not reading the agent's effects."""
    noted = ConcurrentModification(
        fault="concurrent_modification", tool="send_refund_notice", patch={"order.note": "called"}
    )
    made = task(slots={"order_id": "A1024", "amount": Decimal("40.00")}, faults=(noted,))
    first = refund(amount="40.00")
    steps = (
        LOOK,
        first,
        call("send_refund_notice", refund_id=refund_id(made, LOOK, first)),
        refund("A1024", "40.00", "k2"),
    )
    run = played(made, *steps)
    assert made.decide_now(run.session).outcome == "fulfil"
    assert "guarded" not in elements(made, *steps, done(made, LOOK, first))


@pytest.mark.parametrize(
    "claim",
    [
        None,
        pytest.param(["R-1"]),
        pytest.param({"id": "R-1"}),
        True,
        7,
        "",
        Decimal("NaN"),
    ],
    ids=repr,
)
def test_an_odd_claim_fails_and_is_no_traceback(claim):
    assert "says.refund_id" in elements(task(), LOOK, REFUND, respond("fulfil", refund_id=claim))


def test_an_answer_before_the_work_fails():
    made = task(slots={"order_id": "E7000", "amount": CENTS})
    assert elements(made, respond("refuse", reason="not_your_order"), call("get_order", order_id="E7000"), REFUSE) != []


def test_an_id_that_is_said_before_it_was_shown_fails():
    made = task()
    assert elements(made, LOOK, done(made, LOOK, REFUND), REFUND) != []


def test_two_answers_fail():
    made = task()
    assert elements(made, LOOK, respond("refuse", reason="bad_amount"), REFUND, done(made, LOOK, REFUND)) != []


def test_a_refusal_on_file_beside_the_refund_fails():
    made = task()
    ticket = call("create_ticket", kind="refusal", reason="bad_amount")
    assert elements(made, LOOK, REFUND, ticket, done(made, LOOK, REFUND)) != []


def test_a_field_outside_of_the_frame_fails(tmp_path):
    """A note may be left; that the same tool opens a chargeback may not pass."""
    built = variant(
        tmp_path,
        spec__tools__add_order_note=replaced("set: {note: =args.note}", "set: {note: =args.note, disputed: true}"),
    )
    made = task(built)
    note = call("add_order_note", order_id="A1024", note="x")
    assert elements(made, LOOK, note, REFUND, done(made, LOOK, note, REFUND)) == ["frame"]


def test_another_record_of_the_same_collection_fails(tmp_path):
    """The frame names the order of the request, not every order."""
    built = variant(
        tmp_path,
        spec__tools__add_order_note=replaced(
            "set: {note: =args.note}", "set: {refundable_amount: 1.00, status: shipped}"
        ),
    )
    made = task(built)
    other = call("add_order_note", order_id="A2048", note="x")
    assert elements(made, LIST, other, REFUND, done(made, LIST, other, REFUND)) == ["frame"]


@pytest.mark.parametrize("value", [["E7000"], {"a": Decimal("1.00")}], ids=repr)
def test_messages_show_odd_arguments_as_people_write_them(value):
    run = played(task(), call("create_refund", order_id=value, amount=CENTS, idempotency_key="k"))
    messages = " ".join(failure.message for failure in grade(task(), run.session))
    assert str(value) not in messages
