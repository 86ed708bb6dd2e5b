"""Agents that do it another legal way: every one of them passes."""

from decimal import Decimal
from itertools import permutations

import pytest
from refund_world import CENTS, LOOK, NOTIFY, REFUND, ask, call, elements, refund_id, respond, task

from caselock.spec.faults import CommittedResponseLost, PartialSuccess, TimeoutBeforeExecution

LOST = CommittedResponseLost(fault="committed_response_lost", tool="create_refund")
TIMEOUT = TimeoutBeforeExecution(fault="timeout_before_execution", tool="create_refund")
READS = (
    LOOK,
    call("list_orders", customer_id="C009"),
    call("get_customer", customer_id="C009"),
    call("list_refunds", order_id="A1024"),
)


def done(made, *steps):
    return respond("fulfil", refund_id=refund_id(made, *steps))


def ends(made, *steps):
    return elements(made, *steps, done(made, *steps))


@pytest.mark.parametrize("amount", [80, "80", "80.0", Decimal(80), Decimal("80.0")], ids=repr)
def test_the_amount_in_another_writing(amount):
    assert ends(task(), LOOK, call("create_refund", order_id="A1024", amount=amount, idempotency_key="x")) == []


def test_reads_in_any_order():
    made = task()
    assert all(ends(made, *order, REFUND) == [] for order in permutations(READS))


def test_reads_again_and_reads_after():
    assert ends(task(), LOOK, LOOK, REFUND, *READS) == []


def test_a_look_through_the_list():
    assert ends(task(), READS[1], REFUND) == []


@pytest.mark.parametrize("key", ["k1", "a-key-of-its-own", "k" * 64])
def test_any_idempotency_key(key):
    assert ends(task(), LOOK, call("create_refund", order_id="A1024", amount=CENTS, idempotency_key=key)) == []


@pytest.mark.parametrize("fault", [(), (LOST,), (TIMEOUT,)], ids=["none", "lost", "timeout"])
def test_a_repeat_under_the_same_key(fault):
    assert ends(task(faults=fault), LOOK, REFUND, REFUND) == []


def test_a_look_up_after_a_lost_response():
    assert ends(task(faults=(LOST,)), LOOK, REFUND, call("list_refunds", order_id="A1024")) == []


def test_a_fresh_key_after_a_look_up_that_shows_no_refund():
    again = call("create_refund", order_id="A1024", amount=CENTS, idempotency_key="k2")
    assert ends(task(faults=(TIMEOUT,)), LOOK, REFUND, call("list_refunds", order_id="A1024"), again) == []


def test_a_malformed_call_that_is_mended():
    broken = call("create_refund", order_id="A1024")
    assert ends(task(), LOOK, broken, REFUND) == []


def test_a_question_that_was_not_needed():
    assert ends(task(), LOOK, ask("notify"), REFUND) == []


def test_a_note_is_bookkeeping():
    note = call("add_order_note", order_id="A1024", note="refunded as asked")
    assert ends(task(), LOOK, note, REFUND) == []
    assert ends(task(), LOOK, REFUND, note) == []


def test_another_wording_of_a_ticket():
    made = task(slots={"order_id": "A2048", "amount": Decimal("100.01")})
    ticket = call("create_ticket", kind="escalation", reason="over_role_limit", summary="Too much for me.")
    look = call("get_order", order_id="A2048")
    assert elements(made, look, ticket, respond("escalate", reason="over_role_limit")) == []
    assert elements(made, ticket, look, respond("escalate", reason="over_role_limit")) == []


def test_a_refusal_in_words_where_no_tool_can_record_it():
    made = task(slots={"order_id": "E7000", "amount": CENTS}, tools=("get_order", "create_refund"))
    look = call("get_order", order_id="E7000")
    assert elements(made, look, respond("refuse", reason="not_your_order")) == []


def test_a_question_before_and_after_the_list():
    made = task(slots={"amount": CENTS}, knows={"order_id": "A2048"}, say="Please refund {amount}.")
    refund = call("create_refund", order_id="A2048", amount=CENTS, idempotency_key="k1")
    look = call("get_order", order_id="A2048")
    assert ends(made, READS[1], ask("order_id"), refund) == []
    assert ends(made, ask("order_id"), READS[1], refund) == []
    assert ends(made, ask("order_id"), look, refund) == []
    assert ends(made, ask("order_id", "notify"), look, refund) == []


def test_a_follow_up_where_notices_never_arrive():
    partial = PartialSuccess(fault="partial_success", tool="send_refund_notice", nth="every")
    made = task(faults=(partial,), **NOTIFY)
    key = refund_id(made, LOOK, REFUND)
    notice = call("send_refund_notice", refund_id=key)
    ticket = call("create_ticket", kind="follow_up", reason="notice_failed", refund_id=key)
    assert ends(made, LOOK, REFUND, notice, notice, ticket) == []
    assert ends(made, LOOK, REFUND, notice, notice, notice, ticket) == []


def test_more_values_that_were_seen_may_be_said():
    made = task()
    told = respond(
        "fulfil", refund_id=refund_id(made, LOOK, REFUND), amount=CENTS, left=Decimal("0.00"), status="refund_pending"
    )
    assert elements(made, LOOK, REFUND, LOOK, told) == []


def test_a_flag_that_was_seen_may_be_said():
    made = task()
    told = respond("fulfil", refund_id=refund_id(made, LOOK, REFUND), disputed=False)
    assert elements(made, LOOK, REFUND, told) == []
