"""A text -> the secrets and personal data in it, found by maintained detectors.

Detectors that guess by entropy are left out: the ids of test data look random to them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

_WHOLE_LINES = 2000
"""Longer lines are cut into overlapping pieces: a detector's pattern must not have to look far."""
_OVERLAP = 300
_EMAIL = re.compile(r"(?<![\w.+-])[\w.+-]{1,64}@(?:[A-Za-z0-9-]{1,63}\.){1,4}([A-Za-z]{2,63})(?![\w-])", re.ASCII)
_TOP_LEVEL = frozenset(
    ("app", "biz", "cloud", "com", "dev", "edu", "info", "io", "name", "net", "online", "org", "shop")
)
"""Generic domains in common use; those of countries have two letters. Source: IANA root zone."""
_RESERVED = re.compile(r"(?:^|[@.])(?:example(?:\.(?:com|net|org))?|test|invalid|localhost)$")
"""Domains that belong to nobody. Source: RFC 2606."""
_IBAN = re.compile(r"(?<!\w)[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?(?!\w)", re.ASCII)
_CARD = re.compile(r"(?<![\w.-])\d(?:[ -]?\d){12,18}(?![\w-]|\.\d)", re.ASCII)
_GUESSES = ("High Entropy", "Secret Keyword", "Public IP")


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """Something found: whether it is a secret or personal, what kind, and its characters `start` to `end`."""

    secret: bool
    kind: str
    start: int
    end: int


def detect(text: str) -> Iterator[Hit]:
    """Everything found in a text, in order of place."""
    hits = {hit for start, piece in _pieces(text) for hit in _in_piece(start, piece)}
    yield from sorted(hits, key=lambda hit: (hit.start, hit.end, hit.kind))


def _pieces(text: str) -> Iterator[tuple[int, str]]:
    start = 0
    for line in text.splitlines(keepends=True):
        for cut in range(0, max(1, len(line)), _WHOLE_LINES - _OVERLAP):
            yield start + cut, line[cut : cut + _WHOLE_LINES]
        start += len(line)


def _in_piece(start: int, piece: str) -> Iterator[Hit]:
    for plugin in _plugins():
        for found in plugin.analyze_string(piece):
            at = piece.find(found)
            yield Hit(secret=True, kind=plugin.secret_type, start=start + at, end=start + at + len(found))
    for kind, first, last in _personal(piece):
        yield Hit(secret=False, kind=kind, start=start + first, end=start + last)


def _personal(piece: str) -> Iterator[tuple[str, int, int]]:
    if "@" in piece:
        for match in _EMAIL.finditer(piece):
            if not _RESERVED.search(match.group()) and not _is_symbolic(match):
                yield "e-mail address", match.start(), match.end()
    if sum(map(str.isdigit, piece)) < 7:
        return
    yield from _numbers(piece)
    if "+" in piece:
        from phonenumbers import PhoneNumberMatcher

        for number in PhoneNumberMatcher(piece, None):
            yield "telephone number", number.start, number.end


def _is_symbolic(match: re.Match[str]) -> bool:
    """True for the id of a case (`seed+operator@amount.at`), which looks like an address at first sight."""
    top = match.group(1).lower()
    return (top not in _TOP_LEVEL and len(top) != 2) or ("+" in match.group() and top == "at")


def _numbers(piece: str) -> Iterator[tuple[str, int, int]]:
    from stdnum import iban, luhn

    for match in _IBAN.finditer(piece):
        if iban.is_valid(match.group()):
            yield "bank account", match.start(), match.end()
    for match in _CARD.finditer(piece):
        digits = re.sub(r"[ -]", "", match.group())
        if len(set(digits)) > 1 and luhn.is_valid(digits):
            yield "payment card", match.start(), match.end()


@cache
def _plugins() -> tuple[Any, ...]:
    """The detectors of known kinds of secret, in the order of their names."""
    from detect_secrets.core.plugins.util import get_mapping_from_secret_type_to_class

    known: Mapping[str, Any] = get_mapping_from_secret_type_to_class()
    return tuple(made() for name, made in sorted(known.items()) if not any(guess in name for guess in _GUESSES))
