"""Values <-> the texts that people of a locale write: exact decimals with its marks, days in its order."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from decimal import Decimal

from caselock.spec.locales import Dates, Locale, Numbers
from caselock.spec.schemas import Schema
from caselock.world.state import Value
from caselock.world.values import Unreadable, plain, read_value

_WHOLE = re.compile(r"-?[0-9]{1,18}", re.ASCII)
_NUMBER = re.compile(r"(-?[0-9]{1,20})(?:([.,])([0-9]{1,20}))?", re.ASCII)
_MOMENT = re.compile(
    r"([0-9]{2,4})([./-])([0-9]{2})\2([0-9]{2,4})"
    r"(?: ([0-9]{2}:[0-9]{2})(?::([0-9]{2}(?:\.[0-9]{6})?))? UTC)?",
    re.ASCII,
)


def shown(value: Value, locale: Locale) -> str:
    """A value as a person writes it: whole amounts without decimals, others in full; midnight as the day alone."""
    match value:
        case bool():
            return locale.yes if value else locale.no
        case Decimal():
            whole = value == value.to_integral_value()
            return str(int(value)) if whole else format(value, "f").replace(".", locale.numbers.decimal)
        case datetime():
            return _moment(value.astimezone(UTC), locale.dates)
        case _:
            return str(plain(value))


def _moment(value: datetime, dates: Dates) -> str:
    parts = {"d": f"{value.day:02}", "m": f"{value.month:02}", "y": f"{value.year:04}"}
    day = dates.separator.join(parts[part] for part in dates.order)
    if (value.hour, value.minute, value.second, value.microsecond) == (0, 0, 0, 0):
        return day
    fraction = f".{value.microsecond:06}" if value.microsecond else ""
    seconds = f":{value.second:02}{fraction}" if value.second or value.microsecond else ""
    return f"{day} {value.hour:02}:{value.minute:02}{seconds} UTC"


def read_shown(schema: Schema, text: str, locale: Locale) -> Value:
    """The value that a text written in the locale stands for.

    Raises:
        Unreadable: when the text is no value of the schema in this locale.
    """
    if schema.type == "integer" and _WHOLE.fullmatch(text):
        return int(text)
    if schema.type == "number":
        return read_value(schema, _number(text, locale.numbers))
    if schema.type == "string" and schema.format == "date-time":
        return read_value(schema, _instant(text, locale.dates))
    return read_value(schema, text)


def _number(text: str, numbers: Numbers) -> str:
    found = _NUMBER.fullmatch(text)
    if found is None or found.group(2) not in (None, numbers.decimal):
        raise Unreadable("expected a number as the locale writes it")
    return found.group(1) if found.group(2) is None else f"{found.group(1)}.{found.group(3)}"


def _instant(text: str, dates: Dates) -> str:
    found = _MOMENT.fullmatch(text)
    if found is None or found.group(2) != dates.separator:
        raise Unreadable("expected a day as the locale writes it")
    parts = dict(zip(dates.order, (found.group(1), found.group(3), found.group(4)), strict=True))
    return f"{parts['y']}-{parts['m']}-{parts['d']}T{found.group(5) or '00:00'}:{found.group(6) or '00'}Z"
