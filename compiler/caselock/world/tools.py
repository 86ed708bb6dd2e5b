"""Tool contracts as written -> contracts that can be run."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from caselock.expr.compile import Expression
from caselock.expr.types import UNTYPED, Bool, Type, Variable
from caselock.spec.schemas import Schema
from caselock.spec.tools import Insert, Tool, Update
from caselock.spec.workspace import Entry, Workspace
from caselock.spec.world import Collection
from caselock.world.expressions import Compiler, Tree
from caselock.world.model import CompiledChange, CompiledTool
from caselock.world.schema_check import problems
from caselock.world.types import collection_types, record_of, type_of
from caselock.world.values import Unreadable, read_value

Variables = Mapping[str, Variable]


def build_tool(entry: Entry[Tool], workspace: Workspace, variables: Variables, compiler: Compiler) -> CompiledTool:
    """Compile one contract; findings go to the compiler."""
    tool = entry.value
    _check_contract(entry, compiler)
    args = Variable(type=record_of(tool.input, "args", declared=False), optional=False)
    scope, lets = bind_lets(entry, tool.let, {**variables, "args": args}, compiler)
    errors = tuple(_errors(entry, scope, compiler))
    changes, names = _changes(entry, workspace, scope, compiler)
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


def _changes(
    entry: Entry[Tool], workspace: Workspace, scope: Variables, compiler: Compiler
) -> tuple[tuple[CompiledChange, ...], Variables]:
    types = collection_types(workspace.records.value)
    compiled: list[CompiledChange] = []
    names = dict(scope)
    for index, change in enumerate(entry.value.changes):
        target = change.insert if isinstance(change, Insert) else change.update
        collection = workspace.records.value.records.get(target)
        if collection is None:
            compiler.diagnostics.append(_unknown_collection(entry, index, target, sorted(types)))
            if isinstance(change, Insert):
                names[change.as_] = Variable(type=UNTYPED, optional=False)
            continue
        fields = {
            name: _field(entry, index, collection, target, name, value, names, compiler)
            for name, value in change.set.items()
        }
        key = _key(entry, index, change, names, compiler)
        if isinstance(change, Insert):
            _check_insert(entry, index, change, collection, compiler)
            names[change.as_] = Variable(type=types[target].record, optional=False)
            compiled.append(CompiledChange(collection=target, name=change.as_, key=None, set=fields))
        elif key is not None:
            compiled.append(CompiledChange(collection=target, name=None, key=key, set=fields))
    return tuple(compiled), names


def _key(
    entry: Entry[Tool], index: int, change: Insert | Update, names: Variables, compiler: Compiler
) -> Expression | None:
    if isinstance(change, Insert):
        return None
    offset = 1 if change.key.startswith("=") else 0
    return compiler.at(entry, ("changes", index, "key"), change.key, names, offset=offset)


def _unknown_collection(entry: Entry[Tool], index: int, target: str, known: list[str]) -> Any:
    key = "insert" if isinstance(entry.value.changes[index], Insert) else "update"
    return entry.finding(
        "CL0201", f"unknown collection '{target}'", "changes", index, key, found=target, allowed=tuple(known)
    )


def _check_insert(entry: Entry[Tool], index: int, change: Insert, collection: Collection, compiler: Compiler) -> None:
    if collection.id is None:
        compiler.diagnostics.append(
            entry.finding(
                "CL0412",
                f"'{change.insert}' has no prefix for generated ids, so nothing can be inserted",
                "changes",
                index,
                "insert",
                found=change.insert,
                hint="give the collection an 'id' prefix, such as id: R-",
            )
        )
    missing = set(collection.schema_.required) - set(change.set) - {collection.key}
    for name in sorted(missing):
        compiler.diagnostics.append(
            entry.finding(
                "CL0406",
                f"a new record of '{change.insert}' needs '{name}'",
                "changes",
                index,
                "set",
                found=change.insert,
            )
        )


def _field(
    entry: Entry[Tool],
    index: int,
    collection: Collection,
    target: str,
    name: str,
    value: Any,
    names: Variables,
    compiler: Compiler,
) -> Tree:
    path = ("changes", index, "set", name)
    schema = (collection.schema_.properties or {}).get(name)
    if schema is None:
        known = tuple(sorted(collection.schema_.properties or {}))
        compiler.diagnostics.append(
            entry.finding("CL0406", f"'{target}' has no field '{name}'", *path, key=True, found=name, allowed=known)
        )
        return value
    if isinstance(value, str) and value.startswith("="):
        return compiler.at(entry, path, value, names, _expected(schema, target, name), offset=1)
    return literal(entry, path, schema, value, compiler)


def _expected(schema: Schema, target: str, name: str) -> Type:
    return type_of(schema, f"{target}.{name}", declared=True)


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
