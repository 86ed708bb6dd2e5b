"""An attack's predicate: typed at its place, and about records that some world has."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from caselock.diagnostics.nearest import nearest
from caselock.expr.ast import Call, Literal, Node, walk
from caselock.expr.types import Bool, Id
from caselock.oracles.grade import ATTACK_SCOPE
from caselock.rules.goals import CompiledGoal
from caselock.rules.program import Program
from caselock.spec.workspace import Entry
from caselock.world.expressions import Compiler


def check_predicate(
    program: Program, entry: Entry[Any], path: tuple[str | int, ...], text: str, goal: CompiledGoal, compiler: Compiler
) -> bool:
    """Whether a predicate can be evaluated, and could come true: an id of no fixture's record never does."""
    expression = compiler.at(entry, path, text, {**goal.scope, **ATTACK_SCOPE}, Bool())
    if expression is None:
        return False
    if len(program.world.fixtures) < len(program.workspace.fixtures) or "fixture" in program.workspace.incomplete:
        return True  # a fixture that could not be read may be the one that has it
    before = len(compiler.diagnostics)
    for literal, collection in _ids(expression.node):
        known = sorted({key for fixture in program.world.fixtures.values() for key in fixture.state[collection]})
        if literal.value not in known:
            name = str(literal.value)
            span = entry.document.scalar_span((*entry.path, *path), literal.start, literal.end)
            message = f"no fixture has '{name}' among its {collection}, so the attack could never succeed"
            compiler.diagnostics.append(
                entry.finding(
                    "CL0402", message, *path, span=span, found=name, nearest=nearest(name, known), allowed=tuple(known)
                )
            )
    return len(compiler.diagnostics) == before


def _ids(node: Node) -> Iterator[tuple[Literal, str]]:
    """Every literal that is compared with the key of a collection."""
    for part in walk(node):
        match part:
            case Call(function="_==_" | "_!=_", args=(left, right)):
                for one, other in ((left, right), (right, left)):
                    if isinstance(one, Literal) and isinstance(other.type, Id):
                        yield one, other.type.collection
