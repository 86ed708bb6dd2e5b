"""A finished proof -> what was proved, for people or as JSON, with the boundary points of every comparison."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from caselock.diagnostics import Diagnostic, counts
from caselock.pipeline import Build, undecided
from caselock.views.diagnostics import as_json
from caselock.views.escape import visible


def render_json(build: Build, findings: Sequence[Diagnostic], *, points: bool) -> str:
    """The findings, their counts, and the tables that were proved."""
    document: dict[str, Any] = {
        "files": len(build.documents),
        "tables": [
            {"decision": name, "goal": goal, "rules": rules, "inputs": inputs}
            for name, goal, rules, inputs in _tables(build)
        ],
        "counts": {severity.value: number for severity, number in counts(findings).items()},
        "findings": [as_json(finding) for finding in findings],
    }
    if points:
        document["points"] = [
            {"decision": name, **{key: value for key, value in point.items() if value is not None}}
            for name, point in _points(build)
        ]
    return json.dumps(document, indent=2) + "\n"


def render_text(build: Build, *, points: bool) -> str:
    """A line for each table, and its boundary points."""
    lines = [
        f"{name}: {rules} rules over {inputs} inputs, as goal '{goal}' asks"
        for name, goal, rules, inputs in _tables(build)
    ]
    if not _ready(build):
        lines = ["rules were not proved: what they read is in error"]
    if points:
        lines += _point_lines(build)
    return "".join(f"{visible(line)}\n" for line in lines)


def _ready(build: Build) -> bool:
    return build.program is not None and not undecided(build)


def _tables(build: Build) -> Iterator[tuple[str, str, int, int]]:
    from caselock.prove.tables import provable

    if build.program is not None and _ready(build):
        for goal in provable(build.program, build.decisions):
            yield goal.table.name, goal.spec.goal, len(goal.table.rules), len(goal.table.inputs)


def _points(build: Build) -> Iterator[tuple[str, dict[str, Any]]]:
    from caselock.prove.points import points
    from caselock.prove.tables import goal_model, provable, sound_solver
    from caselock.prove.witness import fact_in_words

    if build.program is None or not _ready(build):
        return
    for goal in provable(build.program, build.decisions):
        model = goal_model(build.program, goal)
        for point in points(model, sound_solver(model)):
            yield (
                goal.table.name,
                {
                    "rule": point.rule,
                    "comparison": point.comparison,
                    "side": point.side,
                    "facts": None
                    if point.facts is None
                    else {name: fact_in_words(value) for name, value in point.facts.items()},
                    "decides": point.decides,
                    "reason": point.reason,
                },
            )


def _point_lines(build: Build) -> Iterator[str]:
    heading = ("", "")
    for _, point in _points(build):
        if heading != (point["rule"], point["comparison"]):
            heading = (point["rule"], point["comparison"])
            yield f"{heading[0]}: {heading[1]}"
        if point["facts"] is None:
            yield f"  {point['side']:<5}  impossible: {point['reason']}"
        else:
            facts = ", ".join(f"{name} {value}" for name, value in point["facts"].items())
            yield f"  {point['side']:<5}  {point['decides']} decides: {facts}"
