"""A small bundle for the tests: content made by hand, with text that tries to break out of its place."""

from caselock.bundle.content import BundleContent, CaseParts

NOTICE = "Invented records; nobody has reviewed these cases for a real business."


def case(case_id, bucket="gold", **parts):
    return CaseParts(
        **{
            "case_id": case_id,
            "bucket": bucket,
            "agent": {"user_input": "I want my \u20ac80 back", "tools": ["get_order", "create_refund"]},
            "world": {"fixture": "refund_fixture_v4", "overlay": {"orders": {"ORD-9": {"status": "paid"}}}},
            "simulator": {"role": "customer", "knows": {"order_id": "ORD-9"}},
            "oracle": {"outcome": "fulfil", "expected_state": {"refundable_amount": "0.00"}},
            "proof": {"steps": [{"call": "create_refund", "args": {"amount": "80.00"}}]},
            "lineage": {"seed_id": "refund-standard-001", "operators": []},
            **parts,
        }
    )


CASES = (
    case("refund-standard-001"),
    case("refund-standard-002"),
    case("refund-standard-001+amount.above", "challenge", oracle={"outcome": "escalate"}),
)


def content(**changes):
    ids = sorted(case.case_id for case in changes.get("cases", CASES))
    return BundleContent(
        **{
            "name": "support_agent",
            "version": "0.1.0",
            "title": "Refund *support* agent",
            "description": "Looks up orders.\n\n<script>alert(1)</script> [click](javascript:x)",
            "license": "Apache-2.0",
            "owner": "product",
            "notice": NOTICE,
            "compiler": "0.1.0",
            "pins": {"agent": "support-agent-0.8.0", "model": None},
            "trial_protocol": {"trials": "standard", "ordinary_trials": 3},
            "inputs": {
                "spec/project.yaml": "a" * 64,
                "rules/refund.yaml": "b" * 64,
                "seeds/r/1.yaml": "c" * 64,
            },
            "cases": CASES,
            "tools": [{"name": "get_order", "description": "Reads an order.", "inputSchema": {"type": "object"}}],
            "model": {"records": {}},
            "coverage": {"cases": 3},
            "packs": {"smoke": ids[:1], "full": ids},
            **changes,
        }
    )
