"""Whatever the text: never an exception, never long, and positions that lie inside it."""

import contextlib
import time

import pytest
from expr_world import FACTS, SCOPE
from hypothesis import example, given, settings
from hypothesis import strategies as st

from caselock.expr.ast import unparse
from caselock.expr.compile import compile_expression
from caselock.expr.parse import parse
from caselock.expr.values import Undefined

PIECES = [
    *"()[]{},.:?!-+*/%<>='\"\\ \n`@#é😀",
    *(
        "&&",
        "||",
        "==",
        "in",
        "has(",
        ".all(x,",
        ".map(",
        "true",
        "null",
        "1",
        "0.1",
        "1e9",
        "0x1",
        "1u",
        "r'",
        "'''",
    ),
    *(
        "amount",
        "orders",
        "order.status",
        "'paid'",
        "numbers",
        "x",
        "__import__('os')",
        "{}",
        "[0]",
        "//",
        "@result",
    ),
    *("k0", "v0", "a", "b", "lambda", "known(", "only(", "present(", "sum(", "\x00", "{0}", "%s"),
]


def run(text: str) -> None:
    expression, problems = compile_expression(text, SCOPE)
    assert (expression is None) == (problems != ())
    for problem in problems:
        assert 0 <= problem.start <= problem.end <= len(text)
        assert problem.message
    if expression is not None:
        assert parse(unparse(expression.node))[1] == ()
        for facts in (FACTS, {}):
            with contextlib.suppress(Undefined):
                expression.evaluate(facts)


@settings(max_examples=500, deadline=None)
@given(st.lists(st.sampled_from(PIECES), max_size=25).map("".join))
def test_any_mix_of_pieces(text):
    run(text)


ATOMS = [
    *(
        "numbers",
        "orders",
        "amount",
        "limit",
        "n",
        "s",
        "order",
        "status",
        "id",
        "prices",
        "stock",
        "now",
        "window",
    ),
    *("owned", "request", "'paid'", "'A1'", "1", "0.5", "[]", "{}", "null", "[1, 2]", "x"),
]
FORMS = [
    *(
        "({} + {})",
        "({} - {})",
        "({} * {})",
        "({} / {})",
        "({} % {})",
        "({} == {})",
        "({} > {})",
        "({} in {})",
    ),
    *("({} && {})", "({} || {})", "({0} ? {1} : {0})", "-{0}", "!{0}", "[{}, {}]", "{{{}: {}}}", "{}[{}]"),
    *(
        "{}.exists(x, {})",
        "{}.all(x, {})",
        "{}.map(x, {})",
        "{0}.filter(x, {1} == x)",
        "{0}.amount",
        "has({0}.note)",
    ),
    *("known({})", "present({})", "only({})", "sum({})", "size({})", "min({})", "max({})", "distinct({})"),
    *("timestamp({})", "duration({})", "{}.getHours()", "{}.startsWith({})"),
]


def forms(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.tuples(st.sampled_from(FORMS), inner, inner).map(lambda parts: parts[0].format(*parts[1:]))


@settings(max_examples=1000, deadline=None)
@given(st.recursive(st.sampled_from(ATOMS), forms, max_leaves=8))
@example("{}[{}]")
@example("[] in {}")
@example(".map()")
@example("sum([]) + only([])")
def test_any_well_formed_text(text):
    run(text)


@settings(max_examples=300, deadline=None)
@given(st.text(max_size=60))
def test_any_text(text):
    run(text)


@settings(max_examples=300, deadline=None)
@given(st.text(st.characters(codec="utf-8")))
def test_any_string_literal_stays_data(text):
    quoted = "'" + "".join(f"\\U{ord(char):08x}" for char in text) + "'"
    expression, problems = compile_expression(quoted, SCOPE)
    assert problems == ()
    assert expression is not None
    assert expression.evaluate({}) == text
    assert parse(unparse(expression.node))[0] == parse(quoted)[0]


BOMBS = {
    "parentheses": "(" * 4000 + "1" + ")" * 4000,
    "open brackets": "[" * 8000,
    "open braces": "{" * 8000,
    "negations": "!" * 8000 + "owned",
    "minus": "-" * 8001 + "n",
    "fields": "order" + ".a" * 4000,
    "sum": "1" + "+1" * 4000,
    "conditions": "owned" + "&&owned" * 1100,
    "ternaries": "owned?1:" * 1000 + "1",
    "ternaries the other way": "owned?" * 1300 + "1",
    "macros": "l.map(x," * 1000,
    "calls": "f(" * 4000,
    "quotes": "\\'" * 4000,
    "triple quotes": "\"\"\"a'''" * 1100,
    "commas": "[" + "1," * 4000 + "1]",
    "digits": "9" * 8000,
    "places": "1." + "0" * 8000,
    "long name": "a" * 8000,
    "comments": "//" * 4000,
    "too long": " " * 100_000,
    "surrogate": "'\ud800'",
    "nul": "n == 1\x00 || true",
    "nested chains": "(owned&&owned&&" * 28 + "owned" + ")" * 28,
    "nested undefined": "(order.note == 'a' || " * 28 + "owned" + ")" * 28,
    "nested lists": "[" * 30 + "]" * 30,
    "nested macros": "numbers.all(a, numbers.all(b, numbers.all(c, a + b + c > 0)))",
}


@pytest.mark.parametrize("text", BOMBS.values(), ids=BOMBS)
def test_bombs_are_answered_at_once(text):
    started = time.perf_counter()
    run(text)
    assert time.perf_counter() - started < 2
