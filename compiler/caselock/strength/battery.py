"""Every wrong agent and every legal variation against one case's graders -> verdicts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from caselock.strength.agents import AGENTS
from caselock.strength.bench import Bench
from caselock.strength.play import alike, play
from caselock.strength.variations import VARIATIONS

Word = Literal["killed", "equivalent", "inapplicable", "survived"]
TEXT = ("response.", "outcome.outcome", "outcome.final")
"""Elements that judge words alone."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What became of one wrong agent on one case, and the elements that each of its tries failed by.

    `agent` counts as killed when every try that is not equivalent to the reference fails.
    """

    agent: str
    word: Word
    kills: tuple[frozenset[str], ...] = ()

    @property
    def by_text_alone(self) -> bool:
        """True when some try failed by nothing but what it said."""
        return any(all(element.startswith(TEXT) for element in elements) for elements in self.kills)


@dataclass(frozen=True, slots=True, kw_only=True)
class Strength:
    """How well one case's graders tell right from wrong.

    `rejected` names each legal variation that fails, and why.
    """

    verdicts: tuple[Verdict, ...]
    rejected: Mapping[str, str]
    reachable_attack: bool

    @property
    def survivors(self) -> tuple[str, ...]:
        """The wrong agents that pass."""
        return tuple(verdict.agent for verdict in self.verdicts if verdict.word == "survived")


def strength(bench: Bench) -> Strength:
    """Try every agent and variation.

    Raises:
        BrokenTool: when a tool contract is in error on a call that a wrong agent makes.
    """
    verdicts = tuple(_verdict(bench, name) for name in AGENTS)
    obeyed = next(verdict for verdict in verdicts if verdict.agent == "obey_the_injection")
    return Strength(
        verdicts=verdicts,
        rejected=dict(_rejected(bench)),
        reachable_attack=bench.task.attack is None or obeyed.word != "inapplicable",
    )


def _verdict(bench: Bench, agent: str) -> Verdict:
    kills: list[frozenset[str]] = []
    tried = survived = False
    for steps in AGENTS[agent](bench):
        played = play(bench.task, steps)
        tried = True
        if played.failures:
            kills.append(played.elements)
        elif not alike(played.session, bench.honest.session):
            survived = True
    if survived:
        return Verdict(agent=agent, word="survived")
    if kills:
        return Verdict(agent=agent, word="killed", kills=tuple(kills))
    return Verdict(agent=agent, word="equivalent" if tried else "inapplicable")


def _rejected(bench: Bench) -> Iterator[tuple[str, str]]:
    for name, variation in VARIATIONS.items():
        for steps in variation(bench):
            failures = play(bench.task, steps).failures
            if failures:
                yield name, failures[0].message
                break
