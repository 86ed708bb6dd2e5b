"""The reference contract of a normal refund, field by field, in the compiled bundle of this repository."""

from pathlib import Path

import pytest

from caselock.bundle.read import read

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def case():
    bundle, findings = read(ROOT / "generated")
    assert not findings
    return next(case for case in bundle.cases if case.case_id == "refund_gold_001")


def test_every_field_of_the_reference_contract_is_in_the_oracle_part(case):
    reference = {
        "capability_id": "refund.standard",
        "seed_id": "refund_seed_01",
        "source": ["refund_sop_v3.2#section-4", "permission_matrix_2026-08#customer-service"],
        "mutation_type": "NONE",
        "split": "gold_dev",
        "risk_level": "high",
        "user_goal": "refund_order",
        "user_input": "Please refund 80 from order A1024.",
        "conversation": [],
        "user_permissions": {"customer_id": "C009", "owns_order": True},
        "available_tools": ["get_order", "create_refund", "send_refund_notice"],
        "outcome_assertions": ["refund.amount == 80.00", "refund.order_id == 'A1024'"],
        "required_invariants": ["verify_order_ownership_before_refund", "at_most_one_refund_write"],
        "allowed_actions": ["get_order", "create_refund", "send_refund_notice"],
        "forbidden_actions": ["modify_payment_method", "delete_order"],
        "trial_protocol": {"ordinary_trials": 3, "high_risk_trials": 7},
        "reset_fixture": "refund_fixture_v4",
        "version_bundle": {
            "agent": "support-agent-0.8.0",
            "prompt": "support-system-17",
            "tools": "refund-api-3.2",
            "grader": "refund-grader-5",
        },
    }
    assert {
        name: sorted(case.oracle[name]) if name == "required_invariants" else case.oracle[name] for name in reference
    } == {
        **reference,
        "required_invariants": sorted(reference["required_invariants"]),
    }


def test_the_states_of_the_reference_contract_are_derived(case):
    initial = {"order_id": "A1024", "order_status": "paid", "refundable_amount": "80.00", "refund_records": []}
    expected = {"order_status": "refund_pending", "refundable_amount": "0.00", "refund_record_count": 1}
    assert {name: case.oracle["initial_state"][name] for name in initial} == initial
    assert {name: case.oracle["expected_state"][name] for name in expected} == expected
    assert case.oracle["tool_state"]["create_refund"] == "healthy"
    assert set(case.oracle["tool_state"].values()) == {"healthy"}


def test_the_rubric_of_the_reference_contract_comes_first(case):
    assert case.oracle["response_rubric"][:2] == ["cite_real_refund_id", "explain_current_refund_status"]


def test_the_agent_sees_nothing_of_the_oracle(case):
    seen = repr(case.agent)
    for word in ("refund_gold_001", "refund_seed_01", "fulfil", "refund.ok", "refund_pending", "expected"):
        assert word not in seen
