"""What a role may do with a tool at a moment: grants compiled, and denied once they have ended."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime

from caselock.diagnostics.diagnostic import Diagnostic
from caselock.expr.compile import Expression
from caselock.expr.types import Timestamp, Variable
from caselock.spec.permissions import Grant, Role, TimedGrant
from caselock.spec.tools import Tool
from caselock.spec.workspace import Entry
from caselock.world.expressions import Compiler, Tree, value_or_none
from caselock.world.state import Value
from caselock.world.values import Unreadable, read_timestamp


@dataclass(frozen=True, slots=True, kw_only=True)
class CompiledGrant:
    """A grant, and the instant (or the expression for it) from which on the tool is denied."""

    grant: Grant
    until: Tree = None

    def at(self, user: Mapping[str, Value], agent: Mapping[str, Value], now: datetime) -> Grant:
        """The grant at a moment. An end that is missing cannot be told from one that has passed: it denies.

        Raises:
            EvaluationError: when `until` is in error.
        """
        if self.until is None:
            return self.grant
        values = {"user": user, "agent": agent}
        end = value_or_none(self.until, values) if isinstance(self.until, Expression) else self.until
        return self.grant if end is not None and now < end else "deny"


Grants = Mapping[str, CompiledGrant]
"""The grants of one role, by tool."""


def build_role(
    entry: Entry[Role], tools: Mapping[str, Entry[Tool]], variables: Mapping[str, Variable], compiler: Compiler
) -> Grants:
    """Compile the grants of a role; findings go to the compiler."""
    compiler.diagnostics += _misplaced(entry, tools)
    actors = {name: variables[name] for name in ("user", "agent")}
    return {
        tool: _grant(entry, (half, tool), written, actors, compiler)
        for half in ("read", "write")
        for tool, written in getattr(entry.value, half).items()
    }


def _grant(
    entry: Entry[Role],
    path: tuple[str, ...],
    written: Grant | TimedGrant,
    actors: Mapping[str, Variable],
    compiler: Compiler,
) -> CompiledGrant:
    if not isinstance(written, TimedGrant):
        return CompiledGrant(grant=written)
    return CompiledGrant(grant=written.grant, until=_end(entry, (*path, "until"), written.until, actors, compiler))


def _end(
    entry: Entry[Role], path: tuple[str, ...], text: str, actors: Mapping[str, Variable], compiler: Compiler
) -> Tree:
    if text.startswith("="):
        return compiler.at(entry, path, text, actors, Timestamp(), offset=1)
    try:
        return read_timestamp(text)
    except Unreadable as unreadable:
        compiler.diagnostics.append(entry.finding("CL0420", str(unreadable), *path, found=text))
        return None


def _half(tool: Tool) -> str:
    return "read" if tool.effect == "read" and not tool.changes else "write"


def _misplaced(entry: Entry[Role], tools: Mapping[str, Entry[Tool]]) -> Iterator[Diagnostic]:
    """Grants that stand under the wrong heading: what reads and what writes is the tool's contract to say."""
    for half in ("read", "write"):
        for name in getattr(entry.value, half):
            if name in tools and _half(tools[name].value) != half:
                message = f"'{name}' is granted under '{half}'; it is a tool that {_half(tools[name].value)}s"
                yield entry.finding("CL0421", message, half, name, key=True, found=half)
