"""Given steps -> the session they make; unlike a plan's replay, nobody asks whether the agent could know."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from caselock.oracles.grade import grade
from caselock.oracles.outcome import final_event
from caselock.oracles.task import Failure, Task
from caselock.solve.steps import Step, begin, take
from caselock.world.environment import Session
from caselock.world.events import EffectEvent
from caselock.world.state import Value

Steps = tuple[Step, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Played:
    """A run of given steps, and every way it fails."""

    session: Session
    failures: tuple[Failure, ...]

    @property
    def elements(self) -> frozenset[str]:
        """The elements of the oracles that fail, each as `oracle.element`."""
        return frozenset(f"{failure.oracle}.{failure.element}" for failure in self.failures)


def play(task: Task, steps: Steps) -> Played:
    """Run the steps and grade what comes of it.

    Raises:
        BrokenTool: when a tool contract is in error.
    """
    run = begin(task)
    for step in steps:
        run = take(task, run, step)
    return Played(session=run.session, failures=grade(task, run.session))


def alike(one: Session, other: Session) -> bool:
    """True when two runs have the same effects and the same last words: they differ in nothing that matters."""
    return _effects(one) == _effects(other) and final_event(one) == final_event(other)


def _effects(session: Session) -> list[tuple[str, str, str, Mapping[str, Value]]]:
    return [
        (event.kind, event.record.collection, event.record.key, event.record)
        for event in session.log
        if isinstance(event, EffectEvent) and event.call
    ]
