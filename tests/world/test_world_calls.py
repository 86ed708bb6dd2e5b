"""Tool calls as pure functions: keys, errors, permissions, generated ids, and what they share with the state before."""

import json
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from refund_world import CENTS, LOOK, REFUND, call, played, program, refund_id, task

from caselock.world.effects import generated_id
from caselock.world.environment import call as run_call
from caselock.world.environment import start
from caselock.world.events import CallEvent, EffectEvent, ResultEvent
from caselock.world.state import Record, changed_records, put


def test_the_same_key_with_the_same_arguments_replays_the_answer_without_a_second_effect():
    once = played(task(), REFUND)
    twice = played(task(), REFUND, REFUND)
    assert twice.session.state == once.session.state
    assert twice.last_result.value == once.last_result.value
    assert twice.last_result.call == 2


def test_the_same_amount_written_otherwise_is_the_same_argument():
    again = call("create_refund", order_id="A1024", amount="80", idempotency_key="k1")
    assert played(task(), REFUND, again).last_result.error is None


def test_the_same_key_with_other_arguments_is_a_conflict():
    other = call("create_refund", order_id="A1024", amount="1.00", idempotency_key="k1")
    run = played(task(), REFUND, other)
    assert run.last_result.error == "idempotency_conflict"
    assert run.session.state == played(task(), REFUND).session.state


def test_a_key_whose_call_was_rejected_may_be_used_again():
    rejected = call("create_refund", order_id="A1024", amount="999.00", idempotency_key="k1")
    assert played(task(), rejected, REFUND).last_result.error is None


def test_only_the_first_call_with_a_key_has_a_new_key():
    log = played(task(), REFUND, REFUND).session.log
    assert [event.new_key for event in log if isinstance(event, CallEvent)] == [True, False]


@pytest.mark.parametrize(
    ("args", "error"),
    [
        ({"order_id": "Z0000", "amount": "-1.00"}, "order_not_found"),
        ({"order_id": "A1024", "amount": "-1.00"}, "invalid_amount"),
        ({"order_id": "A1024", "amount": "80.01"}, "exceeds_balance"),
        ({"order_id": "A1024", "amount": "80.00"}, None),
    ],
)
def test_the_first_error_that_holds_is_answered(args, error):
    made = task()
    run = played(made, call("create_refund", idempotency_key="k", **args))
    assert run.last_result.error == error
    assert (run.session.state is made.setup.state) == (error is not None)


def test_a_denied_tool_answers_permission_denied_and_changes_nothing():
    made = task(tools=("get_order", "delete_order"))
    run = played(made, call("delete_order", order_id="A1024"))
    assert run.last_result.error == "permission_denied"
    assert run.session.state is made.setup.state


@pytest.mark.parametrize("name", ["delete_order", "no_such_tool", ""])
def test_a_tool_that_is_not_on_offer_is_unknown(name):
    made = task(tools=("get_order",))
    run = played(made, call(name, order_id="A1024"))
    assert run.last_result.error == "unknown_tool"
    assert run.session.state is made.setup.state


def test_a_tool_that_is_not_on_offer_leaves_a_call_in_the_log():
    log = played(task(tools=("get_order",)), call("delete_order", order_id="A1024")).session.log
    assert [event.tool for event in log if isinstance(event, CallEvent)] == ["delete_order"]


ODD = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5) | st.decimals(),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=3), inner, max_size=2),
    max_leaves=4,
)


@given(ODD, ODD)
def test_odd_arguments_are_refused_as_a_value(order, amount):
    made = task()
    session, result = run_call(
        made.world,
        made.setup,
        start(made.setup),
        "create_refund",
        {"order_id": order, "amount": amount, "idempotency_key": "k"},
    )
    assert result.error in ("invalid_arguments", "order_not_found")
    assert session.state is made.setup.state


@pytest.mark.parametrize(
    "key",
    [["k"], {"k": 1}, None, 7, "", "k" * 65],
    ids=repr,
)
def test_an_odd_idempotency_key_is_refused_as_a_value(key):
    run = played(task(), call("create_refund", order_id="A1024", amount=CENTS, idempotency_key=key), REFUND)
    answers = [event.error for event in run.session.log if isinstance(event, ResultEvent)]
    assert answers == ["invalid_arguments", None]


@pytest.mark.parametrize("name", ["create_refund", "get_order"])
def test_a_deep_argument_is_refused_as_a_value(name):
    deep = json.loads("[" * 700 + "]" * 700)
    assert played(task(), call(name, order_id=deep)).last_result.error == "invalid_arguments"


def test_generated_ids_are_salted_per_case_and_the_same_each_time():
    world, state = program().world, task().setup.state
    assert refund_id(task(), REFUND) == refund_id(task(), REFUND)
    ids = {generated_id(world, salt, state, "refunds") for salt in ("a", "b", "c")}
    assert len(ids) == 3
    assert all(key.startswith("R-") for key in ids)


def test_a_generated_id_never_meets_one_that_is_there():
    world, state = program().world, task().setup.state
    for _ in range(20):
        key = generated_id(world, "salt", state, "tickets")
        assert key not in state["tickets"]
        state = put(state, Record("tickets", key, {"ticket_id": key}))
    taken = generated_id(world, "salt", {**state, "tickets": {}}, "tickets")
    full = {**state, "tickets": {taken: Record("tickets", taken, {})}}
    assert generated_id(world, "salt", full, "tickets") != taken


def test_collections_that_a_call_leaves_alone_are_the_same_objects():
    made = task()
    before, after = made.setup.state, played(made, REFUND).session.state
    assert {name for name in after if after[name] is not before[name]} == {"orders", "refunds"}
    assert all(after["orders"][key] is before["orders"][key] for key in after["orders"] if key != "A1024")
    assert changed_records(before, after) == [("orders", "A1024"), ("refunds", refund_id(made, REFUND))]


def test_a_read_changes_nothing_and_its_result_is_the_record():
    made = task()
    run = played(made, LOOK)
    assert run.session.state is made.setup.state
    assert run.last_result.value is made.setup.state["orders"]["A1024"]


def test_an_effect_remembers_the_record_before_it():
    effects = [event for event in played(task(), REFUND).session.log if isinstance(event, EffectEvent)]
    assert [(event.kind, event.record.collection, event.before is None) for event in effects] == [
        ("insert", "refunds", True),
        ("update", "orders", False),
    ]
    assert effects[1].before["refundable_amount"] == CENTS
    assert effects[1].record["refundable_amount"] == Decimal("0.00")


def test_keys_of_a_collection_stay_in_order():
    made = task()
    ticket = call("create_ticket", kind="refusal", reason="bad_amount")
    state = played(made, ticket, ticket, ticket, REFUND).session.state
    assert all(list(records) == sorted(records) for records in state.values())
