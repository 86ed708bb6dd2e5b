"""The calls that no passing run can do without: what follows, what meets it, and what does not."""

from pathlib import Path

import pytest
from refund_world import CENTS, LOOK, PLAIN, REFUND, call, elements, played, refund_id, replaced, respond, task, variant

from caselock.oracles.calls import ExpectedCall, expected_calls, unmet
from caselock.pipeline import COMPILE, run
from caselock.world.events import CallEvent

LIBRARY = Path(__file__).resolve().parents[1] / "workspaces" / "library"
GOAL = "spec__goals__refund_order"


@pytest.fixture(scope="module")
def cases():
    return run(COMPILE, LIBRARY).cases


def due(made, *steps):
    """What is expected of a task, told from a run of these steps."""
    session = played(made, *steps).session
    return [
        (each.tools, dict(each.args), dict(each.contains), each.after)
        for each in expected_calls(made, session, made.decide_now(session))
    ]


def events(*calls):
    return [CallEvent(call=number, tool=tool, args=args) for number, (tool, args) in enumerate(calls, 1)]


def test_a_refund_needs_a_look_before_the_write_with_order_and_amount():
    assert due(task(), LOOK) == [
        (("get_order", "list_orders"), {}, {}, ()),
        (("create_refund",), {"order_id": "A1024", "amount": CENTS}, {}, (0,)),
    ]


def test_only_tools_on_offer_are_expected():
    assert due(task(tools=("get_order", "create_refund")), LOOK)[0] == (("get_order",), {}, {}, ())


def test_a_refusal_needs_its_ticket_and_without_the_tool_nothing():
    refused = {"slots": {"order_id": "Z9999", "amount": CENTS}}
    look = call("get_order", order_id="Z9999")
    ticket = {"kind": "refusal", "reason": "unknown_order"}
    assert due(task(**refused), look) == [(("create_ticket",), ticket, {}, ())]
    assert due(task(**refused, tools=("get_order",)), look) == []


def test_an_open_question_needs_no_call():
    asked = {"slots": {}, "knows": {}, "say": "I want my money back."}
    assert due(task(**asked)) == []


def test_a_record_that_names_another_new_record_is_made_after_it(tmp_path):
    both = replaced("creates: {refund: refunds}", "creates: {refund: refunds, notice: notices}")
    without = replaced("notice: {in: notices, at_most: 3}, ", "")
    ensured = replaced(
        "    ensures:\n      - {that: refund.order_id ==",
        "    ensures:\n      - {that: notice.refund_id == refund.refund_id, because: [refund_sop_v3.2#section-5]}\n"
        "      - {that: refund.order_id ==",
    )
    made = task(variant(tmp_path, **{GOAL: lambda text: ensured(without(both(text)))}))
    assert due(made, LOOK) == [
        (("get_order", "list_orders"), {}, {}, ()),
        (("create_refund",), {"order_id": "A1024", "amount": CENTS}, {}, (0,)),
        (("send_refund_notice",), {}, {}, (1,)),
    ]


def test_free_text_is_expected_by_what_it_contains_and_the_record_by_its_key(tmp_path):
    noted = replaced(
        "    ensures:\n      - {that: refund.order_id ==",
        '    ensures:\n      - {that: "order.note.contains(order.order_id)", because: [refund_sop_v3.2#section-5]}\n'
        "      - {that: refund.order_id ==",
    )
    framed = replaced("fields: [refundable_amount, status]", "fields: [refundable_amount, status, note]")
    made = task(variant(tmp_path, **{GOAL: lambda text: framed(noted(text))}), tools=(*PLAIN, "add_order_note"))
    assert (("add_order_note",), {"order_id": "A1024"}, {"note": ("A1024",)}, ()) in due(made, LOOK)

    def ends(note):
        steps = (LOOK, REFUND, call("add_order_note", order_id="A1024", note=note))
        return elements(made, *steps, respond("fulfil", refund_id=refund_id(made, *steps)))

    assert "calls.add_order_note" not in ends("Refunded order A1024 today.")
    assert "calls.add_order_note" in ends("Refunded.")


def test_a_field_that_two_tools_write_pins_no_argument(tmp_path):
    mend = """\
tool: mend_refund
version: "1"
description: Change the amount of a refund.
effect: reversible
because: [refund_api_3.2#refunds]
input:
  type: object
  required: [refund_id, amount]
  properties: {refund_id: {type: string, x-ref: refunds}, amount: {type: number, multipleOf: 0.01}}
changes: [{update: refunds, key: =args.refund_id, set: {amount: =args.amount}}]
returns: {}
"""
    allowed = replaced("      create_refund: allow\n", "      create_refund: allow\n      mend_refund: allow\n")
    program = variant(tmp_path, spec__tools__mend_refund=mend, spec__permissions=allowed)
    made = task(program, tools=(*PLAIN, "mend_refund"))
    assert due(made, LOOK)[1] == (("create_refund",), {"order_id": "A1024"}, {}, (0,))


def answered(cases):
    """Every request of every case with its calls and those expected."""
    for case in cases:
        for request in case.derived.requests:
            if request.final is not None and request.share.standing == "due":
                share = request.share
                made = [event for event in share.session.log if isinstance(event, CallEvent)]
                yield case.case_id, request, made, expected_calls(share.task, share.session, request.final)


def test_every_plan_makes_the_calls_that_its_case_expects(cases):
    for case_id, request, made, expected in answered(cases):
        assert unmet(expected, made) == [], case_id
        if request.final.outcome == "fulfil" and request.share.task.goal.spec.goal == "renew_loan":
            assert len(expected) == 2, case_id


def test_every_expected_call_is_missed_when_it_is_left_out_or_made_with_another_argument(cases):
    for case_id, _, made, expected in answered(cases):
        for index, wanted in enumerate(expected):
            rest = [event for event in made if not wanted.fits(event)]
            assert index in unmet(expected, rest), case_id
            for name in wanted.args:
                others = [CallEvent(call=e.call, tool=e.tool, args={**e.args, name: "other"}) for e in made]
                assert index in unmet(expected, others), case_id


LOOKED, WRITTEN = ExpectedCall(tools=("get", "list")), ExpectedCall(tools=("write",), args={"id": 1}, after=(0,))


@pytest.mark.parametrize(
    ("calls", "missing"),
    [
        ([("get", {}), ("write", {"id": 1})], []),
        ([("list", {}), ("write", {"id": 1, "note": "x"})], []),
        ([("write", {"id": 1}), ("get", {}), ("write", {"id": 1})], []),
        ([("get", {}), ("other", {}), ("get", {}), ("write", {"id": 1})], []),
        ([("write", {"id": 1}), ("get", {})], [1]),
        ([("get", {}), ("write", {"id": 2})], [1]),
        ([("get", {}), ("write", {})], [1]),
        ([("write", {"id": 1})], [0]),
        ([], [0, 1]),
    ],
)
def test_name_key_subset_and_order(calls, missing):
    assert unmet((LOOKED, WRITTEN), events(*calls)) == missing


def test_texts_are_held_by_what_they_contain():
    wanted = ExpectedCall(tools=("note",), contains={"text": ("A1", "refund")})
    assert unmet((wanted,), events(("note", {"text": "The refund of A1 is under way"}))) == []
    assert unmet((wanted,), events(("note", {"text": "The refund of B2"}))) == [0]
    assert unmet((wanted,), events(("note", {"text": 7}))) == [0]
    assert unmet((wanted,), events(("note", {}))) == [0]


def test_a_malformed_call_meets_nothing():
    wanted = ExpectedCall(tools=("get",))
    assert unmet((wanted,), [CallEvent(call=1, tool="get", args={}, malformed=True)]) == [0]


def test_an_answer_of_another_form_fails_its_schema():
    made = task()
    assert elements(made, LOOK, REFUND, respond("fulfil", refund_id=7)).count("response_schema") == 1
    assert "response_schema" in elements(made, LOOK, REFUND, respond("fulfil"))
    assert elements(made, LOOK, REFUND, respond("fulfil", refund_id=refund_id(made, LOOK, REFUND))) == []
