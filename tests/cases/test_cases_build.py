"""A scenario becomes a task only when its world, wording and faults are possible."""

from dataclasses import replace
from decimal import Decimal

import pytest
from refund_world import NOTIFY, program, replaced, scenario, variant

from caselock.cases.build import Unbuildable, build_task, set_stage
from caselock.cases.seeds import located
from caselock.oracles.task import Task
from caselock.spec.faults import Attack, ConcurrentModification, InjectedContent


def made(**changes):
    return build_task(program(), scenario(**changes), "salt")


def order(**fields):
    return {("orders", "A1024", name): value for name, value in fields.items()}


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"overlay": order(status="shipped")},
        {"overlay": order(status="closed", refundable_amount=Decimal("0.00"))},
        {"overlay": {("user", "customer_id"): "C015"}},
        {"overlay": {("agent", "refund_limit"): Decimal("0.00")}},
        NOTIFY,
    ],
    ids=range(6),
)
def test_a_possible_scenario_is_built(changes):
    assert isinstance(made(**changes), Task)


@pytest.mark.parametrize(
    ("part", "changes"),
    [
        ("world", {"overlay": order(status="closed")}),
        ("world", {"overlay": order(refundable_amount=Decimal("80.01"))}),
        ("world", {"overlay": order(refundable_amount=Decimal("-0.01"))}),
        ("world", {"overlay": order(status="lost")}),
        ("world", {"overlay": order(customer_id="C999")}),
        ("world", {"overlay": {("orders", "Z0000", "status"): "paid"}}),
        ("world", {"overlay": {("user", "customer_id"): "C999"}}),
        ("world", {"overlay": {("agent", "role"): "nobody"}}),
        ("wording", {"say": "Please refund {amount}."}),
        ("wording", {"say": "Please refund {amount} from {order_id} for {notify}."}),
        ("wording", {"say": "Please refund {amount} from {order_id} {"}),
        ("faults", {"faults": (InjectedContent(fault="injected_content", record="order", field="nope", payload="x"),)}),
        ("faults", {"attack": Attack(wants="x", succeeded="nobody.knows", conflicts_with_task=False)}),
    ],
)
def test_an_impossible_scenario_says_where_it_is_wrong(part, changes):
    found = made(**changes)
    assert isinstance(found, Unbuildable)
    assert found.part == part
    assert found.message
    assert "Decimal(" not in found.message


def changed(**patch):
    written = {f"order.{name}": value for name, value in patch.items()}
    return ConcurrentModification(fault="concurrent_modification", tool="create_refund", patch=written)


@pytest.mark.parametrize(
    "patch", [{"status": "closed"}, {"refundable_amount": Decimal("999.00")}, {"customer_id": "C999"}]
)
def test_a_concurrent_change_leads_to_a_possible_world(patch):
    assert isinstance(made(faults=(changed(**patch),)), Unbuildable)


KEYS = {
    "overlay": {"overlay": order(order_id="A9999")},
    "injected": {
        "faults": (InjectedContent(fault="injected_content", record="order", field="order_id", payload="B1500"),)
    },
    "changed": {"faults": (changed(order_id="A9999"),)},
}


@pytest.mark.parametrize("name", KEYS)
def test_a_record_keeps_its_key(name):
    assert isinstance(made(**KEYS[name]), Unbuildable)


NEW = {
    "overlay": {"overlay": {("orders", "X9999", "status"): "paid"}},
    "injected": {
        "faults": (InjectedContent(fault="injected_content", record="orders.X9999", field="note", payload="x"),)
    },
    "changed": {
        "faults": (
            ConcurrentModification(
                fault="concurrent_modification", tool="create_refund", patch={"orders.X9999.status": "paid"}
            ),
        )
    },
}


@pytest.mark.parametrize("name", NEW)
def test_nothing_but_a_tool_makes_a_record(name):
    assert isinstance(made(**NEW[name]), Unbuildable)


@pytest.mark.parametrize("patch", [{"status": "lost"}, {"nope": 1}, {"refundable_amount": Decimal("0.001")}])
def test_a_concurrent_change_fits_its_fields(patch):
    found = made(faults=(changed(**patch),))
    assert isinstance(found, Unbuildable)
    assert found.part == "faults"


def test_the_fixture_is_never_touched():
    before = program().world.fixtures["refund_fixture_v4"].state["orders"]["A1024"]
    built = made(overlay=order(status="shipped"))
    assert built.setup.state["orders"]["A1024"]["status"] == "shipped"
    assert program().world.fixtures["refund_fixture_v4"].state["orders"]["A1024"] is before
    assert built.setup.state["customers"] is program().world.fixtures["refund_fixture_v4"].state["customers"]


def test_a_record_whose_key_has_a_dot_can_be_changed(tmp_path):
    """Keys are data: e-mail addresses and host names have dots."""
    built = variant(
        tmp_path,
        spec__world__records=replaced('pattern: "^[A-Z][0-9]{4}$"', 'pattern: "^[A-Z][0-9.]{4}$"'),
        spec__world__refund_fixture_v4=replaced("A1024", "A1.24"),
    )
    base = scenario(slots={"order_id": "A1.24", "amount": Decimal("80.00")})
    values = set_stage(built, base).values(built, base)
    fault = located(built, changed(note="called"), values)
    assert isinstance(build_task(built, replace(base, faults=(fault,)), "salt"), Task)
