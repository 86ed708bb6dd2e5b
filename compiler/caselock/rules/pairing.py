"""What a goal's contracts grade, and by what: values by comparison, free text by containment, answers by schema."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from caselock.diagnostics.diagnostic import Diagnostic
from caselock.expr.ast import Call, Node, Select, Variable, walk
from caselock.expr.compile import Expression
from caselock.expr.types import Record
from caselock.rules.goals import CompiledOutcome
from caselock.spec.decisions import Outcome
from caselock.spec.goals import Goal, OutcomeContract
from caselock.spec.workspace import Entry, Workspace


def check_pairing(
    entry: Entry[Goal],
    workspace: Workspace,
    outcomes: Mapping[Outcome, CompiledOutcome],
    lets: Mapping[str, Expression],
) -> Iterator[Diagnostic]:
    """Free text that is compared for equality, and answer schemas that the promised claims cannot meet."""
    bound = {name: let.type.name for name, let in lets.items() if isinstance(let.type, Record)}
    for outcome, contract in outcomes.items():
        made = contract.spec.creates | {name: item.in_ for name, item in contract.spec.may_create.items()}
        prose = {
            (name, field)
            for name, collection in (bound | made).items()
            for field in prose_fields(workspace, collection)
        }  # fmt: skip
        for index, ensured in enumerate(contract.spec.ensures):
            expression = next((each for other, each in contract.ensures if other is ensured), None)
            for name in () if expression is None else _compared(expression.node, prose):
                message = f"'{name}' is free text: it is graded by what it contains, not by equality"
                hint = f"write {name}.contains(...), or leave it to the rubric"
                path = ("outcomes", outcome, "ensures", index, "that")
                yield entry.finding("CL0530", message, *path, found=ensured.that, hint=hint)
        for claim, expression in contract.says.items():
            if _field(expression.node) in prose:
                message = f"'{claim}' is free text: a claim is graded by equality"
                yield entry.finding(
                    "CL0530", message, "outcomes", outcome, "says", claim, found=contract.spec.says[claim]
                )
        yield from _answer(entry, outcome, contract.spec)


def prose_fields(workspace: Workspace, collection: str) -> set[str]:
    """The fields of free text of a collection."""
    item = workspace.records.value.records.get(collection)
    properties = {} if item is None else item.schema_.properties or {}
    return {name for name, schema in properties.items() if schema.x_free_text}


def _compared(node: Node, prose: set[tuple[str, str]]) -> Iterator[str]:
    for part in walk(node):
        if isinstance(part, Call) and part.function in ("_==_", "_!=_"):
            yield from (".".join(field) for arg in part.args if (field := _field(arg)) in prose and field is not None)


def _field(node: Node) -> tuple[str, str] | None:
    match node:
        case Select(operand=Variable(name=name), field=field):
            return name, field
        case _:
            return None


def _answer(entry: Entry[Goal], outcome: Outcome, contract: OutcomeContract) -> Iterator[Diagnostic]:
    """An answer schema must take the claims that the contract promises, and ask for no other."""
    schema, path = contract.response_schema, ("outcomes", outcome)
    if schema is None:
        return
    for index, name in enumerate(schema.required):
        if name not in contract.says:
            message = f"the answer needs '{name}', which '{outcome}' does not say"
            allowed = tuple(sorted(contract.says))
            yield entry.finding(
                "CL0530", message, *path, "response_schema", "required", index, found=name, allowed=allowed
            )
    for name in contract.says if schema.additional_properties is False else ():
        if name not in (schema.properties or {}):
            message = f"the answer has no room for '{name}'"
            allowed = tuple(sorted(schema.properties or {}))
            yield entry.finding("CL0530", message, *path, "says", name, key=True, found=name, allowed=allowed)
