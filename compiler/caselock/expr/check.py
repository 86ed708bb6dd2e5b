"""Untyped syntax tree + scope -> typed syntax tree and every problem of its types."""

from collections.abc import Mapping
from dataclasses import replace

from caselock.expr import ast
from caselock.expr.ast import Node
from caselock.expr.domains import incomparable, malformed_time, unfit
from caselock.expr.problem import Kind, Problem, about, unknown
from caselock.expr.signatures import FUNCTIONS, MACROS, METHODS, result, usage
from caselock.expr.types import (
    UNTYPED,
    Bool,
    Collection,
    Enum,
    Field,
    Id,
    Int,
    List,
    Map,
    Record,
    Scope,
    String,
    Text,
    Type,
    Untyped,
    Variable,
    describe,
    element,
    join,
    key_collection,
)

_ORDERINGS = frozenset({"_<_", "_<=_", "_>_", "_>=_"})
_COMPARE = "write a comparison, such as amount > 100"


def check(node: Node, scope: Scope, expected: Type | None = None) -> tuple[Node, tuple[Problem, ...]]:
    """Return the tree with a type on every node, and what is wrong with it in the order of the text.

    With `expected`, the whole expression must be of that type; a literal must be one of its values.
    """
    checker = _Checker(scope)
    typed = checker.node(node, {})
    if expected is not None:
        checker.problems.extend(unfit(typed, expected, f"expected {describe(expected)}"))
    return typed, tuple(sorted(checker.problems, key=lambda problem: (problem.start, problem.end)))


class _Checker:
    """Types one expression; a node with a reported problem stays untyped, which silences what follows."""

    def __init__(self, scope: Scope) -> None:
        self.scope = scope
        self.problems: list[Problem] = []

    def report(self, kind: Kind, node: Node, message: str, hint: str | None = None) -> None:
        """Record a problem of the whole node."""
        self.problems.append(about(node, kind, message, hint=hint))

    def node(self, node: Node, bound: Mapping[str, Type]) -> Node:
        """Return the node and everything below it with types."""
        match node:
            case ast.Variable():
                return self._variable(node, bound)
            case ast.Select() | ast.Has():
                return self._field(node, bound)
            case ast.Index():
                return self._index(node, bound)
            case ast.ListExpr():
                return self._list(node, bound)
            case ast.MapExpr():
                return self._map(node, bound)
            case ast.Macro():
                return self._macro(node, bound)
            case ast.Call():
                return self._call(node, bound)
            case _:
                return node

    def _variable(self, node: ast.Variable, bound: Mapping[str, Type]) -> Node:
        if node.name in bound:
            return replace(node, type=bound[node.name])
        variable = self.scope.variables.get(node.name)
        if variable is not None:
            return replace(node, type=variable.type)
        names = [*self.scope.variables, *bound]
        self.problems.append(unknown("unknown_name", "name", node.name, names, node.start, node.end))
        return node

    def _field(self, node: ast.Select | ast.Has, bound: Mapping[str, Type]) -> Node:
        operand = self.node(node.operand, bound)
        type_ = self._field_type(node, operand)
        return replace(node, operand=operand, type=Bool() if isinstance(node, ast.Has) else type_)

    def _field_type(self, node: ast.Select | ast.Has, operand: Node) -> Type:
        match operand.type:
            case Record(name=name, fields=fields):
                if node.field in fields:
                    return fields[node.field].type
                end = node.at + len(node.field)
                found = unknown("unknown_field", "field", node.field, fields, node.at, end, f" of {name}")
                self.problems.append(found)
            case Map(entries=entries) if entries and node.field in entries:
                return entries[node.field].type
            case Map(key=key, value=value) if isinstance(key, (String, Untyped)):
                return value
            case Collection(record=record):
                message = f"{describe(operand.type)} has no fields; its records do"
                self.report("type", node, message, f"pick a record first: {record.name}['...'] or only(...)")
            case Untyped():
                pass
            case other:
                self.report("type", node, f"{describe(other)} has no fields")
        return UNTYPED

    def _index(self, node: ast.Index, bound: Mapping[str, Type]) -> Node:
        operand, key = self.node(node.operand, bound), self.node(node.key, bound)
        type_: Type = UNTYPED
        match operand.type:
            case Collection(record=record):
                self._key(operand.type, key)
                type_ = record
            case List(item=item):
                self._require(key, Int(), "a list is indexed by int")
                type_ = item
            case Map(key=key_type, value=value):
                self._map_key(key, key_type)
                type_ = value
            case Untyped():
                pass
            case other:
                self.report("type", node, f"{describe(other)} cannot be indexed")
        return replace(node, operand=operand, key=key, type=type_)

    def _key(self, collection: Collection, key: Node) -> None:
        """Check that a value can be the key of a record of the collection."""
        wanted = key_collection(collection)
        if isinstance(key.type, Id) and key.type.collection != wanted:
            message = f"{describe(key.type)} is not a key of {collection.record.name}"
            self.report("type", key, message, f"use an id of {wanted}")
        elif not isinstance(collection.key_type, Text):
            key_type, name = collection.key_type, collection.record.name
            self._require(key, key_type, f"a key of {name} is {describe(key_type)}")
        elif not isinstance(key.type, (*Text, Untyped)):
            self.report("type", key, f"a key of {collection.record.name} is text, not {describe(key.type)}")

    def _map_key(self, key: Node, wanted: Type) -> None:
        if not isinstance(key.type, (*Text, Int, Bool, Untyped)):
            self.report("type", key, f"a map key is text, int or bool, not {describe(key.type)}")
        else:
            self._require(key, wanted, f"the map's keys are {describe(wanted)}")

    def _require(self, node: Node, wanted: Type, why: str) -> None:
        self.problems.extend(unfit(node, wanted, why))

    def _list(self, node: ast.ListExpr, bound: Mapping[str, Type]) -> Node:
        items = tuple(self.node(item, bound) for item in node.items)
        return replace(node, items=items, type=List(item=self._joined(items, "a list")))

    def _map(self, node: ast.MapExpr, bound: Mapping[str, Type]) -> Node:
        entries = tuple((self.node(key, bound), self.node(value, bound)) for key, value in node.entries)
        for key, _ in entries:
            self._map_key(key, UNTYPED)
        keys = self._joined(tuple(key for key, _ in entries), "a map's keys")
        named = {
            str(key.value): Field(type=value.type)
            for key, value in entries
            if isinstance(key, ast.Literal) and isinstance(key.value, str)
        }
        if len(named) == len(entries) and not _alike([value.type for _, value in entries]):
            return replace(node, entries=entries, type=Map(key=keys, value=UNTYPED, entries=named))
        values = self._joined(tuple(value for _, value in entries), "a map")
        return replace(node, entries=entries, type=Map(key=keys, value=values, entries=named))

    def _joined(self, items: tuple[Node, ...], noun: str) -> Type:
        type_: Type = UNTYPED
        for item in items:
            both = join(type_, item.type)
            if both is None:
                self.report("type", item, f"{noun} of {describe(type_)} cannot hold {describe(item.type)}")
            else:
                type_ = both
        return type_

    def _macro(self, node: ast.Macro, bound: Mapping[str, Type]) -> Node:
        range_ = self.node(node.range, bound)
        item = element(range_.type)
        if item is None:
            hint = "use it on a list, a map or a collection"
            self.report("type", node.range, f"{node.kind} cannot run over {describe(range_.type)}", hint)
        inner = {**bound, node.variable: item or UNTYPED}
        condition = None if node.condition is None else self.node(node.condition, inner)
        transform = None if node.transform is None else self.node(node.transform, inner)
        if condition is not None:
            self._condition(condition, f"the condition of {node.kind}")
        type_ = self._macro_type(node, item or UNTYPED, transform)
        return replace(node, range=range_, condition=condition, transform=transform, type=type_)

    def _macro_type(self, node: ast.Macro, item: Type, transform: Node | None) -> Type:
        match node.kind:
            case "filter":
                return List(item=item)
            case "map":
                return List(item=UNTYPED if transform is None else transform.type)
            case _:
                return Bool()

    def _condition(self, node: Node, noun: str) -> None:
        if not isinstance(node.type, (Bool, Untyped)):
            self.report("type", node, f"{noun} must be bool, not {describe(node.type)}", _COMPARE)

    def _call(self, node: ast.Call, bound: Mapping[str, Type]) -> Node:
        misnamed = _misnamed(node)
        if misnamed is not None:
            self.problems.append(misnamed)
        if node.function in MACROS:
            # A macro the parser did not expand: its variable would only look like an unknown name.
            return node
        node = replace(node, args=tuple(self.node(arg, bound) for arg in node.args))
        if misnamed is not None:
            return node
        match node.function:
            case "_&&_" | "_||_":
                for arg in node.args:
                    self._condition(arg, f"an operand of {ast.operator_sign(node.function)}")
                return replace(node, type=Bool())
            case "_==_" | "_!=_":
                self._equality(*node.args)
                return replace(node, type=Bool())
            case "@in":
                self._membership(*node.args)
                return replace(node, type=Bool())
            case "_?_:_":
                return self._choice(node)
            case _:
                return replace(node, type=self._function(node, bound))

    def _choice(self, node: ast.Call) -> Node:
        condition, then, otherwise = node.args
        self._condition(condition, "the condition of ?:")
        type_ = join(then.type, otherwise.type)
        if type_ is None:
            message = f"the branches of ?: are {describe(then.type)} and {describe(otherwise.type)}"
            self.report("type", node, message, "give both branches one type")
        return replace(node, type=type_ or UNTYPED)

    def _function(self, node: ast.Call, bound: Mapping[str, Type]) -> Type:
        types = tuple(arg.type for arg in node.args)
        if node.function in _ORDERINGS and any(isinstance(type_, Enum) for type_ in types):
            self.report("type", node, "enum values have no order", "compare with == or in")
            return Bool()
        type_ = result(node.function, types)
        if type_ is None:
            found = ", ".join(map(describe, types)) or "nothing"
            message = f"{ast.operator_sign(node.function)} cannot take {found}"
            self.report("type", node, message, usage(node.function))
            return UNTYPED
        if node.function == "present":
            self._presence(node.args[0], bound)
        malformed = malformed_time(node)
        if malformed is not None:
            self.problems.append(malformed)
        return type_

    def _presence(self, arg: Node, bound: Mapping[str, Type]) -> None:
        if isinstance(arg, ast.Variable) and arg.name not in bound:
            variable: Variable | None = self.scope.variables.get(arg.name)
            if variable is None or variable.optional:
                return
            self.report("type", arg, f"'{arg.name}' is never missing", "leave out present(...)")
        else:
            hint = "ask a field with has(record.field), any expression with known(...)"
            self.report("type", arg, "present() asks about a variable", hint)

    def _equality(self, left: Node, right: Node) -> None:
        self._unquoted(left, right.type)
        self._unquoted(right, left.type)
        self.problems.extend(incomparable(left, right))

    def _unquoted(self, node: Node, other: Type) -> None:
        """Give the better hint where an unknown name is the value of the enum it is compared with."""
        if isinstance(node, ast.Variable) and isinstance(other, Enum) and node.name in other.values:
            hint = f"write {ast.quote(node.name)} for the value of {describe(other)}"
            self.problems = [
                replace(problem, hint=hint)
                if (problem.kind, problem.start) == ("unknown_name", node.start)
                else problem
                for problem in self.problems
            ]

    def _membership(self, item: Node, container: Node) -> None:
        match container.type:
            case Collection():
                self._key(container.type, item)
            case Map(key=key):
                self._map_key(item, key)
            case List() if isinstance(container, ast.ListExpr):
                for choice in container.items:
                    self._equality(item, choice)
            case List(item=wanted):
                self.problems.extend(incomparable(item, replace(container, type=wanted)))
            case Untyped():
                pass
            case other:
                message = f"in looks into a list, a map or a collection, not {describe(other)}"
                self.report("type", container, message)


def _alike(types: list[Type]) -> bool:
    """Tell whether one type holds the values of all of them."""
    both: Type | None = UNTYPED
    for type_ in types:
        both = None if both is None else join(both, type_)
    return both is not None


def _misnamed(node: ast.Call) -> Problem | None:
    """Return the problem of a function that does not exist, or not in this way of writing a call."""
    name = node.function
    if not name.isidentifier() or name == "size" or name in (METHODS if node.method else FUNCTIONS):
        return None
    end = node.at + len(name)
    if name in METHODS:
        hint = f"write it behind its operand: x.{name}(...)"
    elif name in FUNCTIONS:
        hint = f"write {name}(...)"
    elif name in MACROS:
        hint = f"write list.{name}(item, ...)"
    else:
        allowed = (*MACROS, "has", *FUNCTIONS, *METHODS)
        return unknown("function", "function", name, allowed, node.at, end)
    message = f"'{name}' is not called this way"
    return Problem(kind="function", start=node.at, end=end, message=message, found=name, hint=hint)
