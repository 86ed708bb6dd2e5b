"""A world of bookings with passengers, payment maps and flights by date: nested values typed, changed and framed."""

import shutil
from dataclasses import replace
from decimal import Decimal
from pathlib import Path

import pytest
from refund_world import Findings, compiled

from caselock.cases.build import Unbuildable, build_task
from caselock.cases.derive import Derived, derive
from caselock.cases.edit import get_field, set_field
from caselock.cases.parent import Parent, parent_of
from caselock.cases.paths import BadPath
from caselock.cases.scenario import Asked, Scenario
from caselock.oracles.grade import grade
from caselock.oracles.task import Task
from caselock.solve.steps import Call, Respond, begin, take
from caselock.spec.faults import ConcurrentModification
from caselock.spec.seeds import Authored, Seed

SKY = Path(__file__).parents[1] / "workspaces" / "sky"
BASE = Scenario(
    seed="s",
    family="f",
    fixture="sky",
    overlay={},
    requests=(Asked(goal="cancel", slots={"booking_id": "B-1"}, knows={}, say="Cancel {booking_id}."),),
    locale="en",
    conversation=(),
    tools=("get_booking", "cancel_booking", "book"),
    faults=(),
    attack=None,
)
LOOK = Call(tool="get_booking", args={"booking_id": "B-1"})
CANCELLED = Call(tool="cancel_booking", args={"booking_id": "B-1"})


def sky(root, changes=()):
    """The program of a copy of the workspace with some texts replaced: (file, old, new)."""
    for part in ("policies", "locales"):  # they say nothing of the world, so that those of the library will do
        shutil.copytree(SKY.parent / "library" / "spec" / part, root / "spec" / part)
    shutil.copytree(SKY, root, dirs_exist_ok=True)
    for file, old, new in changes:
        text = (root / file).read_text()
        assert old in text, old
        (root / file).write_text(text.replace(old, new))
    return compiled(root)


@pytest.fixture(scope="module")
def program(tmp_path_factory):
    return sky(tmp_path_factory.mktemp("sky"))


def made(program, scenario=BASE):
    task = build_task(program, scenario, "salt")
    assert isinstance(task, Task), task
    return task


def played(task, *steps):
    run = begin(task)
    for step in steps:
        run = take(task, run, step)
    return run


def test_nested_values_are_exact_and_immutable(program):
    booking = program.world.fixtures["sky"].state["bookings"]["B-1"]
    assert booking["history"][1]["amount"] == Decimal("20.05")
    with pytest.raises(TypeError):
        booking["history"][1]["amount"] = Decimal(0)


def test_a_tool_appends_for_each_item_and_writes_into_maps(program):
    run = played(made(program), LOOK, CANCELLED)
    state = run.session.state
    amounts = [str(item["amount"]) for item in state["bookings"]["B-1"]["history"]]
    assert amounts == ["100.10", "20.05", "-100.10", "-20.05"]
    assert state["flights"]["F1"]["dates"]["may_10"] == {"seats": 5, "price": Decimal("80.10")}
    assert state["flights"]["F2"]["dates"]["may_10"]["seats"] == 7
    assert state["travellers"]["T1"]["payments"]["voucher_7"]["balance"] == Decimal("40.55")
    assert state["travellers"]["T1"]["payments"]["card_1"]["balance"] == Decimal("0.00")
    assert run.last_result.value["paid_back"] == Decimal("120.15")
    assert list(run.last_result.value["names"]) == ["Ana", "Bo"]


def test_lists_and_objects_are_built_in_cel(program):
    passengers = [{"first": "Cy", "age": 30}, {"first": "Baby", "age": 1}]
    step = Call(tool="book", args={"flight_id": "F1", "date": "may_10", "passengers": passengers})
    booking = played(made(program), step).last_result.value["booking"]
    assert booking["passengers"] == ({"first": "Cy", "age": 30},)
    assert booking["flights"] == ({"flight_id": "F1", "date": "may_10"},)
    assert booking["history"][0]["amount"] == Decimal("160.20")


def test_nested_arguments_are_checked(program):
    step = Call(tool="book", args={"flight_id": "F1", "date": "may_10", "passengers": [{"first": "Cy"}]})
    result = played(made(program), step).last_result
    assert result.error == "invalid_arguments"
    assert "passengers.0: 'age' is missing" in result.value


def test_the_frame_allows_the_places_it_names_and_nothing_beside_them(program, tmp_path):
    task = made(program)
    assert grade(task, played(task, LOOK, CANCELLED, Respond(outcome="fulfil", says={})).session) == ()
    price = ("spec/tools/cancel_booking.yaml", 'dates[f.date].seats"', 'dates[f.date].price"')
    cast = ("spec/tools/cancel_booking.yaml", "=flights[f.flight_id].dates[f.date].seats + size(booking.passengers)",
            "=flights[f.flight_id].dates[f.date].price + 1.0")  # fmt: skip
    task = made(sky(tmp_path, (price, cast)))
    failures = grade(task, played(task, LOOK, CANCELLED, Respond(outcome="fulfil", says={})).session)
    assert {failure.element for failure in failures} == {"frame"}


def test_a_plan_is_found_in_a_nested_world(program):
    derived = derive(made(program))
    assert isinstance(derived, Derived), derived
    assert derived.label == ("fulfil",)
    assert derived.requests[0].state == {"payments": 4, "first_seats": 5}


def parent(program):
    found = parent_of(program, Seed.model_construct(risk="low", provenance=Authored(kind="authored")), BASE)
    assert isinstance(found, Parent), found
    return found


def test_operators_and_overlays_reach_into_nested_fields(program):
    young = set_field(program, parent(program), BASE, "bookings.B-1.passengers.1.age", 1)
    assert young.overlay == {
        ("bookings", "B-1", "passengers"): ({"first": "Ana", "age": 41}, {"first": "Bo", "age": 1})
    }
    assert derive(made(program, young)).label == ("refuse",)
    assert set_field(program, parent(program), young, "booking.passengers.1.age", 7).overlay == {}
    assert get_field(program, parent(program), "booking.passengers.1.age") == 7
    assert get_field(program, parent(program), "booking.passengers.9.age") is None


def test_the_clock_is_a_field_too(program):
    later = set_field(program, parent(program), BASE, "clock", "2027-01-01T00:00:00Z")
    assert made(program, later).setup.now.year == 2027
    assert later.document()["clock"] == "2027-01-01T00:00:00Z"
    assert set_field(program, parent(program), later, "clock", "2026-05-01T09:00:00Z").overlay == {}


def test_a_concurrent_change_reaches_into_a_nested_field(program):
    fault = ConcurrentModification(
        fault="concurrent_modification", tool="cancel_booking", patch={"flights.F1.dates.may_10.seats": 0}
    )
    run = played(made(program, replace(BASE, faults=(fault,))), LOOK, CANCELLED)
    assert run.session.state["flights"]["F1"]["dates"]["may_10"] == {"seats": 2, "price": Decimal("80.10")}


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("bookings.B-1.passengers.2.age", 1),
        ("bookings.B-1.passengers.0.height", 1),
        ("bookings.B-1.passengers.0.age", -1),
        ("bookings.B-1.history.0.amount", "1.001"),
        ("bookings.B-1.booking_id", "B-2"),
        ("user.traveller_id.x", "T1"),
    ],
)
def test_a_place_that_is_not_there_is_refused(program, field, value):
    with pytest.raises(BadPath):
        set_field(program, parent(program), BASE, field, value)


def test_references_inside_nested_values_are_checked(program, tmp_path):
    broken = set_field(program, parent(program), BASE, "bookings.B-1.flights.0.flight_id", "F9")
    assert isinstance(build_task(program, broken, "salt"), Unbuildable)
    with pytest.raises(Findings, match="names flights 'F9'"):
        sky(tmp_path, [("spec/world/sky.yaml", "[{flight_id: F1,", "[{flight_id: F9,")])


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("item: {payment_id: =p.payment_id,", "item: {payment: =p.payment_id,"),
        ("amount: =-p.amount", "amount: =p.payment_id"),
        ("append: booking.history,", "append: booking.traveller_id,"),
        ("append: booking.history,", 'append: "booking.passengers.map(p, p.first)",'),
        ('for: "p in booking.history"', 'for: "booking in booking.history"'),
        ("for: f in booking.flights", "for: f in booking.traveller_id"),
        ("dates[f.date].seats", "dates[f.date].seat"),
        ("dates[f.date].seats", "dates[f.day].seats"),
        ("dates[f.date].seats", "dates.size()"),
        ("payments.voucher_7.balance", "payments.voucher_7.kind"),
    ],
)
def test_a_change_that_does_not_fit_is_a_finding(tmp_path, old, new):
    with pytest.raises(Findings):
        sky(tmp_path, [("spec/tools/cancel_booking.yaml", old, new)])
