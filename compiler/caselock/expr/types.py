"""The static types of expressions, and the scope that gives every name one."""

import decimal
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from math import gcd, lcm
from typing import TypeAlias

# As many digits as a value can have.
_CONTEXT = decimal.Context(prec=34)


@dataclass(frozen=True, slots=True, kw_only=True)
class Untyped:
    """The type of a node not checked yet, or whose problem has been reported: it fits everywhere."""


UNTYPED = Untyped()


@dataclass(frozen=True, slots=True, kw_only=True)
class Null:
    """The type of `null`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Bool:
    """True or false; never a number."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Int:
    """A 64-bit signed integer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Decimal:
    """An exact decimal; with a step, every value is a multiple of the step."""

    step: decimal.Decimal | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class String:
    """Text, ordered by code point."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Enum:
    """Text out of a closed list of values."""

    name: str
    values: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Id:
    """The key of a record; a `declared` one is a record's own reference, any other is a caller's claim."""

    collection: str
    declared: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Timestamp:
    """A moment in UTC, to the microsecond."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Duration:
    """A length of time, to the microsecond."""


@dataclass(frozen=True, slots=True, kw_only=True)
class List:
    """A list whose items share one type."""

    item: "Type"


@dataclass(frozen=True, slots=True, kw_only=True)
class Map:
    """A map; macros run over its keys. `entries` are the types by key of one that is written out with text keys."""

    key: "Type"
    value: "Type"
    entries: Mapping[str, "Field"] | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """One field of a record; an optional one may be absent."""

    type: "Type"
    optional: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """A named set of typed fields."""

    name: str
    fields: Mapping[str, Field] = field(hash=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Collection:
    """All records of one kind: indexed by key, macros run over the records in key order."""

    record: Record
    key_type: "Type"


Type: TypeAlias = (
    Untyped | Null | Bool | Int | Decimal | String | Enum | Id | Timestamp | Duration | List | Map | Record | Collection
)

Text = (String, Enum, Id)
Number = (Int, Decimal)
Container = (List, Map, Record, Collection)


@dataclass(frozen=True, slots=True, kw_only=True)
class Variable:
    """A name in scope; an optional one may be missing at run time."""

    type: Type
    optional: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Scope:
    """The variables an expression may read."""

    variables: Mapping[str, Variable] = field(hash=False)


def describe(type_: Type) -> str:
    """Return the type in the words of a message, such as `decimal (step 0.01)` or `enum orders.status`."""
    match type_:
        case Decimal(step=step):
            return "decimal" if step is None else f"decimal (step {step:f})"
        case Enum(name=name):
            return f"enum {name}"
        case Id(collection=collection):
            return f"id of {collection}"
        case List(item=item):
            return "list" if item == UNTYPED else f"list of {describe(item)}"
        case Map(key=key, value=value):
            return "map" if key == UNTYPED else f"map from {describe(key)} to {describe(value)}"
        case Record(name=name):
            return f"record {name}"
        case Collection(record=record):
            return f"collection {record.name}"
        case _:
            return type(type_).__name__.lower()


def element(type_: Type) -> Type | None:
    """Return what a macro variable stands for when it runs over the type; None if it cannot run."""
    match type_:
        case List(item=item):
            return item
        case Map(key=key):
            return key
        case Collection(record=record):
            return record
        case Untyped():
            return type_
        case _:
            return None


def key_collection(collection: Collection) -> str:
    """Return the name that an id must carry to index the collection."""
    key = collection.key_type
    return key.collection if isinstance(key, Id) else collection.record.name


def common_step(left: decimal.Decimal | None, right: decimal.Decimal | None) -> decimal.Decimal | None:
    """Return the largest step that divides both (their greatest common divisor); None if either has none."""
    if left is None or right is None or not left or not right:
        return None
    one, other = Fraction(left), Fraction(right)
    scale = lcm(one.denominator, other.denominator)
    return _CONTEXT.divide(decimal.Decimal(gcd(int(one * scale), int(other * scale))), scale)


def product_step(left: decimal.Decimal | None, right: decimal.Decimal | None) -> decimal.Decimal | None:
    """Return the step of a product; None when either factor has none or it gets too fine to be of use."""
    if left is None or right is None:
        return None
    step = _CONTEXT.multiply(left, right)
    return step if Fraction(step) == Fraction(left) * Fraction(right) else None


def step_of(type_: Type) -> decimal.Decimal | None:
    """Return the step of a number type: 1 for an int, None for an unbounded decimal."""
    return type_.step if isinstance(type_, Decimal) else decimal.Decimal(1)


def join(left: Type, right: Type) -> Type | None:
    """Return the narrowest type that holds values of both; None if there is none."""
    if right == UNTYPED or (left == right and not isinstance(left, (List, Map))):
        return left
    if left == UNTYPED:
        return right
    match left, right:
        case (Int() | Decimal(), Int() | Decimal()):
            return Decimal(step=common_step(step_of(left), step_of(right)))
        case Enum(name=name, values=values), Enum(values=others):
            return Enum(name=name, values=values) if set(others) <= set(values) else String()
        case Id(collection=one), Id(collection=other):
            # The less trusting of the two decides what a failed lookup means.
            return Id(collection=one) if one == other else None
        case (String() | Enum() | Id(), String() | Enum() | Id()):
            return String()
        case List(item=one_item), List(item=other_item):
            item = join(one_item, other_item)
            return None if item is None else List(item=item)
        case Map(key=one_key, value=one_value), Map(key=other_key, value=other_value):
            key, value = join(one_key, other_key), join(one_value, other_value)
            entries = left.entries if left.entries == right.entries else None
            return None if key is None or value is None else Map(key=key, value=value, entries=entries)
        case _:
            return None


def assignable(found: Type, expected: Type) -> bool:
    """Tell whether every value of `found` may stand where `expected` is asked for."""
    if found == expected or isinstance(found, Untyped) or isinstance(expected, Untyped):
        return True
    match found, expected:
        case (Int() | Decimal(), Decimal()):
            return True
        case Enum(values=values), Enum(values=wanted):
            return set(values) <= set(wanted)
        case Id(collection=one), Id(collection=other):
            return one == other
        case (String() | Enum() | Id(), String()) | (String(), Id()):
            return True
        case List(item=item), List(item=wanted_item):
            return assignable(item, wanted_item)
        case Map(key=key, value=value), Map(key=wanted_key, value=wanted_value):
            return assignable(key, wanted_key) and assignable(value, wanted_value)
        case Map(entries=entries), Record(fields=wanted_fields):
            return entries is not None and _fits(entries, wanted_fields)
        case Record(name=name, fields=fields), Record(name=wanted_name, fields=wanted_fields):
            return name == wanted_name or _fits(fields, wanted_fields)
        case _:
            return False


def _fits(found: Mapping[str, Field], wanted: Mapping[str, Field]) -> bool:
    """Tell whether a record with the fields `found` may stand where one with the fields `wanted` is asked for."""
    known = all(name in wanted and assignable(part.type, wanted[name].type) for name, part in found.items())
    return known and all(part.optional or (name in found and not found[name].optional) for name, part in wanted.items())


def comparable(left: Type, right: Type) -> bool:
    """Tell whether some value of one can equal some value of the other."""
    match left, right:
        case (Untyped(), _) | (_, Untyped()):
            return True
        case Enum(values=values), Enum(values=others):
            return not set(values).isdisjoint(others)
        case Id(collection=one), Id(collection=other):
            return one == other
        case (String() | Enum() | Id(), String() | Enum() | Id()) | (Int() | Decimal(), Int() | Decimal()):
            return True
        case List(item=item), List(item=other_item):
            return comparable(item, other_item)
        case Map(key=key, value=value), Map(key=other_key, value=other_value):
            return comparable(key, other_key) and comparable(value, other_value)
        case Record(name=name, fields=fields), Record(name=other_name, fields=others):
            shared = fields.keys() & others.keys()
            return name == other_name or all(comparable(fields[part].type, others[part].type) for part in shared)
        case _:
            return left == right
