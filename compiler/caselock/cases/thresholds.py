"""A decision table and an input -> the thresholds its rules compare the input with, and the points around each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import ROUND_FLOOR, Decimal

from caselock.expr.ast import Call, Node, Variable, free_variables, unparse, walk
from caselock.expr.evaluate import evaluator
from caselock.expr.types import Decimal as DecimalType
from caselock.expr.types import Duration, Int, Timestamp, Type
from caselock.expr.values import Undefined
from caselock.rules.tables import CompiledTable
from caselock.spec.schemas import Schema
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
    named: Counter[str] = Counter()
    for rule, condition in table.rules:
        for other in _compared(condition.node, name):
            text = unparse(other)
            if text not in found:
                short = rule.id.rsplit(".", 1)[-1]
                named[short] += 1
                found[text] = (short if named[short] == 1 else f"{short}_{named[short]}", other, set())
            found[text][2].add(rule.id)
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
    """One step below, at, and one step above; a threshold between two steps has no point of its own.

    Empty when the type has no step.
    """
    step = step_of(type_)
    if isinstance(step, timedelta) and isinstance(at, timedelta | datetime):
        around = (("below", at - step), ("at", at), ("above", at + step))
        return tuple(Point(name=f"{threshold.name}.{side}", value=value) for side, value in around)
    if step is None or isinstance(step, timedelta) or not _is_number(at):
        return ()
    below, exact = _floor(at, step), at % step == 0
    found = [Point(name=f"{threshold.name}.below", value=below - step if exact else below)]
    if exact:
        found.append(Point(name=f"{threshold.name}.at", value=below))
    return (*found, Point(name=f"{threshold.name}.above", value=below + step))


def ends(schema: Schema | None) -> tuple[tuple[str, Decimal | int], ...]:
    """(`lowest` or `highest`, value) at each end that a schema gives a number; an open end needs a step to stand at."""
    if schema is None:
        return ()
    step = 1 if schema.type == "integer" else schema.multiple_of
    found: list[tuple[str, Decimal | int]] = []
    if schema.minimum is not None:
        found.append(("lowest", schema.minimum))
    elif schema.exclusive_minimum is not None and step is not None:
        found.append(("lowest", schema.exclusive_minimum + step))
    if schema.maximum is not None:
        found.append(("highest", schema.maximum))
    elif schema.exclusive_maximum is not None and step is not None:
        found.append(("highest", schema.exclusive_maximum - step))
    return tuple(found)


def _is_number(value: Value) -> bool:
    return isinstance(value, Decimal | int) and not isinstance(value, bool)


def _floor(value: Decimal | int, step: Decimal | int) -> Decimal | int:
    """The greatest multiple of the step that is not above the value, with the scale of the step."""
    if isinstance(step, int):
        return int(Decimal(value).to_integral_value(ROUND_FLOOR)) // step * step
    steps = (Decimal(value) / step).to_integral_value(ROUND_FLOOR)
    return (steps * step).quantize(step)


def step_of(type_: Type) -> Decimal | int | timedelta | None:
    """The smallest difference between two values of a type that a rule could mean: a second, for dates and ages."""
    match type_:
        case Int():
            return 1
        case Duration() | Timestamp():
            return timedelta(seconds=1)
        case DecimalType(step=step):
            return step
        case _:
            return None
