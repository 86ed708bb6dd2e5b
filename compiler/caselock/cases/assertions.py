"""Authored assertions: whether they hold at the end of the reference, and which rule or contract says so."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from decimal import Decimal

from caselock.expr.ast import Call, Has, Index, ListExpr, Literal, Node, Select, Variable
from caselock.expr.evaluate import evaluator
from caselock.expr.values import Undefined
from caselock.rules.goals import CompiledOutcome
from caselock.solve.terms import conjuncts, literal
from caselock.world.model import World
from caselock.world.state import Record, Value

_FIXED = ("request", "before", "user", "agent", "tools", "decision", "now")
"""Roots whose values are settled before the work: an assertion may name them or write the value out."""


Writer = Callable[[Value, Node], Node]
"""How a settled value is written: normalised for comparison, or in full for people."""


def in_full(value: Value, like: Node) -> Node:
    """A settled value as people write it, decimals with their scale."""
    return Literal(value=value, type=like.type) if isinstance(value, Decimal) else literal(value, like)


def ground(node: Node, values: Mapping[str, Value], world: World, write: Writer = literal) -> Node:
    """The expression with what was settled before the work written out, so that two ways to say one thing are equal."""
    match node:
        case Variable() | Select() if _settled(node, values, world):
            return _evaluated(node, values, write)
        case Has(operand=operand) if _settled(operand, values, world):
            return _evaluated(node, values, write)
        case Call(function="_&&_" | "_||_" as function, args=args):
            return _folded(node, function == "_||_", tuple(ground(arg, values, world, write) for arg in args))
        case Select(operand=operand):
            return replace(node, operand=ground(operand, values, world, write))
        case Index(operand=operand, key=key):
            return replace(node, operand=ground(operand, values, world, write), key=ground(key, values, world, write))
        case ListExpr(items=items):
            return replace(node, items=tuple(ground(item, values, world, write) for item in items))
        case Call(args=args):
            grounded = replace(node, args=tuple(ground(arg, values, world, write) for arg in args))
            return (
                _evaluated(grounded, values, write)
                if all(isinstance(arg, Literal) for arg in grounded.args)
                else grounded
            )
        case Literal(value=value):
            return write(value, node)
        case _:
            return node


def _folded(node: Call, absorbing: bool, args: tuple[Node, ...]) -> Node:
    """`&&` and `||` without the operands that no longer matter."""
    if any(isinstance(arg, Literal) and arg.value is absorbing for arg in args):
        return Literal(value=absorbing, type=node.type)
    left = tuple(arg for arg in args if not isinstance(arg, Literal))
    if not left:
        return Literal(value=not absorbing, type=node.type)
    return left[0] if len(left) == 1 else replace(node, args=left)


def _settled(node: Node, values: Mapping[str, Value], world: World) -> bool:
    path = _path(node)
    if path is None:
        return False
    if path[0] in _FIXED:
        return True
    record = values.get(path[0])
    return (
        len(path) == 2
        and isinstance(record, Record)
        and _was_there(record, values)
        and path[1] == world.collections[record.collection].key
    )


def _was_there(record: Record, values: Mapping[str, Value]) -> bool:
    """A record bound by a let keeps its key; one that the run created has a key of its own."""
    before = values.get("before", {})
    return any(
        isinstance(old, Record) and (old.collection, old.key) == (record.collection, record.key)
        for old in before.values()
    )


def _path(node: Node) -> tuple[str, ...] | None:
    match node:
        case Variable(name=name):
            return (name,)
        case Select(operand=operand, field=field):
            prefix = _path(operand)
            return None if prefix is None else (*prefix, field)
        case _:
            return None


def _evaluated(node: Node, values: Mapping[str, Value], write: Writer) -> Node:
    try:
        return write(evaluator(node)(values), node)
    except Undefined:
        return node


def promised(outcome: CompiledOutcome, values: Mapping[str, Value], world: World) -> frozenset[str]:
    """Every condition that the contract ensures, as grounded canonical text."""
    return frozenset(
        text for _, expression in outcome.ensures for text in conjuncts(ground(expression.node, values, world))
    )


def says(node: Node, values: Mapping[str, Value], world: World) -> frozenset[str]:
    """The conditions of one authored assertion, as grounded canonical text."""
    return conjuncts(ground(node, values, world))


def untraced(node: Node, outcome: CompiledOutcome, values: Mapping[str, Value], world: World) -> Iterator[str]:
    """The conditions of an assertion that no `ensures` of the outcome promises."""
    yield from sorted(says(node, values, world) - promised(outcome, values, world))
