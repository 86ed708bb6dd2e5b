"""Expression text -> untyped syntax tree, by way of the CEL library's parser; syntax errors in our words."""

import re
from functools import cache, lru_cache
from typing import TYPE_CHECKING

from caselock.expr.ast import Node
from caselock.expr.decode import decode
from caselock.expr.lexer import Source
from caselock.expr.problem import Kind, Problem, limit

if TYPE_CHECKING:
    from cel_expr_python import cel  # type: ignore[import-untyped]

MAX_LENGTH = 8192
# The library gives up beyond this nesting of its grammar rules; brackets are counted before it is asked.
_PARSER_DEPTH = 32

_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f\ud800-\udfff]")
_POSITION = re.compile(r"ERROR: <input>:(\d+):(\d+): (.*)")
# The parser's own limit has no position: it cancels, or reports line 2**32 - 1.
_TOO_DEEP = re.compile(r"\ACANCELLED|ERROR: <input>:4294967295:0:")
_WORDS = {"and": "&&", "or": "||", "not": "!"}
_SIGNS = {"=": "==", "&": "&&", "|": "||"}


@lru_cache(maxsize=4096)
def parse(text: str) -> tuple[Node | None, tuple[Problem, ...]]:
    """Return the tree with every node untyped but the literals, or None and what is wrong with the text."""
    problem = _unreadable(text)
    if problem is not None:
        return None, (problem,)
    source = Source(text)
    if source.depth > _PARSER_DEPTH:
        return None, (limit(text, f"brackets are nested more than {_PARSER_DEPTH} deep"),)
    try:
        serialized = _environment().compile(text, disable_check=True).serialize()
    except RuntimeError as error:
        return None, (_syntax(source, str(error)),)
    return decode(source, serialized)


@cache
def _environment() -> "cel.Env":
    from cel_expr_python import cel

    return cel.NewEnv()


def _unreadable(text: str) -> Problem | None:
    if len(text) > MAX_LENGTH:
        return limit(text, f"the expression has {len(text)} characters; the limit is {MAX_LENGTH}")
    control = _CONTROL.search(text)
    if control is None:
        return None
    return Problem(
        kind="syntax",
        start=control.start(),
        end=control.end(),
        message=f"character U+{ord(control.group()):04X} cannot stand in an expression",
        hint="write it as an escape inside a string, such as '\\u0007'",
    )


def _syntax(source: Source, report: str) -> Problem:
    found = _POSITION.search(report)
    if found is None or _TOO_DEEP.search(report):
        return limit(source.text, "the expression is nested too deep")
    lines = source.text.split("\n")
    offset = sum(len(line) + 1 for line in lines[: int(found[1]) - 1]) + int(found[2]) - 1
    start = min(max(offset, 0), len(source.text))
    return _explained(source, start, found[3])


def _explained(source: Source, start: int, report: str) -> Problem:
    token = source.at(start)
    end = token.end if token else min(start + 1, len(source.text))
    kind: Kind = "syntax"
    hint: str | None = None
    if "invalid int literal" in report:
        kind, message = "literal", "the whole number does not fit in 64 bits"
        hint = "use a decimal, such as 12.0, for larger numbers"
    elif "has() argument" in report:
        message, hint = "has() asks for a field", "write has(record.field)"
    elif "must be a simple identifier" in report:
        message, hint = "a macro needs a plain variable name first", "write list.all(x, x > 0)"
    elif "unsupported syntax" in report:
        message, hint = "optional access (.? and [?]) is not used", "ask with has(record.field)"
    elif start == len(source.text):
        message, hint = "the expression ends too early", "add the missing operand or closing bracket"
    else:
        message, hint = _unexpected(source.text[start:end])
    found = source.text[start:end] or None
    return Problem(kind=kind, start=start, end=end, message=message, found=found, hint=hint)


def _unexpected(found: str) -> tuple[str, str]:
    if found in ("'", '"'):
        return "the string is not closed", f"close it with {found}"
    meant = _SIGNS.get(found) or _WORDS.get(found)
    hint = f"write {meant}" if meant else "an operator, operand or bracket before it is missing or extra"
    return f"unexpected '{found}'", hint
