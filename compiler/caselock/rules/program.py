"""Typed workspace -> the compiled program: the world, every goal with its table, and every invariant as a monitor."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from caselock.diagnostics.diagnostic import Diagnostic
from caselock.rules.goals import CompiledGoal, build_goal
from caselock.rules.invariants import Monitor, build_monitor
from caselock.rules.pairing import check_pairing
from caselock.spec.workspace import Workspace
from caselock.world.build import build_world
from caselock.world.expressions import Compiler
from caselock.world.model import World


@dataclass(frozen=True, slots=True, kw_only=True)
class Program:
    """Everything that decides: what rules, tools and contracts mean, ready to be run."""

    workspace: Workspace
    world: World
    goals: Mapping[str, CompiledGoal]
    monitors: Mapping[str, Monitor]


def build_program(workspace: Workspace) -> tuple[Program, tuple[Diagnostic, ...]]:
    """Compile every expression of the workspace outside seeds and operators."""
    compiler = Compiler(diagnostics=[])
    world = build_world(workspace, compiler)
    goals = {name: build_goal(entry, workspace, world.variables, compiler) for name, entry in workspace.goals.items()}
    for name, goal in goals.items():
        if goal is not None:
            compiler.diagnostics += check_pairing(workspace.goals[name], workspace, goal.outcomes, goal.lets)
    monitors = {
        name: build_monitor(entry, workspace, world.variables, compiler) for name, entry in workspace.invariants.items()
    }
    program = Program(
        workspace=workspace,
        world=world,
        goals={name: goal for name, goal in goals.items() if goal is not None},
        monitors={name: monitor for name, monitor in monitors.items() if monitor is not None},
    )
    return program, tuple(compiler.diagnostics)
