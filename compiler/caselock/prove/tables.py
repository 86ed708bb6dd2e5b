"""The program -> the model of every table under the goal that uses it, and every finding of every table."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from graphlib import CycleError, TopologicalSorter

from caselock.diagnostics.diagnostic import Diagnostic
from caselock.prove.assumptions import check_assumptions
from caselock.prove.findings import findings
from caselock.prove.model import TableModel, table_model
from caselock.prove.solver import Solver
from caselock.prove.worlds import input_terms
from caselock.rules.goals import CompiledGoal
from caselock.rules.program import Program


def goal_model(program: Program, goal: CompiledGoal) -> TableModel:
    """The model of a goal's table over every possible world of the goal."""
    inputs, worlds = input_terms(program, goal)
    return table_model(goal.table, inputs, worlds.texts, worlds.leaves.laws, worlds.beyond)


def provable(program: Program, decisions: Collection[str] = ()) -> tuple[CompiledGoal, ...]:
    """The goals whose table is compiled whole, of the named decisions or of all; what is not has findings already."""
    return tuple(
        goal
        for goal in program.goals.values()
        if (not decisions or goal.table.name in decisions) and _whole(program, goal)
    )


def _whole(program: Program, goal: CompiledGoal) -> bool:
    """Every expression of the table was compiled, and no rules override each other in a circle."""
    table, written = goal.table, program.workspace.tables[goal.table.name].value
    parts = ((table.inputs, written.inputs), (table.assume, written.assume), (table.rules, written.rules))
    try:
        tuple(TopologicalSorter(table.losers).static_order())
    except CycleError:
        return False
    return all(len(made) == len(part) for made, part in parts)


def prove_tables(
    program: Program, decisions: Collection[str] = (), advance: Callable[[], None] = lambda: None
) -> Iterator[Diagnostic]:
    """Every finding of the tables, one goal after the other."""
    for goal in provable(program, decisions):
        yield from check_assumptions(program, goal)
        yield from findings(program.workspace.tables[goal.table.name], goal_model(program, goal))
        advance()


def sound_solver(model: TableModel) -> Solver:
    """A solver of the worlds that the table's proofs are about: assumptions hold and no rule is in error."""
    solver = model.solver()
    solver.add(model.sound)
    return solver
