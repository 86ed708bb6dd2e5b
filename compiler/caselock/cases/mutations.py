"""The mutations of operators, one function per kind: a parent scenario -> its children, each with a symbolic name."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from caselock.cases.boundary import boundary_points
from caselock.cases.counts import counted
from caselock.cases.edit import get_field, set_field
from caselock.cases.parent import Parent
from caselock.cases.paths import BadPath
from caselock.cases.scenario import Scenario
from caselock.cases.seeds import located
from caselock.cases.worded import (
    Worded,
    abbreviated,
    contradicted,
    corrected,
    lengthened,
    mistyped,
    omitted,
    phrased,
    slowly,
)
from caselock.expr.compile import Expression
from caselock.expr.values import Undefined
from caselock.rules.program import Program
from caselock.spec.faults import DirtyState, InjectedContent
from caselock.spec.operators import (
    Abbreviate,
    AddFault,
    Boundary,
    Choose,
    Contradict,
    Correct,
    Counts,
    History,
    Inject,
    OfferTool,
    Omit,
    Operator,
    Phrase,
    Provoke,
    RemoveTool,
    SetFields,
    SlowReveal,
    Typo,
)
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
        scenario = set_field(program, parent, scenario, field, _written(operator, parent, field, written))
    yield Child(param="", scenario=scenario)


def _written(operator: CompiledOperator, parent: Parent, field: str, written: Any) -> Any:
    """A value as written, or what its expression gives on the parent."""
    expression = operator.goals[parent.scenario.goal].values.get(field)
    if expression is None:
        return written
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


def _counts(program: Program, operator: CompiledOperator, parent: Parent, mutation: Counts) -> Iterator[Child]:
    for name, scenario in counted(program, parent, mutation):
        yield Child(param=name, scenario=scenario)


def _remove(program: Program, operator: CompiledOperator, parent: Parent, mutation: RemoveTool) -> Iterator[Child]:
    left = tuple(tool for tool in parent.scenario.tools if tool != mutation.tool)
    if left != parent.scenario.tools:
        yield Child(param="", scenario=replace(parent.scenario, tools=left))


def _offer(program: Program, operator: CompiledOperator, parent: Parent, mutation: OfferTool) -> Iterator[Child]:
    if mutation.tool not in parent.scenario.tools:
        yield Child(param="", scenario=replace(parent.scenario, tools=(*parent.scenario.tools, mutation.tool)))


def _provoke(program: Program, operator: CompiledOperator, parent: Parent, mutation: Provoke) -> Iterator[Child]:
    text = mutation.text.get(parent.scenario.locale)
    if text is not None and parent.scenario.attack is None:
        say = f"{parent.scenario.say} {text}"
        yield Child(param="", scenario=replace(parent.scenario.asking(say=say), attack=mutation.attack))


def _inject(program: Program, operator: CompiledOperator, parent: Parent, mutation: Inject) -> Iterator[Child]:
    faults = (*parent.scenario.faults, located(program, mutation.content, parent.values))
    yield Child(param="", scenario=replace(parent.scenario, faults=faults, attack=mutation.attack))


def _phrase(program: Program, operator: CompiledOperator, parent: Parent, mutation: Phrase) -> Iterator[Child]:
    yield from _worded(phrased(program, parent.scenario, mutation.tag))


def _typo(program: Program, operator: CompiledOperator, parent: Parent, mutation: Typo) -> Iterator[Child]:
    yield from _worded(mistyped(parent.scenario, operator.spec.operator, mutation))


def _abbreviate(program: Program, operator: CompiledOperator, parent: Parent, mutation: Abbreviate) -> Iterator[Child]:
    yield from _worded(abbreviated(program, parent.scenario))


def _omit(program: Program, operator: CompiledOperator, parent: Parent, mutation: Omit) -> Iterator[Child]:
    yield from _worded(omitted(program, parent.scenario, mutation.slot))


def _slow_reveal(program: Program, operator: CompiledOperator, parent: Parent, mutation: SlowReveal) -> Iterator[Child]:
    yield from _worded(slowly(program, parent.scenario))


def _correct(program: Program, operator: CompiledOperator, parent: Parent, mutation: Correct) -> Iterator[Child]:
    if mutation.slot in parent.scenario.slots:
        first = _written(operator, parent, "first", mutation.first)
        yield from _worded(corrected(program, parent.scenario, mutation, first))


def _contradict(program: Program, operator: CompiledOperator, parent: Parent, mutation: Contradict) -> Iterator[Child]:
    if mutation.slot in parent.scenario.slots:
        other = _written(operator, parent, "other", mutation.other)
        yield from _worded(contradicted(program, parent.scenario, mutation, other))


def _history(program: Program, operator: CompiledOperator, parent: Parent, mutation: History) -> Iterator[Child]:
    yield from _worded(lengthened(program, parent.scenario, operator.spec.operator, mutation))


def _worded(children: Worded) -> Iterator[Child]:
    for param, scenario in children:
        yield Child(param=param, scenario=scenario)


_MUTATIONS: Mapping[type, Callable[[Program, CompiledOperator, Parent, Any], Iterator[Child]]] = {
    Boundary: _boundary,
    SetFields: _set,
    Choose: _choose,
    AddFault: _fault,
    Counts: _counts,
    RemoveTool: _remove,
    OfferTool: _offer,
    Inject: _inject,
    Provoke: _provoke,
    Phrase: _phrase,
    Typo: _typo,
    Abbreviate: _abbreviate,
    Omit: _omit,
    SlowReveal: _slow_reveal,
    Correct: _correct,
    Contradict: _contradict,
    History: _history,
}
