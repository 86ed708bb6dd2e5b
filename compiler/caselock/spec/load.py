"""Workspace folder -> typed workspace: read every file, validate it as its kind, index what it defines by id."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

from caselock.diagnostics.diagnostic import Diagnostic, Related
from caselock.diagnostics.span import Span
from caselock.source.document import Document, read_document
from caselock.source.workspace import list_files
from caselock.spec.base import Model
from caselock.spec.capabilities import Capability
from caselock.spec.decisions import DecisionTable, Invariants
from caselock.spec.kinds import KINDS, OPTIONAL, SINGLETONS, Kind, candidates
from caselock.spec.outside import OutsideFiles
from caselock.spec.permissions import Permissions
from caselock.spec.policies import Privacy
from caselock.spec.rubrics import Rubric
from caselock.spec.sources import Sources
from caselock.spec.taxonomy import Taxonomy
from caselock.spec.unread import incomplete_kinds, stand_in
from caselock.spec.validate import validate
from caselock.spec.workspace import Entry, Workspace


def load_workspace(root: Path) -> tuple[Workspace, tuple[Diagnostic, ...], dict[str, Document]]:
    """Read and validate every workspace file.

    One bad file does not hide findings in others: the workspace holds what could be read, and names the kinds that are
    incomplete.
    """
    paths, documents, diagnostics = read_files(root)
    entries, found = validate_files(documents)
    diagnostics += found
    outside = OutsideFiles(root)
    entries, found = _joined(entries, outside)
    diagnostics += found
    unread = {"fixture"} if found else set()
    single, groups, found = _index(entries)
    diagnostics += found
    diagnostics += [_missing(KINDS[name]) for name in SINGLETONS if name not in single and not _present(name, paths)]
    kinds = {path: kind for path, document in documents.items() if (kind := kind_of(path, document)[0])}
    parts: dict[str, Any] = {name: single.get(name) or stand_in(name) for name in _OWN_FIELDS}
    parts |= {name: single.get(name) for name in OPTIONAL}
    parts |= {group: _by_id(known) for group, known in groups.items()}
    parts["shared_criteria"] = tuple(
        name for kind, entry in entries if kind.name == "rubric" for name in entry.value.shared
    )
    documents |= outside.documents
    workspace = Workspace(documents=documents, incomplete=incomplete_kinds(diagnostics, kinds) | unread, **parts)
    return workspace, tuple(diagnostics), documents


def _joined(
    entries: list[tuple[Kind, Entry[Any]]], outside: OutsideFiles
) -> tuple[list[tuple[Kind, Entry[Any]]], list[Diagnostic]]:
    """The entries, each fixture with the records that it keeps in files of their own."""
    joined: list[tuple[Kind, Entry[Any]]] = []
    diagnostics: list[Diagnostic] = []
    for kind, entry in entries:
        whole, found = outside.join(entry) if kind.name == "fixture" else (entry, ())
        diagnostics += found
        if whole is not None:
            joined.append((kind, whole))
    return joined, diagnostics


_OWN_FIELDS = ("project", "records", "splits", "expansion", "trials", "packs")
DECIDING = frozenset(
    {"project", "permissions", "records", "fixture", "tool", "goal", "decision", "invariants", "ruling", "locale"}
)
"""The kinds of file that labels and texts rest on: a broken seed, operator, policy, source or rubric changes none."""


def decides(path: str) -> bool:
    """True for a file that labels rest on, and for a path whose kind is not known."""
    kinds = candidates(path)
    return not kinds or any(kind.name in DECIDING for kind in kinds)


def read_files(root: Path) -> tuple[tuple[str, ...], dict[str, Document], list[Diagnostic]]:
    """The path of every workspace file, and each readable one as a strict document, in path order."""
    paths, found = list_files(root)
    diagnostics = list(found)
    documents: dict[str, Document] = {}
    for path in paths:
        document, problems = read_document(root, path)
        diagnostics += problems
        if document is not None:
            documents[path] = document
    return tuple(paths), documents, diagnostics


def validate_files(documents: dict[str, Document]) -> tuple[list[tuple[Kind, Entry[Any]]], list[Diagnostic]]:
    """Every document as the model of its kind."""
    entries: list[tuple[Kind, Entry[Any]]] = []
    diagnostics: list[Diagnostic] = []
    for path, document in documents.items():
        kind, problem = kind_of(path, document)
        if kind is None:
            diagnostics += problem
            continue
        value, problems = validate(document, kind.model)
        diagnostics += problems
        if value is not None:
            entries.append((kind, Entry(value, document)))
    return entries, diagnostics


def kind_of(path: str, document: Document) -> tuple[Kind | None, tuple[Diagnostic, ...]]:
    """The kind of a file by folder and first key, or the finding that it has none."""
    kinds = candidates(path)
    data = document.data
    if len(kinds) == 1:
        return kinds[0], ()
    first = next(iter(data), None) if isinstance(data, dict) else None
    for kind in kinds:
        if kind.key == first:
            return kind, ()
    where = () if first is None else (first,)
    return None, (
        Diagnostic(
            code="CL0109",
            span=document.span(where, key=True),
            path=str(first or ""),
            message=f"this folder holds no kind of file that starts with '{first}'"
            if first is not None
            else "expected a mapping that starts with the key of its kind",
            found=first,
            allowed=tuple(kind.key for kind in kinds),
        ),
    )


def _definitions(kind: Kind, entry: Entry[Any]) -> Iterator[tuple[str, str, Entry[Any]]]:
    """What one file defines: (group, id, entry), nested definitions with their own paths."""
    split: dict[str, Callable[[Entry[Any]], Iterable[tuple[str, str, Entry[Any]]]]] = {
        "sources": _sources,
        "taxonomy": _failure_tags,
        "permissions": _roles,
        "privacy": _allowances,
        "rubric": _criteria,
        "capability": _capabilities,
        "decision": _table,
        "invariants": _invariants,
    }
    if kind.name in split:
        yield from split[kind.name](entry)
        return
    groups = {
        "fixture": "fixtures",
        "tool": "tools",
        "goal": "goals",
        "locale": "locales",
        "small_talk": "small_talk",
        "operator": "operators",
        "ruling": "rulings",
        "seed": "seeds",
    }
    if kind.name == "phrasings":
        yield "phrasings", f"{entry.value.phrasings}/{entry.value.goal}", entry
    elif kind.name in groups:
        yield groups[kind.name], getattr(entry.value, kind.key), entry


def _sources(entry: Entry[Sources]) -> Iterator[tuple[str, str, Entry[Any]]]:
    for index, source in enumerate(entry.value.sources):
        yield "sources", source.id, Entry(source, entry.document, ("sources", index))


def _failure_tags(entry: Entry[Taxonomy]) -> Iterator[tuple[str, str, Entry[Any]]]:
    for index, item in enumerate(entry.value.taxonomy):
        yield "failure_tags", item.tag, Entry(item, entry.document, ("taxonomy", index))


def _allowances(entry: Entry[Privacy]) -> Iterator[tuple[str, str, Entry[Any]]]:
    for index, item in enumerate(entry.value.allow):
        yield "allowances", f"{entry.document.path}#{index}", Entry(item, entry.document, ("allow", index))


def _roles(entry: Entry[Permissions]) -> Iterator[tuple[str, str, Entry[Any]]]:
    for name, role in entry.value.permissions.items():
        yield "roles", name, Entry(role, entry.document, ("permissions", name))


def _criteria(entry: Entry[Rubric]) -> Iterator[tuple[str, str, Entry[Any]]]:
    for index, criterion in enumerate(entry.value.criteria):
        yield "criteria", criterion.id, Entry(criterion, entry.document, ("criteria", index))


def _capabilities(entry: Entry[Capability]) -> Iterator[tuple[str, str, Entry[Any]]]:
    yield "capabilities", entry.value.capability, entry
    for index, child in enumerate(entry.value.children):
        yield from _capabilities(Entry(child, entry.document, (*entry.path, "children", index)))


def _table(entry: Entry[DecisionTable]) -> Iterator[tuple[str, str, Entry[Any]]]:
    yield "tables", entry.value.decision, entry
    for index, rule in enumerate(entry.value.rules):
        yield "rules", rule.id, Entry(rule, entry.document, ("rules", index))


def _invariants(entry: Entry[Invariants]) -> Iterator[tuple[str, str, Entry[Any]]]:
    for index, invariant in enumerate(entry.value.invariants):
        yield "invariants", invariant.id, Entry(invariant, entry.document, ("invariants", index))


def _index(
    entries: list[tuple[Kind, Entry[Any]]],
) -> tuple[dict[str, Entry[Any]], dict[str, dict[str, Entry[Any]]], list[Diagnostic]]:
    """The files that there is one of, by kind; everything else by group and id; what is defined twice."""
    diagnostics: list[Diagnostic] = []
    groups: dict[str, dict[str, Entry[Any]]] = {}
    single: dict[str, Entry[Any]] = {}
    for kind, entry in entries:
        if kind.name in SINGLETONS or kind.name in OPTIONAL:
            if kind.name in single:
                diagnostics.append(_twice(kind.name, kind.name, entry, single[kind.name]))
            single.setdefault(kind.name, entry)
        for group, name, part in _definitions(kind, entry):
            known = groups.setdefault(group, {})
            if name in known:
                diagnostics.append(_twice(group, name, part, known[name]))
            known.setdefault(name, part)
    return single, groups, diagnostics


def _by_id(known: dict[str, Entry[Any]]) -> dict[str, Entry[Any]]:
    """By id, so that no file name or order shows in the output; rules keep their table's order."""
    return dict(sorted(known.items()))


def _present(name: str, paths: tuple[str, ...]) -> bool:
    """True when a file of this kind may be there: one that did not load or validate says so itself."""
    kind = KINDS[name]
    return any(kind in candidates(path) for path in paths if kind.folder[-1] != "/" or name in path)


def _twice(group: str, name: str, entry: Entry[Model], first: Entry[Model]) -> Diagnostic:
    return Diagnostic(
        code="CL0205",
        span=entry.span(),
        path="",
        message=f"'{name}' is defined twice among the {group}",
        found=name,
        related=(Related(span=first.span(), message="first defined here"),),
    )


def _missing(kind: Kind) -> Diagnostic:
    where = kind.folder if kind.folder[-1] != "/" else f"{kind.folder}{kind.name}.yaml"
    return Diagnostic(
        code="CL0111",
        span=Span(file=where, line=1, column=1, end_line=1, end_column=1),
        path="",
        message=f"the workspace has no {kind.name} file",
        hint=f"write {where}, starting with '{kind.key}:'",
    )
