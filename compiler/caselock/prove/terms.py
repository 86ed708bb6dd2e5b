"""Symbolic values: what an expression comes to in any possible world, as formulas of the solver."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, TypeAlias

import z3

Formula: TypeAlias = Any
"""A z3 Bool, or a Python bool where the truth is known without the solver."""


class Unencodable(Exception):
    """An expression that the solver cannot be asked about exactly; the message says which and why."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Term:
    """A scalar: `value` holds unless it is `missing` or in `error`, which exclude each other.

    Bools are z3 Bools, everything else z3 Ints: decimals in units of 10**-scale, times in microseconds, texts by
    number. `most` bounds the absolute value of a number.
    """

    value: Any
    missing: Formula = False
    error: Formula = False
    scale: int = 0
    most: int = 0

    @property
    def defined(self) -> Formula:
        """The term has a value."""
        return none_of(self.missing, self.error)

    @property
    def true(self) -> Formula:
        """A bool term has the value true."""
        return all_of(self.defined, self.value)

    @property
    def false(self) -> Formula:
        """A bool term has the value false."""
        return all_of(self.defined, negate(self.value))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RecordTerm:
    """A record or another set of fields; a field of a missing record is missing."""

    field: Callable[[str], Thing]
    missing: Formula = False


Thing: TypeAlias = Term | RecordTerm


def all_of(*parts: Formula) -> Formula:
    """Conjunction, simplified where parts are known."""
    if any(part is False for part in parts):
        return False
    rest = [part for part in parts if part is not True]
    return True if not rest else rest[0] if len(rest) == 1 else z3.And(*rest)


def any_of(*parts: Formula) -> Formula:
    """Disjunction, simplified where parts are known."""
    if any(part is True for part in parts):
        return True
    rest = [part for part in parts if part is not False]
    return False if not rest else rest[0] if len(rest) == 1 else z3.Or(*rest)


def negate(part: Formula) -> Formula:
    """Negation."""
    return not part if isinstance(part, bool) else z3.Not(part)


def none_of(*parts: Formula) -> Formula:
    """No part holds."""
    return negate(any_of(*parts))


def choose(condition: Formula, then: Thing, otherwise: Thing) -> Thing:
    """One thing or the other, by a condition that has a value."""
    if isinstance(condition, bool):
        return then if condition else otherwise
    if isinstance(then, RecordTerm) and isinstance(otherwise, RecordTerm):
        first, second = then.field, otherwise.field
        return RecordTerm(
            field=lambda name: choose(condition, first(name), second(name)),
            missing=either(condition, then.missing, otherwise.missing),
        )
    if isinstance(then, Term) and isinstance(otherwise, Term):
        one, other, scale = aligned(then, otherwise)
        return Term(
            value=z3.If(condition, one, other),
            missing=either(condition, then.missing, otherwise.missing),
            error=either(condition, then.error, otherwise.error),
            scale=scale,
            most=max(then.most * 10 ** (scale - then.scale), otherwise.most * 10 ** (scale - otherwise.scale)),
        )
    raise Unencodable("the branches of ?: are of different kinds")


def either(condition: Formula, then: Formula, otherwise: Formula) -> Formula:
    """The truth of one part or of the other, by a condition."""
    return any_of(all_of(condition, then), all_of(negate(condition), otherwise))


def aligned(left: Term, right: Term) -> tuple[Any, Any, int]:
    """The values of two terms in the finer of their units, and its scale."""
    scale = max(left.scale, right.scale)
    return rescaled(left, scale), rescaled(right, scale), scale


def rescaled(term: Term, scale: int) -> Any:
    """The value of a term in units of 10**-scale, which is at least as fine as its own."""
    return term.value if term.scale == scale else term.value * 10 ** (scale - term.scale)


def first_undefined(terms: tuple[Term, ...]) -> tuple[Formula, Formula]:
    """(missing, error) of an operation that evaluates its operands from left to right."""
    missing: Formula = False
    error: Formula = False
    for term in terms:
        fine = none_of(missing, error)
        missing = any_of(missing, all_of(fine, term.missing))
        error = any_of(error, all_of(fine, term.error))
    return missing, error


def scale_of(step: Decimal) -> int:
    """How many decimal places a multiple of the step can have."""
    exponent = step.normalize().as_tuple().exponent
    return max(0, -exponent) if isinstance(exponent, int) else 0
