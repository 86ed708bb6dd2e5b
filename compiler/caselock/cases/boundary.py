"""The boundary mutation: points around every threshold, unmasked so that the rule aimed at is the one that decides."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from caselock.cases.edit import bound_field, get_field, set_field
from caselock.cases.parent import Parent, parent_of
from caselock.cases.paths import BadPath
from caselock.cases.scenario import Scenario
from caselock.cases.thresholds import Point, Threshold, points, threshold_value, thresholds
from caselock.rules.program import Program
from caselock.spec.operators import Boundary, Operator
from caselock.world.state import Value
from caselock.world.values import plain

Assignment = tuple[tuple[str, Value], ...]


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
    for threshold in thresholds(table, name):
        at = threshold_value(threshold, parent.decision.facts)
        around = points(threshold, table.input_types[name].type, at)
        unmasked = _unmask(program, operator, parent, mutation, threshold, around)
        for point in around:
            scenario = _placed(program, parent, mutation, point, unmasked)
            if scenario is not None and scenario != parent.scenario:
                yield point.name, scenario


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


def _unmask(
    program: Program,
    operator: Operator,
    parent: Parent,
    mutation: Boundary,
    threshold: Threshold,
    around: tuple[Point, ...],
) -> Assignment:
    """The smallest change of the `unmask` fields with which a rule aimed at decides at one of the points; else none."""
    aimed = threshold.rules & set(operator.aims_at)
    if not aimed:
        return ()
    for assignment in _assignments(program, operator, parent, around):
        for point in around:
            scenario = _placed(program, parent, mutation, point, assignment)
            decided = None if scenario is None else parent_of(program, parent.seed, scenario)
            if isinstance(decided, Parent) and decided.decision.rule in aimed:
                return assignment
    return ()


def _assignments(program: Program, operator: Operator, parent: Parent, around: tuple[Point, ...]) -> list[Assignment]:
    """Candidate values for the `unmask` fields, fewest changes first: each as it is, or at one of the points."""
    choices: list[list[tuple[str, Value]]] = []
    for written in operator.unmask:
        field = bound_field(parent.values, written)
        now = get_field(program, parent, field)
        choices.append([(field, value) for value in (now, *(point.value for point in around))])
    found = [tuple(choice) for choice in product(*choices)]
    return sorted(found, key=lambda choice: sum(value != get_field(program, parent, field) for field, value in choice))
