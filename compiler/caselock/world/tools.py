"""Tool contracts as written -> contracts that can be run."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from caselock.expr.compile import Expression
from caselock.expr.types import UNTYPED, Bool, Variable
from caselock.spec.tools import Tool
from caselock.spec.workspace import Entry, Workspace
from caselock.world.changes import build_changes
from caselock.world.expressions import Compiler
from caselock.world.model import CompiledTool
from caselock.world.types import record_of

Variables = Mapping[str, Variable]


def build_tool(entry: Entry[Tool], workspace: Workspace, variables: Variables, compiler: Compiler) -> CompiledTool:
    """Compile one contract; findings go to the compiler."""
    tool = entry.value
    _check_contract(entry, compiler)
    args = Variable(type=record_of(tool.input, "args", declared=False), optional=False)
    scope, lets = bind_lets(entry, tool.let, {**variables, "args": args}, compiler)
    errors = tuple(_errors(entry, scope, compiler))
    changes, names = build_changes(entry, workspace, scope, compiler)
    returns = compiler.tree(entry, ("returns",), tool.returns, names)
    return CompiledTool(spec=tool, lets=lets, errors=errors, changes=changes, returns=returns)


def bind_lets(
    entry: Entry[Any], lets: Mapping[str, str], variables: Variables, compiler: Compiler
) -> tuple[dict[str, Variable], dict[str, Expression]]:
    """Compile named expressions in order, each visible to the next; any of them may be missing at run time."""
    scope = dict(variables)
    compiled: dict[str, Expression] = {}
    for name, text in lets.items():
        if name in variables:
            compiler.diagnostics.append(
                entry.finding(
                    "CL0411", f"'{name}' hides a name that is already there", "let", name, key=True, found=name
                )
            )
        expression = compiler.at(entry, ("let", name), text, scope)
        scope[name] = Variable(type=UNTYPED if expression is None else expression.type, optional=True)
        if expression is not None:
            compiled[name] = expression
    return scope, compiled


def _check_contract(entry: Entry[Tool], compiler: Compiler) -> None:
    tool = entry.value
    properties = tool.input.properties or {}
    if tool.effect == "read" and tool.changes:
        compiler.diagnostics.append(
            entry.finding(
                "CL0409",
                f"tool '{tool.tool}' is declared 'read' but changes the world",
                "effect",
                found="read",
                allowed=("reversible", "irreversible"),
            )
        )
    key = tool.idempotency_key
    if key is not None and key not in properties:
        compiler.diagnostics.append(
            entry.finding(
                "CL0410",
                f"idempotency key '{key}' is not an argument of '{tool.tool}'",
                "idempotency_key",
                found=key,
                allowed=tuple(sorted(properties)),
            )
        )


def _errors(entry: Entry[Tool], scope: Variables, compiler: Compiler) -> Iterator[tuple[str, Expression]]:
    for index, error in enumerate(entry.value.errors):
        expression = compiler.at(entry, ("errors", index, "when"), error.when, scope, Bool())
        if expression is not None:
            yield error.code, expression
