"""A character index in a text -> the span that a reader of the file would point at."""

from __future__ import annotations

import bisect

from caselock.diagnostics import Span


class Places:
    """The line starts of one text, to turn code-point indices into lines and columns."""

    __slots__ = ("_file", "_length", "_starts")

    def __init__(self, file: str, text: str) -> None:
        self._file = file
        self._length = len(text)
        self._starts = [0]
        at = text.find("\n")
        while at >= 0:
            self._starts.append(at + 1)
            at = text.find("\n", at + 1)

    def line_column(self, index: int) -> tuple[int, int]:
        """Return the 1-based line and column of a character; the end of the text is a place too."""
        index = min(index, self._length)
        line = bisect.bisect_right(self._starts, index)
        return line, index - self._starts[line - 1] + 1

    def span(self, start: int, end: int) -> Span:
        """Return the span of the characters from `start` up to, not including, `end`."""
        return Span(self._file, *self.line_column(start), *self.line_column(max(start, end)))
