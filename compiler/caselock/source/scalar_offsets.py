"""A scalar's source text -> for each character of its value, the source characters that spell it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

# (value character, start of its spelling, end of its spelling), indices into the whole text.
_Spelt = tuple[str, int, int]

_BREAKS = re.compile(r" *\n[ \n]*")
_SIMPLE_ESCAPES = {
    "0": "\0", "a": "\a", "b": "\b", "t": "\t", "n": "\n", "v": "\v", "f": "\f", "r": "\r",
    "e": "\x1b", " ": " ", '"': '"', "/": "/", "\\": "\\",
    "N": "\x85", "_": "\xa0", "L": "\u2028", "P": "\u2029",
}  # fmt: skip
_HEX_ESCAPES = {"x": 2, "u": 4, "U": 8}


def spellings(text: str, start: int, end: int, style: str, value: str) -> list[tuple[int, int]] | None:
    """Return (start, end) source indices for each character of `value`, which `text[start:end]` spells.

    `style` is YAML's: '' plain, ' single-quoted, " double-quoted, | literal, > folded. None means that the
    spelling could not be followed, so that only the whole scalar can be pointed at.
    """
    spelt = list(_READERS[style](text, start, end, value))
    if "".join(character for character, _, _ in spelt) != value:
        return None
    return [(begin, stop) for _, begin, stop in spelt]


def _plain(text: str, start: int, end: int, value: str) -> Iterator[_Spelt]:
    at = start
    while at < end:
        breaks = _BREAKS.match(text, at, end)
        if breaks:
            yield from _folded_breaks(text, breaks.start(), breaks.end())
            at = breaks.end()
        else:
            yield text[at], at, at + 1
            at += 1


def _single_quoted(text: str, start: int, end: int, value: str) -> Iterator[_Spelt]:
    at = start + 1
    while at < end - 1:
        breaks = _BREAKS.match(text, at, end - 1)
        if breaks:
            yield from _folded_breaks(text, breaks.start(), breaks.end())
            at = breaks.end()
        else:
            width = 2 if text[at] == "'" else 1
            yield text[at], at, at + width
            at += width


def _double_quoted(text: str, start: int, end: int, value: str) -> Iterator[_Spelt]:
    at = start + 1
    while at < end - 1:
        breaks = _BREAKS.match(text, at, end - 1)
        if breaks:
            yield from _folded_breaks(text, breaks.start(), breaks.end())
            at = breaks.end()
        elif text[at] != "\\":
            yield text[at], at, at + 1
            at += 1
        elif text[at + 1] == "\n":
            joined = _BREAKS.match(text, at + 1, end - 1)
            stop = joined.end() if joined else at + 2
            yield from _each_break(text, at + 2, stop)
            at = stop
        else:
            character, width = _escape(text, at)
            yield character, at, at + width
            at += width


def _escape(text: str, at: int) -> tuple[str, int]:
    letter = text[at + 1]
    digits = _HEX_ESCAPES.get(letter)
    if digits is None:
        return _SIMPLE_ESCAPES[letter], 2
    return chr(int(text[at + 2 : at + 2 + digits], 16)), 2 + digits


def _folded_breaks(text: str, start: int, end: int) -> Iterator[_Spelt]:
    """Fold line breaks: one becomes a space, n become n-1 line feeds."""
    first = text.index("\n", start)
    if "\n" in text[first + 1 : end]:
        yield from _each_break(text, first + 1, end)
    else:
        yield " ", first, first + 1


def _each_break(text: str, start: int, end: int) -> Iterator[_Spelt]:
    for at in range(start, end):
        if text[at] == "\n":
            yield "\n", at, at + 1


def _literal(text: str, start: int, end: int, value: str) -> Iterator[_Spelt]:
    lines = _block_lines(text, start, end)
    contents = value.split("\n")
    first = next((i for i, content in enumerate(contents) if content), None)
    indent = 0 if first is None or first >= len(lines) else _width(lines[first]) - len(contents[first])
    for number, ((begin, stop), content) in enumerate(zip(lines, contents, strict=False)):
        begin = min(begin + indent, stop)
        yield from _each_character(text, begin, min(begin + len(content), stop))
        if number + 1 < len(contents):
            yield "\n", stop, stop + 1


def _folded(text: str, start: int, end: int, value: str) -> Iterator[_Spelt]:
    lines = _block_lines(text, start, end)
    indent = _folded_indent(text, lines, value)
    position = 0
    ends: list[int] = []  # ends of lines since the last line with content
    for begin, stop in lines:
        if stop - begin > indent:
            separators = _separators(value, position, ends) if ends else []
            yield from separators
            yield from _each_character(text, begin + indent, stop)
            position += len(separators) + stop - begin - indent
            ends = []
        ends.append(stop)
    for character, at in zip(value[position:], ends, strict=False):
        yield character, at, at + 1


def _folded_indent(text: str, lines: list[tuple[int, int]], value: str) -> int:
    unbroken = value.lstrip("\n")
    kept = len(unbroken) - len(unbroken.lstrip(" "))
    for begin, stop in lines:
        content = text[begin:stop].lstrip(" ")
        if content:
            return max(0, stop - begin - len(content) - kept)
    return 0


def _separators(value: str, position: int, ends: list[int]) -> list[_Spelt]:
    """Return what stands for the ends of lines at a fold: one space, or line feeds spelt by the last ones."""
    if value[position : position + 1] == " ":
        return [(" ", ends[0], ends[0] + 1)]
    rest = value[position : position + len(ends)]
    count = len(rest) - len(rest.lstrip("\n"))
    return [("\n", at, at + 1) for at in ends[len(ends) - count :]]


def _block_lines(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """Return (start, end) of each line below a block scalar's header, line feeds left out."""
    lines = []
    at = text.find("\n", start) + 1
    while 0 < at < end:
        stop = text.find("\n", at)
        stop = len(text) if stop < 0 else stop
        lines.append((at, stop))
        at = stop + 1
    return lines


def _each_character(text: str, start: int, end: int) -> Iterator[_Spelt]:
    for at in range(start, end):
        yield text[at], at, at + 1


def _width(line: tuple[int, int]) -> int:
    return line[1] - line[0]


_READERS: dict[str, Callable[[str, int, int, str], Iterator[_Spelt]]] = {
    "": _plain,
    "'": _single_quoted,
    '"': _double_quoted,
    "|": _literal,
    ">": _folded,
}
