"""The rubrics of a workspace -> a finding where a case would be judged by fewer than 3 or more than 5 criteria."""

from __future__ import annotations

from collections.abc import Iterator

from caselock.diagnostics.diagnostic import Diagnostic
from caselock.spec.decisions import ENDINGS, QUESTIONS, Outcome
from caselock.spec.goals import Goal
from caselock.spec.workspace import Workspace

FEWEST, MOST = 3, 5


def check_rubrics(workspace: Workspace) -> Iterator[Diagnostic]:
    """Outcomes whose criteria with the shared ones are not 3 to 5, and seeds that add too many."""
    shared = workspace.shared_criteria
    for entry in workspace.goals.values():
        for outcome in (*ENDINGS, *QUESTIONS):
            own = own_criteria(entry.value, outcome)
            if own is not None and not FEWEST <= len({*own, *shared}) <= MOST:
                yield entry.finding("CL0211", _said(f"'{outcome}'", {*own, *shared}), "outcomes", outcome, "rubric")
    for name, seed in workspace.seeds.items():
        goal, ending = workspace.goals.get(seed.value.requests[-1].goal), seed.value.expected.outcome[-1:]
        own = None if goal is None or not ending else own_criteria(goal.value, ending[0])
        added = {*seed.value.rubric} - {*(own or ()), *shared}
        if own is not None and added and len({*own, *shared} | added) > MOST:
            yield seed.finding("CL0211", _said(f"seed '{name}'", {*own, *shared} | added), "rubric")


def own_criteria(goal: Goal, outcome: Outcome) -> tuple[str, ...] | None:
    """The criteria that a goal names for an outcome, shared ones apart; None when it has no such outcome."""
    part = goal.outcomes.contract(outcome) or goal.outcomes.question(outcome)
    return None if part is None else part.rubric


def _said(what: str, criteria: set[str]) -> str:
    names = ", ".join(sorted(criteria)) or "none"
    return f"{what} is judged by {len(criteria)} criteria ({names}), not by {FEWEST} to {MOST}"
