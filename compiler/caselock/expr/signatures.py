"""The table of operators and functions: which argument types each takes, and the type it gives."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from caselock.expr.types import (
    UNTYPED,
    Bool,
    Collection,
    Decimal,
    Duration,
    Id,
    Int,
    List,
    Map,
    Number,
    String,
    Text,
    Timestamp,
    Type,
    Untyped,
    common_step,
    element,
    join,
    product_step,
    step_of,
)

Group: TypeAlias = tuple[type, ...]

_INT, _DECIMAL, _BOOL = (Int,), (Decimal,), (Bool,)
_STRING, _LIST, _MAP, _COLLECTION = (String,), (List,), (Map,), (Collection,)
_TIMESTAMP, _DURATION, _ANY = (Timestamp,), (Duration,), (object,)
_WORDS: Mapping[Group, str] = {
    _INT: "int",
    _DECIMAL: "decimal",
    _BOOL: "bool",
    _LIST: "list",
    _MAP: "map",
    _COLLECTION: "collection",
    _TIMESTAMP: "timestamp",
    _DURATION: "duration",
    _ANY: "anything",
    Number: "decimal",
    Text: "string",
}


@dataclass(frozen=True, slots=True)
class Overload:
    """One way to call a function: the types each argument may have, and the resulting type (None: unfit)."""

    takes: tuple[Group, ...]
    gives: Callable[..., Type | None]

    def words(self) -> tuple[str, ...]:
        """Return the argument types in the words of a message."""
        if self.gives in _ITEMS:
            return (_ITEMS[self.gives],)
        return tuple(_WORDS[group] for group in self.takes)


def result(function: str, args: tuple[Type, ...]) -> Type | None:
    """Return the type of a call; None if no overload takes the arguments."""
    if UNTYPED in args:
        return _uncertain(function, len(args))
    for overload in OVERLOADS[function]:
        if len(overload.takes) == len(args) and all(map(isinstance, args, overload.takes)):
            given = overload.gives(*args)
            if given is not None:
                return given
    return None


def _uncertain(function: str, count: int) -> Type | None:
    fitting = [overload for overload in OVERLOADS[function] if len(overload.takes) == count]
    if not fitting:
        return None
    gives = {overload.gives for overload in fitting}
    return fitting[0].gives(*[UNTYPED] * count) if gives <= _CONSTANT else UNTYPED


def usage(function: str) -> str:
    """Return the argument types a function takes, in the words of a hint."""
    ways = dict.fromkeys(", ".join(overload.words()) for overload in OVERLOADS[function])
    return "it takes " + "; ".join(f"({way})" for way in ways)


def _bool(*_: Type) -> Type:
    return Bool()


def _int(*_: Type) -> Type:
    return Int()


def _string(*_: Type) -> Type:
    return String()


def _timestamp(*_: Type) -> Type:
    return Timestamp()


def _duration(*_: Type) -> Type:
    return Duration()


_CONSTANT = frozenset({_bool, _int, _string, _timestamp, _duration})


def _same(arg: Type) -> Type:
    return arg


def _sum_of(left: Type, right: Type) -> Type:
    return Decimal(step=common_step(step_of(left), step_of(right)))


def _product(left: Type, right: Type) -> Type:
    return Decimal(step=product_step(step_of(left), step_of(right)))


def _quotient(*_: Type) -> Type:
    return Decimal()


def _item(arg: Type) -> Type | None:
    return element(arg)


def _summed(arg: List) -> Type | None:
    item = Int() if arg.item == UNTYPED else arg.item
    return item if isinstance(item, (*Number, Duration)) else None


def _ordered(arg: List) -> Type | None:
    return arg.item if isinstance(arg.item, (*Number, String, Id, Timestamp, Duration, Untyped)) else None


_ITEMS: Mapping[Callable[..., Type | None], str] = {
    _summed: "list of int, decimal or duration",
    _ordered: "list of int, decimal, string, timestamp or duration",
}
_ORDER = tuple(Overload((group, group), _bool) for group in (Number, Text, _BOOL, _TIMESTAMP, _DURATION))
_DATE_PARTS = ("FullYear", "Month", "Date", "DayOfMonth", "DayOfWeek", "DayOfYear")
_CLOCK_PARTS = ("Hours", "Minutes", "Seconds")

OPERATORS: Mapping[str, tuple[Overload, ...]] = {
    "!_": (Overload((_BOOL,), _bool),),
    "-_": (Overload((_INT,), _int), Overload((_DECIMAL,), _same)),
    "_<_": _ORDER,
    "_<=_": _ORDER,
    "_>_": _ORDER,
    "_>=_": _ORDER,
    "_+_": (
        Overload((_INT, _INT), _int),
        Overload((Number, Number), _sum_of),
        Overload((Text, Text), _string),
        Overload((_LIST, _LIST), join),
        Overload((_TIMESTAMP, _DURATION), _timestamp),
        Overload((_DURATION, _TIMESTAMP), _timestamp),
        Overload((_DURATION, _DURATION), _duration),
    ),
    "_-_": (
        Overload((_INT, _INT), _int),
        Overload((Number, Number), _sum_of),
        Overload((_TIMESTAMP, _TIMESTAMP), _duration),
        Overload((_TIMESTAMP, _DURATION), _timestamp),
        Overload((_DURATION, _DURATION), _duration),
    ),
    "_*_": (Overload((_INT, _INT), _int), Overload((Number, Number), _product)),
    "_/_": (Overload((_INT, _INT), _int), Overload((Number, Number), _quotient)),
    "_%_": (Overload((_INT, _INT), _int),),
}

METHODS: Mapping[str, tuple[Overload, ...]] = {
    "contains": (Overload((Text, Text), _bool),),
    "startsWith": (Overload((Text, Text), _bool),),
    "endsWith": (Overload((Text, Text), _bool),),
    **{f"get{part}": (Overload((_TIMESTAMP,), _int),) for part in (*_DATE_PARTS, "Milliseconds")},
    **{f"get{part}": (Overload((_TIMESTAMP,), _int), Overload((_DURATION,), _int)) for part in _CLOCK_PARTS},
}

FUNCTIONS: Mapping[str, tuple[Overload, ...]] = {
    "size": tuple(Overload((group,), _int) for group in (Text, _LIST, _MAP, _COLLECTION)),
    "timestamp": (Overload((Text,), _timestamp),),
    "duration": (Overload((Text,), _duration),),
    "known": (Overload((_ANY,), _bool),),
    "present": (Overload((_ANY,), _bool),),
    "only": (Overload((_LIST,), _item), Overload((_COLLECTION,), _item)),
    "sum": (Overload((_LIST,), _summed),),
    "min": (Overload((_LIST,), _ordered),),
    "max": (Overload((_LIST,), _ordered),),
    "distinct": (Overload((_LIST,), _same),),
}

OVERLOADS: Mapping[str, tuple[Overload, ...]] = {**OPERATORS, **METHODS, **FUNCTIONS}
MACROS = ("all", "exists", "exists_one", "filter", "map")
