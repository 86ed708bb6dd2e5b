"""Wordings with protected slots: render them with values, and read the values back out of the text."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal

from caselock.spec.schemas import Schema
from caselock.world.state import Value
from caselock.world.values import Unreadable, plain, read_value

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


def shown(value: Value) -> str:
    """A slot's value as a person writes it: whole amounts without decimals, others in full."""
    if isinstance(value, Decimal):
        return str(int(value)) if value == value.to_integral_value() else format(value, "f")
    return str(plain(value))


def render(say: str, slots: Mapping[str, Value]) -> str:
    """The text of a wording.

    Raises:
        BadWording: when it mentions a slot that has no value, or leaves out one that has.
    """
    pieces = parts(say)
    named = [piece.slot for piece in pieces if piece.slot is not None]
    for slot in slots:
        if slot not in named:
            raise BadWording(f"the wording does not mention '{slot}'")
    text = []
    for piece in pieces:
        if piece.slot is None:
            text.append(piece.text)
        elif piece.slot not in slots:
            raise BadWording(f"the wording mentions '{piece.slot}', which the request does not state")
        else:
            text.append(piece.text or shown(slots[piece.slot]))
    return "".join(text)


def read_back(say: str, text: str, schemas: Mapping[str, Schema]) -> dict[str, Value]:
    """The slots that a reader finds in a text written with a wording.

    Raises:
        BadWording: when the text does not fit the wording in exactly one way.
    """
    pieces = parts(say)
    pattern = "".join(re.escape(piece.text) if piece.slot is None or piece.text else _SLOT for piece in pieces)
    match = re.fullmatch(pattern, text)
    if match is None:
        raise BadWording("the slots cannot be read back from the text")
    values = iter(match.groups())
    found: dict[str, Value] = {}
    for piece in pieces:
        if piece.slot is not None:
            found[piece.slot] = True if piece.text else _read(schemas, piece.slot, next(values))
    return found


_SLOT = r"(\S+?)"


def _read(schemas: Mapping[str, Schema], slot: str, word: str) -> Value:
    try:
        return read_value(schemas[slot], word)
    except (Unreadable, KeyError):
        raise BadWording(f"'{word}' cannot be read as '{slot}'") from None
