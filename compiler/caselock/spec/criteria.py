"""The rubrics of a workspace -> a finding where a case would be judged by fewer than 3 or more than 5 criteria."""

from __future__ import annotations

from collections.abc import Iterator

from caselock.diagnostics.diagnostic import Diagnostic
from caselock.spec.decisions import ENDINGS, QUESTIONS, Outcome
from caselock.spec.goals import Goal
from caselock.spec.seeds import Seed
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
        criteria = {*shared, *_of_requests(workspace, seed.value)}
        added = {*seed.value.rubric} - criteria
        if added and len(criteria | added) > MOST:
            yield seed.finding("CL0211", _said(f"seed '{name}'", criteria | added), "rubric")


def _of_requests(workspace: Workspace, seed: Seed) -> Iterator[str]:
    """The criteria of the outcomes that are expected of a seed's requests."""
    expected = (seed.expected.outcome, *(later.outcome for later in seed.expected.then))
    for request, outcomes in zip(seed.requests, expected, strict=False):
        goal = workspace.goals.get(request.goal)
        if goal is not None and outcomes:
            yield from own_criteria(goal.value, outcomes[-1]) or ()


def own_criteria(goal: Goal, outcome: Outcome) -> tuple[str, ...] | None:
    """The criteria that a goal names for an outcome, shared ones apart; None when it has no such outcome."""
    part = goal.outcomes.contract(outcome) or goal.outcomes.question(outcome)
    return None if part is None else part.rubric


def _said(what: str, criteria: set[str]) -> str:
    names = ", ".join(sorted(criteria)) or "none"
    return f"{what} is judged by {len(criteria)} criteria ({names}), not by {FEWEST} to {MOST}"
