"""Operators as written -> compiled operators, and what is wrong with a declaration before any seed is looked at."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from caselock.cases.attacks import check_predicate
from caselock.cases.declarations import check_declaration
from caselock.cases.mutations import Bound, CompiledOperator
from caselock.cases.parent import parent_scope
from caselock.cases.worded import stated
from caselock.cases.wording import BadWording
from caselock.diagnostics.diagnostic import Diagnostic
from caselock.expr.compile import Expression
from caselock.expr.types import Bool, Variable
from caselock.rules.goals import CompiledGoal
from caselock.rules.program import Program
from caselock.spec.operators import Choose, Contradict, Correct, Inject, Operator, Provoke, SetFields
from caselock.spec.seeds import Phrasings
from caselock.spec.workspace import Entry
from caselock.world.expressions import Compiler
from caselock.world.types import collection_types


def compile_operators(program: Program) -> tuple[dict[str, CompiledOperator], tuple[Diagnostic, ...]]:
    """Every approved operator of known goals, by id."""
    compiler = Compiler(diagnostics=[])
    operators: dict[str, CompiledOperator] = {}
    for name, entry in program.workspace.operators.items():
        if entry.value.status == "approved" and entry.value.approved_by is None:
            compiler.diagnostics.append(
                entry.finding("CL0709", f"operator '{name}' is approved by nobody", "status", found="approved")
            )
        compiled = _compile(program, entry, compiler)
        if compiled is not None and entry.value.status == "approved":
            operators[name] = compiled
    for phrasings in program.workspace.phrasings.values():
        compiler.diagnostics += _check_wordings(program, phrasings)
    return operators, tuple(compiler.diagnostics)


def _compile(program: Program, entry: Entry[Operator], compiler: Compiler) -> CompiledOperator | None:
    goals: dict[str, Bound] = {}
    for name in entry.value.applies_to.goal:
        goal = program.goals.get(name)
        bound = None if goal is None else _bound(program, entry, goal, compiler)
        if bound is None:
            return None
        goals[name] = bound
    return CompiledOperator(spec=entry.value, goals=goals)


def _bound(program: Program, entry: Entry[Operator], goal: CompiledGoal, compiler: Compiler) -> Bound | None:
    operator, scope = entry.value, parent_scope(goal)
    declared = tuple(check_declaration(program, entry, goal))
    compiler.diagnostics += declared
    if declared:
        return None
    when = operator.applies_to.when
    condition = None if when is None else compiler.at(entry, ("applies_to", "when"), when, scope, Bool())
    values: dict[str, Expression] = {}
    match operator.mutation:
        case SetFields():
            for field, written in operator.mutation.set.items():
                values |= _expression(compiler, entry, ("mutation", "set", field), written, scope)
        case Correct(first=written):
            values |= _expression(compiler, entry, ("mutation", "first"), written, scope)
        case Contradict(other=written):
            values |= _expression(compiler, entry, ("mutation", "other"), written, scope)
        case Inject() | Provoke():
            path = ("mutation", "attack", "succeeded")
            if not check_predicate(program, entry, path, operator.mutation.attack.succeeded, goal, compiler):
                return None
        case Choose():
            types = collection_types(program.workspace.records.value)
            if operator.mutation.among not in types:
                return None
            record = Variable(type=types[operator.mutation.among].record, optional=False)
            text = operator.mutation.where
            expression = compiler.at(entry, ("mutation", "where"), text, {**scope, "record": record}, Bool())
            if expression is None:
                return None
            values["where"] = expression
    return Bound(when=condition, values=values)


def _expression(
    compiler: Compiler, entry: Entry[Operator], path: tuple[str, ...], written: Any, scope: Mapping[str, Variable]
) -> dict[str, Expression]:
    """The compiled expression of a value that starts with `=`, by the last name of its path."""
    if not (isinstance(written, str) and written.startswith("=")):
        return {}
    expression = compiler.at(entry, path, written, scope, offset=1)
    return {} if expression is None else {path[-1]: expression}


def _check_wordings(program: Program, entry: Entry[Phrasings]) -> list[Diagnostic]:
    """A phrasing must state what some seed of its family states, less what its tags leave for later."""
    goal = program.goals.get(entry.value.goal)
    if goal is None:
        return []
    found: list[Diagnostic] = []
    for index, item in enumerate(entry.value.items):
        try:
            slots = tuple(dict.fromkeys(slot for turn in stated(item) for slot in sorted(turn)))
        except BadWording as bad:
            found.append(entry.finding("CL0712", str(bad), "items", index, "text", found=item.text))
            continue
        for slot in slots:
            if slot not in goal.spec.slots:
                known = tuple(sorted(goal.spec.slots))
                found.append(
                    entry.finding(
                        "CL0712",
                        f"goal '{goal.spec.goal}' has no slot '{slot}'",
                        "items",
                        index,
                        "text",
                        found=slot,
                        allowed=known,
                    )
                )
        unread = "seed" in program.workspace.incomplete
        if not found and not unread and not _fits(program, entry.value, item.tags, set(slots)):
            found.append(
                entry.finding(
                    "CL0704",
                    f"phrasing '{item.id}' mentions {_listed(slots)}, which fits no seed of its family",
                    "items",
                    index,
                    "text",
                    found=item.text,
                )
            )
    return found


def _fits(program: Program, phrasings: Phrasings, tags: tuple[str, ...], slots: set[str]) -> bool:
    for entry in program.workspace.seeds.values():
        for request in entry.value.requests:
            if entry.value.family == phrasings.phrasings and request.goal == phrasings.goal:
                lost = len(set(request.slots) - slots)
                left = lost > 0 if "slow_reveal" in tags else lost == (1 if "omission" in tags else 0)
                if slots <= set(request.slots) and left:
                    return True
    return False


def _listed(slots: tuple[str, ...]) -> str:
    return ", ".join(f"'{slot}'" for slot in slots) or "no slot"
