"""A plain YAML scalar as written -> its exact value in the strict subset, or what is wrong with it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal
from typing import TypeAlias

from caselock.source.limits import MAX_DIGITS, MAX_INTEGER

PlainValue: TypeAlias = str | int | Decimal | bool | None
YamlValue: TypeAlias = "PlainValue | list[YamlValue] | dict[str, YamlValue]"


@dataclass(frozen=True, slots=True)
class BadScalar:
    """Why a plain scalar is refused."""

    code: str
    message: str


_WORDS: dict[str, PlainValue] = {
    "": None, "~": None, "null": None, "Null": None, "NULL": None,
    "true": True, "True": True, "TRUE": True, "false": False, "False": False, "FALSE": False,
}  # fmt: skip
_UNUSUAL = "unusual spelling {} of a number"
_NUMERIC_START = frozenset("0123456789+-.")
_INTEGER = re.compile(r"-?(?:0|[1-9][0-9]*)")
_DECIMAL = re.compile(r"-?(?:0|[1-9][0-9]*)\.[0-9]+")
# Each pattern reads a text in one way only, so that a hostile one cannot make it slow.
_REFUSED = (
    (re.compile(r"[-+]?0[0-9]+(?:\.[0-9]*)?"), "CL0030", "number {} has leading zeros"),
    (re.compile(r"(?=[^_]*_)[-+]?[0-9][0-9_]*(?:\.[0-9_]*)?"), "CL0031", "number {} has underscores"),
    (
        re.compile(r"[-+]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)[eE][-+]?[0-9]+"),
        "CL0032",
        "number {} has an exponent",
    ),
    (re.compile(r"[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)"), "CL0033", "{} is not a finite number"),
    (re.compile(r"\+(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)|-?(?:[0-9]+\.|\.[0-9]+)"), "CL0034", _UNUSUAL),
    (re.compile(r"0[xX][0-9a-fA-F_]+|0[oObB][0-9_]+"), "CL0034", _UNUSUAL),
)


def plain_value(text: str) -> PlainValue | BadScalar:
    """Return the value that YAML 1.2's core schema gives a text, unless its spelling is an odd one."""
    if text in _WORDS:
        return _WORDS[text]
    if text[0] not in _NUMERIC_START:
        return text
    if _INTEGER.fullmatch(text):
        return _bounded_integer(text)
    if _DECIMAL.fullmatch(text):
        return _bounded_decimal(text)
    return _refused(text) or text


def _bounded_integer(text: str) -> PlainValue | BadScalar:
    # Very long texts are refused by length, since int() of them is slow and limited.
    if text == "-0":
        return BadScalar("CL0034", _UNUSUAL.format(text))
    if len(text) > 17 or abs(int(text)) > MAX_INTEGER:
        return BadScalar("CL0035", "whole number beyond 2**53-1")
    return int(text)


def _bounded_decimal(text: str) -> PlainValue | BadScalar:
    if len(text) > MAX_DIGITS + 2:
        return BadScalar("CL0035", f"decimal with more than {MAX_DIGITS} digits")
    value = Decimal(text)
    if value.is_zero() and value.is_signed():
        return BadScalar("CL0034", _UNUSUAL.format(text))
    if len(value.as_tuple().digits) > MAX_DIGITS:
        return BadScalar("CL0035", f"decimal with more than {MAX_DIGITS} digits")
    return value


def _refused(text: str) -> BadScalar | None:
    for pattern, code, message in _REFUSED:
        if pattern.fullmatch(text):
            return BadScalar(code, message.format(text if len(text) <= 40 else text[:37] + "..."))
    return None
