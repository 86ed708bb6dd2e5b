"""A finished compilation -> the summary for people, or JSON for programs."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal
from typing import Any

from caselock.bundle.encode import files
from caselock.bundle.manifest import LOCK
from caselock.diagnostics import Diagnostic
from caselock.pipeline import Build
from caselock.suite.scenarios import lacking
from caselock.views.diagnostics import as_json

_COUNTED = (
    "operators", "operator_types", "mutation_types", "outcomes", "faults", "strata", "tiers", "locales", "capabilities",
    "severities", "risks",
)  # fmt: skip
"""The dimensions of coverage.json whose counts a compilation prints."""


def figures(build: Build) -> dict[str, Any]:
    """The counts of a compilation, and the digest that the lock pins."""
    if build.content is None:
        return {}
    coverage = build.content.coverage
    by = coverage["by"]
    return {
        "families": len({case.scenario.family for case in build.cases}),
        "seeds": len(build.seeds),
        "cases": len(build.cases),
        "buckets": build.content.counts(),
        **{name: by[name] for name in _COUNTED},
        "shares": coverage["shares"],
        "packs": {name: len(ids) for name, ids in build.content.packs.items()},
        "tool_scenarios": coverage["tool_scenarios"],
        "double_entry": coverage["double_entry"],
        "digest": digest(build),
    }


def digest(build: Build) -> str:
    """The digest of the bundle, as the lock writes it."""
    assert build.content is not None
    return files(build.content)[LOCK].decode().split()[-1]


def render_json(build: Build, findings: Sequence[Diagnostic], stale: tuple[str, ...]) -> str:
    """The figures with the findings and, after a check, why the bundle is stale."""
    document = {**figures(build), "stale": list(stale), "findings": [as_json(finding) for finding in findings]}
    return json.dumps(document, indent=2) + "\n"


def render_text(build: Build, folder: str, *, check: bool, stale: bool) -> str:
    """A summary that fits a screen."""
    return "\n".join(_lines(build, folder, check, stale)) + "\n"


def _lines(build: Build, folder: str, check: bool, stale: bool) -> Iterator[str]:
    numbers = figures(build)
    buckets = ", ".join(f"{count} {name}" for name, count in numbers["buckets"].items())
    yield f"{numbers['cases']} cases from {numbers['seeds']} seeds in {numbers['families']} families: {buckets}"
    yield ""
    yield from _table("outcome", numbers["outcomes"])
    yield ""
    yield from _table("mutation", numbers["mutation_types"])
    yield ""
    shares = numbers["shares"]["strata"]
    strata = numbers["strata"].items()
    yield _row("stratum", (f"{name}: {count} ({Decimal(shares[name]):.0%})" for name, count in strata))
    for title, name in (("fault", "faults"), ("tier", "tiers"), ("locale", "locales")):
        yield _row(title, (f"{value}: {count}" for value, count in numbers[name].items()))
    yield _row("lacking", lacking(numbers["tool_scenarios"]))
    yield _row("pack", (f"{name}: {size}" for name, size in numbers["packs"].items()))
    yield ""
    entry = numbers["double_entry"]
    resting, total = (
        entry["cases_whose_deciding_rule_a_seed_exercises"],
        build.content.coverage["cases"] if build.content else 0,
    )
    yield f"{resting} of {total} cases rest on a rule that a human seed exercises"
    agents = build.kill_matrix.get("agents", {})
    killed = sum(words.get("killed", 0) for words in agents.values())
    spoken = sum(words.get("by_text_alone", 0) for words in agents.values())
    yield f"{len(agents)} wrong agents, none passes: {killed} kills, {spoken} of them by words alone"
    if check:
        yield f"{folder}/ is stale" if stale else f"{folder}/ is up to date: {numbers['digest']}"
    else:
        yield f"locked {folder}/bundle.lock: {numbers['digest']}"


def _row(title: str, counts: Iterable[str]) -> str:
    """One dimension in few lines."""
    return textwrap.fill(", ".join(counts) or "none", 100, initial_indent=f"  {title:<9}", subsequent_indent=" " * 11)


def _table(title: str, counts: dict[str, int]) -> Iterator[str]:
    width = max((len(name) for name in counts), default=0)
    widest = max(counts.values(), default=1)
    yield f"  {title}"
    for name, count in counts.items():
        yield f"    {name:<{width}}  {count:>4}  {'#' * max(1, round(30 * count / widest))}"
