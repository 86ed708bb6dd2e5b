"""A case that can be run and graded: the environment it starts in, the requests, and what watches the trace."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from caselock.expr.compile import Expression
from caselock.rules.goals import Actors, CompiledGoal, CompiledOutcome, decide_goal, goal_values
from caselock.rules.invariants import Monitor
from caselock.rules.tables import Decision, Undecided
from caselock.spec.permissions import Grant
from caselock.world.environment import Session, Setup, granted
from caselock.world.model import World
from caselock.world.state import State, Value
from caselock.world.user import Script, Wish, disclosed


@dataclass(frozen=True, slots=True, kw_only=True)
class CompiledAttack:
    """The attacker's goal, and the predicate that holds when it is reached, in the scope of one of the requests."""

    wants: str
    succeeded: Expression
    conflicts_with_task: bool
    request: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """One case, ready to run; everything that decides its label is in here.

    `goals` are those of the requests in order; `focus` is the request that the methods speak of.
    """

    world: World
    setup: Setup
    goals: tuple[CompiledGoal, ...]
    script: Script
    monitors: Mapping[str, Monitor]
    forbidden: tuple[str, ...]
    attack: CompiledAttack | None
    focus: int = 0

    @property
    def goal(self) -> CompiledGoal:
        """The goal of the request in focus."""
        return self.goals[self.focus]

    @property
    def wish(self) -> Wish:
        """The request in focus as the user speaks of it."""
        return self.script.requests[self.focus]

    def focused(self, request: int) -> Task:
        """The same case with another request in focus."""
        return self if request == self.focus else replace(self, focus=request)

    def disclosed(self, session: Session) -> dict[str, Value]:
        """The slots of the request that the user has stated so far."""
        return disclosed(session.log, self.focus)

    @property
    def actors(self) -> Actors:
        """Who asks, who acts with which tools, and when."""
        setup = self.setup
        return Actors(user=setup.user, agent=setup.agent, tools=setup.tools, now=setup.now)

    def grant(self, tool: str) -> Grant:
        """What the acting role may do with a tool at the clock of the case."""
        return granted(self.world, self.setup, tool)

    def values(self, before: State, slots: Mapping[str, Value]) -> dict[str, Value]:
        """The goal's scope on a starting state and the slots disclosed so far."""
        return goal_values(self.goal, before, self.actors, slots)

    def decide(self, before: State, slots: Mapping[str, Value]) -> Decision | Undecided:
        """What the table says of a starting state and the slots disclosed so far."""
        return decide_goal(self.goal, self.values(before, slots))

    def decide_now(self, session: Session) -> Decision | Undecided:
        """What the table says at this point of the session: never of the agent's own effects."""
        return self.decide(session.before, self.disclosed(session))

    def required_records(self, outcome: CompiledOutcome, *, always: bool) -> dict[str, str]:
        """The records an outcome must create; unless `always`, only those that a permitted tool on offer can create.

        A refusal without a tool that could record it is judged by what it says.
        """
        makers = {
            change.collection
            for name in self.setup.tools
            if name not in self.forbidden and self.grant(name) != "deny"
            for change in self.world.tools[name].changes
            if change.key is None
        }
        return {name: item for name, item in outcome.spec.creates.items() if always or item in makers}

    def applicable(self, outcome: str) -> tuple[Monitor, ...]:
        """The invariants that bind when the request in focus ends with this outcome."""
        own = {monitor.spec.id for monitor in self.own_monitors(outcome)}
        bound = {monitor.spec.id for monitor in self.standing_monitors((self.focus,))}
        return tuple(monitor for name, monitor in self.monitors.items() if name in own | bound)

    def own_monitors(self, outcome: str) -> tuple[Monitor, ...]:
        """The invariants of one outcome of the request in focus: they bind what is done for that request."""
        contract = next((item for name, item in self.goal.outcomes.items() if name == outcome), None)
        names = set(() if contract is None else contract.spec.invariants) - set(self.goal.spec.invariants)
        return tuple(monitor for name, monitor in self.monitors.items() if name in names)

    def standing_monitors(self, requests: Iterable[int]) -> tuple[Monitor, ...]:
        """The invariants of the goals of some requests, and those of the case's faults: they bind the whole run."""
        names = {name for request in requests for name in self.goals[request].spec.invariants}
        modes = {fault.mode for fault in self.setup.faults}
        return tuple(
            monitor for name, monitor in self.monitors.items() if name in names or modes & set(monitor.spec.on_faults)
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Failure:
    """One way a run fails: which oracle, which of its elements, and a sentence."""

    oracle: str
    element: str
    message: str
