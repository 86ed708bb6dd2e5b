"""Generated expressions without decimals: our evaluator and the CEL library's runtime must agree."""

import datetime
from functools import cache

from cel_expr_python import cel
from hypothesis import example, given, settings
from hypothesis import strategies as st

from caselock.expr.ast import unparse
from caselock.expr.compile import compile_expression
from caselock.expr.parse import parse
from caselock.expr.types import (
    Bool,
    Duration,
    Int,
    List,
    Map,
    Scope,
    String,
    Timestamp,
    Variable,
)
from caselock.expr.values import EvaluationError, Missing, Undefined, Unknown

UNDEFINED = "undefined"

SCOPE = Scope(
    variables={
        "i": Variable(type=Int()),
        "j": Variable(type=Int()),
        "b": Variable(type=Bool()),
        "s": Variable(type=String()),
        "l": Variable(type=List(item=Int())),
        "w": Variable(type=List(item=String())),
        "m": Variable(type=Map(key=String(), value=Int())),
        "t": Variable(type=Timestamp()),
        "d": Variable(type=Duration()),
    }
)

EDGES = [0, 1, -1, 2, 3, 7, -7, 2**31, 2**63 - 1, -(2**63)]
MOMENTS = ["2026-08-01T09:30:15Z", "2024-02-29T23:59:59.123456Z", "1969-12-31T00:00:00+05:30"]
LENGTHS = ["1h30m", "-90s", "0s", "1500ms", "24h"]


@cache
def library() -> cel.Env:
    types = {
        "i": cel.Type.INT,
        "j": cel.Type.INT,
        "b": cel.Type.BOOL,
        "s": cel.Type.STRING,
        "l": cel.Type.List(cel.Type.INT),
        "w": cel.Type.List(cel.Type.STRING),
        "m": cel.Type.Map(cel.Type.STRING, cel.Type.INT),
        "t": cel.Type.TIMESTAMP,
        "d": cel.Type.DURATION,
    }
    return cel.NewEnv(variables=types)


def theirs(text: str, facts: dict) -> object:
    expression = library().compile(text)
    try:
        value = expression.eval(data=facts)
    except RuntimeError:
        # A few errors are raised rather than returned, such as a key that stands twice in a map.
        return UNDEFINED
    return UNDEFINED if value.type() == cel.Type.ERROR else plain(value.plain_value())


def ours(text: str, facts: dict) -> object:
    expression, problems = compile_expression(text, SCOPE)
    assert expression is not None, (text, problems)
    try:
        return plain(expression.evaluate(facts))
    except (Missing, EvaluationError):
        return UNDEFINED


def plain(value: object) -> object:
    """Return a value with its type, so that True and 1 differ; times are compared as UTC."""
    match value:
        case list() | tuple():
            return [plain(item) for item in value]
        case dict():
            return {key: plain(item) for key, item in value.items()}
        case datetime.datetime():
            aware = value if value.tzinfo else value.replace(tzinfo=datetime.UTC)
            return aware.astimezone(datetime.UTC).isoformat()
        case _:
            return type(value).__name__, value


def texts(depth: int) -> dict[str, st.SearchStrategy[str]]:
    """Return strategies for expressions of each type, at most `depth` operators deep."""
    literal = st.sampled_from(EDGES).map(lambda n: str(n) if n >= 0 else f"({n})")
    kinds = {
        "int": st.sampled_from(["i", "j"]) | literal,
        "bool": st.sampled_from(["b", "true", "false"]),
        "string": st.sampled_from(["s", "''", "'a'", "'é😀'", "'ab'"]),
        "ints": st.sampled_from(["l", "[]", "[1, 2, 2]", "[i, j]"]),
        "time": st.just("t") | st.sampled_from(MOMENTS).map(lambda m: f"timestamp('{m}')"),
        "span": st.just("d") | st.sampled_from(LENGTHS).map(lambda m: f"duration('{m}')"),
    }
    for _ in range(depth):
        kinds = deeper(kinds)
    return kinds


def deeper(of: dict[str, st.SearchStrategy[str]]) -> dict[str, st.SearchStrategy[str]]:
    def form(template: str, *kinds: str) -> st.SearchStrategy[str]:
        return st.tuples(*(of[kind] for kind in kinds)).map(lambda parts: template.format(*parts))

    def forms(templates: list[str], *kinds: str) -> st.SearchStrategy[str]:
        return st.sampled_from(templates).flatmap(lambda template: form(template, *kinds))

    def signs(signs: str, *kinds: str) -> st.SearchStrategy[str]:
        return forms([f"({{}} {sign} {{}})" for sign in signs.split()], *kinds)

    order = "< <= > >= == !="
    inner = [f"({{0}}).{macro}(x, x {{1}})" for macro in ("all", "exists", "exists_one")]
    tests = st.sampled_from(["> 1", "== i", "/ j == 1", "in l", "+ 1 > j", "% i == 0", ">= 0 && b", "< 2 || b"])
    macros = st.tuples(st.sampled_from(inner), of["ints"], tests).map(lambda p: p[0].format(*p[1:]))
    filters = st.tuples(of["ints"], tests).map(lambda p: f"({p[0]}).filter(x, x {p[1]})")
    clock = ["({}).getHours()", "({}).getMinutes()", "({}).getSeconds()"]
    calendar = ["FullYear", "Month", "Date", "DayOfMonth", "DayOfWeek", "DayOfYear", "Milliseconds"]
    return {
        "int": of["int"]
        | signs("+ - * / %", "int", "int")
        | forms(["-({})"], "int")
        | forms(["size({})"], "string")
        | forms(["size({})"], "ints")
        | forms(["({})[{}]"], "ints", "int")
        | forms(["m[{}]"], "string")
        | forms(["({} ? {} : {})"], "bool", "int", "int")
        | forms([*clock, *(f"({{}}).get{part}()" for part in calendar)], "time")
        | forms(clock, "span"),
        "bool": of["bool"]
        | signs("&& ||", "bool", "bool")
        | forms(["!({})"], "bool")
        | signs(order, "int", "int")
        | signs(order, "string", "string")
        | signs(order, "time", "time")
        | signs(order, "span", "span")
        | signs("== !=", "ints", "ints")
        | signs("== !=", "bool", "bool")
        | signs("in", "int", "ints")
        | forms(["({} in m)", "({} in w)"], "string")
        | forms(["({}).startsWith({})", "({}).endsWith({})", "({}).contains({})"], "string", "string")
        | macros,
        "string": of["string"] | signs("+", "string", "string") | forms(["({} ? {} : {})"], "bool", "string", "string"),
        "ints": of["ints"]
        | signs("+", "ints", "ints")
        | filters
        | forms(["({}).map(x, x + {})", "({}).map(x, x > 0, x * {})"], "ints", "int"),
        "time": of["time"] | signs("+ -", "time", "span"),
        "span": of["span"] | signs("+ -", "span", "span") | signs("-", "time", "time"),
    }


KINDS = texts(3)
# Longer texts only: most short ones are a single name.
EXPRESSIONS = st.one_of(*KINDS.values()).filter(lambda text: len(text) > 12)
# Our whole numbers stay whole when a fact is one: the library takes any of these as an int64.
FACTS = st.fixed_dictionaries(
    {
        "i": st.sampled_from(EDGES),
        "j": st.sampled_from(EDGES),
        "b": st.booleans(),
        "s": st.sampled_from(["", "a", "é😀", "ab"]),
        "l": st.lists(st.sampled_from(EDGES), max_size=4),
        "w": st.lists(st.sampled_from(["", "a", "b"]), max_size=3),
        "m": st.dictionaries(st.sampled_from(["a", "b"]), st.sampled_from(EDGES)),
        "t": st.sampled_from([datetime.datetime(2026, 8, 1, 9, 0, tzinfo=datetime.UTC)]),
        "d": st.sampled_from([datetime.timedelta(minutes=90), datetime.timedelta(seconds=-1, microseconds=5)]),
    }
)
PLAIN = {
    "i": 1,
    "j": 0,
    "b": True,
    "s": "a",
    "l": [1, 0, 2],
    "w": ["a"],
    "m": {"a": 1},
    "t": datetime.datetime(2026, 8, 1, 9, 0, tzinfo=datetime.UTC),
    "d": datetime.timedelta(minutes=90),
}


@settings(max_examples=600, deadline=None)
@given(EXPRESSIONS, FACTS)
@example("l.all(x, 2 / x == 5)", PLAIN)
@example("l.exists(x, 2 / x == 2)", PLAIN)
@example("l.exists_one(x, 2 / x == 2)", PLAIN)
@example("i / j == 1 && false", PLAIN)
@example("i / j == 1 || l[9] == 1", PLAIN)
@example("{'a': 1, 'a': 2} == m", PLAIN)
@example("(-9223372036854775808) % (-1)", PLAIN)
@example("size('é😀')", PLAIN)
@example("[].all(x, x / j == 1) && [].map(x, -x) == []", PLAIN)
@example("[][0] + 1 == 2 || true", PLAIN)
@example("l.map(x, l.filter(y, y >= x)) == [[1, 2], [1, 0, 2], [2]]", PLAIN)
@example("m.exists(k, m[k] == 1) && m.all(k, k == 'a')", PLAIN)
@example("has(m.a) && !has(m.b) && m.a == 1", PLAIN)
@example("timestamp('9999-12-31T23:59:59Z') + duration('1s') > t", PLAIN)
@example("timestamp('2026-08-01') > t", PLAIN)
@example("duration('-1h30m15s').getMinutes()", PLAIN)
@example("false < true && 'a' < 'b'", PLAIN)
@example("l.map(x, x > 0, x * 2)", PLAIN)
def test_values_and_errors_agree(text, facts):
    if "2026-08-01')" in text:
        # A literal that cannot be read is a problem for us, and an error of evaluation there.
        assert compile_expression(text, SCOPE)[1][0].kind == "literal"
        assert theirs(text, facts) == UNDEFINED
        return
    assert ours(text, facts) == theirs(text, facts)


def kind_or_value(text: str, facts: dict) -> object:
    expression, _ = compile_expression(text, SCOPE)
    assert expression is not None
    try:
        return plain(expression.evaluate(facts))
    except Undefined as undefined:
        return type(undefined).__name__


@settings(max_examples=300, deadline=None)
@given(EXPRESSIONS, FACTS, st.sets(st.sampled_from(sorted(SCOPE.variables)), min_size=1))
@example("false && i > 0 || b", PLAIN, {"i"})
@example("i > 0 && l[9] == 1", PLAIN, {"i"})
def test_an_answer_given_before_a_fact_is_seen_holds_whatever_the_fact_is(text, facts, unseen):
    answer = kind_or_value(text, {**facts, **dict.fromkeys(unseen, Unknown("not seen"))})
    assert answer in ("Unknown", kind_or_value(text, facts))


@settings(max_examples=300, deadline=None)
@given(EXPRESSIONS)
def test_canonical_text_round_trips(text):
    node, problems = parse(text)
    assert problems == ()
    canonical = unparse(node)
    assert parse(canonical)[0] == node
    assert unparse(parse(canonical)[0]) == canonical
