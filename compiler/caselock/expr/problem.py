"""What can be wrong with an expression, as a value with a position in its text."""

import difflib
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, TypeAlias

from caselock.expr.ast import Node

Kind: TypeAlias = Literal[
    "syntax", "unknown_name", "unknown_field", "unknown_value", "type", "function", "limit", "literal"
]

_LONGEST_NAME = 64


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """One finding; `start` and `end` are code-point offsets into the expression's text."""

    kind: Kind
    start: int
    end: int
    message: str
    found: str | None = None
    allowed: tuple[str, ...] = ()
    nearest: str | None = None
    hint: str | None = None


def about(node: Node, kind: Kind, message: str, *, found: str | None = None, hint: str | None = None) -> Problem:
    """Return a problem that a whole node has."""
    return Problem(kind=kind, start=node.start, end=node.end, message=message, found=found, hint=hint)


def limit(text: str, message: str) -> Problem:
    """Return the problem of an expression that is too large, which is about all of it."""
    hint = "split the expression into several lets or inputs"
    return Problem(kind="limit", start=0, end=len(text), message=message, hint=hint)


def unknown(
    kind: Kind, noun: str, found: str, allowed: Iterable[str], start: int, end: int, owner: str = ""
) -> Problem:
    """Return the problem of a name that is not one of `allowed`, with the nearest one that is.

    `owner` says whose name it is, such as ` of enum orders.status`.
    """
    names = tuple(sorted(allowed))
    close = nearest(found, names)
    return Problem(
        kind=kind,
        start=start,
        end=end,
        message=f"unknown {noun} '{found}'{owner}",
        found=found,
        allowed=names,
        nearest=close,
        hint=f"did you mean '{close}'?" if close else _listing(names),
    )


def nearest(found: str, allowed: Iterable[str]) -> str | None:
    """Return the allowed name that looks most like the one found, or None if none is close."""
    if len(found) > _LONGEST_NAME:
        return None
    matches = difflib.get_close_matches(found, sorted(allowed), n=1, cutoff=0.6)
    return matches[0] if matches else None


def _listing(names: tuple[str, ...]) -> str | None:
    if not names:
        return None
    shown = ", ".join(f"'{name}'" for name in names[:8])
    return f"allowed: {shown}" + (f" and {len(names) - 8} more" if len(names) > 8 else "")
