"""The typed syntax tree of an expression, how to walk it, and how to write it back as CEL text."""

import dataclasses
import decimal
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal as Choice
from typing import TypeAlias

from caselock.expr.types import UNTYPED, Type

MacroKind: TypeAlias = Choice["all", "exists", "exists_one", "filter", "map"]
Constant: TypeAlias = bool | int | decimal.Decimal | str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Node:
    """What every node has: its type, and code-point offsets into the source text (not compared)."""

    type: Type = UNTYPED
    start: int = dataclasses.field(default=0, compare=False)
    end: int = dataclasses.field(default=0, compare=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Literal(Node):
    """A constant as written."""

    value: Constant


@dataclass(frozen=True, slots=True, kw_only=True)
class Variable(Node):
    """A name of the scope, or of an enclosing macro."""

    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Select(Node):
    """`operand.field`; `at` is the offset of the field's name."""

    operand: "Node"
    field: str
    at: int = dataclasses.field(default=0, compare=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Has(Node):
    """`has(operand.field)`; `at` is the offset of the field's name."""

    operand: "Node"
    field: str
    at: int = dataclasses.field(default=0, compare=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Index(Node):
    """`operand[key]`."""

    operand: "Node"
    key: "Node"


@dataclass(frozen=True, slots=True, kw_only=True)
class Call(Node):
    """An operator by its CEL name (`_&&_`), or a function; a method's target comes first in `args`."""

    function: str
    args: tuple["Node", ...]
    method: bool = False
    at: int = dataclasses.field(default=0, compare=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class ListExpr(Node):
    """`[item, ...]`."""

    items: tuple["Node", ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class MapExpr(Node):
    """`{key: value, ...}`."""

    entries: tuple[tuple["Node", "Node"], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Macro(Node):
    """A loop over `range`; all kinds but map have a condition, only map has a transform and may have both."""

    kind: MacroKind
    range: "Node"
    variable: str
    condition: "Node | None" = None
    transform: "Node | None" = None
    at: int = dataclasses.field(default=0, compare=False)


def children(node: Node) -> tuple[Node, ...]:
    """Return the direct subexpressions, left to right."""
    match node:
        case Select(operand=operand) | Has(operand=operand):
            return (operand,)
        case Index(operand=operand, key=key):
            return (operand, key)
        case Call(args=args):
            return args
        case ListExpr(items=items):
            return items
        case MapExpr(entries=entries):
            return tuple(part for entry in entries for part in entry)
        case Macro(range=range_, condition=condition, transform=transform):
            return tuple(part for part in (range_, condition, transform) if part is not None)
        case _:
            return ()


def walk(node: Node) -> Iterator[Node]:
    """Yield the node and everything below it, parents first, left to right."""
    yield node
    for child in children(node):
        yield from walk(child)


def free_variables(node: Node) -> frozenset[str]:
    """Return the names that the expression takes from its scope."""
    return frozenset(path[0] for path in reads(node))


def reads(node: Node) -> frozenset[tuple[str, ...]]:
    """Return the dotted paths read from the scope, each as long as it can be, such as (order, status)."""
    return frozenset(_reads(node, frozenset()))


def _reads(node: Node, bound: frozenset[str]) -> Iterator[tuple[str, ...]]:
    path = _path(node)
    if path is not None:
        if path[0] not in bound:
            yield path
        return
    if isinstance(node, Macro):
        yield from _reads(node.range, bound)
        for part in children(node)[1:]:
            yield from _reads(part, bound | {node.variable})
        return
    for child in children(node):
        yield from _reads(child, bound)


def _path(node: Node) -> tuple[str, ...] | None:
    match node:
        case Variable(name=name):
            return (name,)
        case Select(operand=operand, field=name) | Has(operand=operand, field=name):
            prefix = _path(operand)
            return None if prefix is None else (*prefix, name)
        case _:
            return None


def chain(node: Node, function: str) -> tuple[Node, ...]:
    """Return the operands of nested calls of one associative operator, left to right."""
    if isinstance(node, Call) and node.function == function:
        return tuple(part for arg in node.args for part in chain(arg, function))
    return (node,)


ASSOCIATIVE = frozenset({"_&&_", "_||_"})

# CEL's precedence, loosest first: cel.dev/spec, "Syntax".
_BINARY = {
    "_||_": (" || ", 1),
    "_&&_": (" && ", 2),
    "_==_": (" == ", 3),
    "_!=_": (" != ", 3),
    "_<_": (" < ", 3),
    "_<=_": (" <= ", 3),
    "_>_": (" > ", 3),
    "_>=_": (" >= ", 3),
    "@in": (" in ", 3),
    "_+_": (" + ", 4),
    "_-_": (" - ", 4),
    "_*_": (" * ", 5),
    "_/_": (" / ", 5),
    "_%_": (" % ", 5),
}
_UNARY = {"!_": "!", "-_": "-"}
_UNARY_LEVEL, _PRIMARY = 6, 7
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\Z")


def unparse(node: Node) -> str:
    """Return canonical CEL text; parsing it again gives an equal tree."""
    return _unparse(node, 0)


def operator_sign(function: str) -> str:
    """Return how an operator is written (`_&&_` -> `&&`); other functions keep their name."""
    if function in _BINARY:
        return _BINARY[function][0].strip()
    return {"!_": "!", "-_": "-", "_?_:_": "?:"}.get(function, function)


def _unparse(node: Node, level: int) -> str:
    match node:
        case Literal(value=value):
            return _constant(value, level)
        case Variable(name=name):
            return name
        case Select(operand=operand, field=name):
            return f"{_unparse(operand, _PRIMARY)}.{_field(name)}"
        case Has(operand=operand, field=name):
            return f"has({_unparse(operand, _PRIMARY)}.{_field(name)})"
        case Index(operand=operand, key=key):
            return f"{_unparse(operand, _PRIMARY)}[{_unparse(key, 0)}]"
        case ListExpr(items=items):
            return f"[{_joined(items)}]"
        case MapExpr(entries=entries):
            return "{" + ", ".join(f"{_unparse(k, 0)}: {_unparse(v, 0)}" for k, v in entries) + "}"
        case Macro(range=range_, variable=variable, kind=kind):
            body = ", ".join([variable, *(_unparse(part, 0) for part in children(node)[1:])])
            return f"{_unparse(range_, _PRIMARY)}.{kind}({body})"
        case Call():
            return _call(node, level)
        case _:
            raise TypeError(type(node).__name__)


def _call(node: Call, level: int) -> str:
    if node.function in _BINARY:
        return _binary(node, level)
    if node.function in _UNARY:
        # -(3) is a call and -3 a literal; a sign right before a sign would vanish.
        arg = node.args[0]
        text = f"({_unparse(arg, 0)})" if isinstance(arg, Literal) else _unparse(arg, _PRIMARY)
        return _enclosed(_UNARY[node.function] + text, level > _UNARY_LEVEL)
    if node.function == "_?_:_":
        condition, then, otherwise = node.args
        text = f"{_unparse(condition, 1)} ? {_unparse(then, 1)} : {_unparse(otherwise, 0)}"
        return _enclosed(text, level > 0)
    if node.method:
        return f"{_unparse(node.args[0], _PRIMARY)}.{node.function}({_joined(node.args[1:])})"
    return f"{node.function}({_joined(node.args)})"


def _binary(node: Call, level: int) -> str:
    sign, own = _BINARY[node.function]
    if node.function in ASSOCIATIVE:
        return _enclosed(sign.join(_unparse(part, own + 1) for part in chain(node, node.function)), level > own)
    left, right = node.args
    return _enclosed(_unparse(left, own) + sign + _unparse(right, own + 1), level > own)


def _constant(value: Constant, level: int) -> str:
    match value:
        case None:
            return "null"
        case bool():
            return "true" if value else "false"
        case str():
            return quote(value)
        case int():
            return _enclosed(str(value), value < 0 and level >= _PRIMARY)
        case decimal.Decimal():
            text = format(value, "f")
            return _enclosed(text if "." in text else text + ".0", value.is_signed() and level >= _PRIMARY)


def quote(text: str) -> str:
    """Return the text as a CEL string literal."""
    return "'" + "".join(_escaped(char) for char in text) + "'"


def _escaped(char: str) -> str:
    if char < " " or char == "\x7f":
        return f"\\u{ord(char):04x}"
    return "\\" + char if char in "\\'" else char


def _field(name: str) -> str:
    return name if _NAME.match(name) else f"`{name}`"


def _joined(nodes: tuple[Node, ...]) -> str:
    return ", ".join(_unparse(node, 0) for node in nodes)


def _enclosed(text: str, needed: bool) -> str:
    return f"({text})" if needed else text
