"""Typed syntax tree -> Python function; its source holds our own names only, never text of the expression."""

import datetime
import functools
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

from caselock.expr import ast, runtime, times
from caselock.expr.ast import Node
from caselock.expr.types import (
    UNTYPED,
    Collection,
    Container,
    Decimal,
    Duration,
    Id,
    Int,
    List,
    Map,
    Record,
    Timestamp,
    Type,
)
from caselock.expr.values import EvaluationError, Undefined, Value

Evaluator: TypeAlias = Callable[[Mapping[str, object]], Value]

_HELPERS = {name: value for name, value in vars(runtime).items() if not name.startswith("_") and callable(value)}
_COMPARISONS = {"_<_": "<", "_<=_": "<=", "_>_": ">", "_>=_": ">="}
_METHODS = {"startsWith": "startswith", "endsWith": "endswith"}
_NUMERIC = {
    "_+_": ("fit({} + {})", "add_decimal({}, {})"),
    "_-_": ("fit({} - {})", "subtract_decimal({}, {})"),
    "_*_": ("fit({} * {})", "multiply_decimal({}, {})"),
    "_/_": ("divide_int({}, {})", "divide_decimal({}, {})"),
    "_%_": ("remainder({}, {})", ""),
}
# cel.dev/spec, "List of standard definitions": months and days count from 0, getDate from 1, Sunday is 0.
_DATE_PARTS = {
    "getFullYear": "{}.year",
    "getMonth": "({}.month - 1)",
    "getDate": "{}.day",
    "getDayOfMonth": "({}.day - 1)",
    "getDayOfWeek": "({}.isoweekday() % 7)",
    "getDayOfYear": "({}.timetuple().tm_yday - 1)",
    "getHours": "{}.hour",
    "getMinutes": "{}.minute",
    "getSeconds": "{}.second",
    "getMilliseconds": "({}.microsecond // 1000)",
}
_UNITS = {
    "getHours": datetime.timedelta(hours=1),
    "getMinutes": datetime.timedelta(minutes=1),
    "getSeconds": datetime.timedelta(seconds=1),
}


def evaluator(expr: Node) -> Evaluator:
    """Return a function from an activation (values by variable name) to the expression's value.

    It raises Missing, EvaluationError, or an Undefined found in the activation. The tree must come from the
    checker without problems, and the values must be of the types it was checked with.
    """
    names = tuple(sorted(ast.free_variables(expr)))

    @functools.cache
    def guarded() -> Evaluator:
        return _compile(expr, names, guarded=True)

    return _compile(expr, names, guarded=False, fallback=lambda activation: guarded()(activation))


def _compile(expr: Node, names: tuple[str, ...], *, guarded: bool, fallback: Evaluator | None = None) -> Evaluator:
    generator = _Generator(names, guarded)
    result = generator.code(expr).text
    lines = ["def evaluate(a):"]
    if names and not guarded:
        # All variables have values nearly always; whatever is undefined takes the slower road.
        reads = "; ".join(f"v{index} = a[{generator.constant(name)}]" for index, name in enumerate(names))
        tests = " or ".join(f"isinstance(v{index}, Undefined)" for index in range(len(names)))
        lines += ["    try:", f"        {reads}", "    except KeyError: return fallback(a)"]
        lines += [f"    if {tests}: return fallback(a)"]
    if generator.costly:
        lines += [f"    b = [{runtime.MAX_ITERATIONS}]", f"    try: return {result}"]
        lines += ["    except TooCostlyError: raise EvaluationError(TOO_COSTLY) from None"]
    else:
        lines += [f"    return {result}"]
    namespace: dict[str, Any] = {
        **_HELPERS,
        **generator.constants,
        "fallback": fallback,
        "Undefined": Undefined,
        "EvaluationError": EvaluationError,
        "TOO_COSTLY": f"more than {runtime.MAX_ITERATIONS} loop steps",
    }
    # The source is made of our own names and operators, see the tests for hostile texts.
    exec(compile("\n".join(lines), "<expression>", "exec"), namespace)  # noqa: S102
    function: Evaluator = namespace["evaluate"]
    return function


@dataclass(frozen=True, slots=True)
class _Code:
    """A Python expression, and whether evaluating it can raise an Undefined."""

    text: str
    fails: bool = False


class _Generator:
    """Generates one function body; `guarded` code expects any variable to be undefined."""

    def __init__(self, names: tuple[str, ...], guarded: bool) -> None:
        self.constants: dict[str, Any] = {}
        self.costly = False
        self._guarded = guarded
        self._variables = {name: f"v{index}" for index, name in enumerate(names)}
        self._loops: list[tuple[str, str]] = []

    def constant(self, value: object) -> str:
        """Return the name under which generated code finds the value."""
        name = f"k{len(self.constants)}"
        self.constants[name] = value
        return name

    def code(self, node: Node) -> _Code:
        """Return the code of a node."""
        match node:
            case ast.Literal(value=value):
                return _Code(self.constant(value))
            case ast.Variable(name=name):
                return self._variable(name)
            case ast.Select():
                return self._select(node)
            case ast.Has(operand=operand, field=name):
                inner = self.code(operand)
                return _Code(f"({self.constant(name)} in {inner.text})", inner.fails)
            case ast.Index():
                return self._index(node)
            case ast.ListExpr(items=items):
                return self._sequence("[{}]", items)
            case ast.MapExpr(entries=entries):
                pairs = ", ".join(f"({self.code(k).text}, {self.code(v).text})" for k, v in entries)
                return _Code(f"table([{pairs}])", True)
            case ast.Macro():
                return self._macro(node)
            case ast.Call():
                return self._call(node)
            case _:
                raise TypeError(type(node).__name__)

    def _sequence(self, template: str, nodes: tuple[Node, ...]) -> _Code:
        parts = [self.code(node) for node in nodes]
        return _Code(template.format(", ".join(p.text for p in parts)), any(p.fails for p in parts))

    def _variable(self, name: str) -> _Code:
        for variable, local in reversed(self._loops):
            if variable == name:
                return _Code(local)
        if self._guarded:
            return _Code(f"read(a, {self.constant(name)})", True)
        return _Code(self._variables[name])

    def _select(self, node: ast.Select) -> _Code:
        operand, key = self.code(node.operand), self.constant(node.field)
        type_ = node.operand.type
        if isinstance(type_, Record) and not type_.fields[node.field].optional:
            return _Code(f"{operand.text}[{key}]", operand.fails)
        return _Code(f"entry({operand.text}, {key})", True)

    def _index(self, node: ast.Index) -> _Code:
        helper = "entry"
        if isinstance(node.operand.type, List):
            helper = "item"
        elif isinstance(node.operand.type, Collection) and _declared(node.key.type):
            helper = "joined"
        return _Code(f"{helper}({self.code(node.operand).text}, {self.code(node.key).text})", True)

    def _call(self, node: ast.Call) -> _Code:
        match node.function:
            case "_&&_" | "_||_":
                return self._logic(node)
            case "known":
                return self._known(node.args[0])
            case "present":
                return self._present(node.args[0])
            case "_==_" | "_!=_" | "@in":
                return self._equality(node)
            case "_?_:_":
                condition, then, otherwise = node.args
                return self._sequence_of("({1} if {0} else {2})", condition, then, otherwise)
            case "timestamp" | "duration" if isinstance(node.args[0], ast.Literal):
                parse = times.timestamp if node.function == "timestamp" else times.duration
                return _Code(self.constant(parse(str(node.args[0].value))))
            case _:
                return self._operation(node)

    def _sequence_of(self, template: str, *nodes: Node, fails: bool = False) -> _Code:
        parts = [self.code(node) for node in nodes]
        return _Code(template.format(*(p.text for p in parts)), fails or any(p.fails for p in parts))

    def _logic(self, node: ast.Call) -> _Code:
        left, right = (self.code(arg) for arg in node.args)
        word, helper = ("and", "both") if node.function == "_&&_" else ("or", "either")
        if not left.fails and not right.fails:
            return _Code(f"({left.text} {word} {right.text})")
        if not left.fails:
            # A sound left operand needs no absorbing: it decides, or the right one does.
            return _Code(f"({left.text} {word} {right.text})", True)
        if not right.fails:
            # The operators are commutative, and the sound operand is cheaper to ask first.
            return _Code(f"({right.text} {word} {left.text})", True)
        return _Code(f"{helper}(lambda: {left.text}, lambda: {right.text})", True)

    def _known(self, arg: Node) -> _Code:
        inner = self.code(arg)
        return _Code(f"known(lambda: {inner.text})", True) if inner.fails else _Code("True")

    def _present(self, arg: Node) -> _Code:
        if isinstance(arg, ast.Variable) and self._guarded:
            return _Code(f"present(a, {self.constant(arg.name)})", True)
        return _Code("True")

    def _equality(self, node: ast.Call) -> _Code:
        left, right = node.args
        structured = isinstance(left.type, Container)
        if node.function == "@in":
            return self._membership(left, right, structured)
        if not structured:
            return self._sequence_of("({} == {})" if node.function == "_==_" else "({} != {})", left, right)
        self.costly = True
        negation = "" if node.function == "_==_" else "not "
        return self._sequence_of(f"({negation}same(b, {{}}, {{}}))", left, right)

    def _membership(self, item: Node, container: Node, structured: bool) -> _Code:
        if isinstance(container.type, (Map, Collection)):
            return self._sequence_of("({} in {})", item, container)
        literals = _literals(container)
        if literals is not None and not structured:
            values = frozenset(literals)
            return self._sequence_of(f"({{}} in {self.constant(values)})", item)
        self.costly = True
        return self._sequence_of("among(b, {}, {})" if structured else "({} in spend(b, {}))", item, container)

    def _operation(self, node: ast.Call) -> _Code:
        if UNTYPED in [arg.type for arg in node.args]:
            # Only an item of an empty list or map has no type, and there is none.
            return replace(self._sequence("absent({})", node.args), fails=True)
        template, fails = self._template(node)
        return self._sequence_of(template, *node.args, fails=fails)

    def _template(self, node: ast.Call) -> tuple[str, bool]:
        """Return the code of an operator or function over its arguments, and whether it can fail itself."""
        function, first = node.function, node.args[0].type
        if function in _COMPARISONS:
            return f"({{}} {_COMPARISONS[function]} {{}})", False
        if function in _NUMERIC and isinstance(node.type, (Int, Decimal)):
            return _NUMERIC[function][isinstance(node.type, Decimal)], True
        match function:
            case "!_":
                return "(not {})", False
            case "-_":
                return ("fit(-{})", True) if isinstance(first, Int) else ("negate_decimal({})", True)
            case "_+_" | "_-_":
                return _additive(function, node)
            case "size":
                return "len({})", False
            case "contains":
                return "({1} in {0})", False
            case "startsWith" | "endsWith":
                return f"{{}}.{_METHODS[function]}({{}})", False
            case "timestamp" | "duration":
                return f"parse_{function}({{}})", True
            case "only" | "sum" | "min" | "max" | "distinct":
                return self._aggregate(function, first), True
            case _:
                return self._time_part(function, first), False

    def _aggregate(self, function: str, arg: Type) -> str:
        if function == "only":
            return "only(list({}.values()))" if isinstance(arg, Collection) else "only({})"
        self.costly = True
        item = arg.item if isinstance(arg, List) else arg
        match function:
            case "sum":
                kind = {Duration: "duration", Decimal: "decimal"}.get(type(item), "int")
                return f"sum_{kind}(spend(b, {{}}))"
            case "min":
                return "least(spend(b, {}))"
            case "max":
                return "greatest(spend(b, {}))"
            case _:
                structured = isinstance(item, Container)
                return "distinct_structures(b, spend(b, {}))" if structured else "distinct(spend(b, {}))"

    def _time_part(self, function: str, arg: Type) -> str:
        if isinstance(arg, Duration):
            return f"whole({{}}, {self.constant(_UNITS[function])})"
        return _DATE_PARTS[function]

    def _macro(self, node: ast.Macro) -> _Code:
        items = self._items(node.range)
        local = f"m{len(self._loops)}"
        self._loops.append((node.variable, local))
        condition = None if node.condition is None else self.code(node.condition)
        transform = None if node.transform is None else self.code(node.transform)
        self._loops.pop()
        fails = any(part.fails for part in (items, condition, transform) if part)
        return _Code(_loop(node.kind, items.text, local, condition, transform), fails)

    def _items(self, range_: Node) -> _Code:
        self.costly = True
        match range_.type:
            case Collection():
                return self._sequence("spend(b, {}).values()", (range_,))
            case Map():
                # A map has no order of its own.
                return self._sequence("sorted(spend(b, {}))", (range_,))
            case _:
                return self._sequence("spend(b, {})", (range_,))


def _loop(kind: ast.MacroKind, items: str, local: str, condition: _Code | None, transform: _Code | None) -> str:
    test = condition.text if condition else ""
    where = f" if {test}" if condition else ""
    match kind:
        case "all" | "exists":
            if condition and condition.fails:
                helper = "every" if kind == "all" else "some"
                return f"{helper}({items}, lambda {local}: {test})"
            # A list that is searched takes less time than a generator that stops early.
            decision = "False not in" if kind == "all" else "True in"
            return f"({decision} [{test} for {local} in {items}])"
        case "exists_one":
            return f"(len([1 for {local} in {items}{where}]) == 1)"
        case "filter" | "map":
            return f"[{transform.text if transform else local} for {local} in {items}{where}]"


def _additive(function: str, node: ast.Call) -> tuple[str, bool]:
    left = node.args[0].type
    if isinstance(node.type, List):
        return "extend({}, {})", True
    if isinstance(node.type, Duration):
        if isinstance(left, Timestamp):
            return "({} - {})", False
        return ("add_duration({}, {})" if function == "_+_" else "add_duration({}, -{})"), True
    if isinstance(node.type, Timestamp):
        if function == "_-_":
            return "shift({}, -{})", True
        return ("shift({}, {})" if isinstance(left, Timestamp) else "shift({1}, {0})"), True
    return "concatenate({}, {})", True


def _literals(node: Node) -> list[ast.Constant] | None:
    if not isinstance(node, ast.ListExpr):
        return None
    values = [item.value for item in node.items if isinstance(item, ast.Literal)]
    return values if len(values) == len(node.items) else None


def _declared(type_: Type) -> bool:
    return isinstance(type_, Id) and type_.declared
