"""The identity gate: a case id names one case."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from caselock.cases.case import Case
from caselock.diagnostics.diagnostic import Diagnostic, Related


def identity(cases: tuple[Case, ...]) -> Iterator[Diagnostic]:
    """A finding for every id used twice."""
    for before, after in pairwise(sorted(cases, key=lambda case: case.case_id)):
        if before.case_id == after.case_id:
            related = Related(span=before.seed.span("case_id"), message="the other is here")
            message = f"two cases are called '{after.case_id}'"
            yield after.seed.finding("CL0806", message, "case_id", found=after.case_id, related=(related,))
