"""What tables assume, against every record and actor of every fixture."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from caselock.diagnostics.diagnostic import Diagnostic
from caselock.expr.values import EvaluationError, Missing
from caselock.prove.witness import in_words
from caselock.rules.goals import Actors, CompiledGoal, goal_values
from caselock.rules.program import Program
from caselock.rules.tables import facts_of
from caselock.world.model import FixtureWorld
from caselock.world.state import Value


def check_assumptions(program: Program, goal: CompiledGoal) -> Iterator[Diagnostic]:
    """A finding for each assumption and fixture that disagree, at the first request that shows it.

    Requests name nothing, then each record or word that a slot can stand for. Seeds are checked as they are derived.
    """
    entry = program.workspace.tables[goal.table.name]
    for fixture in program.world.fixtures.values():
        broken: set[int] = set()
        for request in _requests(goal, fixture):
            facts = _facts(program, goal, fixture, request)
            for index, expression in enumerate(goal.table.assume):
                if index in broken or facts is None:
                    continue
                try:
                    holds = expression.evaluate(facts) is True
                except Missing:
                    continue
                except EvaluationError:
                    holds = False
                if not holds:
                    broken.add(index)
                    named = f" when the request names '{next(iter(request.values()))}'" if request else ""
                    message = f"fixture '{fixture.name}'{named}: {in_words(facts, (expression.node,))}"
                    yield entry.finding("CL1008", message, "assume", index, found=expression.text)


def _requests(goal: CompiledGoal, fixture: FixtureWorld) -> Iterator[Mapping[str, Value]]:
    yield {}
    for slot, schema in goal.spec.slots.items():
        choices = fixture.state.get(schema.x_ref, ()) if schema.x_ref is not None else schema.enum or ()
        for choice in choices:
            yield {slot: choice}


def _facts(
    program: Program, goal: CompiledGoal, fixture: FixtureWorld, request: Mapping[str, Value]
) -> Mapping[str, Value] | None:
    actors = Actors(user=fixture.user, agent=fixture.agent, tools=tuple(program.world.tools), now=fixture.now)
    try:
        return facts_of(goal.table, goal_values(goal, fixture.state, actors, request))
    except EvaluationError:
        return None  # a let in error is a finding of every seed that comes across it
