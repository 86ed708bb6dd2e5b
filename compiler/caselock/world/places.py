"""Places inside a record as they are written - `status`, `items[0].count`, `dates[args.date].seats` - made runnable."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from caselock.expr.ast import Index, Literal, Node, Select, unparse
from caselock.expr.ast import Variable as Name
from caselock.expr.compile import Expression, compile_expression
from caselock.expr.evaluate import evaluator
from caselock.expr.types import Record, Scope, Variable
from caselock.spec.schemas import Schema
from caselock.spec.workspace import Entry
from caselock.world.expressions import Compiler
from caselock.world.nested import schema_inside
from caselock.world.state import Value

_ROOT = "record"


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """A field of a record, and the steps inside a nested one; a step may be computed."""

    steps: tuple[str | Expression, ...]

    @property
    def field(self) -> str:
        """The field of the record that the place is in."""
        return str(self.steps[0])

    def at(self, values: Mapping[str, Value]) -> tuple[str, ...]:
        """The steps, computed.

        Raises:
            Undefined: when a step is missing or in error.
        """
        return tuple(str(step.evaluate(values)) if isinstance(step, Expression) else step for step in self.steps)


def compile_place(
    entry: Entry[Any],
    path: tuple[str | int, ...],
    text: str,
    record: Record,
    names: Mapping[str, Variable],
    compiler: Compiler,
    *,
    code: str,
    key: bool = False,
) -> Place | None:
    """The place that a text names inside records of a type; None when it names none, a finding with the code."""
    if text in record.fields:
        return Place(steps=(text,))
    scope = Scope(variables={**names, _ROOT: Variable(type=record)})
    expression, problems = compile_expression(f"{_ROOT}.{text}", scope)
    for problem in problems:
        compiler.diagnostics.append(
            entry.finding(
                code,
                problem.message,
                *path,
                key=key,
                found=text,
                allowed=problem.allowed,
                nearest=problem.nearest,
            )
        )
    steps = None if expression is None else _steps(expression.node)
    if expression is not None and steps is None:
        compiler.diagnostics.append(entry.finding(code, f"'{text}' is no place", *path, key=key, found=text))
    return None if steps is None else Place(steps=steps)


def _steps(node: Node) -> tuple[str | Expression, ...] | None:
    match node:
        case Name(name=name) if name == _ROOT:
            return ()
        case Select(operand=operand) | Index(operand=operand):
            outer = _steps(operand)
            return None if outer is None else (*outer, _step(node))
        case _:
            return None


def _step(node: Select | Index) -> str | Expression:
    if isinstance(node, Select):
        return node.field
    if isinstance(node.key, Literal):
        return str(node.key.value)
    return Expression(text=unparse(node.key), node=node.key, type=node.key.type, evaluate=evaluator(node.key))


def split(node: Node, collections: Collection[str]) -> tuple[Node, Place] | None:
    """An expression for a part of a record as the expression for the record, and the place of the part inside it."""
    steps: list[str | Expression] = []
    while isinstance(node, Select | Index):
        steps.insert(0, _step(node))
        node = node.operand
        if isinstance(node.type, Record) and node.type.name in collections:
            return node, Place(steps=tuple(steps))
    return None


def schema_of(schema: Schema, place: Place) -> Schema:
    """The schema of what stands at a place; of a computed step, that of any entry or item."""
    for step in place.steps:
        extra = schema.additional_properties
        if not isinstance(step, Expression):
            inner = schema_inside(schema, (step,))
        elif isinstance(extra, Schema):
            inner = extra
        else:
            inner = schema.items
        schema = inner or Schema()
    return schema
