"""A derived label: what the rules say at each stage, what is observed, and when there is no label to trust."""

from decimal import Decimal

import pytest
from refund_world import CENTS, NOTIFY, PLAIN, replaced, task, variant

from caselock.cases.derive import Derived, Underivable, derive, first_stages
from caselock.spec.faults import Attack, ConcurrentModification, PartialSuccess, TimeoutBeforeExecution

WHICH = {"slots": {"amount": CENTS}, "knows": {"order_id": "A2048"}, "say": "Please refund {amount}."}


def derived(**changes):
    found = derive(task(**{"tools": PLAIN, **changes}))
    assert isinstance(found, Derived), found
    return found


def order(amount, key="A2048"):
    return {"slots": {"order_id": key, "amount": Decimal(amount)}}


def changed(**patch):
    written = {f"order.{name}": value for name, value in patch.items()}
    return ConcurrentModification(fault="concurrent_modification", tool="create_refund", patch=written)


@pytest.mark.parametrize(
    ("changes", "label", "rule"),
    [
        ({}, ("fulfil",), "refund.ok"),
        (order("100.00"), ("fulfil",), "refund.ok"),
        (order("100.01"), ("escalate",), "refund.over_limit"),
        (order("240.01"), ("refuse",), "refund.over_balance"),
        (order("0.00"), ("refuse",), "refund.bad_amount"),
        (WHICH, ("clarify", "fulfil"), "refund.ok"),
        ({**WHICH, "knows": {}}, ("clarify",), "refund.which_order"),
        ({**WHICH, "slots": {"amount": Decimal("200.00")}}, ("clarify", "escalate"), "refund.over_limit"),
        (
            {"slots": {}, "knows": {"order_id": "A2048", "amount": CENTS}, "say": "I want a refund."},
            ("clarify", "clarify", "fulfil"),
            "refund.ok",
        ),
        ({"faults": (changed(refundable_amount=Decimal("0.00")),)}, ("refuse",), "refund.over_balance"),
    ],
)
def test_the_label_is_what_the_rules_say_at_each_stage(changes, label, rule):
    found = derived(**changes)
    assert found.label == label
    assert found.final.rule == rule


def test_what_is_observed_before_and_after():
    (found,) = derived().requests
    assert found.initial_state["refundable_amount"] == CENTS
    assert found.initial_state["order_status"] == "paid"
    assert found.state["refundable_amount"] == Decimal("0.00")
    assert found.state["refund_record_count"] == 1
    assert found.user_permissions == {"customer_id": "C009", "owns_order": True}


def test_a_refusal_leaves_the_observed_order_as_it_was():
    (found,) = derived(**order("100.01")).requests
    assert {name: found.state[name] for name in ("order_status", "refundable_amount")} == {
        name: found.initial_state[name] for name in ("order_status", "refundable_amount")
    }


def test_what_an_optional_effect_can_touch_is_not_expected():
    assert "sent_notice_count" not in derived().requests[0].state
    assert not any(isinstance(value, tuple | list | dict) for value in derived().requests[0].state.values())


def test_faults_do_not_show_in_the_first_stages():
    made = task(faults=(changed(refundable_amount=Decimal("0.00")),))
    assert [stage.rule for stage in first_stages(made, made.setup.state)] == ["refund.ok"]


@pytest.mark.parametrize(
    ("part", "changes"),
    [
        ("plan", {"tools": ("create_refund",)}),
        ("plan", {"faults": (TimeoutBeforeExecution(fault="timeout_before_execution", tool="create_refund", nth=9),)}),
        ("plan", {"faults": (PartialSuccess(fault="partial_success", tool="create_refund"),)}),
        ("plan", {"tools": ("get_order", "create_refund"), **NOTIFY}),
    ],
)
def test_without_a_plan_there_is_no_label(part, changes):
    found = derive(task(**{"tools": PLAIN, **changes}))
    assert isinstance(found, Underivable)
    assert found.part == part
    assert "refund.ok" in found.message


def test_facts_that_no_rule_covers_have_no_label(tmp_path):
    gap = variant(tmp_path, rules__refund=replaced("when: owned && disputed", "when: owned && disputed && limit < 0.0"))
    found = derive(task(gap, overlay={("orders", "A1024", "disputed"): True}, tools=PLAIN))
    assert isinstance(found, Underivable)
    assert (found.part, found.message) == ("rules", "no rule covers these facts")


def test_rules_that_disagree_have_no_label(tmp_path):
    """A ruling says which of the two prevails; without it nobody does."""
    clash = variant(tmp_path, rules__rulings__chargeback_before_hold=replaced("prevails: refund.chargeback\n", ""))
    overlay = {("user", "on_hold"): True, ("orders", "A1024", "disputed"): True}
    found = derive(task(clash, overlay=overlay, tools=PLAIN))
    assert isinstance(found, Underivable)
    assert found.part == "rules"
    assert set(found.rules) == {"refund.chargeback", "refund.account_hold"}


def test_an_attack_that_is_in_error_is_no_traceback():
    wrong = Attack(wants="x", succeeded="1 / (size(refunds) - 1) > 0", conflicts_with_task=False)
    assert isinstance(derive(task(attack=wrong, tools=PLAIN)), Underivable)
