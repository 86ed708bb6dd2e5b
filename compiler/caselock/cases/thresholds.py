"""A decision table and an input -> the thresholds its rules compare the input with, and the points around each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal

from caselock.expr.ast import Call, Node, Variable, free_variables, unparse, walk
from caselock.expr.evaluate import evaluator
from caselock.expr.types import Decimal as DecimalType
from caselock.expr.types import Int, Type
from caselock.expr.values import Undefined
from caselock.rules.tables import CompiledTable
from caselock.world.state import Value

_COMPARISONS = frozenset({"_<_", "_<=_", "_>_", "_>=_", "_==_", "_!=_"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Threshold:
    """Something an input is compared with; `name` is the first rule that does, `rules` are all that do."""

    name: str
    node: Node
    rules: frozenset[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Point:
    """A value at a threshold, named symbolically (`over_limit.above`)."""

    name: str
    value: Value


def thresholds(table: CompiledTable, name: str) -> tuple[Threshold, ...]:
    """Every distinct threshold of an input, in table order."""
    found: dict[str, tuple[str, Node, set[str]]] = {}
    for rule, condition in table.rules:
        for other in _compared(condition.node, name):
            short = rule.id.rsplit(".", 1)[-1]
            found.setdefault(unparse(other), (short, other, set()))[2].add(rule.id)
    return tuple(Threshold(name=short, node=node, rules=frozenset(rules)) for short, node, rules in found.values())


def _compared(node: Node, name: str) -> Iterator[Node]:
    for part in walk(node):
        if isinstance(part, Call) and part.function in _COMPARISONS:
            left, right = part.args
            if _is_input(left, name) and name not in free_variables(right):
                yield right
            elif _is_input(right, name) and name not in free_variables(left):
                yield left


def _is_input(node: Node, name: str) -> bool:
    return isinstance(node, Variable) and node.name == name


def threshold_value(threshold: Threshold, facts: Mapping[str, Value]) -> Value:
    """The threshold on given facts, or None when a fact it needs is missing."""
    try:
        return evaluator(threshold.node)(facts)
    except Undefined:
        return None


def points(threshold: Threshold, type_: Type, at: Value) -> tuple[Point, ...]:
    """One step below, at, and one step above; empty when the type has no step."""
    step = step_of(type_)
    if step is None or not isinstance(at, Decimal | int) or isinstance(at, bool):
        return ()
    exact = Decimal(at).quantize(step) if isinstance(step, Decimal) else at
    return (
        Point(name=f"{threshold.name}.below", value=exact - step),
        Point(name=f"{threshold.name}.at", value=exact),
        Point(name=f"{threshold.name}.above", value=exact + step),
    )


def step_of(type_: Type) -> Decimal | int | None:
    """The smallest difference between two values of a type."""
    if isinstance(type_, Int):
        return 1
    return type_.step if isinstance(type_, DecimalType) else None
