"""Typed workspace -> compiled world: fixtures as states, tools as runnable contracts, and what is wrong with either."""

from __future__ import annotations

from dataclasses import replace

from caselock.expr.compile import Expression
from caselock.expr.types import Bool, Variable
from caselock.spec.workspace import Workspace
from caselock.world.expressions import Compiler
from caselock.world.fixtures import build_fixture
from caselock.world.model import World
from caselock.world.permissions import build_role
from caselock.world.tools import build_tool
from caselock.world.types import collection_types, world_variables

RESERVED = frozenset(
    {"user", "agent", "now", "request", "args", "before", "decision", "record", "facts", "tools", "said", "called"}
)
"""Names that expressions read besides the collections."""


def build_world(workspace: Workspace, compiler: Compiler) -> World:
    """Compile records, tools and fixtures; findings go to the compiler, and what is in error is left out."""
    records = workspace.records.value
    for name in RESERVED & set(records.records):
        message = f"'{name}' hides a name that expressions read"
        compiler.diagnostics.append(workspace.records.finding("CL0411", message, "records", name, key=True, found=name))
    variables = world_variables(records)
    world = World(
        salt=workspace.project.value.salt,
        collections=records.records,
        constraints=_constraints(workspace, compiler),
        variables=variables,
        user_schema=records.user,
        agent_schema=records.agent,
        tools={name: build_tool(entry, workspace, variables, compiler) for name, entry in workspace.tools.items()},
        roles={
            name: build_role(entry, workspace.tools, variables, compiler) for name, entry in workspace.roles.items()
        },
        fixtures={},
    )
    fixtures = {name: build_fixture(entry, world, compiler) for name, entry in workspace.fixtures.items()}
    return replace(world, fixtures={name: fixture for name, fixture in fixtures.items() if fixture is not None})


def _constraints(workspace: Workspace, compiler: Compiler) -> dict[str, tuple[tuple[str, Expression], ...]]:
    types = collection_types(workspace.records.value)
    compiled: dict[str, tuple[tuple[str, Expression], ...]] = {}
    for name, collection in workspace.records.value.records.items():
        scope = {"record": Variable(type=types[name].record, optional=False)}
        rows = []
        for index, constraint in enumerate(collection.constraints):
            path = ("records", name, "constraints", index, "must")
            expression = compiler.at(workspace.records, path, constraint.must, scope, Bool())
            if expression is not None:
                rows.append((constraint.id, expression))
        compiled[name] = tuple(rows)
    return compiled
