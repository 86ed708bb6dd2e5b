"""The human reference execution of a seed, replayed step by step: fails closed on anything undeclared."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, TypeVar

from caselock.diagnostics.diagnostic import Diagnostic
from caselock.expr.compile import Expression, compile_expression
from caselock.expr.types import UNTYPED, Bool, Field, Int, List, Record, Scope, String, Type, Variable, describe
from caselock.expr.types import Decimal as DecimalType
from caselock.expr.values import Missing, Undefined
from caselock.oracles.grade import grade
from caselock.oracles.task import Task
from caselock.rules.program import Program
from caselock.solve.finish import unfired
from caselock.solve.judge import unwarranted
from caselock.solve.steps import Ask, Call, Respond, Run, Step, begin, take
from caselock.spec.seeds import AskStep, CallStep, Seed
from caselock.spec.workspace import Entry
from caselock.world.environment import BrokenTool
from caselock.world.events import ResultEvent
from caselock.world.expressions import Tree, located
from caselock.world.state import Value
from caselock.world.user import progress_of

K = TypeVar("K", str, int)


@dataclass(frozen=True, slots=True, kw_only=True)
class Replay:
    """A replayed reference: the run, and what is wrong with it."""

    run: Run
    diagnostics: tuple[Diagnostic, ...]


def replay_reference(program: Program, task: Task, entry: Entry[Seed]) -> Replay:
    """Run every step as written, then grade the run as any agent's would be."""
    run = begin(task)
    found: list[Diagnostic] = []
    results: Results = {}
    for index, written in enumerate(entry.value.reference):
        step, problems = _step(entry, index, written, results)
        found += problems
        if step is None:
            return Replay(run=run, diagnostics=tuple(found))
        at_hand = min(progress_of(task.script, run.session.log).now, len(task.goals) - 1)
        reason = unwarranted(task.focused(at_hand), run, step)
        if reason is not None and not any(item.code == "CL0622" for item in found):
            found.append(
                entry.finding("CL0622", f"the reference acts before it can know: {reason}", "reference", index)
            )
        try:
            run = take(task, run, step)
        except BrokenTool as broken:
            found.append(entry.finding("CL0803", str(broken), "reference", index))
            return Replay(run=run, diagnostics=tuple(found))
        if isinstance(written, CallStep):
            found += _unexpected(entry, index, written, run)
            if written.as_ is not None and run.last_result is not None:
                results[written.as_] = (shape(program.world.tools[written.call].returns), _value(run.last_result))
    return Replay(run=run, diagnostics=(*found, *_graded(task, entry, run)))


Results = dict[str, tuple[Type, Value]]
"""The named results of a reference, each with its type."""


def _value(result: ResultEvent) -> Value:
    return Missing(f"the call failed with '{result.error}'") if result.error is not None else result.value


def _unexpected(entry: Entry[Seed], index: int, step: CallStep, run: Run) -> Iterator[Diagnostic]:
    error = None if run.last_result is None else run.last_result.error
    if error == step.expect_error:
        return
    if error is None:
        message = f"'{step.call}' was expected to fail with '{step.expect_error}' and did not"
        yield entry.finding("CL0611", message, "reference", index, "expect_error", found=step.expect_error)
    else:
        detail = (
            run.last_result.value if run.last_result is not None and isinstance(run.last_result.value, str) else None
        )
        yield entry.finding(
            "CL0611",
            f"'{step.call}' failed with '{error}'" + (f" ({detail})" if detail else ""),
            "reference",
            index,
            "call",
            found=error,
            hint=f"if the failure belongs to the case, write expect_error: {error}",
        )


def _graded(task: Task, entry: Entry[Seed], run: Run) -> Iterator[Diagnostic]:
    last = len(entry.value.reference) - 1
    for failure in grade(task, run.session):
        code = "CL0613" if failure.element.startswith("provenance.") else "CL0612"
        yield entry.finding(
            code, f"the reference fails its own {failure.oracle} grader: {failure.message}", "reference", last
        )
    missed = {fault.index for fault in unfired(task, run)}
    for index, fault in enumerate(entry.value.faults):
        if index in missed:
            yield entry.finding(
                "CL0614",
                f"the fault '{fault.fault}' never takes effect in the reference",
                "faults",
                index,
                found=fault.fault,
            )


def _step(entry: Entry[Seed], index: int, written: Any, results: Results) -> tuple[Step | None, list[Diagnostic]]:
    path = ("reference", index)
    match written:
        case CallStep():
            args, problems = _filled(entry, (*path, "args"), written.args, results)
            return (None if problems else Call(tool=written.call, args=args)), problems
        case AskStep():
            return Ask(slots=written.ask), []
        case _:
            said, problems = _filled(entry, (*path, "says"), written.says, results)
            cited, more = _filled(entry, (*path, "cites"), dict(enumerate(written.cites)), results)
            wrong = [*problems, *more]
            return (None if wrong else Respond(outcome=written.respond, says=said, cites=tuple(cited.values()))), wrong


def _filled(
    entry: Entry[Seed], path: tuple[str | int, ...], written: Mapping[K, Any], results: Results
) -> tuple[dict[K, Value], list[Diagnostic]]:
    values: dict[K, Value] = {}
    problems: list[Diagnostic] = []
    for name, item in written.items():
        if isinstance(item, str) and item.startswith("="):
            values[name], found = _computed(entry, (*path, name), item, results)
            problems += found
        else:
            values[name] = item
    return values, problems


def _computed(
    entry: Entry[Seed], path: tuple[str | int, ...], text: str, results: Results
) -> tuple[Value, list[Diagnostic]]:
    """A value taken from an earlier result, such as `=made.refund.refund_id`."""
    scope = Scope(variables={name: Variable(type=type_, optional=True) for name, (type_, _) in results.items()})
    expression, problems = compile_expression(text[1:], scope)
    if expression is None:
        return None, [located(entry, path, problem, 1) for problem in problems]
    try:
        return expression.evaluate({name: value for name, (_, value) in results.items()}), []
    except Undefined as undefined:
        return None, [entry.finding("CL0611", f"'{text[1:]}' has no value here: {undefined.reason}", *path, found=text)]


def shape(tree: Tree) -> Type:
    """The type of what a tool returns; every part may be missing, since a call can fail or be done in part."""
    match tree:
        case Expression(type=type_):
            return type_
        case dict():
            return Record(
                name="result", fields={name: Field(type=shape(item), optional=True) for name, item in tree.items()}
            )
        case tuple():
            kinds = {describe(shape(item)): shape(item) for item in tree}
            return List(item=next(iter(kinds.values())) if len(kinds) == 1 else UNTYPED)
        case bool():
            return Bool()
        case int():
            return Int()
        case Decimal():
            return DecimalType()
        case _:
            return String()
