"""The oracle strength gate: no wrong agent passes a case, and every legal variation does."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from caselock.cases.case import Case
from caselock.cases.double_entry import CheckedSeed
from caselock.diagnostics.diagnostic import Diagnostic
from caselock.rules.program import Program
from caselock.strength.agents import AGENTS
from caselock.strength.battery import Strength, strength
from caselock.strength.bench import Bench
from caselock.strength.matrix import kill_matrix
from caselock.world.environment import BrokenTool

Found = dict[tuple[str, ...], list[Diagnostic]]
"""Findings by what they are about, so that one weakness is told once, however many cases share it."""


def oracle_strength(
    program: Program, seeds: Mapping[str, CheckedSeed], cases: tuple[Case, ...], advance: Callable[[], None]
) -> tuple[dict[str, Any], tuple[Diagnostic, ...]]:
    """The kill matrix of the suite, and a finding for every weakness of its graders."""
    found: Found = {}
    strengths: list[tuple[str, str, Strength]] = []
    for case in cases:
        parent = seeds[case.scenario.seed].derived.plan.steps if case.steps else ()
        try:
            strong = strength(Bench(case.task, case.derived.plan.steps, parent))
        except BrokenTool as broken:
            _add(found, ("tool", str(broken)), case.seed.finding("CL0803", str(broken), "seed"))
        else:
            if case.partition == "dev":  # what hidden cases are like is not told
                strengths.append((case.derived.goal, case.derived.final.outcome, strong))
            _weaknesses(program, case, strong, found)
        advance()
    matrix = kill_matrix(program.goals, strengths)
    return matrix, tuple(_told(items) for items in found.values())


def _weaknesses(program: Program, case: Case, strong: Strength, found: Found) -> None:
    goal, outcome = program.workspace.goals[case.derived.goal], case.derived.final.outcome
    for agent in strong.survivors:
        does = (AGENTS[agent].__doc__ or "").strip()
        message = f"case '{case.case_id}': the wrong agent '{agent}' passes: {does}"
        about = (agent, case.derived.goal, outcome)
        _add(found, about, goal.finding("CL1101", message, "outcomes", outcome, key=True, found=agent))
    for variation, reason in strong.rejected.items():
        message = f"case '{case.case_id}': the legal variation '{variation}' fails: {reason}"
        about = (variation, case.derived.goal, outcome)
        _add(found, about, goal.finding("CL1102", message, "outcomes", outcome, key=True, found=variation))
    if not strong.reachable_attack:
        entry, path = (
            (program.workspace.operators[case.steps[-1].operator.operator], ("operator",))
            if case.steps
            else (case.seed, ("attack",))
        )
        message = f"case '{case.case_id}': no call of a tool on offer reaches the attack's goal"
        _add(found, ("attack", entry.document.path), entry.finding("CL1103", message, *path))


def _add(found: Found, about: tuple[str, ...], diagnostic: Diagnostic) -> None:
    found.setdefault(about, []).append(diagnostic)


def _told(alike: list[Diagnostic]) -> Diagnostic:
    """The first of findings about one weakness, saying how many cases share it."""
    first = alike[0]
    return first if len(alike) == 1 else replace(first, message=f"{first.message} (and {len(alike) - 1} more cases)")
