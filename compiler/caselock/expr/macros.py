"""An expanded comprehension -> the macro that was written: cel-cpp's parser/macro.cc has the expansions."""

from typing import TypeAlias

from caselock.expr import wire
from caselock.expr.ast import MacroKind

Shape: TypeAlias = tuple[MacroKind, bytes | None, bytes | None]

_RESULT = "@result"


def shape(comprehension: wire.Message) -> Shape | None:
    """Return the macro's kind, and the serialized condition and transform; None for any other loop."""
    variable = wire.text(comprehension, 1)
    result = wire.one_bytes(comprehension, 7)
    function, args = _call(wire.one_bytes(comprehension, 6))
    match function, args:
        case "_&&_", [accumulated, condition] if _name(accumulated) == _RESULT == _name(result):
            return "all", condition, None
        case "_||_", [accumulated, condition] if _name(accumulated) == _RESULT == _name(result):
            return "exists", condition, None
        case "_+_", [accumulated, item] if _name(accumulated) == _RESULT == _name(result):
            transform = _only_item(item)
            return None if transform is None else ("map", None, transform)
        case "_?_:_", [condition, then, otherwise] if _name(otherwise) == _RESULT:
            return _conditional(condition, then, result, variable)
        case _:
            return None


def _conditional(condition: bytes, then: bytes, result: bytes, variable: str) -> Shape | None:
    function, args = _call(then)
    if function != "_+_" or len(args) != 2 or _name(args[0]) != _RESULT:
        return None
    if _call(result)[0] == "_==_":
        return "exists_one", condition, None
    transform = _only_item(args[1])
    if transform is None or _name(result) != _RESULT:
        return None
    # map(x, c, x) expands exactly as filter(x, c) does, and means the same.
    return ("filter", condition, None) if _name(transform) == variable else ("map", condition, transform)


def _name(expression: bytes) -> str | None:
    fields = wire.message(expression)
    return wire.text(wire.message(wire.one_bytes(fields, 4)), 1) if 4 in fields else None


def _call(expression: bytes) -> tuple[str, list[bytes]]:
    fields = wire.message(expression)
    if 6 not in fields:
        return "", []
    call = wire.message(wire.one_bytes(fields, 6))
    return wire.text(call, 2), wire.all_bytes(call, 3)


def _only_item(expression: bytes) -> bytes | None:
    fields = wire.message(expression)
    items = wire.all_bytes(wire.message(wire.one_bytes(fields, 7)), 1) if 7 in fields else []
    return items[0] if len(items) == 1 else None
