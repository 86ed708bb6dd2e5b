"""Diagnostics -> their order, their counts and the exit status they ask for."""

from __future__ import annotations

from collections.abc import Iterable

from caselock.diagnostics.code import Severity
from caselock.diagnostics.diagnostic import Diagnostic


def in_order(diagnostics: Iterable[Diagnostic]) -> tuple[Diagnostic, ...]:
    """Return the findings without repetitions, by file, line, column, code and message."""
    return tuple(sorted(dict.fromkeys(diagnostics), key=_place))


def counts(diagnostics: Iterable[Diagnostic]) -> dict[Severity, int]:
    """Return how many findings there are of each severity, zeros included."""
    tally = dict.fromkeys(Severity, 0)
    for diagnostic in diagnostics:
        tally[diagnostic.severity] += 1
    return tally


def exit_status(diagnostics: Iterable[Diagnostic], *, strict: bool = False) -> int:
    """Return 1 if any finding fails the check (errors; warnings too when strict), else 0."""
    failing = {Severity.ERROR, Severity.WARNING} if strict else {Severity.ERROR}
    return int(any(diagnostic.severity in failing for diagnostic in diagnostics))


def _place(diagnostic: Diagnostic) -> tuple[object, ...]:
    return (diagnostic.span, diagnostic.code, diagnostic.message)
