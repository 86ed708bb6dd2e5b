"""Event patterns of invariants -> matchers that give the key of each match."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from caselock.expr.compile import Expression
from caselock.expr.types import UNTYPED, Bool, Collection, Field, List, Map, Record, String, Type, Variable, describe
from caselock.expr.values import Missing
from caselock.spec.decisions import EventPattern, Invariant
from caselock.spec.workspace import Entry, Workspace
from caselock.world.events import CallEvent, EffectEvent, Event, FinalEvent, ResultEvent, UserEvent
from caselock.world.expressions import Compiler, holds
from caselock.world.state import Record as WorldRecord
from caselock.world.state import Value
from caselock.world.types import OUTCOME_TYPE, collection_types, record_of, request_type


@dataclass(frozen=True, slots=True, kw_only=True)
class Pattern:
    """A compiled event pattern."""

    spec: EventPattern
    where: Expression | None
    key: Expression | None

    def keys(self, event: Event, values: Mapping[str, Value]) -> Iterator[Value]:
        """The key of every match of an event; a pattern without `key` gives None."""
        for parts in _parts(self.spec, event):
            scope = {**values, **parts}
            if self.where is not None and not holds(self.where, scope):
                continue
            if self.key is None:
                yield None
                continue
            try:
                yield self.key.evaluate(scope)
            except Missing:
                continue


def build_pattern(
    entry: Entry[Invariant],
    role: str,
    pattern: EventPattern,
    workspace: Workspace,
    variables: Mapping[str, Variable],
    compiler: Compiler,
) -> Pattern:
    """Compile a pattern in the scope of its event; findings go to the compiler."""
    _check_names(entry, role, pattern, workspace, compiler)
    scope = {**variables, **_scope(pattern, workspace)}
    key = None if pattern.key is None else compiler.at(entry, (role, "key"), pattern.key, scope)
    if key is not None and isinstance(key.type, List | Map | Record | Collection):
        message = f"a key is a single value, not a {describe(key.type)}"
        compiler.diagnostics.append(entry.finding("CL0504", message, role, "key", found=pattern.key))
    return Pattern(
        spec=pattern,
        where=None if pattern.where is None else compiler.at(entry, (role, "where"), pattern.where, scope, Bool()),
        key=key,
    )


def _check_names(
    entry: Entry[Invariant], role: str, pattern: EventPattern, workspace: Workspace, compiler: Compiler
) -> None:
    collections = workspace.records.value.records
    for part in ("insert", "update", "saw"):
        name = getattr(pattern, part)
        if name is not None and name not in collections:
            compiler.diagnostics.append(
                entry.finding(
                    "CL0201", f"unknown collection '{name}'", role, part, found=name, allowed=tuple(sorted(collections))
                )
            )
    allowed = _FIELDS[pattern.event]
    for part in ("tool", "error", "insert", "update", "saw", "outcome", "new_key"):
        if getattr(pattern, part) and part not in allowed:
            compiler.diagnostics.append(
                entry.finding(
                    "CL0504",
                    f"a '{pattern.event}' event has no '{part}'",
                    role,
                    part,
                    key=True,
                    found=part,
                    allowed=allowed,
                )
            )


_FIELDS: Mapping[str, tuple[str, ...]] = {
    "call": ("tool", "new_key"),
    "result": ("tool", "error", "saw"),
    "effect": ("insert", "update"),
    "user_turn": (),
    "final": ("outcome",),
}


def _scope(pattern: EventPattern, workspace: Workspace) -> dict[str, Variable]:
    types = collection_types(workspace.records.value)
    collection = pattern.saw or pattern.insert or pattern.update
    scope: dict[str, Variable] = {}
    if collection in types:
        scope["record"] = Variable(type=types[collection].record, optional=False)
        scope["before"] = Variable(type=types[collection].record, optional=True)
    if pattern.event in ("call", "result"):
        scope["args"] = Variable(type=_args_type(pattern, workspace), optional=False)
    if pattern.event == "user_turn":
        scope["slots"] = Variable(type=_slots_type(workspace), optional=False)
    if pattern.event == "final":
        scope["outcome"] = Variable(type=OUTCOME_TYPE, optional=False)
        scope["reason"] = Variable(type=String(), optional=True)
    return scope


def _args_type(pattern: EventPattern, workspace: Workspace) -> Type:
    """Every argument of the tools named; optional, since another tool of the pattern may lack it."""
    if "tool" in workspace.incomplete:
        return UNTYPED
    fields: dict[str, Field] = {}
    for name in pattern.tool or tuple(workspace.tools):
        entry = workspace.tools.get(name)
        if entry is not None:
            for field, inner in record_of(entry.value.input, "args", declared=False).fields.items():
                fields.setdefault(field, Field(type=inner.type, optional=True))
    return Record(name="args", fields=fields)


def _slots_type(workspace: Workspace) -> Type:
    """Every slot of any goal; a turn states some of them."""
    if "goal" in workspace.incomplete:
        return UNTYPED
    fields: dict[str, Field] = {}
    for entry in workspace.goals.values():
        for name, field in request_type(entry.value.slots).fields.items():
            fields.setdefault(name, field)
    return Record(name="slots", fields=fields)


def _parts(pattern: EventPattern, event: Event) -> Iterator[dict[str, Value]]:
    """The named parts of each match of an event, before `where`."""
    match event:
        case CallEvent(malformed=False) if pattern.event == "call":
            if _named(pattern.tool, event.tool) and (event.new_key or not pattern.new_key):
                yield {"args": event.args}
        case ResultEvent(malformed=False) if pattern.event == "result":
            yield from _result_parts(pattern, event)
        case EffectEvent() if pattern.event == "effect" and event.call > 0:
            yield from _effect_parts(pattern, event)
        case FinalEvent() if pattern.event == "final":
            if not pattern.outcome or event.outcome in pattern.outcome:
                reason = event.says.get("reason", Missing("no reason was given"))
                yield {"outcome": event.outcome, "reason": reason}
        case UserEvent() if pattern.event == "user_turn":
            yield {"slots": event.slots}


def _named(names: tuple[str, ...], name: str | None) -> bool:
    return not names or name in names


def _result_parts(pattern: EventPattern, event: ResultEvent) -> Iterator[dict[str, Value]]:
    if not _named(pattern.tool, event.tool) or (pattern.error and event.error not in pattern.error):
        return
    if pattern.saw is None:
        yield {"args": event.args}
        return
    for record in records_in(event.value):
        if record.collection == pattern.saw:
            yield {"args": event.args, "record": record, "before": Missing("nothing changed")}


def _effect_parts(pattern: EventPattern, event: EffectEvent) -> Iterator[dict[str, Value]]:
    wanted = pattern.insert if event.kind == "insert" else pattern.update
    if (pattern.insert or pattern.update) is None or wanted == event.record.collection:
        before = Missing("the record is new") if event.before is None else event.before
        yield {"record": event.record, "before": before}


def records_in(value: Value) -> Iterator[WorldRecord]:
    """Every record inside a value, outermost first."""
    if isinstance(value, WorldRecord):
        yield value
    if isinstance(value, Mapping):
        for item in value.values():
            yield from records_in(item)
    elif isinstance(value, tuple | list):
        for item in value:
            yield from records_in(item)
