"""Serialized ParsedExpr of the CEL library -> untyped syntax tree with positions in the text."""

import decimal
import re
import struct

from caselock.expr import macros as macros_of
from caselock.expr import wire
from caselock.expr.ast import (
    ASSOCIATIVE,
    Call,
    Constant,
    Has,
    Index,
    ListExpr,
    Literal,
    Macro,
    MapExpr,
    Node,
    Select,
    Variable,
    chain,
)
from caselock.expr.lexer import Source, Token
from caselock.expr.problem import Kind, Problem, limit
from caselock.expr.types import Bool, Decimal, Int, Null, String, Type

MAX_NODES = 2000
MAX_DEPTH = 64
MAX_MACRO_NESTING = 3
MAX_DIGITS = 34

_EXACT = decimal.Context(prec=MAX_DIGITS)
_DECIMAL = re.compile(r"[0-9]+\.[0-9]+\Z")


def decode(source: Source, serialized: bytes) -> tuple[Node | None, tuple[Problem, ...]]:
    """Return the tree with every node untyped but the literals, or None and what cannot be used.

    Raises ValueError if the bytes are not a ParsedExpr of the source's text.
    """
    decoder = _Decoder(source, serialized)
    node = decoder.root()
    return (None, tuple(decoder.problems)) if decoder.problems else (node, ())


class _Decoder:
    """Walks a serialized ParsedExpr; field numbers are those of cel/expr/syntax.proto."""

    def __init__(self, source: Source, serialized: bytes) -> None:
        parsed = wire.message(wire.one_bytes(wire.message(serialized), 2))
        info = wire.message(wire.one_bytes(parsed, 3))
        pairs = (wire.message(entry) for entry in wire.all_bytes(info, 4))
        self.source = source
        self.problems: list[Problem] = []
        self._root = wire.one_bytes(parsed, 2)
        self._positions = {wire.one_int(pair, 1): wire.one_int(pair, 2) for pair in pairs}
        self._nodes = 0

    def root(self) -> Node:
        """Return the whole tree; it is only good if no problem was found."""
        node = self._node(self._root, 0, 0)
        if self._nodes > MAX_NODES:
            message = f"the expression has {self._nodes} nodes; the limit is {MAX_NODES}"
            self.problems.append(limit(self.source.text, message))
        return node

    def _node(self, data: bytes, depth: int, macros: int) -> Node:
        fields = wire.message(data)
        at = self._positions.get(wire.one_int(fields, 2), 0)
        self._nodes += 1
        if depth > MAX_DEPTH:
            return self._problem("limit", at, f"the expression is nested more than {MAX_DEPTH} deep")
        if 9 in fields:
            return self._comprehension(wire.message(wire.one_bytes(fields, 9)), at, depth + 1, macros + 1)
        for number, decode in (
            (4, self._name),
            (5, self._select),
            (6, self._call),
            (7, self._list),
            (8, self._struct),
        ):
            if number in fields:
                return decode(wire.message(wire.one_bytes(fields, number)), at, depth + 1, macros)
        return self._literal(wire.message(wire.one_bytes(fields, 3)), at)

    def _problem(self, kind: Kind, at: int, message: str, hint: str | None = None) -> Node:
        token = self.source.at(at)
        end = token.end if token else at + 1
        found = token.text if token else None
        self.problems.append(Problem(kind=kind, start=at, end=end, message=message, found=found, hint=hint))
        return Literal(value=None)

    def _literal(self, fields: wire.Message, at: int) -> Node:
        token = self.source.at(at)
        if token is not None and token.text == "-":
            number = self.source.at(at, 1)
            end = number.end if number else token.end
        else:
            number, end = token, token.end if token else at
        value: Constant
        type_: Type
        match next(iter(fields)):
            case 2:
                value, type_ = bool(wire.one_int(fields, 2)), Bool()
            case 3:
                value, type_ = wire.signed(wire.one_int(fields, 3)), Int()
                if number is not None and number.text[:2].lower() == "0x":
                    return self._problem("literal", at, "hexadecimal numbers are not used", f"write {value}")
            case 5:
                exact = self._decimal(number, at)
                if exact is None:
                    return Literal(value=None)
                (approximate,) = struct.unpack("<d", wire.one_bytes(fields, 5))
                value, type_ = (
                    exact.copy_negate() if token is not number else exact,
                    Decimal(step=_unit(exact)),
                )
                if float(value) != approximate:
                    raise ValueError("the literal's position does not lead to its text")
            case 6:
                value, type_ = wire.text(fields, 6), String()
            case 1:
                value, type_ = None, Null()
            case 4:
                return self._problem("literal", at, "unsigned numbers are not used", "leave out the u")
            case _:
                return self._problem("literal", at, "bytes are not used", "write a string without the b")
        return Literal(value=value, type=type_, start=at, end=end)

    def _decimal(self, number: Token | None, at: int) -> decimal.Decimal | None:
        text = number.text if number else ""
        if not _DECIMAL.match(text):
            hint = "write it out with digits on both sides of the point, such as 0.5 or 1000.0"
            self._problem("literal", at, f"'{text}' is not an exact decimal as written", hint)
            return None
        whole, places = text.split(".")
        if len(whole.lstrip("0") + places.rstrip("0")) > MAX_DIGITS:
            self._problem("literal", at, f"the decimal has more than {MAX_DIGITS} digits")
            return None
        return decimal.Decimal(text)

    def _name(self, fields: wire.Message, at: int, depth: int, macros: int) -> Node:
        name = wire.text(fields, 1)
        if name.startswith("."):
            return self._problem("syntax", at, "a name cannot start with a dot", f"write {name[1:]}")
        return Variable(name=name, start=at, end=at + len(name))

    def _select(self, fields: wire.Message, at: int, depth: int, macros: int) -> Node:
        operand = self._node(wire.one_bytes(fields, 1), depth, macros)
        name = wire.text(fields, 2)
        if wire.one_int(fields, 3):
            end = self.source.closing(at)
            last = self.source.at(end - 1, -1)
            first = self.source.at(at, -1)
            start = first.start if first else at
            return Has(operand=operand, field=name, at=last.start if last else at, start=start, end=end)
        token = self.source.at(at, 1)
        start, _ = self.source.widen(operand.start, operand.end)
        name_at, end = (token.start, token.end) if token else (at, at + 1)
        return Select(operand=operand, field=name, at=name_at, start=start, end=end)

    def _call(self, fields: wire.Message, at: int, depth: int, macros: int) -> Node:
        function = wire.text(fields, 2)
        args = [self._node(arg, depth, macros) for arg in wire.all_bytes(fields, 3)]
        if function.startswith("."):
            return self._problem("syntax", at, "a name cannot start with a dot", f"write {function[1:]}(...)")
        if function == "_[_]":
            start, _ = self.source.widen(args[0].start, args[0].end)
            return Index(operand=args[0], key=args[1], start=start, end=self.source.closing(at))
        if not function.isidentifier():
            return self._operator(function, args, at)
        method = 1 in fields
        if method:
            args.insert(0, self._node(wire.one_bytes(fields, 1), depth, macros))
        name = self.source.at(at, -1)
        name_at = name.start if name else at
        start = self.source.widen(args[0].start, args[0].end)[0] if method else name_at
        end = self.source.closing(at)
        return Call(function=function, args=tuple(args), method=method, at=name_at, start=start, end=end)

    def _operator(self, function: str, args: list[Node], at: int) -> Node:
        if function in ASSOCIATIVE:
            return self._balanced(function, [part for arg in args for part in chain(arg, function)])
        spans = [self.source.widen(arg.start, arg.end) for arg in args]
        start, end = min(at, spans[0][0]), spans[-1][1]
        return Call(function=function, args=tuple(args), at=at, start=start, end=end)

    def _balanced(self, function: str, operands: list[Node]) -> Node:
        # One shape for a chain, however it was parenthesised: the operators are associative.
        if len(operands) == 1:
            return operands[0]
        half = (len(operands) + 1) // 2
        args = (self._balanced(function, operands[:half]), self._balanced(function, operands[half:]))
        start = self.source.widen(operands[0].start, operands[0].end)[0]
        end = self.source.widen(operands[-1].start, operands[-1].end)[1]
        return Call(function=function, args=args, at=start, start=start, end=end)

    def _list(self, fields: wire.Message, at: int, depth: int, macros: int) -> Node:
        items = tuple(self._node(item, depth, macros) for item in wire.all_bytes(fields, 1))
        return ListExpr(items=items, start=at, end=self.source.closing(at))

    def _struct(self, fields: wire.Message, at: int, depth: int, macros: int) -> Node:
        if 1 in fields:
            return self._problem("syntax", at, "messages are not used", "write a map: {'key': value}")
        entries = tuple(
            (
                self._node(wire.one_bytes(entry, 3), depth, macros),
                self._node(wire.one_bytes(entry, 4), depth, macros),
            )
            for entry in map(wire.message, wire.all_bytes(fields, 2))
        )
        return MapExpr(entries=entries, start=at, end=self.source.closing(at))

    def _comprehension(self, fields: wire.Message, at: int, depth: int, macros: int) -> Node:
        if macros > MAX_MACRO_NESTING:
            return self._problem("limit", at, f"macros are nested more than {MAX_MACRO_NESTING} deep")
        variable = wire.text(fields, 1)
        range_ = self._node(wire.one_bytes(fields, 2), depth, macros - 1)
        start, _ = self.source.widen(range_.start, range_.end)
        name = self.source.at(at, -1)
        shape = macros_of.shape(fields)
        if shape is None:
            return self._problem("syntax", at, "this loop is not one of the macros")
        kind, condition, transform = shape
        return Macro(
            kind=kind,
            range=range_,
            variable=variable,
            condition=None if condition is None else self._node(condition, depth, macros),
            transform=None if transform is None else self._node(transform, depth, macros),
            at=name.start if name else at,
            start=start,
            end=self.source.closing(at),
        )


def _unit(number: decimal.Decimal) -> decimal.Decimal:
    exponent = number.normalize(_EXACT).as_tuple().exponent
    return decimal.Decimal(1).scaleb(min(exponent, 0) if isinstance(exponent, int) else 0)
