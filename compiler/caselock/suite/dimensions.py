"""A case -> its values along the five coverage dimensions, and which values can go together at all."""

from __future__ import annotations

from caselock.cases.case import Case
from caselock.rules.program import Program
from caselock.solve.steps import Ask
from caselock.spec.suite_policies import DIMENSIONS
from caselock.suite.covering import Row
from caselock.suite.models import Constraint, Model

GOAL, COMPLEXITY, INPUT, STATE, RISK = range(len(DIMENSIONS))

RISKS = ("low", "medium", "high")
INPUTS = ("clear", "reworded", "dialogue", "incomplete")
STATES = {
    "ordinary": frozenset[str](),
    "tool failure": frozenset(
        ("timeout_before_execution", "committed_response_lost", "partial_success", "error_code", "rate_limit")
    ),
    "moving world": frozenset(("concurrent_modification", "delayed_visibility", "duplicate_delivery")),
    "unclean data": frozenset(("dirty_state", "empty_result", "huge_result")),
    "hostile content": frozenset(("injected_content",)),
}
"""States of the system, each with the faults that bring it about; of several the last one counts."""


def row_of(case: Case) -> Row:
    """The case's value along each of DIMENSIONS."""
    return (case.scenario.goal, f"tier {case.tier}", input_quality(case), system_state(case), case.risk)


def input_quality(case: Case) -> str:
    """What the request leaves to the agent: a question, a history to read, another wording, or nothing."""
    if any(isinstance(step, Ask) for step in case.derived.plan.steps):
        return "incomplete"
    if case.scenario.conversation:
        return "dialogue"
    return "reworded" if any(step.operator.type == "language" for step in case.steps) else "clear"


def system_state(case: Case) -> str:
    """What befalls tools and world."""
    modes = {fault.fault for fault in case.scenario.faults}
    struck = [state for state, faults in STATES.items() if modes & faults]
    return struck[-1] if struck else "ordinary"


def model(program: Program) -> Model:
    """Every value of each dimension, and what the definition of the tier rules out."""
    several = any(len(entry.value.requests) > 1 for entry in program.workspace.seeds.values())
    return Model(
        domains=(
            tuple(sorted(program.goals)),
            tuple(f"tier {tier}" for tier in range(1, 6)),
            INPUTS,
            tuple(STATES),
            RISKS,
        ),
        constraints=(*_ALWAYS, *(() if several else _ONE_REQUEST)),
    )


_ALWAYS = (
    Constraint(
        axes=(COMPLEXITY, INPUT),
        holds=lambda tier, quality: tier != "tier 1" or quality != "incomplete",
        why="a question to ask raises the tier",
    ),
    Constraint(
        axes=(COMPLEXITY, STATE),
        holds=lambda tier, state: tier != "tier 1" or state == "ordinary",
        why="a fault raises the tier",
    ),
    Constraint(
        axes=(COMPLEXITY, INPUT),
        holds=lambda tier, quality: tier != "tier 5" or quality == "incomplete",
        why="tier 5 takes a question",
    ),
)
_ONE_REQUEST = (
    Constraint(
        axes=(COMPLEXITY,), holds=lambda tier: tier != "tier 5", why="tier 5 takes a seed with several requests"
    ),
    Constraint(
        axes=(COMPLEXITY, INPUT),
        holds=lambda tier, quality: tier != "tier 4" or quality == "incomplete",
        why="tier 4 takes a question, as no seed has several requests",
    ),
)
