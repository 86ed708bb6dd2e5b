"""The duplicates gate: few cases of one signature, and never two answers to one situation."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import groupby
from typing import Any

from caselock.cases.case import Case
from caselock.diagnostics.diagnostic import Diagnostic, Related
from caselock.gates.signature import behaviour, signature, situation
from caselock.spec.suite_policies import Dedup
from caselock.spec.workspace import Entry


def contradictions(cases: Sequence[Case]) -> Iterator[Diagnostic]:
    """A finding for every situation in which two cases expect different things of the agent."""
    for group in _groups(cases, situation):
        first = group[0]
        for case in group[1:]:
            if behaviour(case) != behaviour(first):
                message = (
                    f"case '{case.case_id}' and case '{first.case_id}' put the same words to the same world and expect "
                    f"{_expected(case)} and {_expected(first)}"
                )
                related = (Related(span=first.seed.span("seed"), message="the other comes from here"),)
                yield case.seed.finding("CL1201", message, "requests", related=related)


def _expected(case: Case) -> str:
    return f"{case.derived.goal}: {', then '.join(case.derived.label)} ({case.derived.final.rule})"


def without_duplicates(
    policy: Entry[Dedup] | None, cases: Sequence[Case]
) -> tuple[tuple[Case, ...], tuple[Diagnostic, ...]]:
    """The cases with at most `cap` of each signature, and a note of what was left out; seeds always stay."""
    if policy is None:
        return tuple(cases), ()
    dropped: list[str] = []
    notes: list[Diagnostic] = []
    for group in _groups(cases, signature):
        stay = _unlike(group, policy.value.cap)
        out = [case.case_id for case in group if case not in stay]
        if out:
            message = f"{len(group)} cases test the same as '{stay[0].case_id}'; left out: {', '.join(sorted(out))}"
            notes.append(policy.finding("CL1202", message, "cap", found=str(len(group))))
            dropped += out
    return tuple(case for case in cases if case.case_id not in set(dropped)), tuple(notes)


def _groups(cases: Sequence[Case], key: Callable[[Case], Any]) -> Iterator[list[Case]]:
    keyed = sorted(((str(key(case)), case.case_id, case) for case in cases), key=lambda item: item[:2])
    for _, group in groupby(keyed, key=lambda item: item[0]):
        yield [case for _, _, case in group]


def _unlike(group: Sequence[Case], cap: int) -> list[Case]:
    """The seeds of a group, then those cases whose wording is least like any that stays."""
    stay = [case for case in group if not case.steps]
    left = [case for case in group if case.steps]
    while left and len(stay) < cap:
        best = min(left, key=lambda case: max((likeness(case, other) for other in stay), default=Fraction(0)))
        stay.append(best)
        left.remove(best)
    return stay


def likeness(case: Case, other: Case) -> Fraction:
    """The share of words that two openings have in common, 0 to 1."""
    one, two = (set(each.task.script.opening.casefold().split()) for each in (case, other))
    return Fraction(len(one & two), len(one | two) or 1)
