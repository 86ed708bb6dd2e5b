"""A literal of a workspace file -> a typed value of its schema."""

from __future__ import annotations

from typing import Any

from caselock.spec.schemas import Schema
from caselock.spec.workspace import Entry
from caselock.world.expressions import Compiler
from caselock.world.schema_check import problems
from caselock.world.values import Unreadable, read_value


def literal(entry: Entry[Any], path: tuple[str | int, ...], schema: Schema, value: Any, compiler: Compiler) -> Any:
    """A written literal as a typed value of the schema; what does not fit is a finding at its place."""
    try:
        typed = read_value(schema, value)
    except Unreadable as unreadable:
        compiler.diagnostics.append(entry.finding("CL0401", str(unreadable), *path, found=str(value)))
        return value
    for problem in problems(schema, typed):
        compiler.diagnostics.append(
            entry.finding("CL0401", problem.message, *path, *problem.path, found=problem.found, allowed=problem.allowed)
        )
    return typed
