"""A place in a workspace file: path plus 1-based line and code-point column, end exclusive."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """From (line, column) up to, not including, (end_line, end_column): 1-based, columns in code points."""

    file: str
    line: int = 1
    column: int = 1
    end_line: int = 1
    end_column: int = 1

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"
