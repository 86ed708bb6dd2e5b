"""The ids of a workspace -> a finding for each that is not ASCII or differs from another of its kind only by case."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from caselock.diagnostics.diagnostic import Diagnostic, Related
from caselock.spec.schemas import Schema
from caselock.spec.workspace import Entry, Path, Workspace

Written = tuple[str, Entry[Any], Path, bool]
"""An id, and where it is written: inside which value, at which path, and whether as a key."""

# Where the definitions of each group of the workspace write their id; a role is the key of its own mapping.
_GROUPS = {
    "sources": ("id",), "failure_tags": ("tag",), "roles": (), "fixtures": ("fixture",), "tools": ("tool",),
    "goals": ("goal",), "operators": ("operator",), "criteria": ("id",), "capabilities": ("capability",),
    "tables": ("decision",), "rules": ("id",), "invariants": ("id",), "rulings": ("ruling",), "seeds": ("seed",),
}  # fmt: skip


def check_ids(workspace: Workspace) -> Iterator[Diagnostic]:
    """Every id that people, terminals or file systems could take for another one."""
    for group, path in _GROUPS.items():
        entries: Mapping[str, Entry[Any]] = getattr(workspace, group)
        yield from _alike((name, entry, path, not path) for name, entry in entries.items())
    yield from _alike(_keys(workspace.records, workspace.records.value.records, "records"))
    for entry, schema, where in _schemas(workspace):
        yield from _fields(entry, schema, where)
    for goal in workspace.goals.values():
        yield from _alike([*_keys(goal, goal.value.slots, "slots"), *_keys(goal, goal.value.let, "let")])
    for fixture in workspace.fixtures.values():
        for collection, records in fixture.value.records.items():
            yield from _alike(_keys(fixture, records, "world", collection))


def _schemas(workspace: Workspace) -> Iterator[tuple[Entry[Any], Schema, Path]]:
    records = workspace.records
    for name, collection in records.value.records.items():
        yield records, collection.schema_, ("records", name, "schema")
    yield records, records.value.user, ("user",)
    yield records, records.value.agent, ("agent",)
    for tool in workspace.tools.values():
        yield tool, tool.value.input, ("input",)
    for goal in workspace.goals.values():
        for slot, schema in goal.value.slots.items():
            yield goal, schema, ("slots", slot)


def _fields(entry: Entry[Any], schema: Schema, where: Path) -> Iterator[Diagnostic]:
    yield from _alike(_keys(entry, schema.properties or {}, *where, "properties"))
    for name, inner in (schema.properties or {}).items():
        yield from _fields(entry, inner, (*where, "properties", name))
    if schema.items is not None:
        yield from _fields(entry, schema.items, (*where, "items"))


def _keys(entry: Entry[Any], names: Iterable[str], *where: str | int) -> Iterator[Written]:
    return ((name, entry, (*where, name), True) for name in names)


def _alike(ids: Iterable[Written]) -> Iterator[Diagnostic]:
    first: dict[str, Written] = {}
    for written in ids:
        name, entry, path, key = written
        if not name.isascii():
            hint = "spell it with letters, digits and punctuation of ASCII"
            yield entry.finding("CL0210", f"id '{name}' is not ASCII", *path, key=key, found=name, hint=hint)
        other, *_ = before = first.setdefault(name.casefold(), written)
        if other != name:
            yield _by_case(written, before)


def _by_case(written: Written, before: Written) -> Diagnostic:
    name, entry, path, key = written
    other, other_entry, other_path, other_key = before
    place = Related(span=other_entry.span(*other_path, key=other_key), message=f"'{other}' is written here")
    message, hint = f"'{name}' and '{other}' differ only by case", "use one spelling, or two names"
    return entry.finding("CL0209", message, *path, key=key, found=name, hint=hint, related=(place,))
