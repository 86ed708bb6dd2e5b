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


Match = tuple[int, Value]
"""The index of an event in the log, and the key it matched with (None: it speaks of every key)."""


def _same(one: Value, other: Value) -> bool:
    return one is None or other is None or bool(one == other)


class _Trace:
    """Matches of a monitor's patterns over a log, and the parts of the log in which they count."""

    def __init__(self, monitor: Monitor, log: tuple[Event, ...], values: Mapping[str, Value]) -> None:
        self._patterns, self._log, self._values = monitor.patterns, log, values
        self.scoped = "after" in self._patterns
        self._opened, self._closed = self._all("after"), self._all("until")

    def _all(self, role: str) -> list[Match]:
        pattern = self._patterns.get(role)
        if pattern is None:
            return []
        return [(index, key) for index, event in enumerate(self._log) for key in pattern.keys(event, self._values)]

    def scopes(self, key: Value) -> list[tuple[int, int]]:
        """The open intervals of the log, bounds exclusive, in which events with the key count."""
        starts = [index for index, other in self._opened if _same(other, key)] if self.scoped else [-1]
        ends = [index for index, other in self._closed if _same(other, key)]
        found: list[tuple[int, int]] = []
        for start in starts:
            if not found or start >= found[-1][1]:
                found.append((start, min((end for end in ends if end > start), default=len(self._log))))
        return found

    def matches(self, role: str) -> list[Match]:
        """The matches of a role that lie in a scope."""
        return [(index, key) for index, key in self._all(role) if self.scope_of(index, key) is not None]

    def scope_of(self, index: int, key: Value) -> tuple[int, int] | None:
        """The scope that an event lies in."""
        return next((scope for scope in self.scopes(key) if scope[0] < index < scope[1]), None)

    def subjects(self) -> list[Value]:
        """The keys that scopes were opened for; one for all where there is no scope."""
        return list(dict.fromkeys(key for _, key in self._opened)) if self.scoped else [None]


Broken = Iterator[tuple[Value, int | None]]


def _by_key(found: list[Match]) -> dict[Value, list[int]]:
    grouped: dict[Value, list[int]] = {}
    for index, key in found:
        grouped.setdefault(key, []).append(index)
    return grouped


def _at_most(monitor: Monitor, trace: _Trace, _final: bool) -> Broken:
    limit = 0 if monitor.spec.template == "absence" else monitor.spec.n or 0
    for key, found in _by_key(trace.matches("of")).items():
        if len(found) > limit:
            yield key, found[limit]


def _existence(_: Monitor, trace: _Trace, final: bool) -> Broken:
    found = trace.matches("of")
    for key in trace.subjects() if final else []:
        for start, end in trace.scopes(key):
            if not any(start < index < end and _same(other, key) for index, other in found):
                yield key, None


def _exactly(monitor: Monitor, trace: _Trace, final: bool) -> Broken:
    yield from _at_most(monitor, trace, final)
    found = _by_key(trace.matches("of"))
    expected = [*found, *(key for key in trace.subjects() if not any(_same(key, other) for other in found))]
    for key in expected if final else []:
        if len(found.get(key, [])) < (monitor.spec.n or 0):
            yield key, None


def _precedence(_: Monitor, trace: _Trace, _final: bool) -> Broken:
    first = trace.matches("first")
    for index, key in trace.matches("then"):
        start, _end = trace.scope_of(index, key) or (-1, index)
        if not any(start < at < index and _same(other, key) for at, other in first):
            yield key, index


def _response(_: Monitor, trace: _Trace, final: bool) -> Broken:
    answers = trace.matches("then")
    for index, key in trace.matches("first") if final else []:
        _start, end = trace.scope_of(index, key) or (index, index)
        if not any(index < at < end and _same(other, key) for at, other in answers):
            yield key, None


def _not_coexistence(_: Monitor, trace: _Trace, _final: bool) -> Broken:
    others = trace.matches("then")
    for index, key in trace.matches("first"):
        clash = [at for at, other in others if _same(other, key)]
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
