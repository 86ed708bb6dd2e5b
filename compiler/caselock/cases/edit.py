"""One field of a scenario set to a value, the field named as operators name it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from caselock.cases.overlay import of_fixture, overlay_of
from caselock.cases.parent import Parent
from caselock.cases.paths import CLOCK, BadPath, schema_at, typed, value_at, world_path
from caselock.cases.scenario import Scenario, WorldPath
from caselock.rules.program import Program
from caselock.spec.schemas import Schema
from caselock.world.nested import NoPlace, found
from caselock.world.state import Record, Value


def set_field(program: Program, parent: Parent, scenario: Scenario, field: str, written: Any) -> Scenario:
    """The scenario with one field changed: `request.slot`, `user.field`, `agent.field`, or a field of a bound record.

    Raises:
        BadPath: when the field does not exist or the value does not fit it.
    """
    root, _, rest = field.partition(".")
    if root == "request":
        return _set_slot(program, scenario, rest, written)
    path = world_path(program.world, parent.values, field)
    return overlaid(program, scenario, path, value_at(program.world, path, written))


def overlaid(program: Program, scenario: Scenario, path: WorldPath, value: Value) -> Scenario:
    """The scenario with one place of its world set; what the fixture says already needs no overlay.

    Raises:
        BadPath: when a nested field has no such place.
    """
    fixture = program.world.fixtures[scenario.fixture]
    overlay = {**scenario.overlay, **overlay_of(fixture, scenario.overlay, path, value)}
    differing = {place: new for place, new in overlay.items() if of_fixture(fixture, place) != new}
    return replace(scenario, overlay=differing)


def _set_slot(program: Program, scenario: Scenario, slot: str, written: Any) -> Scenario:
    schema = program.goals[scenario.goal].spec.slots.get(slot)
    if schema is None:
        raise BadPath(f"goal '{scenario.goal}' has no slot '{slot}'")
    value = typed(schema, written, f"request.{slot}")
    if slot in scenario.knows:
        return scenario.asking(knows={**scenario.knows, slot: value})
    return scenario.asking(slots={**scenario.slots, slot: value})


def get_field(program: Program, parent: Parent, field: str) -> Value:
    """The present value of a field, or None when it has none.

    Raises:
        BadPath: when the field does not exist.
    """
    root, _, rest = field.partition(".")
    if root == "request":
        return parent.scenario.all_slots.get(rest)
    path = world_path(program.world, parent.values, field)
    if path == (CLOCK,):
        return parent.stage.now
    owners: Mapping[str, Value] = {**parent.stage.state, "user": parent.stage.user, "agent": parent.stage.agent}
    try:
        return found(owners, path)
    except NoPlace:
        return None


def field_schema(program: Program, parent: Parent, field: str) -> Schema | None:
    """The schema of a field, or None when it is no slot of the goal.

    Raises:
        BadPath: when the field does not exist.
    """
    root, _, rest = field.partition(".")
    if root == "request":
        return program.goals[parent.scenario.goal].spec.slots.get(rest)
    return schema_at(program.world, world_path(program.world, parent.values, field))


def bound_field(values: Mapping[str, Value], field: str) -> str:
    """`initial_state.orders.total` as the field of the record of that collection that the goal's lets are bound to.

    Raises:
        BadPath: when no let is bound to a record of the collection.
    """
    parts = field.split(".")
    if parts[0] != "initial_state" or len(parts) != 3:
        return field
    for name, value in values.items():
        if isinstance(value, Record) and value.collection == parts[1]:
            return f"{name}.{parts[2]}"
    raise BadPath(f"'{field}': this request is bound to no record of {parts[1]}")
