"""Findings -> GitHub workflow commands, which show each one at its line of a pull request."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from caselock.diagnostics import Diagnostic, Severity
from caselock.views.escape import visible

_COMMANDS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.NOTE: "notice"}


def render_github(findings: Sequence[Diagnostic], *, prefix: str = "") -> str:
    """Return one command per finding; `prefix` leads from the repository to the workspace (`agents/support/`).

    Source: https://docs.github.com/en/actions/reference/workflow-commands-for-github-actions
    """
    return "".join(f"{_command(finding, prefix)}\n" for finding in findings)


def _command(finding: Diagnostic, prefix: str) -> str:
    properties = ",".join(f"{name}={_property(value)}" for name, value in _properties(finding, prefix))
    return f"::{_COMMANDS[finding.severity]} {properties}::{_data(chr(10).join(_lines(finding)))}"


def _properties(finding: Diagnostic, prefix: str) -> Iterator[tuple[str, str]]:
    span = finding.span
    yield "file", prefix + span.file
    yield "line", str(span.line)
    # GitHub shows no annotation whose columns are on two lines.
    if span.line == span.end_line:
        yield "col", str(span.column)
    yield "endLine", str(span.end_line)
    if span.line == span.end_line:
        yield "endColumn", str(span.end_column)
    yield "title", finding.code


def _lines(finding: Diagnostic) -> Iterator[str]:
    yield visible(finding.message)
    if finding.nearest is not None:
        yield f"hint: did you mean '{visible(finding.nearest)}'?"
    if finding.hint is not None:
        yield f"hint: {visible(finding.hint)}"
    for related in finding.related:
        yield f"{visible(str(related.span))}: {visible(related.message)}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(visible(text)).replace(":", "%3A").replace(",", "%2C")
