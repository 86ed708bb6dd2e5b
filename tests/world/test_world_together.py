"""Several calls in one turn: run in order, seen together, so that no call of a turn knows what a sibling found."""

from refund_world import CENTS, refund_id, task
from refund_world import LOOK as LOOK_STEP
from refund_world import REFUND as REFUND_STEP

from caselock.oracles.grade import grade
from caselock.solve.steps import begin
from caselock.world.environment import call, call_together
from caselock.world.events import CallEvent, EffectEvent, FinalEvent, ResultEvent

LOOK = ("get_order", {"order_id": "A1024"})
REFUND = ("create_refund", {"order_id": "A1024", "amount": CENTS, "idempotency_key": "k1"})


def together(*calls):
    made = task()
    return call_together(made.world, made.setup, begin(made).session, calls)


def kinds(session):
    return [type(event) for event in session.log[1:]]


def test_calls_run_in_order_and_all_results_come_after_the_last_of_them():
    session, results = together(LOOK, REFUND)
    assert [result.tool for result in results] == ["get_order", "create_refund"]
    assert kinds(session) == [CallEvent, CallEvent, EffectEvent, EffectEvent, ResultEvent, ResultEvent]
    assert [event.call for event in session.log if isinstance(event, CallEvent | ResultEvent)] == [1, 2, 1, 2]


def test_a_later_call_of_a_turn_works_on_what_an_earlier_one_did():
    _, results = together(REFUND, LOOK)
    assert results[1].value["status"] == "refund_pending"


def test_alone_a_call_is_what_it_always_was():
    made = task()
    session, (result,) = together(LOOK)
    assert (session, result) == call(made.world, made.setup, begin(made).session, *LOOK)


def failures(*turns):
    made = task()
    session = begin(made).session
    for calls in turns:
        session, _ = call_together(made.world, made.setup, session, calls)
    made_refund = next(key for key in session.state["refunds"] if key not in session.before["refunds"])
    session = session.logged(FinalEvent(outcome="fulfil", says={"refund_id": made_refund}))
    return sorted({failure.element for failure in grade(made, session)})


def test_a_check_in_the_same_turn_as_the_write_is_no_check():
    assert failures((LOOK,), (REFUND,)) == []
    assert failures((LOOK, REFUND)) == ["invariant.verify_order_ownership_before_refund"]


def test_an_argument_cannot_come_from_a_sibling():
    made = task()
    known = refund_id(made, LOOK_STEP, REFUND_STEP)
    notice = ("send_refund_notice", {"refund_id": known})
    assert "provenance.send_refund_notice.refund_id" in failures((LOOK,), (REFUND, notice))
    assert "provenance.send_refund_notice.refund_id" not in failures((LOOK,), (REFUND,), (notice,))
