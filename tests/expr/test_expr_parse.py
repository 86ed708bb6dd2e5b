import decimal

import pytest
from expr_world import SCOPE

from caselock.expr import wire
from caselock.expr.ast import (
    Call,
    Has,
    Literal,
    Macro,
    Select,
    Variable,
    free_variables,
    operator_sign,
    reads,
    unparse,
    walk,
)
from caselock.expr.compile import compile_expression
from caselock.expr.lexer import Source
from caselock.expr.parse import MAX_LENGTH, parse


def tree(text):
    node, problems = parse(text)
    assert problems == ()
    return node


# (text, canonical text)
CANONICAL = [
    ("a&&b||c", "a && b || c"),
    ("a && (b && (c && d))", "a && b && c && d"),
    ("(a || b) && c", "(a || b) && c"),
    ("!(a)", "!a"),
    ("!!a", "a"),
    ("!(!a)", "!(!a)"),
    ("-(-a)", "-(-a)"),
    ("-(3)", "-(3)"),
    ("- 3", "-3"),
    ("a - -3", "a - -3"),
    ("(-3).size()", "(-3).size()"),
    ("(1 - 2) - (3 - 4)", "1 - 2 - (3 - 4)"),
    ("a * (b + c) / d", "a * (b + c) / d"),
    ("(a < b) == (c < d)", "a < b == (c < d)"),
    ("a ? b : c ? d : e", "a ? b : c ? d : e"),
    ("(a ? b : c) ? d : e", "(a ? b : c) ? d : e"),
    ("a ? (b ? c : d) : e", "a ? (b ? c : d) : e"),
    ("a.b['c'][0].d", "a.b['c'][0].d"),
    ("has( a.b )", "has(a.b)"),
    ("\"it's\" + r'\\d'", "'it\\'s' + '\\\\d'"),
    ("'\\n\\t\\x00é😀'", "'\\u000a\\u0009\\u0000é😀'"),
    ("100.00 + 1", "100.00 + 1"),
    ("-0.50", "-0.50"),
    ("{'a':1,'b':[true,null],}", "{'a': 1, 'b': [true, null]}"),
    ("l.all(x,x>1)", "l.all(x, x > 1)"),
    ("l.exists(x,x>1)", "l.exists(x, x > 1)"),
    ("l.exists_one(x,x>1)", "l.exists_one(x, x > 1)"),
    ("l.filter(x,x>1)", "l.filter(x, x > 1)"),
    ("l.map(x,x+1)", "l.map(x, x + 1)"),
    ("l.map(x,x)", "l.map(x, x)"),
    ("l.map(x,x>1,x+1)", "l.map(x, x > 1, x + 1)"),
    ("l.map(x,x>1,x)", "l.filter(x, x > 1)"),
    ("(a ? l : m).exists(x, l.all(y, x == y))", "(a ? l : m).exists(x, l.all(y, x == y))"),
    ("a.`b-c`", "a.`b-c`"),
    ("s.startsWith('a') // why", "s.startsWith('a')"),
    ("size(x) + x.size()", "size(x) + x.size()"),
    ("a in [1] in b", "a in [1] in b"),
    ("((((a))))", "a"),
]


@pytest.mark.parametrize(("text", "canonical"), CANONICAL)
def test_canonical_text_parses_to_the_same_tree(text, canonical):
    assert unparse(tree(text)) == canonical
    assert tree(canonical) == tree(text)


# (text, the text that each node covers, parents first)
SPANS = [
    ("a.b == 100.01", ["a.b == 100.01", "a.b", "a", "100.01"]),
    ("(a + b) * c", ["(a + b) * c", "a + b", "a", "b", "c"]),
    ("f((a))", ["f((a))", "a"]),
    ("'😀' + ( x . y )", ["'😀' + ( x . y )", "'😀'", "x . y", "x"]),
    ("m[ (k) ] . z", ["m[ (k) ] . z", "m[ (k) ]", "m", "k"]),
    ("has(a.b)", ["has(a.b)", "a"]),
    ("l.all(x, x > - 1)", ["l.all(x, x > - 1)", "l", "x > - 1", "x", "- 1"]),
    ("(l).map(x, x)", ["(l).map(x, x)", "l", "x"]),
    ("[1, {'a': b}]", ["[1, {'a': b}]", "1", "{'a': b}", "'a'", "b"]),
    ("-(a)", ["-(a)", "a"]),
    ("a ? b : (c)", ["a ? b : (c)", "a", "b", "c"]),
    ("s.startsWith('x')", ["s.startsWith('x')", "s", "'x'"]),
    ("a in (b)", ["a in (b)", "a", "b"]),
]


@pytest.mark.parametrize(("text", "spans"), SPANS)
def test_every_node_covers_its_text(text, spans):
    assert [text[node.start : node.end] for node in walk(tree(text))] == spans


def test_names_inside_a_node_have_a_place():
    node = tree("(a) . b_c")
    assert isinstance(node, Select)
    assert node.at == 6
    node = tree("has(a. b)")
    assert isinstance(node, Has)
    assert node.at == 7
    node = tree("x.startsWith(y)")
    assert isinstance(node, Call)
    assert node.at == 2


def test_literals_keep_their_exact_value():
    values = [
        node.value for node in walk(tree("[100.00, -1.10, 0.1, 12345678901234567.89]")) if isinstance(node, Literal)
    ]
    assert [str(value) for value in values] == ["100.00", "-1.10", "0.1", "12345678901234567.89"]
    assert all(isinstance(value, decimal.Decimal) for value in values)


def test_what_an_expression_reads():
    text = "order.status == 'paid' && orders.exists(o, o.id == id && has(request.x)) && m[k.a].b"
    assert sorted(reads(tree(text))) == [
        ("id",),
        ("k", "a"),
        ("m",),
        ("order", "status"),
        ("orders",),
        ("request", "x"),
    ]
    assert free_variables(tree(text)) == {"order", "orders", "id", "request", "m", "k"}


def test_a_macro_hides_a_variable_only_inside():
    assert sorted(reads(tree("x.all(x, x.a > y)"))) == [("x",), ("y",)]
    assert sorted(reads(tree("l.all(x, x) && x.b"))) == [("l",), ("x", "b")]


def test_a_macro_keeps_its_parts():
    node = tree("l.map(x, x > 1, x + 1)")
    assert isinstance(node, Macro)
    assert (node.kind, node.variable, unparse(node.condition), unparse(node.transform)) == (
        "map",
        "x",
        "x > 1",
        "x + 1",
    )
    assert node.range == Variable(name="l")


def test_operators_have_signs():
    assert [operator_sign(name) for name in ("_&&_", "!_", "_?_:_", "@in", "size")] == [
        "&&",
        "!",
        "?:",
        "in",
        "size",
    ]


LIMITS = [
    ("length", "1" + " " * MAX_LENGTH, "1" + " " * (MAX_LENGTH - 1)),
    ("nodes", "[" + "1," * 2000 + "]", "[" + "1," * 1999 + "]"),
    ("brackets", "(" * 40 + "1" + ")" * 40, "(" * 20 + "1" + ")" * 20),
    ("terms", "1" + "+1" * 40, "1" + "+1" * 20),
    ("macros", "l.all(a,l.all(b,l.all(c,l.all(d,d))))", "l.all(a,l.all(b,l.all(c,c)))"),
    ("macro chains", "l.map(a,l.map(b,l.map(c,l.map(d,d))))", "l" + ".map(x,x)" * 10),
]


@pytest.mark.parametrize(("beyond", "within"), [row[1:] for row in LIMITS], ids=[row[0] for row in LIMITS])
def test_limits(beyond, within):
    node, problems = parse(beyond)
    assert node is None
    assert {problem.kind for problem in problems} == {"limit"}
    assert parse(within)[1] == ()


def test_a_long_chain_of_conditions_is_no_deep_one():
    expression, problems = compile_expression(" && ".join(["owned"] * 400), SCOPE)
    assert problems == ()
    assert expression is not None


def test_a_text_is_parsed_once():
    assert parse("a + b")[0] is parse("a + b")[0]


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("r'a\\' b", ["string", "word"]),
        ("'a\\'' b", ["string", "word"]),
        ("'''a'b''' + \"\"\"c\"\"\"", ["string", "other", "string"]),
        ("1.5e3 0x1F 7u .5", ["number", "number", "number", "number"]),
        ("a.b&&c // x && y", ["word", "other", "word", "other", "word"]),
        ("'open", ["other", "word"]),
        ("`a-b`", ["quoted"]),
    ],
)
def test_tokens(text, kinds):
    assert [token.kind for token in Source(text).tokens] == kinds


def test_wire_reads_every_wire_type():
    fields = wire.message(b"\x08\x96\x01\x12\x02hi\x19" + bytes(8) + b"\x12\x01x")
    assert wire.one_int(fields, 1) == 150
    assert wire.all_bytes(fields, 2) == [b"hi", b"x"]
    assert wire.text(fields, 2) == "x"
    assert wire.one_int(fields, 9) == 0
    assert wire.signed(2**64 - 1) == -1


@pytest.mark.parametrize("data", [b"\x08", b"\x12\x05hi", b"\x0b", b"\x08" + b"\xff" * 11, b"\x19\x00"])
def test_wire_rejects_what_is_not_wire_format(data):
    with pytest.raises(ValueError, match=r"varint|truncated|wire type"):
        wire.message(data)
