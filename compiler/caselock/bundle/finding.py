"""A place in a bundle and what is wrong there -> a diagnostic, however hostile the text it quotes."""

from __future__ import annotations

from caselock.diagnostics import Diagnostic, Span

_LONGEST = 300  # characters of a message, which may quote text of any length


def finding(
    code: str, path: str, message: str, hint: str | None = None, *, line: int = 1, column: int = 1
) -> Diagnostic:
    """Return a finding about a place in a file of the bundle; the path '' is the bundle's folder itself."""
    shown = message if len(message) <= _LONGEST else f"{message[:_LONGEST]}..."
    span = Span(shown_path(path) or ".", line, column, line, column)
    return Diagnostic(code=code, span=span, message=shown, hint=hint)


def shown_path(path: str) -> str:
    """Return a file name that any terminal and any encoding can show."""
    return path.encode("unicode_escape").decode("ascii")
