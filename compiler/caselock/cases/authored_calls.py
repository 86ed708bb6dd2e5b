"""The calls that the author of a seed expects against those that follow from contract and invariants."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from caselock.cases.derive import DerivedRequest
from caselock.diagnostics.diagnostic import Diagnostic
from caselock.oracles.calls import ExpectedCall, expected_calls
from caselock.oracles.task import Task
from caselock.spec.schemas import Schema
from caselock.spec.seeds import AuthoredCall, Seed
from caselock.spec.workspace import Entry
from caselock.world.state import Value
from caselock.world.values import plain


def calls_of(request: DerivedRequest) -> tuple[ExpectedCall, ...]:
    """The calls that no run can do without that answers a request as it must be."""
    if request.final is None or request.share.standing != "due":
        return ()
    return expected_calls(request.share.task, request.share.session, request.final)


def check_calls(
    entry: Entry[Seed],
    path: tuple[str | int, ...],
    authored: tuple[AuthoredCall, ...] | None,
    request: DerivedRequest,
    same: Callable[[Any, Value], bool],
) -> Iterator[Diagnostic]:
    """Authored calls that do not follow, and calls that follow and are not written; nothing when none is authored.

    `path` is where the calls are written; `same` compares a value as written with a derived one.
    """
    if authored is None:
        return
    due = calls_of(request)
    left = list(due)
    for index, call in enumerate(authored):
        yield from _pairing(entry, (*path, index), request.share.task, call)
        match = next((each for each in left if _agrees(call, each, due, same)), None)
        if match is not None:
            left.remove(match)
            continue
        near = next((each for each in left if set(each.tools) == set(call.call)), None)
        named = " or ".join(call.call)
        message = f"this call of {named} does not follow from the rules"
        allowed = tuple(_spelt(each, due) for each in ([near] if near else left))
        yield entry.finding("CL0641", message, *path, index, found=named, allowed=allowed)
        if near is not None:
            left.remove(near)
    for each in left:
        message = f"the call {_spelt(each, due)} follows from the rules and is not listed"
        yield entry.finding("CL0641", message, *path)


def _agrees(
    call: AuthoredCall, due: ExpectedCall, every: tuple[ExpectedCall, ...], same: Callable[[Any, Value], bool]
) -> bool:
    before = {tool for place in due.after for tool in every[place].tools}
    return (
        set(call.call) == set(due.tools)
        and call.args.keys() == due.args.keys()
        and all(same(value, due.args[name]) for name, value in call.args.items())
        and {name: set(texts) for name, texts in call.contains.items()}
        == {name: set(texts) for name, texts in due.contains.items()}
        and set(call.after) == before
    )


def _pairing(entry: Entry[Seed], path: tuple[str | int, ...], task: Task, call: AuthoredCall) -> Iterator[Diagnostic]:
    """Free text is graded by what it contains, anything else by equality."""
    tools = [task.world.tools[name].spec for name in call.call if name in task.world.tools]
    properties = {name: schema for tool in tools for name, schema in (tool.input.properties or {}).items()}
    for part, prose in (("args", True), ("contains", False)):
        for name in getattr(call, part):
            if properties.get(name, Schema(x_free_text=not prose)).x_free_text == prose:
                other = "contains" if prose else "args"
                message = f"'{name}' is {'free text' if prose else 'a value'}: it belongs under '{other}'"
                yield entry.finding("CL0642", message, *path, part, name, key=True, found=name)


def _spelt(call: ExpectedCall, every: tuple[ExpectedCall, ...]) -> str:
    """The call as it would be written in a seed."""
    parts = [f"call: [{', '.join(call.tools)}]" if len(call.tools) > 1 else f"call: {call.tools[0]}"]
    if call.args:
        parts.append("args: {" + ", ".join(f"{name}: {plain(value)}" for name, value in call.args.items()) + "}")
    if call.contains:
        parts.append("contains: {" + ", ".join(f"{name}: {list(held)}" for name, held in call.contains.items()) + "}")
    before = sorted({tool for place in call.after for tool in every[place].tools})
    if before:
        parts.append(f"after: [{', '.join(before)}]")
    return "{" + ", ".join(parts) + "}"
