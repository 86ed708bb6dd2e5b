"""A finished check -> JSON for programs, and the line that says what could not be checked yet."""

from __future__ import annotations

import json
from collections.abc import Sequence

from caselock.diagnostics import Diagnostic, counts
from caselock.pipeline import Build, undecided
from caselock.views.diagnostics import as_json


def render_json(build: Build, findings: Sequence[Diagnostic]) -> str:
    """The findings, their counts, and which seeds were checked, passed or set aside."""
    seeds = {} if build.workspace is None else build.workspace.seeds
    document = {
        "files": len(build.documents),
        "seeds": len(seeds),
        "passed": sorted(build.seeds),
        "disputed": sorted(name for name, entry in seeds.items() if entry.value.status == "disputed"),
        "counts": {severity.value: number for severity, number in counts(findings).items()},
        "findings": [as_json(finding) for finding in findings],
    }
    return json.dumps(document, indent=2) + "\n"


def unchecked(build: Build) -> str:
    """A line for a check that had to stop before the seeds, else nothing."""
    if build.program is not None and not undecided(build):
        return ""
    return "seeds were not checked: what decides them is in error\n"
