"""Compiled cases -> for each tool how many show it at ease, at an edge and in failure, and what is lacking."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Literal, get_args

from caselock.cases.case import Case
from caselock.solve.steps import Call
from caselock.suite.strata import stratum
from caselock.world.events import ResultEvent

ToolScenario = Literal["happy", "edge", "failure", "offered"]
SCENARIOS: tuple[ToolScenario, ...] = get_args(ToolScenario)

Counts = Mapping[str, Mapping[ToolScenario, int]]


def tool_scenarios(cases: Iterable[Case]) -> dict[str, dict[ToolScenario, int]]:
    """The number of cases of each kind by tool: a tool's kind is what the plan of the case meets with it."""
    counts: dict[str, dict[ToolScenario, int]] = {}
    for case in cases:
        for tool in case.task.world.tools:
            counts.setdefault(tool, dict.fromkeys(SCENARIOS, 0))
        for tool in case.scenario.tools:
            counts[tool]["offered"] += 1
        for tool, kind in _met(case):
            counts[tool][kind] += 1
    return dict(sorted(counts.items()))


def _met(case: Case) -> set[tuple[str, ToolScenario]]:
    """What the plan meets: a failure where a fault or an error strikes the tool, else what the case is."""
    run = case.derived.plan.run
    called = {step.tool for step in run.steps if isinstance(step, Call)}
    failed = {event.tool for event in run.session.log if isinstance(event, ResultEvent) and event.error is not None}
    failed |= {fault.tool for fault in case.task.setup.faults if fault.tool is not None}
    calm: ToolScenario = "happy" if stratum(case) == "happy" else "edge"
    return {(tool, "failure") for tool in failed & called} | {(tool, calm) for tool in called - failed}


def lacking(counts: Counts) -> Iterator[str]:
    """Each tool with the kinds of case that none shows; one that no plan calls only has to be on offer somewhere."""
    for tool, by_kind in counts.items():
        called = by_kind["happy"] or by_kind["edge"] or by_kind["failure"]
        wanted: tuple[ToolScenario, ...] = ("happy", "edge", "failure") if called else ("offered",)
        missing = [kind for kind in wanted if not by_kind[kind]]
        if missing:
            yield f"{tool} ({', '.join(missing)})"
