"""CEL text in a workspace file -> a compiled expression, with findings at the exact character."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from caselock.diagnostics.diagnostic import Diagnostic
from caselock.expr.compile import Expression, compile_expression
from caselock.expr.problem import Problem
from caselock.expr.types import Scope, Type, Variable
from caselock.expr.values import Missing
from caselock.spec.workspace import Entry
from caselock.world.state import Value

CODES = {
    "syntax": "CL0301",
    "unknown_name": "CL0302",
    "unknown_field": "CL0303",
    "unknown_value": "CL0304",
    "type": "CL0305",
    "function": "CL0306",
    "limit": "CL0307",
    "literal": "CL0308",
}


@dataclass(slots=True)
class Compiler:
    """Compiles the expressions of one workspace and collects what is wrong with them."""

    diagnostics: list[Diagnostic]

    def at(
        self,
        entry: Entry[Any],
        path: tuple[str | int, ...],
        text: str,
        variables: Mapping[str, Variable],
        expected: Type | None = None,
        *,
        offset: int = 0,
    ) -> Expression | None:
        """Compile the scalar at `path`; `offset` skips a leading `=`. None when there are findings."""
        expression, problems = compile_expression(text[offset:], Scope(variables=variables), expected)
        self.diagnostics += [located(entry, path, problem, offset) for problem in problems]
        return expression

    def tree(
        self,
        entry: Entry[Any],
        path: tuple[str | int, ...],
        value: Any,
        variables: Mapping[str, Variable],
    ) -> Tree:
        """Compile a value position: scalars that start with `=` are CEL, all others are literals."""
        if isinstance(value, str) and value.startswith("="):
            return self.at(entry, path, value, variables, offset=1) or value
        if isinstance(value, dict):
            return {name: self.tree(entry, (*path, name), item, variables) for name, item in value.items()}
        if isinstance(value, list | tuple):
            return tuple(self.tree(entry, (*path, i), item, variables) for i, item in enumerate(value))
        return value


Tree = Any
"""A compiled value position: an `Expression`, a literal, or a mapping or tuple of them."""


def located(entry: Entry[Any], path: tuple[str | int, ...], problem: Problem, offset: int = 0) -> Diagnostic:
    """A problem of an expression as a finding at its characters in the file."""
    full = (*entry.path, *path)
    return entry.finding(
        CODES[problem.kind],
        problem.message,
        *path,
        span=entry.document.scalar_span(full, problem.start + offset, problem.end + offset),
        found=problem.found,
        allowed=problem.allowed,
        nearest=problem.nearest,
        hint=None if problem.allowed else problem.hint,
    )


def fill(tree: Tree, values: Mapping[str, Value]) -> Value:
    """The value of a compiled value position.

    Raises:
        Undefined: when an expression in it is missing or in error.
    """
    if isinstance(tree, Expression):
        return tree.evaluate(values)
    if isinstance(tree, dict):
        return {name: fill(item, values) for name, item in tree.items()}
    if isinstance(tree, tuple):
        return tuple(fill(item, values) for item in tree)
    return tree


def fill_known(tree: Tree, values: Mapping[str, Value]) -> Value:
    """The value of a compiled value position, the parts that are missing left out.

    Raises:
        EvaluationError: when an expression in it is in error.
    """
    if isinstance(tree, dict):
        parts = {name: fill_known(item, values) for name, item in tree.items()}
        return {name: item for name, item in parts.items() if item is not None}
    return value_or_none(tree, values) if isinstance(tree, Expression) else fill(tree, values)


def bind(lets: Mapping[str, Expression], values: Mapping[str, Value]) -> dict[str, Value]:
    """The values extended by each let in order; a let whose look-up fails is planted as missing, not raised.

    Raises:
        EvaluationError: when a let is in error, such as a dangling reference.
    """
    bound = dict(values)
    for name, expression in lets.items():
        try:
            bound[name] = expression.evaluate(bound)
        except Missing as missing:
            bound[name] = missing
    return bound


def holds(expression: Expression, values: Mapping[str, Value]) -> bool:
    """True when a condition is true; a missing fact makes it not hold.

    Raises:
        EvaluationError: when the condition is in error.
    """
    try:
        return expression.evaluate(values) is True
    except Missing:
        return False


def value_or_none(expression: Expression, values: Mapping[str, Value]) -> Value:
    """The value of an expression, or None when it is missing.

    Raises:
        EvaluationError: when the expression is in error.
    """
    try:
        return expression.evaluate(values)
    except Missing:
        return None
