"""Candidates -> cases, each label derived from the rules."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Literal

from caselock.cases.build import Unbuildable, build_task
from caselock.cases.case import Case
from caselock.cases.derive import Underivable, derive
from caselock.cases.double_entry import CheckedSeed
from caselock.cases.expand import Candidate
from caselock.diagnostics.diagnostic import Diagnostic, Related
from caselock.rules.program import Program
from caselock.spec.operators import Operator
from caselock.spec.workspace import Entry

Partitions = Mapping[str, Literal["dev", "hidden"]]


def gold_case(seed: CheckedSeed, partitions: Partitions) -> Case:
    """The case of a seed, under the id its author gave it."""
    return Case(
        case_id=seed.entry.value.case_id,
        seed=seed.entry,
        scenario=seed.scenario,
        steps=(),
        task=seed.task,
        derived=seed.derived,
        partition=partitions[seed.entry.value.family],
    )


def label_candidates(
    program: Program,
    candidates: tuple[Candidate, ...],
    partitions: Partitions,
    advance: Callable[[], None],
) -> tuple[tuple[Case, ...], tuple[Diagnostic, ...]]:
    """Derive every candidate; one whose label cannot be trusted is a finding and no case."""
    cases: list[Case] = []
    found: list[Diagnostic] = []
    for candidate in candidates:
        case, problems = _label(program, candidate, partitions)
        found += problems
        if case is not None:
            cases.append(case)
        advance()
    return tuple(cases), tuple(found)


def _label(
    program: Program, candidate: Candidate, partitions: Partitions
) -> tuple[Case | None, tuple[Diagnostic, ...]]:
    place = program.workspace.operators[candidate.steps[-1].operator.operator]
    task = build_task(program, candidate.scenario, candidate.case_id)
    if isinstance(task, Unbuildable):
        return None, (_finding(place, candidate, "CL0706", f"makes an impossible case: {task.message}"),)
    derived = derive(task)
    if isinstance(derived, Underivable):
        code = {"plan": "CL0802", "tools": "CL0803"}.get(derived.part, "CL0801")
        return None, (_finding(place, candidate, code, derived.message),)
    return Case(
        case_id=candidate.case_id,
        seed=candidate.seed,
        scenario=candidate.scenario,
        steps=candidate.steps,
        task=task,
        derived=derived,
        partition=partitions[candidate.scenario.family],
    ), ()


def _finding(place: Entry[Operator], candidate: Candidate, code: str, message: str, *path: str | int) -> Diagnostic:
    related = (Related(span=candidate.seed.span("seed"), message=f"on seed '{candidate.seed.value.seed}'"),)
    return place.finding(code, f"case '{candidate.case_id}': {message}", *(path or ("operator",)), related=related)
