"""One tool call as a pure function: (setup, session, call) -> (session, result), faults and operation log included."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from caselock.expr.values import EvaluationError, Missing
from caselock.world.events import CallEvent, EffectEvent, Event, ResultEvent
from caselock.world.expressions import bind, fill, fill_known, holds
from caselock.world.faults import ActiveFault, due, patched
from caselock.world.inputs import read_args
from caselock.world.model import CompiledChange, CompiledTool, World
from caselock.world.state import Record, State, Value, find, put


class BrokenTool(Exception):
    """A tool contract is in error on a legal call, such as a dangling reference; the workspace must be mended."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Setup:
    """What a case starts from: actors, clock, tools on offer, faults, and the salt of its generated ids."""

    user: Mapping[str, Value]
    agent: Mapping[str, Value]
    now: datetime
    state: State
    tools: tuple[str, ...]
    faults: tuple[ActiveFault, ...]
    salt: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    """A case under way.

    `state` is the world as it is, `before` the start plus what others changed: the frame judges the difference.
    """

    state: State
    before: State
    log: tuple[Event, ...] = ()
    calls: Mapping[str, int] = field(default_factory=dict)
    commits: Mapping[str, int] = field(default_factory=dict)
    fired: frozenset[int] = frozenset()
    keys: Mapping[tuple[str, Value], tuple[Mapping[str, Value], ResultEvent]] = field(default_factory=dict)

    def logged(self, *events: Event) -> Session:
        """The session with events appended to its log."""
        return replace(self, log=(*self.log, *events))


def start(setup: Setup) -> Session:
    """A fresh session: reset is a reference to the starting state."""
    return Session(state=setup.state, before=setup.state)


def call(
    world: World, setup: Setup, session: Session, name: str, written: Mapping[str, Any]
) -> tuple[Session, ResultEvent]:
    """Run one tool call.

    Raises:
        BrokenTool: when the contract itself is in error.
    """
    number = sum(session.calls.values()) + 1
    session = replace(session, calls={**session.calls, name: session.calls.get(name, 0) + 1})
    tool = world.tools.get(name)
    if tool is None or name not in setup.tools:
        session = session.logged(CallEvent(call=number, tool=name, args=written, malformed=True))
        return _answer(session, number, name, written, error="unknown_tool", malformed=True)
    args, problem = read_args(tool.spec, written)
    bad = problem is not None
    fresh = _new_key(session, tool, args)
    session = session.logged(CallEvent(call=number, tool=name, args=args, new_key=fresh, malformed=bad))
    if world.roles[setup.agent["role"]].grant(name) == "deny":
        return _answer(session, number, name, args, error="permission_denied", malformed=bad)
    if problem is not None:
        return _answer(session, number, name, args, error="invalid_arguments", value=problem, malformed=True)
    session = _interfere(setup, session, name)
    if (fault := due(setup.faults, session.calls[name], name, "timeout_before_execution")) is not None:
        return _answer(_fire(session, fault), number, name, args, error="timeout")
    return _execute(world, setup, session, tool, number, args)


def _execute(
    world: World, setup: Setup, session: Session, tool: CompiledTool, number: int, args: Mapping[str, Value]
) -> tuple[Session, ResultEvent]:
    name = tool.spec.tool
    if (replay := _replayed(session, tool, args)) is not None:
        return _answer(session, number, name, args, error=replay.error, value=replay.value, partial=replay.partial)
    try:
        values = bind(tool.lets, call_values(setup, session.state, args))
        for code, condition in tool.errors:
            if holds(condition, values):
                return _answer(session, number, name, args, error=code)
        return _commit(world, setup, session, tool, number, args, values)
    except (EvaluationError, Missing) as broken:
        raise BrokenTool(f"tool '{name}' is in error: {broken.reason}") from broken


def call_values(setup: Setup, state: State, args: Mapping[str, Value]) -> dict[str, Value]:
    """What the expressions of a tool may read: the collections, the actors, the clock and the arguments."""
    return {**state, "user": setup.user, "agent": setup.agent, "now": setup.now, "args": args}


def _commit(
    world: World,
    setup: Setup,
    session: Session,
    tool: CompiledTool,
    number: int,
    args: Mapping[str, Value],
    values: dict[str, Value],
) -> tuple[Session, ResultEvent]:
    name = tool.spec.tool
    partial = due(setup.faults, session.calls[name], name, "partial_success")
    changes = tool.changes if partial is None else tool.changes[: partial.keeps]
    state, effects = session.state, []
    for change in changes:
        state, effect = _apply(world, setup, state, change, values, number, name)
        effects.append(effect)
        if change.name is not None:
            values[change.name] = effect.record
    values = _refresh(tool, values, state)
    for change in tool.changes[len(effects) :]:
        if change.name is not None:
            values[change.name] = Missing("this part was not done")
    value = fill(tool.returns, values) if partial is None else fill_known(tool.returns, values)
    result = ResultEvent(call=number, tool=name, args=args, value=value, partial=partial is not None)
    session = replace(session, state=state).logged(*effects)
    if partial is not None:
        session = _fire(session, partial)
    if effects:
        session = replace(session, commits={**session.commits, name: session.commits.get(name, 0) + 1})
        session = _remember(session, tool, args, result)
    lost = due(setup.faults, session.commits.get(name, 0), name, "committed_response_lost") if effects else None
    if lost is not None:
        session, result = _fire(session, lost), ResultEvent(call=number, tool=name, args=args, error="timeout")
    return session.logged(result), result


def _refresh(tool: CompiledTool, values: dict[str, Value], state: State) -> dict[str, Value]:
    """Answers show the named records as the call left them, so that a partly done call can be told from a whole one."""
    named = {change.name for change in tool.changes if change.name is not None}
    fresh = {
        name: find(state, record.collection, record.key) or record
        for name, record in values.items()
        if name in named and isinstance(record, Record)
    }
    return {**values, **fresh}


def _apply(
    world: World,
    setup: Setup,
    state: State,
    change: CompiledChange,
    values: Mapping[str, Value],
    number: int,
    tool: str,
) -> tuple[State, EffectEvent]:
    fields = {name: fill(tree, values) for name, tree in change.set.items()}
    if change.key is None:
        key = generated_id(world, setup.salt, state, change.collection)
        key_field = world.collections[change.collection].key
        record = Record(change.collection, key, {key_field: key, **fields})
        return put(state, record), EffectEvent(call=number, tool=tool, kind="insert", record=record, before=None)
    old = find(state, change.collection, change.key.evaluate(values))
    if old is None:
        raise Missing(f"an update of {change.collection} names no record")
    record = old.with_fields(fields)
    return put(state, record), EffectEvent(call=number, tool=tool, kind="update", record=record, before=old)


def generated_id(world: World, salt: str, state: State, collection: str) -> str:
    """A fresh key: the collection's prefix and a hash salted per case, so that no id can be guessed or carried over."""
    prefix = world.collections[collection].id or ""
    count = len(state[collection])
    while True:
        digest = hashlib.sha256(f"{world.salt}\n{salt}\n{collection}\n{count}".encode()).hexdigest()
        key = prefix + digest[:8].upper()
        if key not in state[collection]:
            return key
        count += 1


def _interfere(setup: Setup, session: Session, name: str) -> Session:
    """Somebody else's change just before this call; it counts as part of the start, not as the agent's work."""
    fault = due(setup.faults, session.calls[name], name, "concurrent_modification")
    if fault is None or fault.index in session.fired:
        return session
    state, effects = patched(session.state, fault.patch)
    before, _ = patched(session.before, fault.patch)
    return _fire(replace(session, state=state, before=before).logged(*effects), fault)


def _fire(session: Session, fault: ActiveFault) -> Session:
    return replace(session, fired=session.fired | {fault.index})


def _answer(
    session: Session,
    number: int,
    tool: str,
    args: Mapping[str, Value],
    *,
    error: str | None,
    value: Value = None,
    partial: bool = False,
    malformed: bool = False,
) -> tuple[Session, ResultEvent]:
    result = ResultEvent(
        call=number, tool=tool, args=args, error=error, value=value, partial=partial, malformed=malformed
    )
    return session.logged(result), result


def _idempotency_key(tool: CompiledTool, args: Mapping[str, Value]) -> tuple[str, Value] | None:
    field_name = tool.spec.idempotency_key
    return None if field_name is None or field_name not in args else (tool.spec.tool, args[field_name])


def _new_key(session: Session, tool: CompiledTool, args: Mapping[str, Value]) -> bool:
    """True when no earlier call of the tool carried this idempotency key."""
    key = _idempotency_key(tool, args)
    return key is None or not any(
        isinstance(event, CallEvent) and event.tool == tool.spec.tool and _idempotency_key(tool, event.args) == key
        for event in session.log
    )


def _remember(session: Session, tool: CompiledTool, args: Mapping[str, Value], result: ResultEvent) -> Session:
    key = _idempotency_key(tool, args)
    return session if key is None else replace(session, keys={**session.keys, key: (args, result)})


def _replayed(session: Session, tool: CompiledTool, args: Mapping[str, Value]) -> ResultEvent | None:
    """The stored answer of a committed call with the same key; the same key with other arguments is a conflict."""
    key = _idempotency_key(tool, args)
    stored = None if key is None else session.keys.get(key)
    if stored is None:
        return None
    first, result = stored
    if first != args:
        return ResultEvent(call=0, tool=tool.spec.tool, args=args, error="idempotency_conflict")
    return result
