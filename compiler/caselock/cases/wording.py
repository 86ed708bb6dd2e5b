"""Wordings with protected slots: render them with values, and read the values back out of the text."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache

from caselock.spec.locales import Locale
from caselock.spec.schemas import Schema
from caselock.world.localized import read_shown, shown
from caselock.world.state import Value
from caselock.world.values import Unreadable

_MARK = re.compile(r"\{([a-z_][a-z0-9_]*)(?:\|([^{}|]+))?\}")
"""`{slot}` is replaced by the slot's value; `{slot|words}` stands for a flag that the words express."""


class BadWording(ValueError):
    """A wording that cannot be rendered or read back; the message says why."""


@dataclass(frozen=True, slots=True)
class Part:
    """A piece of a wording: fixed text, or a slot (with the words that express a flag)."""

    text: str
    slot: str | None = None


def parts(say: str) -> tuple[Part, ...]:
    """A wording as fixed text and slots, in order.

    Raises:
        BadWording: when a brace is left over.
    """
    found: list[Part] = []
    end = 0
    for mark in _MARK.finditer(say):
        found.append(Part(say[end : mark.start()]))
        found.append(Part(mark.group(2) or "", mark.group(1)))
        end = mark.end()
    found.append(Part(say[end:]))
    if any("{" in part.text or "}" in part.text for part in found):
        raise BadWording("a brace is left over; slots are written {slot} or {slot|words}")
    return tuple(part for part in found if part.text or part.slot)


def join(pieces: tuple[Part, ...]) -> str:
    """The wording that a sequence of parts was read from."""
    return "".join(piece.text if piece.slot is None else _mark(piece) for piece in pieces)


def _mark(piece: Part) -> str:
    return f"{{{piece.slot}|{piece.text}}}" if piece.text else f"{{{piece.slot}}}"


def mentioned(say: str) -> tuple[str, ...]:
    """The slots a wording mentions, in order."""
    return tuple(part.slot for part in parts(say) if part.slot is not None)


def fill(say: str, values: Mapping[str, Value], locale: Locale) -> str:
    """The text of a wording, its slots written as the locale does.

    Raises:
        BadWording: when it mentions a slot that has no value, or words a flag wrongly.
    """
    return "".join(_rendered(piece, values, locale) for piece in parts(say))


def check_protected(pieces: tuple[Part, ...]) -> None:
    """A slot stands alone, and the words around it say no number of their own: `{amount}0` would say another amount.

    Raises:
        BadWording: when the words could change what a reader takes a slot to be.
    """
    for index, piece in enumerate(pieces):
        if piece.slot is None:
            if any(letter.isdigit() for letter in piece.text):
                raise BadWording(f"the words '{piece.text.strip()}' hold a number that no slot states")
        elif not piece.text:
            before = pieces[index - 1].text if index else ""
            after = pieces[index + 1].text if index + 1 < len(pieces) else ""
            if _GLUED_BEFORE.search(before) or _GLUED_AFTER.match(after):
                raise BadWording(f"'{piece.slot}' touches the text beside it and would be read as something else")


_GLUED_BEFORE = re.compile(r"[\w+.,\-]\Z")
_GLUED_AFTER = re.compile(r"[\w%+\-]|[.,]\w")


def _rendered(piece: Part, slots: Mapping[str, Value], locale: Locale) -> str:
    if piece.slot is None:
        return piece.text
    if piece.slot not in slots:
        raise BadWording(f"the wording mentions '{piece.slot}', which the request does not state")
    value = slots[piece.slot]
    if isinstance(value, bool) != bool(piece.text):
        raise BadWording(f"'{piece.slot}' is worded {{{piece.slot}|words}} when it is a flag, and only then")
    if value is False:
        raise BadWording(f"the words of '{piece.slot}' say yes; a request that does not want it leaves it out")
    return piece.text or shown(value, locale)


def read_back(say: str, text: str, schemas: Mapping[str, Schema], locale: Locale) -> dict[str, Value]:
    """The slots that a reader finds in a text written with a wording.

    Raises:
        BadWording: when the text does not fit the wording in exactly one way.
    """
    pieces = parts(say)
    if len(text) > MAX_TEXT:
        raise BadWording(f"the text is longer than {MAX_TEXT} characters")
    ways = _ways(pieces, text)
    if len(ways) != 1:
        how = "cannot be read back from the text" if not ways else "can be read back in more than one way"
        raise BadWording(f"the slots {how}")
    found: dict[str, Value] = {}
    words = iter(ways[0])
    for piece in pieces:
        if piece.slot is None:
            continue
        value = True if piece.text else _read(schemas, piece.slot, next(words), locale)
        if found.setdefault(piece.slot, value) != value:
            raise BadWording(f"'{piece.slot}' reads differently in two places")
    return found


MAX_TEXT = 2000
"""Longer requests are not read back: the ways to split a text grow with its square."""


def _ways(pieces: tuple[Part, ...], text: str) -> list[tuple[str, ...]]:
    """At most two ways to split a text into the words of the slots, in order."""

    @cache
    def ways(index: int, start: int) -> tuple[tuple[str, ...], ...]:
        if index == len(pieces):
            return ((),) if start == len(text) else ()
        piece = pieces[index]
        if piece.text:
            return ways(index + 1, start + len(piece.text)) if text.startswith(piece.text, start) else ()
        found: list[tuple[str, ...]] = []
        for end in _ends(pieces, index, text, start):
            found += [(text[start:end], *rest) for rest in ways(index + 1, end)]
            if len(found) > 1:
                break
        return tuple(found[:2])

    return list(ways(0, 0))


def _ends(pieces: tuple[Part, ...], index: int, text: str, start: int) -> Iterator[int]:
    """Where a slot that begins at `start` may end: before the next fixed text, or anywhere before another slot."""
    if index + 1 == len(pieces):
        yield from [len(text)] if start < len(text) else []
    elif not pieces[index + 1].text:
        yield from range(start + 1, len(text) + 1)
    else:
        end = text.find(pieces[index + 1].text, start + 1)
        while end != -1:
            yield end
            end = text.find(pieces[index + 1].text, end + 1)


def _read(schemas: Mapping[str, Schema], slot: str, word: str, locale: Locale) -> Value:
    schema = schemas.get(slot)
    if schema is None:
        raise BadWording(f"there is no slot '{slot}'")
    try:
        return read_shown(schema, word, locale)
    except Unreadable:
        raise BadWording(f"'{word}' cannot be read as '{slot}'") from None
