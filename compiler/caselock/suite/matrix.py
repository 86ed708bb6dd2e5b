"""The suite and its candidates -> which values of different dimensions meet in a case, and why others do not."""

from __future__ import annotations

import datetime
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from typing import Any

from caselock.cases.case import Case
from caselock.diagnostics.diagnostic import Diagnostic
from caselock.rules.program import Program
from caselock.spec.operators import Operator
from caselock.spec.suite_policies import DIMENSIONS, Coverage, Waiver
from caselock.spec.workspace import Entry
from caselock.suite.covering import Cell, Cells, Row, tuples_of
from caselock.suite.dimensions import RISK, RISKS, model, row_of
from caselock.suite.models import Model

Origins = Mapping[Cell, Sequence[Operator]]
"""The operators that give a case a value which its seed has not, by name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Hole:
    """Values that meet in no case of the suite: `infeasible`, `waived`, `left out` or `unreached`, and why."""

    cells: Cells
    label: str
    why: str


def strength_of(program: Program) -> int:
    """How many values of different dimensions must meet: the policy's word, else pairs."""
    policy = program.workspace.coverage
    return 2 if policy is None else policy.value.strength


def matrix(program: Program, suite: Sequence[Case], candidates: Sequence[Case]) -> dict[str, Any]:
    """How often the values of different dimensions meet in the suite, and every hole with its label."""
    strength = strength_of(program)
    counts = Counter(cells for case in suite for cells in tuples_of(row_of(case), strength))
    found = tuple(holes(program, suite, candidates))
    labels = Counter(hole.label for hole in found)
    return {
        "strength": strength,
        "dimensions": [
            {"name": name, "values": list(values)}
            for name, values in zip(DIMENSIONS, model(program).domains, strict=True)
        ],
        "covered": len(counts),
        "feasible": len(counts) + len(found) - labels["infeasible"],
        "holes_by_label": dict(sorted(labels.items())),
        "counts": [{"values": _named(cells), "cases": number} for cells, number in sorted(counts.items())],
        "holes": [{"values": _named(hole.cells), "label": hole.label, "why": hole.why} for hole in found],
    }


def _named(cells: Cells) -> dict[str, str]:
    return {DIMENSIONS[axis]: value for axis, value in cells}


def holes(program: Program, suite: Sequence[Case], candidates: Sequence[Case]) -> Iterator[Hole]:
    """Every tuple of values that no case of the suite has."""
    strength, axes = strength_of(program), model(program)
    covered = {cells for case in suite for cells in tuples_of(row_of(case), strength)}
    reached: dict[Cells, str] = {}
    for case in candidates:
        for cells in tuples_of(row_of(case), strength):
            reached.setdefault(cells, case.case_id)
    waivers = {_cells(waiver): waiver for waiver in _in_force(program)}
    origins = _origins(candidates)
    for chosen in combinations(range(len(DIMENSIONS)), strength):
        for values in product(*(axes.domains[axis] for axis in chosen)):
            cells = tuple(zip(chosen, values, strict=True))
            if cells not in covered:
                yield _hole(axes, cells, reached.get(cells), _waiver(waivers, cells), origins)


def _hole(axes: Model, cells: Cells, reached: str | None, waiver: Waiver | None, origins: Origins) -> Hole:
    if reached is not None:
        return Hole(cells=cells, label="left out", why=f"the size leaves out case '{reached}'")
    if axes.completed(dict(cells)) is None:
        broken = axes.broken(dict(cells))
        why = "the other dimensions leave no room for it" if broken is None else broken.why
        return Hole(cells=cells, label="infeasible", why=why)
    if waiver is not None:
        return Hole(cells=cells, label="waived", why=f"by {waiver.by} until {waiver.until}: {waiver.reason}")
    return Hole(cells=cells, label="unreached", why=_way(cells, origins))


def _way(cells: Cells, origins: Origins) -> str:
    """The operators that could reach it from a seed that has the rest."""
    ways: list[str] = []
    for cell in cells:
        rest = [other for other in cells if other != cell]
        names = [operator.operator for operator in origins.get(cell, ()) if _keeps_risk(operator, rest)]
        if names:
            ways.append(f"{' or '.join(names[:3])} on a seed with {', '.join(value for _, value in rest)}")
    return "; ".join(ways) if ways else "no operator makes it: it takes a seed"


def _keeps_risk(operator: Operator, rest: Sequence[Cell]) -> bool:
    """A case is never of lower risk than its operators."""
    wanted = dict(rest).get(RISK)
    return wanted is None or RISKS.index(operator.risk) <= RISKS.index(wanted)


def _origins(candidates: Sequence[Case]) -> dict[Cell, list[Operator]]:
    seeds: dict[str, Row] = {case.scenario.seed: row_of(case) for case in candidates if not case.steps}
    made: dict[Cell, dict[str, Operator]] = {}
    for case in candidates:
        before = seeds.get(case.scenario.seed)
        if before is None or len(case.steps) != 1:
            continue
        operator = case.steps[0].operator
        for cell in set(enumerate(row_of(case))) - set(enumerate(before)):
            made.setdefault(cell, {})[operator.operator] = operator
    return {cell: [by_name[name] for name in sorted(by_name)] for cell, by_name in made.items()}


def _cells(waiver: Waiver) -> Cells:
    return tuple(sorted((DIMENSIONS.index(name), value) for name, value in waiver.values.items()))


def _waiver(waivers: Mapping[Cells, Waiver], cells: Cells) -> Waiver | None:
    return next((waiver for waived, waiver in waivers.items() if set(waived) <= set(cells)), None)


def _in_force(program: Program) -> Iterator[Waiver]:
    policy = program.workspace.coverage
    for waiver in () if policy is None else policy.value.waivers:
        if waiver.until >= today(program):
            yield waiver


def today(program: Program) -> datetime.date:
    """The day that waivers are judged on: the latest that a fixture declares, never the machine's."""
    return max((fixture.now.date() for fixture in program.world.fixtures.values()), default=datetime.date.min)


def check_waivers(program: Program, candidates: Sequence[Case]) -> Iterator[Diagnostic]:
    """Waivers that are over, and waivers of what needs none."""
    policy: Entry[Coverage] | None = program.workspace.coverage
    if policy is None:
        return
    axes = model(program)
    rows = [row_of(case) for case in candidates]
    for index, waiver in enumerate(policy.value.waivers):
        cells, words = _cells(waiver), " and ".join(f"{name} '{value}'" for name, value in waiver.values.items())
        unknown = next(
            (name for name, value in waiver.values.items() if value not in axes.domains[DIMENSIONS.index(name)]), None
        )
        if unknown is not None:
            allowed = axes.domains[DIMENSIONS.index(unknown)]
            message = f"no case can have {unknown} '{waiver.values[unknown]}'"
            yield policy.finding(
                "CL1206", message, "waivers", index, "values", unknown, found=waiver.values[unknown], allowed=allowed
            )
        elif any(all(row[axis] == value for axis, value in cells) for row in rows):
            yield policy.finding("CL1206", f"{words} meet in a case and need no waiver", "waivers", index, "values")
        elif waiver.until < today(program):
            message = f"the waiver of {words} ended on {waiver.until}; the fixtures are at {today(program)}"
            yield policy.finding("CL1207", message, "waivers", index, "until", found=str(waiver.until))
