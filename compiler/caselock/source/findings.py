"""What is wrong with one text, gathered by character index -> diagnostics in order, at most a hundred."""

from __future__ import annotations

from functools import cached_property

from caselock.diagnostics import Diagnostic, Related, Span, in_order
from caselock.source.limits import MAX_FINDINGS
from caselock.source.places import Places


class Findings:
    """The findings of one file while it is read."""

    def __init__(self, path: str, text: str) -> None:
        self.text = text
        self._path = path
        self._found: list[Diagnostic] = []

    def __bool__(self) -> bool:
        return bool(self._found)

    def add(
        self,
        code: str,
        start: int,
        end: int,
        message: str,
        *,
        found: str | None = None,
        nearest: str | None = None,
        hint: str | None = None,
        related: tuple[Related, ...] = (),
    ) -> None:
        """Add a finding about the characters from `start` up to, not including, `end`."""
        finding = Diagnostic(
            code=code, span=self.span(start, end), message=message,
            found=found, nearest=nearest, hint=hint, related=related,
        )  # fmt: skip
        self._found.append(finding)

    def span(self, start: int, end: int) -> Span:
        """Return the span of a range of characters."""
        return self._places.span(start, end)

    def has_code(self, codes: frozenset[str]) -> bool:
        """Tell whether any of these codes has been found."""
        return any(finding.code in codes for finding in self._found)

    def has_line(self, line: int) -> bool:
        """Tell whether something has been found on a line, so that its consequences need no finding."""
        return any(finding.span.line == line for finding in self._found)

    def bounded(self) -> tuple[Diagnostic, ...]:
        """Return the findings in file order; of very many, the first ones and how many follow."""
        return bounded(in_order(self._found))

    @cached_property
    def _places(self) -> Places:
        return Places(self._path, self.text)


def bounded(findings: tuple[Diagnostic, ...]) -> tuple[Diagnostic, ...]:
    """Return at most MAX_FINDINGS findings of one file, then one that counts the rest."""
    if len(findings) <= MAX_FINDINGS:
        return findings
    rest = len(findings) - MAX_FINDINGS
    span = findings[MAX_FINDINGS].span
    last = Diagnostic(code="CL0043", span=span, message=f"{rest} more findings in this file")
    return (*findings[:MAX_FINDINGS], last)
