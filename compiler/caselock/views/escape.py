"""Text from hostile files -> text that a terminal shows and never obeys."""

from __future__ import annotations

import unicodedata


def visible(text: str) -> str:
    """Return text with control, format and unassigned characters spelt as escapes; line feeds too."""
    return text if text.isprintable() else "".join(map(visible_character, text))


def visible_character(character: str) -> str:
    """Return a printable character as it is, any other as `\\xNN`, `\\uNNNN` or `\\UNNNNNNNN`."""
    if character.isprintable():
        return character
    return character.encode("unicode_escape").decode("ascii")


def cells(text: str) -> int:
    """Return how many terminal columns a visible text takes: wide characters two, combining marks none."""
    return len(text) if text.isascii() else sum(map(_cells, text))


def _cells(character: str) -> int:
    if unicodedata.combining(character):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1
