"""The atoms of a condition: its parts that logic does not take apart any further."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from caselock.expr import ast
from caselock.expr.ast import Node
from caselock.expr.types import Bool

_LOGIC = frozenset({"_&&_", "_||_", "!_", "_?_:_"})


@dataclass(frozen=True, slots=True)
class Atom:
    """An atom, known by its canonical text."""

    text: str
    node: Node = field(compare=False)

    @property
    def reads(self) -> frozenset[str]:
        """The inputs it reads."""
        return ast.free_variables(self.node)


def atoms_of(condition: Node) -> tuple[Atom, ...]:
    """Every distinct atom of a condition, left to right."""
    return tuple(dict.fromkeys(_atoms(condition)))


def _atoms(node: Node) -> Iterator[Atom]:
    if isinstance(node, ast.Call) and node.function in _LOGIC and isinstance(node.type, Bool):
        for arg in node.args:
            yield from _atoms(arg)
    elif not isinstance(node, ast.Literal):
        yield Atom(ast.unparse(node), node)


def with_truth(condition: Node, atom: Atom, truth: bool) -> Node:
    """The condition with an atom replaced by its truth."""
    if isinstance(condition, ast.Call) and condition.function in _LOGIC and isinstance(condition.type, Bool):
        return replace(condition, args=tuple(with_truth(arg, atom, truth) for arg in condition.args))
    if ast.unparse(condition) == atom.text:
        return ast.Literal(value=truth, type=Bool())
    return condition
