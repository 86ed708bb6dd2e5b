"""The front door: expression text and a scope -> a checked expression that can be evaluated, or problems."""

from dataclasses import dataclass, field

from caselock.expr.ast import Node
from caselock.expr.check import check
from caselock.expr.evaluate import Evaluator, evaluator
from caselock.expr.parse import parse
from caselock.expr.problem import Problem
from caselock.expr.types import Scope, Type


@dataclass(frozen=True, slots=True, kw_only=True)
class Expression:
    """A checked expression; `evaluate` maps an activation to a value or raises an `Undefined`."""

    text: str
    node: Node
    type: Type
    evaluate: Evaluator = field(compare=False, repr=False)


def compile_expression(
    text: str, scope: Scope, expected: Type | None = None
) -> tuple[Expression | None, tuple[Problem, ...]]:
    """Return the expression, or None and every problem found in it.

    With `expected`, the expression as a whole must be of that type; a literal must be one of its values.
    """
    tree, problems = parse(text)
    if tree is None:
        return None, problems
    node, problems = check(tree, scope, expected)
    if problems:
        return None, problems
    return Expression(text=text, node=node, type=node.type, evaluate=evaluator(node)), ()
