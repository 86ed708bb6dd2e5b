"""A run seen request by request: which work belongs to which request, and what each started from and led to."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Literal

from caselock.expr.values import EvaluationError, Missing
from caselock.oracles.task import Task
from caselock.rules.goals import CompiledOutcome
from caselock.rules.tables import Decision, Undecided
from caselock.spec.decisions import Outcome
from caselock.world.environment import Session
from caselock.world.events import AskEvent, CallEvent, EffectEvent, Event, FinalEvent, SayEvent, UserEvent
from caselock.world.faults import theirs
from caselock.world.nested import without
from caselock.world.state import Record, State, Value, put
from caselock.world.user import Progress, comes_up, disclosed, moved

Steps = tuple[str, ...]
"""The way to a place in a record."""

Standing = Literal["due", "replaced", "skipped"]
"""Whether a request wants an answer, was replaced by another before it had one, or never came up."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Share:
    """One request's share of a run.

    `task` has the request in focus. `session` starts from what the earlier requests left and others changed, ends with
    the answer, and holds no work or words of other requests. `decision` is what the rules say of it in the end.
    """

    task: Task
    session: Session
    standing: Standing
    decision: Decision | Undecided | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Deed:
    """An effect of the agent: the request it is for, and what that request starts from and has disclosed by then."""

    effect: EffectEvent
    request: int
    before: State
    slots: Mapping[str, Value]


def shares(task: Task, session: Session) -> tuple[Share, ...]:
    """The share of every request in a run.

    Raises:
        EvaluationError: when a fact of a goal is in error.
    """
    if len(task.goals) == 1:
        return (Share(task=task, session=session, standing="due", decision=task.decide_now(session)),)
    ledger = ledger_of(task, session)
    found: list[Share] = []
    for request in range(len(task.goals)):
        found.append(_share(task.focused(request), session, ledger, found))
    return tuple(found)


def _share(task: Task, session: Session, ledger: Ledger, earlier: list[Share]) -> Share:
    own = ledger.session(task.focus, session)
    if not earlier:
        standing: Standing = "due"
    elif task.wish.said == "instead":
        standing = "due" if earlier[-1].standing == "replaced" else "skipped"
    else:
        standing = "due" if comes_up(task.wish, _end(earlier[-1])) else "skipped"
    if standing == "due" and task.focus in ledger.replaced:
        standing = "replaced"
    decision = None if standing == "skipped" else task.decide_now(own)
    return Share(task=task, session=own, standing=standing, decision=decision)


def _end(share: Share) -> Outcome | None:
    """How a request ends by the rules."""
    ends = share.standing == "due" and isinstance(share.decision, Decision)
    return share.decision.outcome if ends and isinstance(share.decision, Decision) else None


def due_requests(found: tuple[Share, ...]) -> tuple[int, ...]:
    """The requests that came up, replaced ones included."""
    return tuple(share.task.focus for share in found if share.standing != "skipped")


def deeds(task: Task, session: Session) -> Iterator[Deed]:
    """Every effect of the agent, with the request that it belongs to."""
    yield from ledger_of(task, session).deeds


@dataclass(slots=True)
class Ledger:
    """The account of a log: whose each effect is, and where each request ended."""

    task: Task
    progress: Progress
    log: tuple[Event, ...]
    deeds: list[Deed]
    owners: dict[int, int]
    ends: dict[int, int]
    replaced: set[int]

    def state(self, last: int, end: int) -> State:
        """The world as the first `last` requests and all others left it, up to a place in the log."""
        state = self.task.setup.state
        for event in self.log[:end]:
            if isinstance(event, EffectEvent) and (event.call == 0 or self.owners.get(event.call, 0) < last):
                state = put(state, theirs(state, event))
        return state

    def session(self, request: int, session: Session) -> Session:
        """The session of one request."""
        end = self.ends.get(request, len(self.log))
        log = tuple(event for event in self.log[:end] if self._concerns(request, event))
        return replace(session, before=self.state(request, end), state=self.state(request + 1, end), log=log)

    def _concerns(self, request: int, event: Event) -> bool:
        match event:
            case AskEvent() | SayEvent() | FinalEvent():
                return event.request == request
            case CallEvent() | EffectEvent():
                return self.owners.get(event.call, request) == request
            case _:
                return True


def ledger_of(task: Task, session: Session) -> Ledger:
    """The account of a session's log.

    Raises:
        EvaluationError: when a fact of a goal is in error.
    """
    ledger = Ledger(
        task=task, progress=Progress(), log=session.log, deeds=[], owners={}, ends={}, replaced=set()
    )  # fmt: skip
    for index, event in enumerate(session.log):
        if isinstance(event, EffectEvent) and event.call:
            _booked(ledger, index, event)
        elif isinstance(event, CallEvent) and event.tool in task.world.tools and task.world.tools[event.tool].writes:
            ledger.owners[event.call] = _owner(ledger, index, event.call)
        elif isinstance(event, FinalEvent):
            ledger.ends.setdefault(event.request, index + 1)
        elif (
            isinstance(event, UserEvent) and not event.answers and task.script.requests[event.request].said == "instead"
        ):
            ledger.replaced.add(event.request - 1)
            ledger.ends.setdefault(event.request - 1, index)
        ledger.progress = moved(task.script, ledger.progress, event)
    return ledger


def _booked(ledger: Ledger, index: int, event: EffectEvent) -> None:
    request = ledger.owners.setdefault(event.call, _at_hand(ledger))
    before = ledger.state(request, index)
    slots = disclosed(ledger.log[:index], request)
    ledger.deeds.append(Deed(effect=event, request=request, before=before, slots=slots))


def _at_hand(ledger: Ledger) -> int:
    return max(0, min(ledger.progress.now, ledger.progress.said - 1))


def _owner(ledger: Ledger, index: int, call: int) -> int:
    """The request a writing call serves: the first open one whose contract has room for all it did."""
    at_hand = _at_hand(ledger)
    later = range(at_hand, max(ledger.progress.said, at_hand + 1))
    if len(later) == 1:
        return at_hand
    done = [event for event in ledger.log[index:] if isinstance(event, EffectEvent) and event.call == call]
    fitting = (request for request in later if done and _has_room(ledger, index, request, done))
    return next(fitting, at_hand)


def _has_room(ledger: Ledger, index: int, request: int, done: list[EffectEvent]) -> bool:
    """Whether the contract of what the rules say of a request now allows some effects besides those it has."""
    task = ledger.task.focused(request)
    before, slots = ledger.state(request, index), disclosed(ledger.log[:index], request)
    decision = task.decide(before, slots)
    contract = task.goal.outcomes.get(decision.outcome) if isinstance(decision, Decision) else None
    if contract is None:
        return False
    made = [deed.effect.record for deed in ledger.deeds if deed.request == request and deed.effect.kind == "insert"]
    try:
        places = frame_places(contract, task.values(before, slots))
    except EvaluationError:
        return False
    for event in done:
        kept = task.world.collections[event.record.collection].bookkeeping
        if "*" in kept:
            continue
        if event.kind == "insert":
            made.append(event.record)
            if [record.collection for record in made].count(event.record.collection) > room(contract, event.record):
                return False
        elif not _is_own(made, event.record):
            free = [*places.get((event.record.collection, event.record.key), ()), *((name,) for name in kept)]
            if not _stays(event, free):
                return False
    return True


def _is_own(made: list[Record], record: Record) -> bool:
    return any((other.collection, other.key) == (record.collection, record.key) for other in made)


def _stays(event: EffectEvent, free: list[Steps]) -> bool:
    """Whether an update leaves alone all but some places."""
    old: Mapping[str, Value] = event.before or {}
    return all(beside(old, name, free) == beside(event.record, name, free) for name in {*old, *event.record})


def room(contract: CompiledOutcome, record: Record) -> int:
    """How many new records of a collection a contract allows."""
    wanted = sum(collection == record.collection for collection in contract.spec.creates.values())
    return wanted + sum(item.at_most for item in contract.spec.may_create.values() if item.in_ == record.collection)


def frame_places(contract: CompiledOutcome, values: Mapping[str, Value]) -> dict[tuple[str, str], list[Steps]]:
    """The places in existing records that a contract lets change, by collection and key."""
    allowed: dict[tuple[str, str], list[Steps]] = {}
    for name, place in contract.frame:
        named = values.get(name)
        try:
            steps = place.at(values)
        except (Missing, EvaluationError):
            continue  # a place that cannot be told may not change
        for record in named if isinstance(named, tuple | list) else (named,):
            if isinstance(record, Record):
                allowed.setdefault((record.collection, record.key), []).append(steps)
    return allowed


def beside(record: Mapping[str, Value], field: str, free: list[Steps]) -> Value:
    """A field of a record without the places in it that may change."""
    value: Value = {field: record[field]} if field in record else {}
    for steps in free:
        if steps[0] == field:
            value = without(value, steps)
    return value
