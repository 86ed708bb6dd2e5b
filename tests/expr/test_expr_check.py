from decimal import Decimal as Exact

import pytest
from expr_world import CENTS, SCOPE, STATUS, compiled

from caselock.expr.compile import compile_expression
from caselock.expr.types import (
    Bool,
    Decimal,
    Enum,
    Field,
    Id,
    Int,
    List,
    Map,
    Record,
    Scope,
    String,
    Timestamp,
    Variable,
    common_step,
    describe,
    join,
    product_step,
)

# (text, [(kind, the text underlined, nearest)]); an empty list is an expression that is accepted.
TABLE = [
    # names and fields
    ("amount > limit", []),
    ("ammount > limit", [("unknown_name", "ammount", "amount")]),
    ("zzz", [("unknown_name", "zzz", None)]),
    ("foo + bar > 0", [("unknown_name", "foo", None), ("unknown_name", "bar", None)]),
    ("order.status == 'paid'", []),
    ("order.stats == 'paid'", [("unknown_field", "stats", "status")]),
    ("(order).  stats == 'paid'", [("unknown_field", "stats", "status")]),
    ("has(request.order_id)", []),
    ("has(request.orderid)", [("unknown_field", "orderid", "order_id")]),
    ("n.x", [("type", "n.x", None)]),
    ("orders.amount > 1", [("type", "orders.amount", None)]),
    ("stock.pen > 0", []),
    # enum values
    ("order.status != 'shippd'", [("unknown_value", "'shippd'", "shipped")]),
    ("'shippd' == order.status", [("unknown_value", "'shippd'", "shipped")]),
    ("order.status in ['paid', 'shipped']", []),
    ("order.status in ['paid', 'shippd']", [("unknown_value", "'shippd'", "shipped")]),
    ("orders.exists(o, o.status == 'opn')", [("unknown_value", "'opn'", None)]),
    ("orders.exists(o, o.status == 'closed')", []),
    ("status == s", []),
    ("status == order.status", []),
    ("status < 'paid'", [("type", "status < 'paid'", None)]),
    # ids
    ("orders[id].amount > 1", []),
    ("customers[id].name == 'x'", [("type", "id", None)]),
    ("id == 'A1'", []),
    ("id == s", []),
    ("id == order.customer_id", [("type", "id == order.customer_id", None)]),
    ("id in orders", []),
    ("id in customers", [("type", "id", None)]),
    ("orders[1]", [("type", "1", None)]),
    ("orders['A1'].amount > 1", []),
    # numbers: bool is not int, int and decimal mix, literals respect the step of equality
    ("amount > 100", []),
    ("n + amount == 1.5", []),
    ("amount == 100.01", []),
    ("amount == 100.010", []),
    ("amount == 100.001", [("unknown_value", "100.001", None)]),
    ("-100.001 != amount", [("unknown_value", "-100.001", None)]),
    ("amount in [1.00, 1.001]", [("unknown_value", "1.001", None)]),
    ("amount > 100.001", []),
    ("rate == 100.001", []),
    ("n == 1.5", [("type", "n == 1.5", None)][:0]),
    ("n == owned", [("type", "n == owned", None)]),
    ("owned == 1", [("type", "owned == 1", None)]),
    ("n > owned", [("type", "n > owned", None)]),
    ("n + owned", [("type", "n + owned", None)]),
    ("-owned", [("type", "-owned", None)]),
    ("amount % 2", [("type", "amount % 2", None)]),
    ("n % 2 == 0", []),
    ("n == null", [("type", "n == null", None)]),
    # conditions
    ("owned && n", [("type", "n", None)]),
    ("owned || s || true", [("type", "s", None)]),
    ("!n", [("type", "!n", None)]),
    ("n ? 1 : 2", [("type", "n", None)]),
    ("owned ? 1 : 'x'", [("type", "owned ? 1 : 'x'", None)]),
    ("owned ? 1 : 2.5", []),
    ("numbers.all(x, x)", [("type", "x", None)]),
    ("numbers.filter(x, x + 1)", [("type", "x + 1", None)]),
    # lists and maps
    ("[1, 2.5]", []),
    ("[1, 'a']", [("type", "'a'", None)]),
    ("[1, true, 'a']", [("type", "true", None), ("type", "'a'", None)]),
    ("{'a': 1, 'b': 2}", []),
    ("{'a': 1, 2: 2}", [("type", "2", None)]),
    ("{1.5: 1}", [("type", "1.5", None)]),
    ("{1: 1, 2: 'x'}", [("type", "'x'", None)]),
    ("numbers['a']", [("type", "'a'", None)]),
    ("stock[1]", [("type", "1", None)]),
    ("s[0]", [("type", "s[0]", None)]),
    ("n in numbers", []),
    ("s in numbers", [("type", "s in numbers", None)]),
    ("n in s", [("type", "s", None)]),
    ("'pen' in stock", []),
    ("{}[{}]", [("type", "{}", None)]),
    ("[] in {}", [("type", "[]", None)]),
    ("{}['a']", []),
    ("1 in stock", [("type", "1", None)]),
    ("numbers == [1]", []),
    ("numbers == ['a']", [("type", "numbers == ['a']", None)]),
    ("order == orders['A1']", []),
    # macros
    ("s.all(x, true)", [("type", "s", None)]),
    ("stock.exists(k, k == 'pen')", []),
    ("orders.map(o, o.amount).exists(a, a == 'x')", [("type", "a == 'x'", None)]),
    ("orders.all(o)", [("function", "all", None)]),
    ("orders.map(o, p)", [("unknown_name", "p", None)]),
    ("orders.exists(amount, amount.status == 'paid')", []),
    # functions
    ("s.matches('a')", [("function", "matches", None)]),
    ("double(n)", [("function", "double", None)]),
    ("knwon(n)", [("function", "knwon", "known")]),
    ("s.startswith('a')", [("function", "startswith", "startsWith")]),
    ("startsWith(s, 'a')", [("function", "startsWith", None)]),
    ("numbers.sum()", [("function", "sum", None)]),
    ("s.size() + size(numbers) + size(orders)", []),
    ("size(n)", [("type", "size(n)", None)]),
    ("size()", [("type", "size()", None)]),
    ("sum(prices) == 0.3", []),
    ("sum(prices) == 0.001", [("unknown_value", "0.001", None)]),
    ("sum(['a'])", [("type", "sum(['a'])", None)]),
    ("min(orders)", [("type", "min(orders)", None)]),
    ("max([owned])", [("type", "max([owned])", None)]),
    ("only(orders).amount > 1", []),
    ("distinct(numbers) == [1]", []),
    ("present(amount)", []),
    ("present(limit)", [("type", "limit", None)]),
    ("present(order.note)", [("type", "order.note", None)]),
    ("numbers.all(x, present(x))", [("type", "x", None)]),
    ("known(orders[id])", []),
    ("known()", [("type", "known()", None)]),
    # time
    ("now > timestamp('2026-08-01T09:00:00Z')", []),
    ("now > timestamp('2026-13-01T09:00:00Z')", [("literal", "'2026-13-01T09:00:00Z'", None)]),
    ("now > timestamp('2026-08-01')", [("literal", "'2026-08-01'", None)]),
    ("now - window < now", []),
    ("now - now == duration('1h30m')", []),
    ("window == duration('1 hour')", [("literal", "'1 hour'", None)]),
    ("now + now", [("type", "now + now", None)]),
    ("now.getHours() > 9 && window.getMinutes() == 90", []),
    ("now.getHours('Europe/Rome')", [("type", "now.getHours('Europe/Rome')", None)]),
    ("window.getMonth()", [("type", "window.getMonth()", None)]),
    # a reported problem silences what follows from it
    ("nope + 1 > 2 && nope.x == 'y' && !nope", [("unknown_name", "nope", None)] * 3),
    ("orders[nope].amount > 1", [("unknown_name", "nope", None)]),
    ("nope.all(x, x > 1)", [("unknown_name", "nope", None)]),
    # literals
    ("1e3 > 1.0", [("literal", "1e3", None)]),
    (".5 > rate", [("literal", ".5", None)]),
    ("n == 0x10", [("literal", "0x10", None)]),
    ("n == 1u", [("literal", "1u", None)]),
    ("s == b'a'", [("literal", "b'a'", None)]),
    ("99999999999999999999 > n", [("literal", "99999999999999999999", None)]),
    ("9223372036854775807 > n && -9223372036854775808 < n", []),
    (
        "rate > 1234567890.1234567890123456789012345",
        [("literal", "1234567890.1234567890123456789012345", None)],
    ),
    # syntax
    ("", [("syntax", "", None)]),
    ("amount >", [("syntax", "", None)]),
    ("amount = 1", [("syntax", "=", None)]),
    ("amount and owned", [("syntax", "and", None)]),
    ("'é' == s s", [("syntax", "s", None)]),
    ("n\n  > 1 )", [("syntax", ")", None)]),
    ("'abc", [("syntax", "'", None)]),
    ("numbers.all(1, true)", [("syntax", "1", None)]),
    ("has(n)", [("syntax", "n", None)]),
    (".n > 1", [("syntax", "n", None)]),
    (".map()", [("syntax", "(", None)]),
    (".size(s)", [("syntax", "(", None)]),
    ("order.?note", [("syntax", "order", None)]),
    ("Foo{a: 1}", [("syntax", "Foo", None)]),
    ("s == '\x07'", [("syntax", "\x07", None)]),
]


@pytest.mark.parametrize(("text", "expected"), TABLE, ids=[row[0][:40] for row in TABLE])
def test_problems_have_a_kind_a_place_and_the_nearest_name(text, expected):
    _, problems = compile_expression(text, SCOPE)
    assert [(p.kind, text[p.start : p.end], p.nearest) for p in problems] == expected


def test_positions_are_exact_where_a_text_repeats():
    _, problems = compile_expression("'😀' == s && amount > limit && limt > 1", SCOPE)
    assert [(p.start, p.end) for p in problems] == [(30, 34)]
    _, problems = compile_expression("amount >\n limit ) ", SCOPE)
    assert [(p.start, p.end) for p in problems] == [(16, 17)]


def test_a_problem_says_what_was_found_and_what_is_allowed():
    _, (problem,) = compile_expression("order.status == 'shippd'", SCOPE)
    assert problem.message == "unknown value 'shippd' of enum orders.status"
    assert problem.found == "shippd"
    assert problem.allowed == ("closed", "paid", "shipped")
    assert problem.hint == "did you mean 'shipped'?"


@pytest.mark.parametrize("text", ["status == paid", "paid != status", "status in ['closed', paid]"])
def test_a_value_without_quotes_is_recognised(text):
    _, (problem,) = compile_expression(text, SCOPE)
    assert (problem.kind, problem.found) == ("unknown_name", "paid")
    assert problem.hint == "write 'paid' for the value of enum orders.status"


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("sum(['a'])", "it takes (list of int, decimal or duration)"),
        ("n % amount", "it takes (int, int)"),
        ("size(n)", "it takes (string); (list); (map); (collection)"),
        ("numbers.sum()", "write sum(...)"),
        ("startsWith(s, 'a')", "write it behind its operand: x.startsWith(...)"),
        ("orders.all(o)", "write list.all(item, ...)"),
        ("amount = 1", "write =="),
        ("amount and owned", "write &&"),
        ("n ? 1 : 2", "write a comparison, such as amount > 100"),
        ("n == null", "ask with has(record.field)"),
    ],
)
def test_a_hint_can_be_acted_on(text, hint):
    assert compile_expression(text, SCOPE)[1][0].hint == hint


# (text, expected type, accepted)
EXPECTED = [
    ("owned", Bool(), True),
    ("n", Bool(), False),
    ("n", Decimal(), True),
    ("amount", Int(), False),
    ("amount", Decimal(), True),
    ("1.5", CENTS, True),
    ("1.555", CENTS, False),
    ("'paid'", STATUS, True),
    ("'payd'", STATUS, False),
    ("owned ? 'paid' : 'closed'", STATUS, True),
    ("owned ? 'paid' : 'payd'", STATUS, False),
    ("['paid']", List(item=STATUS), True),
    ("['payd']", List(item=STATUS), False),
    ("s", STATUS, False),
    ("status", String(), True),
    ("status", Enum(name="open", values=("paid", "shipped")), False),
    ("status", Enum(name="all", values=("closed", "lost", "paid", "shipped")), True),
    ("id", Id(collection="orders"), True),
    ("id", Id(collection="customers"), False),
    ("s", Id(collection="orders"), True),
    ("[]", List(item=Int()), True),
    ("{}", Map(key=String(), value=Int()), True),
    ("now", Timestamp(), True),
]


@pytest.mark.parametrize(("text", "type_", "accepted"), EXPECTED)
def test_the_expected_type_is_checked(text, type_, accepted):
    expression, problems = compile_expression(text, SCOPE, type_)
    assert (expression is not None, problems == ()) == (accepted, accepted)


# (text, type in words)
TYPES = [
    ("amount + limit", "decimal (step 0.01)"),
    ("amount + n", "decimal (step 0.01)"),
    ("amount + 0.001", "decimal (step 0.001)"),
    ("amount * n", "decimal (step 0.01)"),
    ("amount * amount", "decimal (step 0.0001)"),
    ("amount / 2", "decimal"),
    ("n / 2", "int"),
    ("sum(prices)", "decimal (step 0.01)"),
    ("order.customer_id", "id of customers"),
    ("orders", "collection orders"),
    ("orders[id]", "record orders"),
    ("orders.filter(o, o.amount > 1)", "list of record orders"),
    ("orders.map(o, o.status)", "list of enum orders.status"),
    ("stock.map(k, stock[k])", "list of int"),
    ("stock", "map from string to int"),
    ("now - now", "duration"),
    ("owned ? status : s", "string"),
    ("[]", "list"),
    ("null", "null"),
]


@pytest.mark.parametrize(("text", "words"), TYPES)
def test_every_expression_has_a_type(text, words):
    assert describe(compiled(text).type) == words


def test_steps_are_exact():
    assert common_step(Exact("0.05"), Exact("0.02")) == Exact("0.01")
    assert common_step(Exact("0.25"), Exact("1")) == Exact("0.25")
    assert common_step(Exact("0.01"), None) is None
    assert product_step(Exact("0.01"), Exact("0.05")) == Exact("0.0005")
    assert product_step(None, Exact(1)) is None


def test_a_mix_of_declared_and_claimed_ids_is_claimed():
    declared, claimed = Id(collection="orders", declared=True), Id(collection="orders")
    assert join(declared, claimed) == claimed
    assert join(declared, declared) == declared
    assert join(declared, Id(collection="customers")) is None


def test_enums_with_no_common_value_never_compare():
    scope = Scope(
        variables={
            "a": Variable(type=Enum(name="a", values=("x", "y"))),
            "b": Variable(type=Enum(name="b", values=("z",))),
            "c": Variable(type=Enum(name="c", values=("y", "z"))),
        }
    )
    assert compile_expression("a == b", scope)[1][0].message == "enum a can never equal enum b"
    assert compile_expression("a == c && b == c", scope)[1] == ()


def test_odd_field_names_are_reachable():
    record = Record(name="r", fields={"a-b": Field(type=Int())})
    scope = Scope(variables={"r": Variable(type=record)})
    assert compiled("r.`a-b` + 1", scope).evaluate({"r": {"a-b": 2}}) == 3
    assert compile_expression("r.`a-c`", scope)[1][0].nearest == "a-b"


PEOPLE = List(
    item=Record(name="people", fields={"first": Field(type=String()), "age": Field(type=Int(), optional=True)})
)


@pytest.mark.parametrize(
    ("text", "fits"),
    [
        ("[{'first': 'Ana', 'age': 3}]", True),
        ("[{'first': 'Ana'}]", True),
        ("numbers.map(n, {'first': 'Ana', 'age': n})", True),
        ("[{'age': 3}]", False),
        ("[{'first': 1}]", False),
        ("[{'first': 'Ana', 'height': 3}]", False),
        ("[{'first': 'Ana'}, {'first': 'Bo', 'age': 3}]", True),
        ("numbers.map(n, {'first': 'Ana', 'age': n})[0].age == 3 ? [{'first': 'Ana'}] : []", True),
    ],
)
def test_a_map_written_with_text_keys_is_a_record(text, fits):
    _, problems = compile_expression(text, SCOPE, PEOPLE)
    assert (problems == ()) is fits, problems
