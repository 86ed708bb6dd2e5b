"""Places inside nested values: found, changed, left out, and the schema that stands there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from caselock.spec.schemas import Schema
from caselock.world.state import Record, Value


class NoPlace(LookupError):
    """A place that a value does not have, such as the fourth item of three; the message says which."""


def found(value: Value, steps: Sequence[str]) -> Value:
    """The value at a place: names of fields, keys of maps, positions in lists counted from 0.

    Raises:
        NoPlace: when there is none.
    """
    for step in steps:
        if isinstance(value, Mapping) and step in value:
            value = value[step]
        elif isinstance(value, tuple | list):
            value = value[_position(value, step)]
        else:
            raise NoPlace(f"there is no '{step}'")
    return value


def placed(value: Value, steps: Sequence[str], new: Value) -> Value:
    """The value with one place set; the last step may name a field or key that is not there yet.

    Raises:
        NoPlace: when the place cannot be.
    """
    if not steps:
        return new
    step, rest = steps[0], steps[1:]
    if isinstance(value, Mapping):
        if rest and step not in value:
            raise NoPlace(f"there is no '{step}'")
        inner = placed(value.get(step), rest, new)
        return value.with_fields({step: inner}) if isinstance(value, Record) else {**value, step: inner}
    if isinstance(value, tuple | list):
        position = _position(value, step)
        return (*value[:position], placed(value[position], rest, new), *value[position + 1 :])
    raise NoPlace(f"there is no '{step}'")


def without(value: Value, steps: Sequence[str]) -> Value:
    """The value with one place left out, so that what is beside it can be compared."""
    try:
        found(value, steps)
    except NoPlace:
        return value
    *outer, last = steps
    holder = found(value, outer)
    if isinstance(holder, Mapping):
        return placed(dict(value), outer, {name: item for name, item in holder.items() if name != last})
    return placed(dict(value), steps, None)


def schema_inside(schema: Schema, steps: Sequence[str]) -> Schema | None:
    """The schema of a place inside a value with this schema; None when no such value has it."""
    for step in steps:
        inner = (schema.properties or {}).get(step)
        if inner is None and isinstance(schema.additional_properties, Schema):
            inner = schema.additional_properties
        if inner is None and schema.items is not None and step.isdecimal():
            inner = schema.items
        if inner is None:
            return None
        schema = inner
    return schema


def _position(items: Sequence[Value], step: str) -> int:
    if not (step.isascii() and step.isdecimal() and len(step) < 10 and int(step) < len(items)):
        raise NoPlace(f"there is no item {step} among {len(items)}")
    return int(step)
