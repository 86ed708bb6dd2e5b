"""What a caller wrote as tool arguments -> typed arguments, or the sentence that says what is wrong."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from caselock.source.limits import MAX_DEPTH
from caselock.spec.tools import Tool
from caselock.world.schema_check import problems
from caselock.world.state import Value
from caselock.world.values import Unreadable, read_value


def read_args(tool: Tool, written: Mapping[str, Any]) -> tuple[Mapping[str, Value], str | None]:
    """The typed arguments of a call, checked against the tool's input schema; the message is None when they fit."""
    if _deeper(written, MAX_DEPTH):
        return {}, f"arguments are nested more than {MAX_DEPTH} levels deep"
    try:
        args = read_value(tool.input, written)
    except Unreadable as unreadable:
        return dict(written), str(unreadable)
    found = problems(tool.input, args)
    return args, None if not found else "; ".join(
        f"{'.'.join(map(str, problem.path)) or 'arguments'}: {problem.message}" for problem in found
    )


def _deeper(value: Any, levels: int) -> bool:
    """True when a value is nested more than so many levels."""
    if not isinstance(value, Mapping | list | tuple):
        return False
    items = value.values() if isinstance(value, Mapping) else value
    return levels == 0 or any(_deeper(item, levels - 1) for item in items)
