"""Evaluation on what an agent knows: a value, missing, or hidden with the term that names it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import Any

from caselock.expr.ast import (
    Call,
    Has,
    Index,
    ListExpr,
    Literal,
    Macro,
    MapExpr,
    Node,
    Select,
    Variable,
    free_variables,
)
from caselock.expr.compile import Expression
from caselock.expr.evaluate import evaluator
from caselock.expr.values import EvaluationError, Missing
from caselock.solve.knowledge import Fact, Knowledge
from caselock.solve.terms import Hidden, as_term, canonical, conjuncts
from caselock.world.identity import ByIdentity
from caselock.world.state import Value

_ROW = "$"


class Interpreter:
    """Evaluates expressions on one state of knowledge; lets are evaluated when first read.

    `used` collects the facts that evaluations rested on.
    """

    def __init__(
        self,
        knowledge: Knowledge,
        names: Mapping[str, Value],
        lets: Mapping[str, Expression] | None = None,
        used: set[Fact] | None = None,
    ) -> None:
        self._knowledge = knowledge
        self._used: set[Fact] = set() if used is None else used
        self._names = dict(names)
        self._lets = lets or {}
        self.collections = knowledge.collections

    def evaluate(self, node: Node, bound: Mapping[str, Value] | None = None) -> Value:
        """A value, a `Missing`, or a `Hidden`; never raises."""
        bound = bound or {}
        match node:
            case Literal(value=value):
                return value
            case Variable(name=name):
                return self._variable(node, name, bound)
            case Select(operand=operand, field=field):
                return self._select(node, self.evaluate(operand, bound), field)
            case Has(operand=operand, field=field):
                return self._has(node, self.evaluate(operand, bound), field)
            case Index(operand=operand, key=key):
                return self._index(node, operand, self.evaluate(key, bound), bound)
            case Macro():
                return self._macro(node, bound)
            case Call(function="_&&_" | "_||_" as function, args=args):
                return self._logic(node, function == "_||_", [self.evaluate(arg, bound) for arg in args])
            case Call(function="_?_:_", args=(condition, then, otherwise)):
                return self._choose(node, condition, then, otherwise, bound)
            case Call(function="known" | "present", args=(inner,)):
                return self._known(node, self.evaluate(inner, bound), inner)
            case Call(args=args):
                return self._apply(node, args, [self.evaluate(arg, bound) for arg in args])
            case ListExpr(items=items):
                return self._apply(node, items, [self.evaluate(item, bound) for item in items])
            case MapExpr(entries=entries):
                parts = [part for entry in entries for part in entry]
                return self._apply(node, parts, [self.evaluate(part, bound) for part in parts])
            case _:
                raise TypeError(type(node).__name__)

    def _variable(self, node: Node, name: str, bound: Mapping[str, Value]) -> Value:
        if name in bound:
            return bound[name]
        if name in self._names:
            return self._names[name]
        if name in self._lets:
            self._names[name] = self.evaluate(self._lets[name].node)
            return self._names[name]
        return Hidden(node)

    def _select(self, node: Select, operand: Value, field: str) -> Value:
        if isinstance(operand, Missing):
            return operand
        if isinstance(operand, Hidden):
            return self._settled(Hidden(replace(node, operand=operand.term)))
        return operand[field] if field in operand else Missing(f"'{field}' is absent")

    def _has(self, node: Has, operand: Value, field: str) -> Value:
        if isinstance(operand, Missing):
            return operand
        if isinstance(operand, Hidden):
            return self._settled(Hidden(replace(node, operand=operand.term)))
        return field in operand

    def _index(self, node: Index, operand: Node, key: Value, bound: Mapping[str, Value]) -> Value:
        if isinstance(key, Missing):
            return key
        if isinstance(operand, Variable) and operand.name in self.collections and operand.name not in bound:
            return self._look_up(node, operand.name, key)
        return self._apply(node, (operand, node.key), [self.evaluate(operand, bound), key])

    def _look_up(self, node: Index, collection: str, key: Value) -> Value:
        term = replace(node, key=as_term(key, node.key))
        if isinstance(key, Hidden):
            return Hidden(term)
        record = self._knowledge.records.get((collection, key))
        if record is not None:
            self._used.add(("record", (collection, key)))
            return record
        there = self._atom(Call(function="known", args=(term,)))
        return Missing(f"{collection} has no '{key}'") if there is False else Hidden(term)

    def _atom(self, term: Node) -> bool | None:
        """What was observed of a condition, if anything; a term that still names a let says nothing by itself."""
        if not self.is_ground(term):
            return None
        text, truth = canonical(term)
        known = self._knowledge.atoms.get(text)
        if known is None:
            return None
        self._used.add(("atom", text))
        return known == truth

    def is_ground(self, term: Node) -> bool:
        """True when a term means the same wherever it stands: it names records by key, and nothing by a let."""
        return free_variables(term) <= self.collections

    def _settled(self, hidden: Hidden) -> Value:
        """A hidden condition that was observed on its own is known."""
        known = self._atom(hidden.term)
        return hidden if known is None else known

    def _logic(self, node: Call, absorbing: bool, values: list[Value]) -> Value:
        if any(value is absorbing for value in values):
            return absorbing
        hidden = [value.term for value in values if isinstance(value, Hidden)]
        if hidden:
            return Hidden(hidden[0] if len(hidden) == 1 else replace(node, args=tuple(hidden)))
        return next((value for value in values if isinstance(value, Missing)), not absorbing)

    def _choose(self, node: Call, condition: Node, then: Node, otherwise: Node, bound: Mapping[str, Value]) -> Value:
        chosen = self.evaluate(condition, bound)
        if isinstance(chosen, Missing):
            return chosen
        if isinstance(chosen, Hidden):
            return Hidden(node)
        return self.evaluate(then if chosen else otherwise, bound)

    def _known(self, node: Call, value: Value, inner: Node) -> Value:
        if isinstance(value, Hidden):
            return self._settled(Hidden(replace(node, args=(value.term,))))
        return not isinstance(value, Missing)

    def _apply(self, node: Node, args: Sequence[Node], values: list[Value]) -> Value:
        if any(isinstance(value, Hidden) for value in values):
            terms = tuple(as_term(value, arg) for value, arg in zip(values, args, strict=True))
            return self._settled(Hidden(_rebuilt(node, terms)))
        missing = next((value for value in values if isinstance(value, Missing)), None)
        if missing is not None:
            return missing
        try:
            return _operation(ByIdentity(node))({f"v{index}": value for index, value in enumerate(values)})
        except Missing as undefined:
            return undefined
        except EvaluationError:
            return Hidden(node)

    def _macro(self, node: Macro, bound: Mapping[str, Value]) -> Value:
        items = self._items(node, bound)
        if isinstance(items, Hidden | Missing):
            return items
        rows = [(item, self._row(node, item, bound)) for item in items]
        if node.kind in ("exists", "all") and any(value is (node.kind == "exists") for _, value in rows):
            return node.kind == "exists"  # one row settles it, whatever the others are
        if any(isinstance(value, Hidden) for _, value in rows):
            return Hidden(node)
        missing = next((value for _, value in rows if isinstance(value, Missing)), None)
        return self._collect(node, rows, bound) if missing is None else missing

    def _row(self, node: Macro, item: Value, bound: Mapping[str, Value]) -> Value:
        condition = node.condition
        return True if condition is None else self.evaluate(condition, {**bound, node.variable: item})

    def _collect(self, node: Macro, rows: list[tuple[Value, Value]], bound: Mapping[str, Value]) -> Value:
        chosen = [item for item, value in rows if value is True]
        match node.kind:
            case "filter":
                return tuple(chosen)
            case "exists":
                return bool(chosen)
            case "all":
                return len(chosen) == len(rows)
            case "exists_one":
                return len(chosen) == 1
            case "map":
                return self._mapped(node, chosen, bound)

    def _mapped(self, node: Macro, chosen: list[Value], bound: Mapping[str, Value]) -> Value:
        if node.transform is None:
            return tuple(chosen)
        values = [self.evaluate(node.transform, {**bound, node.variable: item}) for item in chosen]
        undefined = next((value for value in values if isinstance(value, Hidden | Missing)), None)
        return tuple(values) if undefined is None else undefined

    def _items(self, node: Macro, bound: Mapping[str, Value]) -> Any:
        """What a macro runs over; over a collection only the records that a complete listing has shown."""
        source = node.range
        if not (isinstance(source, Variable) and source.name in self.collections and source.name not in bound):
            value = self.evaluate(source, bound)
            return tuple(value) if isinstance(value, Mapping) else value
        if not self._covered(source.name, node, bound):
            return Hidden(node)
        return [record for (name, _), record in sorted(self._knowledge.records.items()) if name == source.name]

    def _covered(self, collection: str, node: Macro, bound: Mapping[str, Value]) -> bool:
        """True when some complete listing shows every record that could satisfy the macro's condition."""
        wanted = self.scan_conditions(node, bound) if node.kind != "all" else frozenset[str]()
        fitting = [item for item in self._knowledge.listings if item[0] == collection and item[1] <= wanted]
        self._used.update(("listing", item) for item in fitting)
        return bool(fitting)

    def scan_conditions(self, node: Macro, bound: Mapping[str, Value] | None = None) -> frozenset[str]:
        """The conditions of a macro as canonical texts, its variable renamed so that two scans can be compared."""
        if node.condition is None:
            return frozenset()
        row = Hidden(Variable(name=_ROW))
        value = self.evaluate(node.condition, {**(bound or {}), node.variable: row})
        if isinstance(value, Hidden):
            return conjuncts(value.term)
        return frozenset() if value is True else frozenset(["false"])


@cache
def _operation(same: ByIdentity[Node]) -> Callable[[Mapping[str, Value]], Value]:
    """One operation of a tree as a function of its operands v0, v1, ..."""
    node = same.value
    args = _operands(node)
    return evaluator(_rebuilt(node, tuple(Variable(name=f"v{i}", type=arg.type) for i, arg in enumerate(args))))


def _operands(node: Node) -> tuple[Node, ...]:
    match node:
        case Index(operand=operand, key=key):
            return (operand, key)
        case ListExpr(items=items):
            return items
        case MapExpr(entries=entries):
            return tuple(part for entry in entries for part in entry)
        case Call(args=args):
            return args
        case _:
            raise TypeError(type(node).__name__)


def _rebuilt(node: Node, operands: tuple[Node, ...]) -> Node:
    """The same operation on other operands."""
    match node:
        case Index():
            return replace(node, operand=operands[0], key=operands[1])
        case ListExpr():
            return replace(node, items=operands)
        case MapExpr():
            return replace(node, entries=tuple(zip(operands[::2], operands[1::2], strict=True)))
        case Call():
            return replace(node, args=operands)
        case _:
            raise TypeError(type(node).__name__)
