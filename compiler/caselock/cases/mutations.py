"""The mutations of operators, one function per kind: a parent scenario -> its children, each with a symbolic name."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from caselock.cases.boundary import boundary_points
from caselock.cases.edit import get_field, set_field
from caselock.cases.parent import Parent
from caselock.cases.paths import BadPath
from caselock.cases.scenario import Scenario
from caselock.cases.seeds import located
from caselock.cases.wording import Part, join, mentioned, parts
from caselock.expr.compile import Expression
from caselock.expr.values import Undefined
from caselock.rules.program import Program
from caselock.spec.faults import DirtyState, InjectedContent
from caselock.spec.operators import AddFault, Boundary, Choose, Inject, Omit, Operator, Phrase, SetFields, Typo
from caselock.world.expressions import holds


@dataclass(frozen=True, slots=True, kw_only=True)
class Bound:
    """An operator's expressions typed by one goal: the condition on parents, and those of its values by field."""

    when: Expression | None
    values: Mapping[str, Expression]


@dataclass(frozen=True, slots=True, kw_only=True)
class CompiledOperator:
    """An operator, and its expressions compiled for each goal that it takes."""

    spec: Operator
    goals: Mapping[str, Bound]


@dataclass(frozen=True, slots=True, kw_only=True)
class Child:
    """A mutated scenario; `param` names symbolically which of the operator's children it is."""

    param: str
    scenario: Scenario


def applies(operator: CompiledOperator, parent: Parent) -> bool:
    """True when the operator takes this parent.

    Raises:
        EvaluationError: when the condition is in error.
    """
    bound = operator.goals.get(parent.scenario.goal)
    return bound is not None and (bound.when is None or holds(bound.when, parent.values))


def mutate(program: Program, operator: CompiledOperator, parent: Parent) -> Iterator[Child]:
    """Every child that the operator makes of a parent.

    Raises:
        BadPath: when the operator names a field that is not there or sets a value that does not fit.
    """
    mutation = operator.spec.mutation
    yield from _MUTATIONS[type(mutation)](program, operator, parent, mutation)


def _boundary(program: Program, operator: CompiledOperator, parent: Parent, mutation: Boundary) -> Iterator[Child]:
    for name, scenario in boundary_points(program, operator.spec, parent, mutation):
        yield Child(param=name, scenario=scenario)


def _set(program: Program, operator: CompiledOperator, parent: Parent, mutation: SetFields) -> Iterator[Child]:
    scenario = parent.scenario
    for field, written in mutation.set.items():
        expression = operator.goals[scenario.goal].values.get(field)
        value = written if expression is None else _value(expression, parent, field)
        scenario = set_field(program, parent, scenario, field, value)
    yield Child(param="", scenario=scenario)


def _value(expression: Expression, parent: Parent, field: str) -> Any:
    try:
        return expression.evaluate(parent.values)
    except Undefined as undefined:
        raise BadPath(f"the value of '{field}' is undefined: {undefined.reason}") from undefined


def _choose(program: Program, operator: CompiledOperator, parent: Parent, mutation: Choose) -> Iterator[Child]:
    where = operator.goals[parent.scenario.goal].values["where"]
    now = get_field(program, parent, mutation.field)
    for key, record in parent.stage.state[mutation.among].items():
        if key != now and holds(where, {**parent.values, "record": record}):
            yield Child(param="", scenario=set_field(program, parent, parent.scenario, mutation.field, key))
            return


def _fault(program: Program, operator: CompiledOperator, parent: Parent, mutation: AddFault) -> Iterator[Child]:
    fault = located(program, mutation.fault, parent.values)
    if isinstance(fault, InjectedContent | DirtyState) or fault.tool in parent.scenario.tools:
        yield Child(param="", scenario=replace(parent.scenario, faults=(*parent.scenario.faults, fault)))


def _inject(program: Program, operator: CompiledOperator, parent: Parent, mutation: Inject) -> Iterator[Child]:
    faults = (*parent.scenario.faults, located(program, mutation.content, parent.values))
    yield Child(param="", scenario=replace(parent.scenario, faults=faults, attack=mutation.attack))


def _phrase(program: Program, operator: CompiledOperator, parent: Parent, mutation: Phrase) -> Iterator[Child]:
    for item in program.workspace.phrasings_of(parent.scenario.family, parent.scenario.goal):
        if mutation.tag in item.tags and set(mentioned(item.text)) == set(parent.scenario.slots):
            scenario = replace(parent.scenario, say=item.text, phrasing=item.id, locale=item.locale)
            yield Child(param=item.id, scenario=scenario)


def _omit(program: Program, operator: CompiledOperator, parent: Parent, mutation: Omit) -> Iterator[Child]:
    slots = dict(parent.scenario.slots)
    if mutation.slot not in slots:
        return
    knows = {**parent.scenario.knows, mutation.slot: slots.pop(mutation.slot)}
    for item in program.workspace.phrasings_of(parent.scenario.family, parent.scenario.goal):
        if "omission" in item.tags and set(mentioned(item.text)) == set(slots):
            scenario = replace(
                parent.scenario, slots=slots, knows=knows, say=item.text, phrasing=item.id, locale=item.locale
            )
            yield Child(param=item.id, scenario=scenario)


def _typo(program: Program, operator: CompiledOperator, parent: Parent, mutation: Typo) -> Iterator[Child]:
    pieces = list(parts(parent.scenario.say))
    places = [
        (index, offset) for index, piece in enumerate(pieces) if piece.slot is None for offset in _slippable(piece.text)
    ]
    if places:
        seed = hashlib.sha256(f"{parent.scenario.seed}\n{operator.spec.operator}".encode()).digest()
        index, offset = places[int.from_bytes(seed[:8], "big") % len(places)]
        pieces[index] = Part(_SLIPS[mutation.slip](pieces[index].text, offset))
    yield Child(param="", scenario=replace(parent.scenario, say=join(tuple(pieces))))


def _slippable(text: str) -> Iterator[int]:
    """Offsets inside words where a slip changes the text: between two different letters, away from the word's ends."""
    for offset in range(1, len(text) - 2):
        window = text[offset - 1 : offset + 3]
        if window.isalpha() and text[offset] != text[offset + 1]:
            yield offset


_SLIPS: Mapping[str, Callable[[str, int], str]] = {
    "swap": lambda text, at: text[:at] + text[at + 1] + text[at] + text[at + 2 :],
    "drop": lambda text, at: text[:at] + text[at + 1 :],
    "double": lambda text, at: text[: at + 1] + text[at:],
}

_MUTATIONS: Mapping[type, Callable[[Program, CompiledOperator, Parent, Any], Iterator[Child]]] = {
    Boundary: _boundary,
    SetFields: _set,
    Choose: _choose,
    AddFault: _fault,
    Inject: _inject,
    Phrase: _phrase,
    Typo: _typo,
    Omit: _omit,
}
