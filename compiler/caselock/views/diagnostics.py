"""Findings -> text for people, with the lines they are about, or JSON for programs."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict

from caselock.diagnostics import Diagnostic, Severity, Span, counts
from caselock.views.escape import cells, visible, visible_character

Source = Callable[[str], str | None]

_WINDOW = 120  # characters of a source line that are shown
_MOST_ALLOWED = 12  # allowed values that are listed before "and n more"
_CONFIDENTIAL = ("CL0050", "CL0051")  # what is in the file must not get into logs as well
_COLOURS = {Severity.ERROR: "red", Severity.WARNING: "yellow", Severity.NOTE: "cyan"}


def render_text(findings: Sequence[Diagnostic], source: Source, *, files: int, colour: bool = False) -> str:
    """Return the findings with excerpts and hints, and a summary line; `source` gives a file's text."""
    lines_of = _Lines(source)
    blocks = ["\n".join(_block(finding, lines_of, colour)) + "\n" for finding in findings]
    return "\n".join([*blocks, summary(findings, files) + "\n"])


def render_json(findings: Sequence[Diagnostic]) -> str:
    """Return the findings as a JSON list in the same order, ASCII only."""
    return json.dumps([as_json(finding) for finding in findings], indent=2) + "\n"


def summary(findings: Sequence[Diagnostic], files: int) -> str:
    """Return one line such as `2 errors, 1 warning in 14 files`."""
    parts = [_count(number, severity.value) for severity, number in counts(findings).items() if number]
    return f"{', '.join(parts) or 'no findings'} in {_count(files, 'file')}"


class _Lines:
    """The lines of the files that findings are about, each file read once."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._files: dict[str, list[str]] = {}

    def line(self, span: Span) -> str | None:
        if span.file not in self._files:
            self._files[span.file] = (self._source(span.file) or "").split("\n")
        lines = self._files[span.file]
        line = lines[span.line - 1] if span.line <= len(lines) else ""
        return line or None


def _block(finding: Diagnostic, lines: _Lines, colour: bool) -> Iterator[str]:
    yield _heading(finding, colour)
    line = lines.line(finding.span)
    if line is not None and finding.code not in _CONFIDENTIAL:
        yield from _excerpt(finding.span, line)
    if finding.nearest is not None:
        place = f" ({visible(str(finding.nearest_at))})" if finding.nearest_at else ""
        yield f"  hint: did you mean '{visible(finding.nearest)}'{place}?"
    if finding.hint is not None:
        yield f"  hint: {visible(finding.hint)}"
    if finding.allowed:
        yield f"  allowed: {_listed(finding.allowed)}"
    for related in finding.related:
        yield f"  {visible(str(related.span))}: {visible(related.message)}"


def _heading(finding: Diagnostic, colour: bool) -> str:
    code = finding.code
    if colour:
        import click

        code = click.style(code, fg=_COLOURS[finding.severity], bold=True)
    weight = "" if finding.severity is Severity.ERROR else f"{finding.severity.value}: "
    return f"{visible(str(finding.span))}: {code} {weight}{visible(finding.message)}"


def _excerpt(span: Span, line: str) -> Iterator[str]:
    """Yield the source line and carets below the span; of a long line only the part around the span."""
    first = max(0, span.column - 1 - _WINDOW // 2) if len(line) > _WINDOW else 0
    shown = line[first : first + _WINDOW]
    start = span.column - 1 - first
    end = span.end_column - 1 - first if span.end_line == span.line else len(shown)
    before = "".join(map(visible_character, shown[:start]))
    marked = "".join(map(visible_character, shown[start:end]))
    after = "".join(map(visible_character, shown[max(start, end) :]))
    left = "..." if first else ""
    right = "..." if first + _WINDOW < len(line) else ""
    margin = len(str(span.line))
    yield f"  {span.line} | {left}{before}{marked}{after}{right}"
    yield f"  {' ' * margin} | {' ' * cells(left + before)}{'^' * max(1, cells(marked))}"


def _listed(allowed: tuple[str, ...]) -> str:
    shown = ", ".join(map(visible, allowed[:_MOST_ALLOWED]))
    rest = len(allowed) - _MOST_ALLOWED
    return f"{shown} and {rest} more" if rest > 0 else shown


def as_json(finding: Diagnostic) -> dict[str, object]:
    """The finding as JSON data."""
    return {
        "code": finding.code,
        "severity": finding.severity.value,
        **asdict(finding.span),
        "path": finding.path,
        "message": finding.message,
        "found": finding.found,
        "allowed": list(finding.allowed),
        "nearest": finding.nearest,
        "hint": finding.hint,
        "related": [{**asdict(related.span), "message": related.message} for related in finding.related],
    }


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
