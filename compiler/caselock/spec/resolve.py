"""References of a workspace -> a finding for each that leads nowhere and each definition nothing uses."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from caselock.diagnostics.diagnostic import Diagnostic, Related
from caselock.diagnostics.nearest import nearest
from caselock.spec.criteria import check_rubrics
from caselock.spec.faults import FAULT_MODES
from caselock.spec.grants import check_grants
from caselock.spec.ids import check_ids
from caselock.spec.tools import ENVIRONMENT_ERRORS
from caselock.spec.uses import Use, uses
from caselock.spec.workspace import Entry, Workspace

Known = Mapping[str, Entry[Any] | None]


def resolve(workspace: Workspace) -> tuple[Diagnostic, ...]:
    """Every dangling reference, unused definition, incomplete leaf capability and deceptive id.

    What an unread file may define is not called unknown, and what it may use is not called unused.
    """
    known = definitions(workspace)
    found: list[Diagnostic] = []
    used: dict[str, set[str]] = {}
    for use in uses(workspace):
        used.setdefault(use.kind, set()).add(use.name)
        if use.name not in known[use.kind]:
            if _DEFINED_IN.get(use.kind) not in workspace.incomplete:
                found.append(_dangling(use, known[use.kind]))
        elif use.kind == "source":
            found += _superseded(workspace, use)
    found += _unused(workspace, known, used)
    found += _leaves(workspace)
    found += _case_ids(workspace)
    found += _folders(workspace)
    found += check_ids(workspace)
    found += check_grants(workspace)
    if not {"rubric", "goal"} & workspace.incomplete:
        found += check_rubrics(workspace)
    return tuple(found)


# The kind of file that defines the names of a kind; fault modes are defined here.
_DEFINED_IN = {
    "source": "sources", "tool": "tool", "argument": "tool", "error": "tool", "collection": "records",
    "role": "permissions", "fixture": "fixture", "goal": "goal", "decision": "decision", "rule": "decision",
    "invariant": "invariants", "criterion": "rubric", "capability": "capability", "operator": "operator",
    "family": "seed", "slot": "goal", "locale": "project", "locale file": "locale",
    "reason": "decision", "phrasing tag": "phrasings",
    "failure tag": "taxonomy",
}  # fmt: skip
_CITING = frozenset({"permissions", "tool", "goal", "decision", "invariants", "ruling", "capability", "seed"})
# The kinds of file that may use a definition, for those that must be used.
_USED_IN = {
    "source": _CITING,
    "tool": frozenset({"permissions", "fixture", "goal", "invariants", "capability", "operator", "seed"}),
    "fixture": frozenset({"seed"}),
    "goal": frozenset({"capability", "operator", "phrasings", "seed"}),
    "decision": frozenset({"goal"}),
    "invariant": frozenset({"goal", "operator", "seed"}),
    "criterion": frozenset({"rubric", "goal", "seed"}),
    "role": frozenset({"fixture", "operator", "seed"}),
    "locale file": frozenset({"project"}),
}


def definitions(workspace: Workspace) -> dict[str, Known]:
    """Everything that can be named, by kind; None where a name has no place of its own."""
    tools = workspace.tools
    return {
        "source": {
            f"{name}#{section.id}": Entry(section, entry.document, (*entry.path, "sections", index))
            for name, entry in workspace.sources.items()
            for index, section in enumerate(entry.value.sections)
        },
        "tool": tools,
        "argument": {
            f"{name}.{argument}": None
            for name, entry in tools.items()
            for argument in entry.value.input.properties or {}
        },
        "error": {code: None for entry in tools.values() for code in (error.code for error in entry.value.errors)}
        | dict.fromkeys(ENVIRONMENT_ERRORS),
        "fault": dict.fromkeys(FAULT_MODES),
        "collection": dict.fromkeys(workspace.records.value.records),
        "role": workspace.roles,
        "failure tag": workspace.failure_tags,
        "fixture": workspace.fixtures,
        "goal": workspace.goals,
        "decision": workspace.tables,
        "rule": workspace.rules,
        "invariant": workspace.invariants,
        "criterion": workspace.criteria,
        "capability": workspace.capabilities,
        "operator": workspace.operators,
        "family": dict.fromkeys(entry.value.family for entry in workspace.seeds.values()),
        "slot": {slot: None for entry in workspace.goals.values() for slot in entry.value.slots},
        "locale": dict.fromkeys(workspace.project.value.locales),
        "locale file": workspace.locales,
        "reason": dict.fromkeys(entry.value.reason for entry in workspace.rules.values() if entry.value.reason),
        "phrasing tag": dict.fromkeys(
            tag for entry in workspace.phrasings.values() for item in entry.value.items for tag in item.tags
        ),
    }


def _dangling(use: Use, known: Known) -> Diagnostic:
    close = nearest(use.name, known)
    target = known.get(close) if close is not None else None
    related = () if target is None else (Related(span=target.span(), message=f"'{close}' is defined here"),)
    return use.entry.finding(
        "CL0203" if use.kind == "source" else "CL0201",
        f"unknown {use.kind} '{use.name}'",
        *use.path,
        key=use.key,
        found=use.name,
        allowed=tuple(sorted(known)),
        nearest=close,
        related=related,
    )


def _superseded(workspace: Workspace, use: Use) -> Iterator[Diagnostic]:
    source = workspace.sources[use.name.split("#", 1)[0]].value
    if source.superseded_by is not None:
        yield use.entry.finding(
            "CL0206",
            f"'{source.id}' is superseded by '{source.superseded_by}'",
            *use.path,
            found=use.name,
            nearest=source.superseded_by,
        )


def _unused(workspace: Workspace, known: Mapping[str, Known], used: Mapping[str, set[str]]) -> Iterator[Diagnostic]:
    bound_by_fault = {name for name, entry in workspace.invariants.items() if entry.value.on_faults}
    for kind in (kind for kind, users in _USED_IN.items() if not users & workspace.incomplete):
        extra = bound_by_fault if kind == "invariant" else set()
        for name, entry in known[kind].items():
            if entry is not None and name not in used.get(kind, set()) | extra:
                yield entry.finding("CL0204", f"{kind} '{name}' is never used", found=name)
    if "seed" not in workspace.incomplete:
        yield from _unseeded(workspace)


def _unseeded(workspace: Workspace) -> Iterator[Diagnostic]:
    seeded = {entry.value.capability for entry in workspace.seeds.values()}
    for name, entry in workspace.capabilities.items():
        if not entry.value.children and name not in seeded:
            yield entry.finding("CL0204", f"capability '{name}' has no seed", "capability", found=name)


def _leaves(workspace: Workspace) -> Iterator[Diagnostic]:
    """A promise that cannot be observed cannot be tested."""
    for name, entry in workspace.capabilities.items():
        capability = entry.value
        if capability.children:
            continue
        for field in ("evidence", "tools", "states", "goals", "frequency", "severity", "because"):
            if not getattr(capability, field):
                yield entry.finding("CL0207", f"leaf capability '{name}' has no '{field}'", "capability", found=name)
    for name, seed in workspace.seeds.items():
        target = workspace.capabilities.get(seed.value.capability)
        if target is not None and target.value.children:
            yield seed.finding(
                "CL0208",
                f"seed '{name}' names '{seed.value.capability}', which is not a leaf",
                "capability",
                found=seed.value.capability,
            )


def _case_ids(workspace: Workspace) -> Iterator[Diagnostic]:
    first: dict[str, Entry[Any]] = {}
    for entry in workspace.seeds.values():
        name = entry.value.case_id
        if name in first:
            related = Related(span=first[name].span("case_id"), message="first used here")
            yield entry.finding("CL0205", f"case id '{name}' is used twice", "case_id", found=name, related=(related,))
        first.setdefault(name, entry)


def _folders(workspace: Workspace) -> Iterator[Diagnostic]:
    """The folder of a seed is its family: families decide what stays hidden, so a typo must not found one."""
    places: list[tuple[Entry[Any], str, str]] = []
    places += [(entry, "family", entry.value.family) for entry in workspace.seeds.values()]
    places += [(entry, "phrasings", entry.value.phrasings) for entry in workspace.phrasings.values()]
    for entry, key, family in places:
        folder = entry.document.path.split("/")[1]
        if folder != family:
            message = f"family '{family}' is in the folder of '{folder}'"
            yield entry.finding("CL0623", message, key, found=family, allowed=(folder,))
