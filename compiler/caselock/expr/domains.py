"""A literal next to a type -> the problem of a value that the type can never have."""

import decimal
from collections.abc import Iterator

from caselock.expr import ast, times
from caselock.expr.ast import Node
from caselock.expr.problem import Problem, about, unknown
from caselock.expr.types import (
    Decimal,
    Enum,
    Int,
    List,
    Null,
    Type,
    assignable,
    comparable,
    describe,
)

_TIMES = {
    "timestamp": (times.timestamp, "write it as '2026-08-01T09:00:00Z'"),
    "duration": (times.duration, "write it as '1h30m', with units h, m, s, ms, us"),
}
_EXACT = decimal.Context(prec=200)


def impossible(node: Node, other: Type) -> Problem | None:
    """Return the problem of a literal that is no value of an enum, or no multiple of a decimal's step."""
    if not isinstance(node, ast.Literal):
        return None
    match other:
        case Enum(name=name, values=values) if isinstance(node.value, str) and node.value not in values:
            owner = f" of enum {name}"
            return unknown("unknown_value", "value", node.value, values, node.start, node.end, owner)
        case Decimal(step=step) if step and isinstance(node.type, (Int, Decimal)):
            return None if _multiple(node.value, step) else _between_steps(node, step)
        case _:
            return None


def incomparable(left: Node, right: Node) -> Iterator[Problem]:
    """Yield why two nodes can never be equal."""
    values = [found for found in (impossible(left, right.type), impossible(right, left.type)) if found]
    yield from values
    if not values and not comparable(left.type, right.type):
        message = f"{describe(left.type)} can never equal {describe(right.type)}"
        hint = "ask with has(record.field)" if Null() in (left.type, right.type) else None
        yield Problem(kind="type", start=left.start, end=right.end, message=message, hint=hint)


def unfit(node: Node, expected: Type, message: str) -> Iterator[Problem]:
    """Yield why a node cannot stand where a type is expected; `message` says so for the types."""
    value = impossible(node, expected)
    if value is not None:
        yield value
    elif isinstance(expected, List) and isinstance(node, ast.ListExpr):
        for item in node.items:
            yield from unfit(item, expected.item, message)
    elif isinstance(node, ast.Call) and node.function == "_?_:_":
        for branch in node.args[1:]:
            yield from unfit(branch, expected, message)
    elif not assignable(node.type, expected) and not _names_value(node, expected):
        yield about(node, "type", f"{message}, not {describe(node.type)}")


def malformed_time(node: ast.Call) -> Problem | None:
    """Return the problem of a literal that `timestamp` or `duration` cannot read."""
    text = node.args[0]
    if node.function not in _TIMES or not isinstance(text, ast.Literal):
        return None
    parse, hint = _TIMES[node.function]
    value = str(text.value)
    if parse(value) is not None:
        return None
    return about(text, "literal", f"'{value}' is not a {node.function}", found=value, hint=hint)


def _names_value(node: Node, expected: Type) -> bool:
    return isinstance(expected, Enum) and isinstance(node, ast.Literal) and isinstance(node.value, str)


def _multiple(value: ast.Constant, step: decimal.Decimal) -> bool:
    return isinstance(value, (int, decimal.Decimal)) and not _EXACT.remainder(decimal.Decimal(value), step)


def _between_steps(node: Node, step: decimal.Decimal) -> Problem:
    number = ast.unparse(node)
    message = f"{number} can never equal a decimal (step {step:f})"
    return about(node, "unknown_value", message, found=number, hint=f"write a multiple of {step:f}")
