"""The values an expression can come to at run time, and the three ways it can come to none."""

import datetime
import decimal
from collections.abc import Mapping, Sequence
from typing import TypeAlias

Value: TypeAlias = (
    bool
    | int
    | decimal.Decimal
    | str
    | datetime.datetime
    | datetime.timedelta
    | Sequence["Value"]
    | Mapping[str, "Value"]
    | Mapping[int, "Value"]
    | None
)


class Undefined(Exception):
    """The expression has no value."""

    rank = 0

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class Missing(Undefined):
    """A fact the expression needs is absent."""

    rank = 1


class EvaluationError(Undefined):
    """The facts are there and the operation is not defined on them, or costs too much."""

    rank = 2


class Unknown(Undefined):
    """A fact exists but has not been seen; a caller plants it in the activation."""

    rank = 3


def worse(first: Undefined, second: Undefined) -> Undefined:
    """Return the one that decides when both operands of a logical operator are undefined."""
    return second if second.rank > first.rank else first
