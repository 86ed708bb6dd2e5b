"""Operators as written -> compiled operators, and what is wrong with a declaration before any seed is looked at."""

from __future__ import annotations

from caselock.cases.attacks import check_predicate
from caselock.cases.declarations import check_declaration
from caselock.cases.mutations import Bound, CompiledOperator
from caselock.cases.parent import parent_scope
from caselock.cases.wording import BadWording, mentioned
from caselock.diagnostics.diagnostic import Diagnostic
from caselock.expr.compile import Expression
from caselock.expr.types import Bool, Variable
from caselock.rules.goals import CompiledGoal
from caselock.rules.program import Program
from caselock.spec.operators import Choose, Inject, Operator, SetFields
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
                if isinstance(written, str) and written.startswith("="):
                    expression = compiler.at(entry, ("mutation", "set", field), written, scope, offset=1)
                    if expression is not None:
                        values[field] = expression
        case Inject():
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


def _check_wordings(program: Program, entry: Entry[Phrasings]) -> list[Diagnostic]:
    """A phrasing must mention what some seed of its family states, or all but one slot when it is an omission."""
    goal = program.goals.get(entry.value.goal)
    if goal is None:
        return []
    found: list[Diagnostic] = []
    for index, item in enumerate(entry.value.items):
        try:
            slots = mentioned(item.text)
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
                lost = set(request.slots) - slots
                if slots <= set(request.slots) and len(lost) == (1 if "omission" in tags else 0):
                    return True
    return False


def _listed(slots: tuple[str, ...]) -> str:
    return ", ".join(f"'{slot}'" for slot in slots) or "no slot"
