"""Compiled cases -> the content of a bundle: every case in its parts, and what an environment needs to run them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from caselock import __version__
from caselock.bundle.content import BundleContent, CaseParts
from caselock.cases.case import Case
from caselock.cases.contract import (
    agent_part,
    lineage_part,
    oracle_part,
    proof_part,
    simulator_part,
    world_part,
)
from caselock.rules.program import Program
from caselock.spec.base import Model
from caselock.suite.coverage import coverage
from caselock.suite.distribution import targets
from caselock.suite.matrix import matrix
from caselock.suite.packs import packs
from caselock.suite.select import selection
from caselock.world.schema_check import published
from caselock.world.values import plain


def assemble(
    program: Program, cases: tuple[Case, ...], passed: tuple[Case, ...], kill_matrix: Mapping[str, Any]
) -> BundleContent:
    """Everything that is locked, as plain values; `passed` are the cases that `cases` were chosen from."""
    workspace, project = program.workspace, program.workspace.project.value
    return BundleContent(
        name=project.project,
        version=project.version,
        title=project.title,
        description=project.description,
        license=project.license,
        owner=project.owner,
        notice=project.notice,
        compiler=__version__,
        pins=project.version_bundle.model_dump(exclude_none=True),
        trial_protocol={
            "ordinary_trials": workspace.trials.value.ordinary_trials,
            "high_risk_trials": workspace.trials.value.high_risk_trials,
        },
        inputs={path: document.digest for path, document in workspace.documents.items()},
        cases=tuple(_parts(program, case) for case in cases),
        tools=tool_list(program),
        model=model(program),
        coverage={
            **coverage(_open(cases)),
            **_suite(program, _open(cases), _open(passed)),
            "oracle_strength": dict(kill_matrix),
        },
        packs=packs(workspace.packs.value, cases),
    )


def _open(cases: tuple[Case, ...]) -> tuple[Case, ...]:
    """The cases that public files may speak of."""
    return tuple(case for case in cases if case.partition == "dev")


def _suite(program: Program, cases: tuple[Case, ...], passed: tuple[Case, ...]) -> dict[str, Any]:
    """What the suite covers of what it could, and how it meets the targets of its policies."""
    policy, wanted = program.workspace.coverage, program.workspace.distribution
    return {
        "matrix": matrix(program, cases, passed),
        "selection": None if policy is None else selection(policy.value),
        "distribution": [] if wanted is None else [each.document() for each in targets(program, wanted.value, cases)],
    }


def _parts(program: Program, case: Case) -> CaseParts:
    return CaseParts(
        case_id=case.case_id,
        bucket=case.bucket,
        agent=agent_part(case),
        world=world_part(case),
        simulator=simulator_part(case),
        oracle=oracle_part(program, case),
        proof=proof_part(case),
        lineage=lineage_part(program, case),
    )


def tool_list(program: Program) -> list[dict[str, Any]]:
    """The tools as MCP and function calling want them. Source: Model Context Protocol 2025-06-18, "Tool"."""
    return [
        {
            "name": name,
            "description": tool.spec.description,
            "inputSchema": published(tool.spec.input),
            "annotations": {
                "readOnlyHint": not tool.writes,
                "destructiveHint": tool.spec.effect == "irreversible",
            },
        }
        for name, tool in sorted(program.world.tools.items())
    ]


def model(program: Program) -> dict[str, Any]:
    """What environments and graders need besides the cases: records, fixtures, tools, rules, goals, invariants."""
    workspace = program.workspace
    return {
        "records": _dump(workspace.records.value),
        "locales": {name: _dump(entry.value) for name, entry in workspace.locales.items()},
        "fixtures": {name: _dump(entry.value) for name, entry in workspace.fixtures.items()},
        "permissions": {name: _dump(entry.value) for name, entry in workspace.roles.items()},
        "tools": {name: _dump(entry.value) for name, entry in workspace.tools.items()},
        "goals": {name: _dump(entry.value) for name, entry in workspace.goals.items()},
        "decisions": {name: _dump(entry.value) for name, entry in workspace.tables.items()},
        "invariants": {name: _dump(entry.value) for name, entry in workspace.invariants.items()},
        "capabilities": {name: _dump(entry.value) for name, entry in workspace.capabilities.items()},
        "rubric": {name: entry.value.text for name, entry in workspace.criteria.items()},
        "sources": {name: _dump(entry.value) for name, entry in workspace.sources.items()},
    }


def _dump(value: Model) -> Any:
    return plain(value.model_dump(by_alias=True, exclude_defaults=True, mode="python"))
