"""One tool call as a pure function: (setup, session, call) -> (session, result), faults and operation log included."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from caselock.expr.values import EvaluationError, Missing
from caselock.spec.permissions import Grant
from caselock.world.effects import apply_change, refreshed
from caselock.world.events import CallEvent, EffectEvent, Event, ResultEvent
from caselock.world.expressions import bind, fill, fill_known, holds
from caselock.world.faults import STOPS, ActiveFault, due, patched, theirs
from caselock.world.inputs import read_args
from caselock.world.model import CompiledChange, CompiledTool, World
from caselock.world.nested import NoPlace
from caselock.world.state import Frozen, State, Value, put


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

    `state` is the world as it is, `before` the start plus what others changed: the frame judges the difference. `fired`
    are the faults that have struck, `strikes` how often those did that come to an end. `stale` is the state that reads
    still see, for how many of them, and the fault that makes it so.
    """

    state: State
    before: State
    log: tuple[Event, ...] = ()
    calls: Mapping[str, int] = field(default_factory=dict)
    commits: Mapping[str, int] = field(default_factory=dict)
    fired: frozenset[int] = frozenset()
    strikes: int = 0
    stale: tuple[State, int, int] | None = None
    keys: Mapping[tuple[str, Value], tuple[Mapping[str, Value], ResultEvent]] = field(default_factory=dict)

    def logged(self, *events: Event) -> Session:
        """The session with events appended to its log."""
        return replace(self, log=(*self.log, *events))


def granted(world: World, setup: Setup, tool: str) -> Grant:
    """What the acting role may do with a tool at the clock of the case; `deny` when nothing grants it."""
    grant = world.roles[setup.agent["role"]].get(tool)
    return "deny" if grant is None else grant.at(setup.user, setup.agent, setup.now)


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
    if granted(world, setup, name) == "deny":
        return _answer(session, number, name, args, error="permission_denied", malformed=bad)
    if problem is not None:
        return _answer(session, number, name, args, error="invalid_arguments", value=problem, malformed=True)
    session = _interfere(setup, session, name)
    stop = next((fault for mode in STOPS if (fault := due(setup.faults, session.calls[name], name, mode))), None)
    if stop is not None:
        return _answer(_fire(session, stop), number, name, args, error=stop.error)
    if (replay := _replayed(session, tool, args)) is not None:
        return _answer(session, number, name, args, error=replay.error, value=replay.value, partial=replay.partial)
    try:
        return _execute(world, setup, session, tool, number, args)
    except (EvaluationError, Missing) as broken:
        raise BrokenTool(f"tool '{name}' is in error: {broken.reason}") from broken


def call_together(
    world: World, setup: Setup, session: Session, calls: Iterable[tuple[str, Mapping[str, Any]]]
) -> tuple[Session, tuple[ResultEvent, ...]]:
    """Run the calls of one turn in the order given; the agent sees their results only after the last of them.

    In the log all results follow all calls, so no argument can come from a sibling's result, and a look at a record
    is no check before a write of the same turn.

    Raises:
        BrokenTool: when a contract is in error.
    """
    results: list[ResultEvent] = []
    for name, written in calls:
        session, result = call(world, setup, session, name, written)
        session = replace(session, log=session.log[:-1])  # a call's result is logged last
        results.append(result)
    return session.logged(*results), tuple(results)


def _execute(
    world: World, setup: Setup, session: Session, tool: CompiledTool, number: int, args: Mapping[str, Value]
) -> tuple[Session, ResultEvent]:
    name = tool.spec.tool
    session, visible = _visible(setup, session, tool)
    values = bind(tool.lets, call_values(setup, visible, args))
    for code, condition in tool.errors:
        if holds(condition, values):
            return _answer(session, number, name, args, error=code)
    if not tool.writes:
        return _read(setup, session, tool, number, args, values)
    return _commit(world, setup, session, tool, number, args, values)


def call_values(setup: Setup, state: State, args: Mapping[str, Value]) -> dict[str, Value]:
    """What the expressions of a tool may read: the collections, the actors, the clock and the arguments."""
    return {**state, "user": setup.user, "agent": setup.agent, "now": setup.now, "args": args}


def _visible(setup: Setup, session: Session, tool: CompiledTool) -> tuple[Session, State]:
    """The state a call reads: a reading tool may not see the latest change for a while."""
    if tool.writes or session.stale is None:
        return session, session.state
    state, left, fault = session.stale
    stale = (state, left - 1, fault) if left > 1 else None
    return replace(session, stale=stale, fired=session.fired | {fault}), state


def _read(
    setup: Setup,
    session: Session,
    tool: CompiledTool,
    number: int,
    args: Mapping[str, Value],
    values: Mapping[str, Value],
) -> tuple[Session, ResultEvent]:
    name = tool.spec.tool
    value = fill(tool.returns, values)
    if (empty := due(setup.faults, session.calls[name], name, "empty_result")) is not None:
        session, value = _fire(session, empty), _emptied(value)
    return _padded(setup, session, ResultEvent(call=number, tool=name, args=args, value=value))


def _emptied(value: Value) -> Value:
    if isinstance(value, tuple | list):
        return ()
    return Frozen() if isinstance(value, Mapping) else None


def _padded(setup: Setup, session: Session, result: ResultEvent) -> tuple[Session, ResultEvent]:
    huge = due(setup.faults, session.calls[result.tool], result.tool, "huge_result")
    if huge is not None:
        session, result = _fire(session, huge), replace(result, padding=huge.padding)
    return session.logged(result), result


def _commit(
    world: World,
    setup: Setup,
    session: Session,
    tool: CompiledTool,
    number: int,
    args: Mapping[str, Value],
    values: dict[str, Value],
) -> tuple[Session, ResultEvent]:
    name, before = tool.spec.tool, session.state
    partial = due(setup.faults, session.calls[name], name, "partial_success")
    changes = tool.changes if partial is None else tool.changes[: partial.keeps]
    session, values = _apply(world, setup, session, changes, values, number, name)
    value = _answer_value(tool, values, session.state, len(changes))
    result = ResultEvent(call=number, tool=name, args=args, value=value, partial=partial is not None)
    session = replace(session, commits={**session.commits, name: session.commits.get(name, 0) + 1})
    session = _remember(session if partial is None else _fire(session, partial), tool, args, result)
    return _delivered(world, setup, session, tool, before, result)


def _apply(
    world: World,
    setup: Setup,
    session: Session,
    changes: tuple[CompiledChange, ...],
    values: dict[str, Value],
    number: int,
    name: str,
) -> tuple[Session, dict[str, Value]]:
    state, effects = session.state, list[EffectEvent]()
    for change in changes:
        state, made = apply_change(world, setup.salt, state, change, values, number, name)
        effects += made
        if change.name is not None:
            values = {**values, change.name: made[0].record}
    return replace(session, state=state).logged(*effects), values


def _answer_value(tool: CompiledTool, values: dict[str, Value], state: State, done: int) -> Value:
    """What a call answers; the parts that were not done are left out."""
    undone = {change.name: Missing("this part was not done") for change in tool.changes[done:] if change.name}
    values = {**refreshed(tool, values, state), **undone}
    return fill(tool.returns, values) if done == len(tool.changes) else fill_known(tool.returns, values)


def _delivered(
    world: World, setup: Setup, session: Session, tool: CompiledTool, before: State, result: ResultEvent
) -> tuple[Session, ResultEvent]:
    """What happens to a commit on its way: delivered twice, invisible for a while, or its answer lost."""
    name = result.tool
    count = session.commits[name]
    if (twice := due(setup.faults, count, name, "duplicate_delivery")) is not None:
        session = _fire(_repeated(world, setup, session, tool, result.args), twice)
    if (late := due(setup.faults, count, name, "delayed_visibility")) is not None:
        session = replace(session, stale=(before, late.reads, late.index))
    if (lost := due(setup.faults, count, name, "committed_response_lost")) is not None:
        session, result = _fire(session, lost), replace(result, value=None, partial=False, error=lost.error)
    return _padded(setup, session, result) if result.error is None else (session.logged(result), result)


def _repeated(world: World, setup: Setup, session: Session, tool: CompiledTool, args: Mapping[str, Value]) -> Session:
    """The same request carried out once more, unless its key or an error condition stops it; nobody asked for it."""
    if tool.spec.idempotency_key is not None:
        return session
    values = bind(tool.lets, call_values(setup, session.state, args))
    if any(holds(condition, values) for _, condition in tool.errors):
        return session
    after, _ = _apply(world, setup, session, tool.changes, values, 0, tool.spec.tool)
    before = session.before
    for event in after.log[len(session.log) :]:
        if isinstance(event, EffectEvent):
            before = put(before, theirs(before, event))
    return replace(after, before=before)


def _interfere(setup: Setup, session: Session, name: str) -> Session:
    """Somebody else's change just before this call; it counts as part of the start, not as the agent's work."""
    fault = due(setup.faults, session.calls[name], name, "concurrent_modification")
    if fault is None or fault.index in session.fired:
        return session
    try:
        state, effects = patched(session.state, fault.patch)
        before, _ = patched(session.before, fault.patch)
    except NoPlace as missing:
        raise BrokenTool(f"somebody else's change before '{name}' has no place: {missing}") from missing
    return _fire(replace(session, state=state, before=before).logged(*effects), fault)


def _fire(session: Session, fault: ActiveFault) -> Session:
    strikes = session.strikes + (fault.nth is not None)
    return replace(session, fired=session.fired | {fault.index}, strikes=strikes)


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
