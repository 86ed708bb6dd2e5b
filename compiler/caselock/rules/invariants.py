"""Process invariants (DECLARE templates) -> small monitors over the operation log, shared by solver and graders."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from caselock.expr.types import Variable
from caselock.rules.patterns import Pattern, build_pattern
from caselock.spec.decisions import Invariant, Template
from caselock.spec.workspace import Entry, Workspace
from caselock.world.events import Event
from caselock.world.expressions import Compiler
from caselock.world.state import Value

ROLES: Mapping[Template, tuple[str, ...]] = {
    "absence": ("of",),
    "existence": ("of",),
    "at_most": ("of", "n"),
    "exactly": ("of", "n"),
    "precedence": ("first", "then"),
    "response": ("first", "then"),
    "not_coexistence": ("first", "then"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Monitor:
    """A compiled invariant."""

    spec: Invariant
    patterns: Mapping[str, Pattern]


def build_monitor(
    entry: Entry[Invariant], workspace: Workspace, variables: Mapping[str, Variable], compiler: Compiler
) -> Monitor | None:
    """Compile one invariant; None when its template lacks a part. Findings go to the compiler."""
    invariant = entry.value
    if not _check_parts(entry, compiler):
        return None
    patterns = {
        role: pattern
        for role in ("of", "first", "then", "after", "until")
        if getattr(invariant, role) is not None
        and (pattern := build_pattern(entry, role, getattr(invariant, role), workspace, variables, compiler))
    }
    return Monitor(spec=invariant, patterns=patterns)


def _check_parts(entry: Entry[Invariant], compiler: Compiler) -> bool:
    invariant = entry.value
    needed = ROLES[invariant.template]
    written = [part for part in ("of", "first", "then", "n") if getattr(invariant, part) is not None]
    wrong = sorted(set(needed) ^ set(written))
    for part in wrong:
        verb = "needs" if part in needed else "does not take"
        compiler.diagnostics.append(
            entry.finding(
                "CL0503",
                f"template '{invariant.template}' {verb} '{part}'",
                "template",
                found=invariant.template,
                allowed=needed,
            )
        )
    return not wrong


@dataclass(frozen=True, slots=True, kw_only=True)
class Violation:
    """An invariant broken, for which key, and at which event of the log (None: only known at the end)."""

    invariant: str
    key: Value
    at: int | None


def violations(
    monitor: Monitor, log: tuple[Event, ...], values: Mapping[str, Value], *, final: bool
) -> tuple[Violation, ...]:
    """What a log breaks so far; obligations that a later event could still meet count only when it is `final`.

    Raises:
        EvaluationError: when an expression of the invariant is in error on an event.
    """
    check = _TEMPLATES[monitor.spec.template]
    return tuple(
        Violation(invariant=monitor.spec.id, key=key, at=at)
        for key, at in check(monitor, _Trace(monitor, log, values), final)
    )


class _Trace:
    """Matches of a monitor's patterns over a log, as (index, key), restricted to the monitor's scope."""

    def __init__(self, monitor: Monitor, log: tuple[Event, ...], values: Mapping[str, Value]) -> None:
        self._monitor, self._log, self._values = monitor, log, values

    def matches(self, role: str) -> list[tuple[int, Value]]:
        found = self._all(role)
        if role not in ("of", "then") or "after" not in self._monitor.patterns:
            return found
        opened, closed = self._all("after"), self._all("until")
        return [(index, key) for index, key in found if _open(index, key, opened, closed)]

    def _all(self, role: str) -> list[tuple[int, Value]]:
        pattern = self._monitor.patterns.get(role)
        if pattern is None:
            return []
        return [(index, key) for index, event in enumerate(self._log) for key in pattern.keys(event, self._values)]


def _open(index: int, key: Value, opened: list[tuple[int, Value]], closed: list[tuple[int, Value]]) -> bool:
    last = max((at for at, other in opened if at < index and other == key), default=None)
    return last is not None and not any(last < at < index and other == key for at, other in closed)


Broken = Iterator[tuple[Value, int | None]]


def _counts(found: list[tuple[int, Value]]) -> dict[Value, list[int]]:
    counts: dict[Value, list[int]] = {}
    for index, key in found:
        counts.setdefault(key, []).append(index)
    return counts


def _at_most(monitor: Monitor, trace: _Trace, _final: bool) -> Broken:
    limit = 0 if monitor.spec.template == "absence" else monitor.spec.n or 0
    for key, found in _counts(trace.matches("of")).items():
        if len(found) > limit:
            yield key, found[limit]


def _existence(_: Monitor, trace: _Trace, final: bool) -> Broken:
    if final and not trace.matches("of"):
        yield None, None


def _exactly(monitor: Monitor, trace: _Trace, final: bool) -> Broken:
    yield from _at_most(monitor, trace, final)
    found = trace.matches("of")
    if final and len(found) < (monitor.spec.n or 0):
        yield None, None


def _precedence(_: Monitor, trace: _Trace, _final: bool) -> Broken:
    first = trace.matches("first")
    for index, key in trace.matches("then"):
        if not any(at < index and other == key for at, other in first):
            yield key, index


def _response(_: Monitor, trace: _Trace, final: bool) -> Broken:
    answers = trace.matches("then")
    for index, key in trace.matches("first"):
        if final and not any(at > index and other == key for at, other in answers):
            yield key, None


def _not_coexistence(_: Monitor, trace: _Trace, _final: bool) -> Broken:
    others = trace.matches("then")
    for index, key in trace.matches("first"):
        clash = [at for at, other in others if other == key]
        if clash:
            yield key, max(index, clash[0])


_TEMPLATES: Mapping[Template, Callable[[Monitor, _Trace, bool], Broken]] = {
    "absence": _at_most,
    "at_most": _at_most,
    "existence": _existence,
    "exactly": _exactly,
    "precedence": _precedence,
    "response": _response,
    "not_coexistence": _not_coexistence,
}
