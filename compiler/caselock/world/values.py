"""Written values (YAML or JSON) <-> typed values: exact decimals with their step, timestamps, nested records."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from decimal import Context, Decimal
from typing import Any

from caselock.expr.times import duration, timestamp
from caselock.spec.schemas import Schema
from caselock.world.state import Value


class Unreadable(ValueError):
    """A written value that the schema's type cannot hold; the message says why."""


def read_value(schema: Schema, written: Any) -> Value:
    """The typed value of a written one.

    A decimal may be written as a number or a string; it gets the scale of its step.

    Raises:
        Unreadable: when the value cannot be of the schema's type.
    """
    match schema.type:
        case "number":
            return _decimal(schema, written)
        case "array" if isinstance(written, list | tuple):
            return tuple(read_value(schema.items or Schema(), item) for item in written)
        case "object" if isinstance(written, Mapping):
            return {name: read_value(_property(schema, name), item) for name, item in written.items()}
        case _:
            return _scalar(schema, written)


def _property(schema: Schema, name: str) -> Schema:
    known = (schema.properties or {}).get(name)
    if known is not None:
        return known
    extra = schema.additional_properties
    return extra if isinstance(extra, Schema) else Schema()


def _decimal(schema: Schema, written: Any) -> Decimal:
    if isinstance(written, bool) or not isinstance(written, int | Decimal | str):
        raise Unreadable("expected a number")
    if not _is_plain(written):
        raise Unreadable("expected a number such as '80.00', of at most 20 digits on each side")
    return scaled(Decimal(written), schema.multiple_of)


def _is_plain(written: int | Decimal | str) -> bool:
    """True for numbers that every operation here can hold exactly; an exponent makes a huge number of a small text."""
    if isinstance(written, int):
        return abs(written) < MOST
    if isinstance(written, Decimal):
        return written.is_finite() and abs(written.adjusted()) < 20 and written.as_tuple().exponent >= -20  # type: ignore[operator]
    return _PLAIN_NUMBER.fullmatch(written) is not None


MOST = 10**20
_PLAIN_NUMBER = re.compile(r"-?[0-9]{1,20}(\.[0-9]{1,20})?", re.ASCII)
_WIDE = Context(prec=64)


def scaled(value: Decimal, step: Decimal | int | None) -> Decimal:
    """The number with the scale of its step (`80` as `80.00`); one finer than the step stays as it is."""
    if not isinstance(step, Decimal):
        return value
    quantised = value.quantize(step, context=_WIDE)
    return quantised if quantised == value else value


def _scalar(schema: Schema, written: Any) -> Value:
    if not isinstance(written, str):
        return written
    match schema.format:
        case "date-time":
            return read_timestamp(written)
        case "duration":
            return read_duration(written)
        case _:
            return written


def read_timestamp(text: str) -> datetime:
    """An instant in UTC. Source: RFC 3339.

    Raises:
        Unreadable: when the text is not one, or lies outside years 1 to 9999.
    """
    moment = timestamp(text)
    if moment is None:
        raise Unreadable("expected a timestamp such as '2026-08-01T09:00:00Z'")
    return moment


def read_duration(text: str) -> timedelta:
    """A length of time as CEL writes it, such as `36h` or `1h30m`.

    Raises:
        Unreadable: when the text is not one.
    """
    length = duration(text)
    if length is None:
        raise Unreadable("expected a duration such as '36h' or '1h30m'")
    return length


def plain(value: Value) -> Any:
    """A typed value as JSON data: decimals and instants as strings, ready for canonical JSON."""
    match value:
        case Decimal():
            return format(value, "f")
        case datetime():
            return value.astimezone(UTC).isoformat().replace("+00:00", "Z")
        case timedelta():
            return f"{Decimal(value // timedelta(microseconds=1)).scaleb(-6).normalize():f}s"
        case Mapping():
            return {key: plain(item) for key, item in value.items()}
        case list() | tuple():
            return [plain(item) for item in value]
        case _:
            return value


def show(value: Value) -> str:
    """A typed value as people read it in messages."""
    match value:
        case bool():
            return "true" if value else "false"
        case int() if abs(value) >= MOST:
            return "a very large number"
        case str():
            return f"'{value}'"
        case timedelta():
            return _span(value)
        case None:
            return "nothing"
        case Mapping():
            return "{" + ", ".join(f"{key}: {_inside(item)}" for key, item in value.items()) + "}"
        case list() | tuple():
            return "[" + ", ".join(_inside(item) for item in value) + "]"
        case _:
            return str(plain(value))


def _inside(value: Value) -> str:
    """A part of a list or map, written as in YAML's flow style."""
    return value if isinstance(value, str) else show(value)


def _span(length: timedelta) -> str:
    """A length of time in days, hours, minutes and seconds."""
    sign, seconds = ("-" if length < timedelta() else ""), abs(length) // timedelta(seconds=1)
    parts = [(seconds // 86400, "d"), (seconds // 3600 % 24, "h"), (seconds // 60 % 60, "m"), (seconds % 60, "s")]
    return sign + (" ".join(f"{count}{unit}" for count, unit in parts if count) or "0s")
