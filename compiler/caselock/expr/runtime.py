"""The operations that generated code calls: each gives a value, or raises Missing or EvaluationError."""

import datetime
import decimal
import functools
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeAlias, TypeVar

from caselock.expr import times
from caselock.expr.values import EvaluationError, Missing, Undefined, worse

Thunk: TypeAlias = Callable[[], Any]
Budget: TypeAlias = list[int]
# A value whose type the checker has settled; Python's own type system cannot follow.
Operand: TypeAlias = Any
T = TypeVar("T")

MAX_ITERATIONS = 100_000
MAX_SIZE = 65_536
MAX_DIGITS = 34

_LOWEST, _HIGHEST = -(2**63), 2**63 - 1
_CONTEXT = decimal.Context(
    prec=MAX_DIGITS,
    Emin=-MAX_DIGITS * 2,
    Emax=MAX_DIGITS * 2,
    traps=[
        decimal.Inexact,
        decimal.InvalidOperation,
        decimal.DivisionByZero,
        decimal.Overflow,
        decimal.Subnormal,
    ],
)
_SIGNS = {"add": "+", "subtract": "-", "multiply": "*", "divide": "/"}


# Logic: a decisive operand absorbs an undefined one, on either side (cel.dev/spec, "Logical operators").


def both(left: Thunk, right: Thunk) -> bool:
    """`&&`."""
    return not _either(left, right, False)


def either(left: Thunk, right: Thunk) -> bool:
    """`||`."""
    return _either(left, right, True)


def _either(left: Thunk, right: Thunk, decisive: bool) -> bool:
    """Tell whether one side comes out as `decisive`."""
    try:
        if left() is decisive:
            return True
    except Undefined as first:
        try:
            if right() is decisive:
                return True
        except Undefined as second:
            raise worse(first, second) from None
        raise
    return right() is decisive


def every(items: Iterable[Any], condition: Callable[[Any], bool]) -> bool:
    """`all`."""
    return not _some(items, condition, False)


def some(items: Iterable[Any], condition: Callable[[Any], bool]) -> bool:
    """`exists`."""
    return _some(items, condition, True)


def _some(items: Iterable[Any], condition: Callable[[Any], bool], decisive: bool) -> bool:
    undefined: Undefined | None = None
    for item in items:
        try:
            if condition(item) is decisive:
                return True
        except Undefined as found:
            undefined = found if undefined is None else worse(undefined, found)
    if undefined is not None:
        raise undefined
    return False


def known(expression: Thunk) -> bool:
    """Tell whether the expression has a value; errors and unseen facts stay what they are."""
    try:
        expression()
    except Missing:
        return False
    return True


# Reading.


def read(activation: Mapping[str, Any], name: str) -> Operand:
    """Return a variable's value; a planted undefined is raised."""
    try:
        value = activation[name]
    except KeyError:
        raise Missing(f"{name} is missing") from None
    if isinstance(value, Undefined):
        raise value.with_traceback(None)
    return value


def present(activation: Mapping[str, Any], name: str) -> bool:
    """Tell whether a variable has a value; errors and unseen facts stay what they are."""
    return known(lambda: read(activation, name))


def entry(mapping: Mapping[Any, T], key: Operand) -> T:
    """Return a field, a map's value or a record; Missing if it is absent."""
    try:
        return mapping[key]
    except KeyError:
        raise Missing(f"nothing under '{key}'") from None


def joined(collection: Mapping[Any, T], key: Operand) -> T:
    """Return the record a declared reference points to, which must exist."""
    try:
        return collection[key]
    except KeyError:
        raise EvaluationError(f"dangling reference '{key}'") from None


def item(items: Sequence[T], index: int) -> T:
    """Return a list's item, counted from 0; Missing if there is none."""
    if 0 <= index < len(items):
        return items[index]
    raise Missing(f"the list has no item {index}")


def absent(*_: Operand) -> Operand:
    """Stand for an operation on an item of an empty list, which is undefined before it gets here."""
    raise Missing("the list is empty")


def only(items: Sequence[T]) -> T:
    """Return the single item; Missing if there is none or more than one."""
    if len(items) == 1:
        return items[0]
    raise Missing(f"expected exactly one, found {len(items)}")


# Cost. Too much of it ends the evaluation at once: no logical operator absorbs it.


class TooCostlyError(Exception):
    """The expression takes more loop steps than one evaluation may."""


def spend(budget: Budget, items: Operand) -> Operand:
    """Return a list, map or collection, after paying for a loop over it."""
    budget[0] -= len(items)
    if budget[0] < 0:
        raise TooCostlyError
    return items


def _sized(value: T, size: int) -> T:
    if size > MAX_SIZE:
        raise EvaluationError(f"a text or list of more than {MAX_SIZE} items")
    return value


# Equality of containers; a list may be a Python list or tuple.


def same(budget: Budget, left: Operand, right: Operand) -> bool:
    """Compare structurally."""
    if isinstance(left, Mapping) and isinstance(right, Mapping):
        spend(budget, left)
        return left.keys() == right.keys() and all(same(budget, left[key], right[key]) for key in left)
    if isinstance(left, (list, tuple)) and isinstance(right, (list, tuple)):
        spend(budget, left)
        return len(left) == len(right) and all(map(lambda a, b: same(budget, a, b), left, right))
    return bool(left == right)


def among(budget: Budget, value: Operand, items: Iterable[Any]) -> bool:
    """Tell whether a list holds a value that compares equal structurally."""
    return any(same(budget, value, one) for one in spend(budget, items))


# Whole numbers: 64 bits, truncating toward zero (cel.dev/spec, "Numeric values").


def fit(number: int) -> int:
    """Return the number if it fits in 64 bits."""
    if _LOWEST <= number <= _HIGHEST:
        return number
    raise EvaluationError("the whole number does not fit in 64 bits")


def divide_int(left: int, right: int) -> int:
    """`/` on ints."""
    if right == 0:
        raise EvaluationError("division by zero")
    quotient = abs(left) // abs(right)
    return fit(quotient if (left < 0) == (right < 0) else -quotient)


def remainder(left: int, right: int) -> int:
    """`%`; the sign is the left operand's."""
    return left - right * divide_int(left, right)


# Decimals: exact or an error.


def negate_decimal(number: decimal.Decimal) -> decimal.Decimal:
    """Unary `-`."""
    return subtract_decimal(decimal.Decimal(0), number)


def add_decimal(left: decimal.Decimal, right: decimal.Decimal) -> decimal.Decimal:
    """`+` where at least one side is a decimal."""
    return _exact(_CONTEXT.add, left, right)


def subtract_decimal(left: decimal.Decimal, right: decimal.Decimal) -> decimal.Decimal:
    """`-` where at least one side is a decimal."""
    return _exact(_CONTEXT.subtract, left, right)


def multiply_decimal(left: decimal.Decimal, right: decimal.Decimal) -> decimal.Decimal:
    """`*` where at least one side is a decimal."""
    return _exact(_CONTEXT.multiply, left, right)


def divide_decimal(left: decimal.Decimal, right: decimal.Decimal) -> decimal.Decimal:
    """`/` where at least one side is a decimal; inexact quotients are errors."""
    if not right:
        raise EvaluationError("division by zero")
    return _exact(_CONTEXT.divide, left, right)


def _exact(
    operation: Callable[[decimal.Decimal, decimal.Decimal], decimal.Decimal],
    left: decimal.Decimal,
    right: decimal.Decimal,
) -> decimal.Decimal:
    try:
        return operation(left, right)
    except decimal.DecimalException:
        sign = _SIGNS[operation.__name__]
        raise EvaluationError(f"{left} {sign} {right} has no exact value of {MAX_DIGITS} digits") from None


# Texts and lists.


def concatenate(left: str, right: str) -> str:
    """`+` on texts."""
    return _sized(left + right, len(left) + len(right))


def extend(left: Sequence[Any], right: Sequence[Any]) -> list[Any]:
    """`+` on lists."""
    return _sized([*left, *right], len(left) + len(right))


def table(entries: Sequence[tuple[Any, Any]]) -> dict[Any, Any]:
    """Return a map literal's value; a repeated key is an error."""
    result = dict(entries)
    if len(result) != len(entries):
        raise EvaluationError("a key stands twice in a map")
    return result


def sum_int(items: Iterable[int]) -> int:
    """`sum` of ints; 0 of none."""
    return functools.reduce(lambda total, number: fit(total + number), items, 0)


def sum_decimal(items: Iterable[decimal.Decimal]) -> decimal.Decimal:
    """`sum` of decimals; 0 of none."""
    return functools.reduce(add_decimal, items, decimal.Decimal(0))


def sum_duration(items: Iterable[datetime.timedelta]) -> datetime.timedelta:
    """`sum` of durations; zero of none."""
    return functools.reduce(add_duration, items, datetime.timedelta())


def least(items: Sequence[Any]) -> Operand:
    """`min`; Missing of none."""
    if not items:
        raise Missing("min of an empty list")
    return min(items)


def greatest(items: Sequence[Any]) -> Operand:
    """`max`; Missing of none."""
    if not items:
        raise Missing("max of an empty list")
    return max(items)


def distinct(items: Iterable[T]) -> list[T]:
    """Return the first occurrence of each scalar."""
    return list(dict.fromkeys(items))


def distinct_structures(budget: Budget, items: Iterable[Any]) -> list[Any]:
    """Return the first occurrence of each list, map or record."""
    result: list[Any] = []
    for one in items:
        if not among(budget, one, result):
            result.append(one)
    return result


# Time.


def parse_timestamp(text: str) -> datetime.datetime:
    """`timestamp`."""
    value = times.timestamp(text)
    if value is None:
        raise EvaluationError(f"'{text}' is not a timestamp")
    return value


def parse_duration(text: str) -> datetime.timedelta:
    """`duration`."""
    value = times.duration(text)
    if value is None:
        raise EvaluationError(f"'{text}' is not a duration")
    return value


def shift(moment: datetime.datetime, length: datetime.timedelta) -> datetime.datetime:
    """Timestamp plus duration."""
    try:
        return moment + length
    except OverflowError:
        raise EvaluationError("the timestamp is outside the years 1 to 9999") from None


def add_duration(left: datetime.timedelta, right: datetime.timedelta) -> datetime.timedelta:
    """Duration plus duration."""
    total = left + right
    if -times.LONGEST <= total <= times.LONGEST:
        return total
    raise EvaluationError("the duration is longer than 10,000 years")


def whole(length: datetime.timedelta, unit: datetime.timedelta) -> int:
    """Return how many whole units a duration has, toward zero."""
    count = abs(length) // unit
    return count if length >= datetime.timedelta() else -count
