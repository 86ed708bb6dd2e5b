"""The boundary mutation: points around every threshold, unmasked so that the rule aimed at is the one that decides."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import permutations, product

from caselock.cases.edit import bound_field, field_schema, get_field, set_field
from caselock.cases.parent import Parent, parent_of
from caselock.cases.paths import BadPath
from caselock.cases.scenario import Scenario
from caselock.cases.thresholds import Point, Threshold, ends, points, threshold_value, thresholds
from caselock.expr.ast import free_variables
from caselock.expr.types import Enum
from caselock.rules.program import Program
from caselock.spec.operators import Boundary, Operator
from caselock.world.state import Value
from caselock.world.values import plain

Assignment = tuple[tuple[str, Value], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """Points around one threshold, the rules that compare with it, and what must be set first for them to be there."""

    points: tuple[Point, ...]
    rules: frozenset[str]
    unmasked: Assignment = ()


def boundary_points(
    program: Program, operator: Operator, parent: Parent, mutation: Boundary
) -> Iterator[tuple[str, Scenario]]:
    """(symbolic name, scenario) of every point that differs from the parent and that some world can realise.

    Raises:
        BadPath: when `of` names no input or `vary` no field.
    """
    table = program.goals[parent.scenario.goal].table
    decision, _, name = mutation.of.partition(".")
    if decision != table.name or name not in table.input_types:
        raise BadPath(f"'{mutation.of}' is no input of the decision table '{table.name}'")
    if get_field(program, parent, mutation.vary) is None:
        return
    made = [parent.scenario]
    for point, scenario in (*_around(program, operator, parent, mutation, name), *_ends(program, parent, mutation)):
        if scenario not in made:
            made.append(scenario)
            yield point, scenario


def _around(
    program: Program, operator: Operator, parent: Parent, mutation: Boundary, name: str
) -> Iterator[tuple[str, Scenario]]:
    for group in _groups(program, operator, parent, mutation, name):
        unmasked = group.unmasked or _unmask(program, operator, parent, mutation, group)
        for point in group.points:
            scenario = _placed(program, parent, mutation, point, unmasked)
            if scenario is not None:
                yield point.name, scenario


def _groups(program: Program, operator: Operator, parent: Parent, mutation: Boundary, name: str) -> Iterator[Group]:
    """The points of an input: every value of a closed list, else those around thresholds, and where two meet."""
    table = program.goals[parent.scenario.goal].table
    type_ = table.input_types[name].type
    if isinstance(type_, Enum):
        rules = frozenset(rule.id for rule, condition in table.rules if name in free_variables(condition.node))
        for value in type_.values:
            yield Group(points=(Point(name=f"{name}.{value}", value=value),), rules=rules)
        return
    found = [(item, threshold_value(item, parent.decision.facts)) for item in thresholds(table, name)]
    for threshold, at in found:
        yield Group(points=points(threshold, type_, at), rules=threshold.rules)
    if mutation.cross:
        for (one, _), (other, at) in permutations([item for item in found if item[1] is not None], 2):
            met = _meeting(program, operator, parent, one, other, at)
            if met is not None:
                both = replace(one, name=f"{one.name}_at_{other.name}", rules=one.rules | other.rules)
                yield Group(points=points(both, type_, at)[1:], rules=both.rules, unmasked=met)


def _meeting(
    program: Program, operator: Operator, parent: Parent, one: Threshold, other: Threshold, at: Value
) -> Assignment | None:
    """The smallest change of the `unmask` fields that brings one threshold to where the other is, if any does."""
    for assignment in _assignments(program, operator, parent, (Point(name=other.name, value=at),)):
        scenario = _with_fields(program, parent, assignment)
        moved = None if scenario is None else parent_of(program, parent.seed, scenario)
        if isinstance(moved, Parent) and scenario != parent.scenario:
            facts = moved.decision.facts
            if threshold_value(one, facts) == threshold_value(other, facts) == at:
                return assignment
    return None


def _ends(program: Program, parent: Parent, mutation: Boundary) -> Iterator[tuple[str, Scenario]]:
    """The smallest and the greatest value that the schema of the varied field allows."""
    name = mutation.of.partition(".")[2]
    for side, value in ends(field_schema(program, parent, mutation.vary)):
        scenario = _with_fields(program, parent, ((mutation.vary, value),))
        if scenario is not None and isinstance(parent_of(program, parent.seed, scenario), Parent):
            yield f"{name}.{side}", scenario


def _placed(
    program: Program, parent: Parent, mutation: Boundary, point: Point, unmasked: Assignment
) -> Scenario | None:
    """The scenario at a point, or None when the field cannot take the value or no world is like that."""
    name = mutation.of.partition(".")[2]
    for value in _settings(program, parent, mutation, name, point):
        scenario = _with_fields(program, parent, (*unmasked, (mutation.vary, value)))
        decided = None if scenario is None else parent_of(program, parent.seed, scenario)
        if isinstance(decided, Parent) and decided.decision.facts.get(name) == point.value:
            return scenario
    return None


def _settings(program: Program, parent: Parent, mutation: Boundary, name: str, point: Point) -> Iterator[Value]:
    """Values of the varied field that may bring the input to the point.

    The input may be the field itself, or rise or fall with it step by step, as an age falls when a date rises.
    """
    yield point.value
    now, fact = get_field(program, parent, mutation.vary), parent.decision.facts.get(name)
    for sign in (1, -1):
        try:
            yield now + sign * (point.value - fact)
        except (TypeError, OverflowError):
            continue


def _with_fields(program: Program, parent: Parent, assignment: Assignment) -> Scenario | None:
    scenario = parent.scenario
    try:
        for field, value in assignment:
            if value != get_field(program, parent, field):
                scenario = set_field(program, parent, scenario, field, plain(value))
    except BadPath:
        return None
    return scenario


def _unmask(program: Program, operator: Operator, parent: Parent, mutation: Boundary, group: Group) -> Assignment:
    """The smallest change of the `unmask` fields with which a rule aimed at decides at a point, or some point can be.

    Where there is a rule to aim at, reaching it comes first.
    """
    aimed = group.rules & set(operator.aims_at)
    possible: Assignment | None = None
    for assignment in _assignments(program, operator, parent, group.points):
        for point in group.points:
            scenario = _placed(program, parent, mutation, point, assignment)
            decided = None if scenario is None else parent_of(program, parent.seed, scenario)
            if isinstance(decided, Parent):
                possible = assignment if possible is None else possible
                if not aimed or decided.decision.rule in aimed:
                    return assignment
    return possible or ()


def _assignments(program: Program, operator: Operator, parent: Parent, around: tuple[Point, ...]) -> list[Assignment]:
    """Candidate values for the `unmask` fields, fewest changes first: as they are, at a point, or at a domain end."""
    choices: list[list[tuple[str, Value]]] = []
    for written in operator.unmask:
        field = bound_field(parent.values, written)
        now = get_field(program, parent, field)
        last = (value for _, value in ends(field_schema(program, parent, field)))
        choices.append([(field, value) for value in (now, *(point.value for point in around), *last)])
    found = [tuple(choice) for choice in product(*choices)]
    return sorted(found, key=lambda choice: sum(value != get_field(program, parent, field) for field, value in choice))
