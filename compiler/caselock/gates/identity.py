"""The identity gate: a case id names one case, and the same question in the same world has one answer."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from caselock.cases.case import Case
from caselock.diagnostics.diagnostic import Diagnostic, Related
from caselock.source.canonical import digest


def identity(cases: tuple[Case, ...]) -> Iterator[Diagnostic]:
    """A finding for every id used twice, and for every pair of equal scenarios under two labels."""
    for before, after in pairwise(sorted(cases, key=lambda case: case.case_id)):
        if before.case_id == after.case_id:
            yield _finding("CL0806", before, after, f"two cases are called '{after.case_id}'")
    first: dict[str, Case] = {}
    for case in cases:
        known = first.setdefault(digest(case.scenario.document()), case)
        if known.derived.label != case.derived.label:
            message = f"'{known.case_id}' and '{case.case_id}' are one scenario with two labels"
            yield _finding("CL0807", known, case, message)


def _finding(code: str, first: Case, second: Case, message: str) -> Diagnostic:
    related = (Related(span=first.seed.span("case_id"), message=f"the other is '{first.case_id}'"),)
    return second.seed.finding(code, message, "case_id", found=second.case_id, related=related)
