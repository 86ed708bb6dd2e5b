"""Ground terms: facts that were not seen, written so that two ways to name one fact give the same text."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from decimal import Decimal

from caselock.expr.ast import Call, Literal, Node, unparse
from caselock.world.state import Value
from caselock.world.values import plain


@dataclass(frozen=True, slots=True)
class Hidden:
    """A value that exists and was not seen, as the ground term that names it."""

    term: Node


def literal(value: Value, like: Node) -> Node:
    """A known value as a term of the same type as the node it replaces."""
    if isinstance(value, Decimal):
        whole = value == value.to_integral_value()
        return Literal(value=int(value) if whole else value.normalize(), type=like.type)
    if isinstance(value, datetime | timedelta):
        function = "timestamp" if isinstance(value, datetime) else "duration"
        return Call(function=function, args=(Literal(value=plain(value)),), type=like.type)
    if isinstance(value, str | int | None):
        return Literal(value=value, type=like.type)
    return like


def as_term(value: Value, like: Node) -> Node:
    """The term of a value, hidden or known."""
    return value.term if isinstance(value, Hidden) else literal(value, like)


_MIRRORED = {"_>_": ("_<_", True, True), "_<=_": ("_<_", True, False), "_>=_": ("_<_", False, False)}
"""Comparison -> (its form as `<`, swap the sides, keep the truth)."""


def canonical(term: Node) -> tuple[str, bool]:
    """The text of an atomic condition and whether it states the text or its negation."""
    match term:
        case Call(function="!_", args=(inner,)):
            text, truth = canonical(inner)
            return text, not truth
        case Call(function="_!=_"):
            text, truth = canonical(replace(term, function="_==_"))
            return text, not truth
        case Call(function="_==_", args=(left, right)):
            return " == ".join(sorted((unparse(left), unparse(right)))), True
        case Call(function=name, args=(left, right)) if name in _MIRRORED:
            as_less, swap, truth = _MIRRORED[name]
            sides = (right, left) if swap else (left, right)
            return unparse(replace(term, function=as_less, args=sides)), truth
        case _:
            return unparse(term), True


def conjuncts(term: Node) -> frozenset[str]:
    """The conditions that a term joins with `&&`, each as canonical text."""
    if isinstance(term, Call) and term.function == "_&&_":
        return frozenset(text for arg in term.args for text in conjuncts(arg))
    text, truth = canonical(term)
    return frozenset([text if truth else f"!({text})"])
