"""The strict YAML reader: one table of texts and the places of what is wrong with them."""

import time
from decimal import Decimal
from pathlib import Path

import pytest
import yaml

from caselock.source.limits import MAX_DEPTH, MAX_FILE_BYTES, MAX_NODES, MAX_SCALAR
from caselock.source.yaml_reader import parse_text

TABLE = [
    # accepted
    ("a: 1\n", []),
    ("---\na: 1\n", []),
    ("a: 1\n...\n", []),
    ("a: no\nb: on\nc: 1:30\nd: 2026-08-01\ne: 0.10\nf: -3\ng: ~\nh: TRUE\n", []),
    ("a: =args.amount\nb: a & b\nc: '&a *b !c'\nd: x *y\n", []),
    ("1: a\ntrue: b\n007: c\n", []),
    ('"": a\n"<<": b\n', []),
    ("a: '0042'\nb: '1_000'\nc: 1.2.3\nd: A0042\ne: 1e3x\nf: .info\n", []),
    ('a: "\\t\\r\\u202e\\x00"\n', []),
    ("a: |\n  %not a directive\n  --- not a document\n", []),
    ("when: amount > 0 && !owned\n", []),
    ("name: caf\u00e9 \U0001f600\n", []),
    # bytes and characters
    (b"a: caf\xe9\n", [("CL0010", 1, 7)]),
    (b"a: 1\nb: \xc3\xa9\xff\n", [("CL0010", 2, 5)]),
    ("a: 1\n".encode("utf-16"), [("CL0011", 1, 1)]),
    ("a: 1\n".encode("utf-32"), [("CL0011", 1, 1)]),
    (b"\xef\xbb\xbfa: 1\n", [("CL0012", 1, 1)]),
    ("a: x\0y\n", [("CL0013", 1, 5)]),
    ("a: 1\r\nb: 2\r\n", [("CL0014", 1, 5), ("CL0014", 2, 5)]),
    ("a:\n\t- b\n", [("CL0015", 2, 1)]),
    ("a: b\tc\td\n", [("CL0015", 1, 5)]),
    ("a: |\n  b\tc\n", [("CL0015", 2, 4)]),
    ("a: x\x1b[31m\n", [("CL0016", 1, 5)]),
    ("a: x\x85b: y\n", [("CL0016", 1, 5)]),
    ("a: x\u2028b: y\n", [("CL0016", 1, 5)]),
    ("a: x\u202ey\n", [("CL0016", 1, 5)]),
    ("a: x\ufeffy\n", [("CL0016", 1, 5)]),
    ("a: \ud800\n", [("CL0010", 1, 4)]),
    ("a: 1\nb: cafe\u0301s\n", [("CL0017", 2, 7)]),
    # structure
    ("a: [1, 2\n", [("CL0020", 1, 4)]),
    ("a: {b: 1\n", [("CL0020", 1, 4)]),
    ("a: 'b\n", [("CL0020", 1, 4)]),
    ("a: b: c\n", [("CL0020", 1, 5)]),
    ("a: @b\n", [("CL0020", 1, 4)]),
    ('a: "\\q"\n', [("CL0020", 1, 5)]),
    ("- a\nb: c\n", [("CL0020", 2, 1)]),
    ("a: 1\na: 2\nb: 3\na: 4\n", [("CL0021", 2, 1), ("CL0021", 4, 1)]),
    ("a: {b: 1, 'b': 2}\n", [("CL0021", 1, 11)]),
    ("a: &x 1\nb: *x\n", [("CL0022", 1, 4), ("CL0023", 2, 4)]),
    ("a: *x\n", [("CL0023", 1, 4)]),
    ("a: &x [*x]\n", [("CL0022", 1, 4), ("CL0023", 1, 8)]),
    ("&x a: &x 1\n", [("CL0022", 1, 1), ("CL0022", 1, 7)]),
    ("a: !t &x 1\n", [("CL0022", 1, 7)]),
    ("<<: {a: 1}\n", [("CL0024", 1, 1)]),
    ("a: !!str 1\nb: !x [1]\n", [("CL0025", 1, 4), ("CL0025", 2, 4)]),
    ("a: ! 1\nb: ! [1]\n", [("CL0025", 1, 4), ("CL0025", 2, 4)]),
    ("!x a: 1\n", [("CL0025", 1, 1)]),
    ("a: !owned\n", [("CL0025", 1, 4)]),
    ("a: 1\n---\nb: 2\n", [("CL0026", 2, 1)]),
    ("%YAML 1.1\n---\na: 1\n", [("CL0027", 1, 1)]),
    ("%TAG ! tag:x,2026:\n---\na: 1\n", [("CL0027", 1, 1)]),
    ("? [a]\n: 1\n", [("CL0028", 1, 3)]),
    ("{a: 1}: 1\n", [("CL0028", 1, 1)]),
    ("?\n: 1\n", [("CL0028", 1, 2)]),
    ("", [("CL0029", 1, 1)]),
    ("# only a comment\n", [("CL0029", 1, 1)]),
    ("---\n", [("CL0029", 1, 1)]),
    # scalars
    ("a: 0042\nb: -01\nc: 00.5\n", [("CL0030", 1, 4), ("CL0030", 2, 4), ("CL0030", 3, 4)]),
    ("a: [1_000, 1_0.5, 1.0_0]\n", [("CL0031", 1, 5), ("CL0031", 1, 12), ("CL0031", 1, 19)]),
    ("a: [1e3, 1.5E-3, .5e+1]\n", [("CL0032", 1, 5), ("CL0032", 1, 10), ("CL0032", 1, 18)]),
    ("a: [.nan, -.inf, +.INF]\n", [("CL0033", 1, 5), ("CL0033", 1, 11), ("CL0033", 1, 18)]),
    ("a: [+1, 1., .5, -0, -0.0, 0x1F, 0o17]\n", [("CL0034", 1, c) for c in (5, 9, 13, 17, 21, 27, 33)]),
    ("a: 9007199254740992\nb: 9007199254740991\n", [("CL0035", 1, 4)]),
    (f"a: {'9' * 5000}\n", [("CL0035", 1, 4)]),
    (f"a: 0.{'3' * 35}\nb: 0.{'3' * 34}\n", [("CL0035", 1, 4)]),
    ("\U0001f600: 007\n", [("CL0030", 1, 4)]),
    # bounds
    ("[" * MAX_DEPTH + "]" * MAX_DEPTH, [("CL0040", 1, MAX_DEPTH)][:0]),
    ("[" * (MAX_DEPTH + 1) + "]" * (MAX_DEPTH + 1), [("CL0040", 1, MAX_DEPTH)]),
    ("- " * 500 + "a", [("CL0040", 1, 2 * MAX_DEPTH - 1)]),
    (f"a: [{'1,' * MAX_NODES}]", [("CL0041", 1, 4)]),
    (f"a: {'x' * MAX_SCALAR}\n", []),
    (f"a: {'x' * (MAX_SCALAR + 1)}\n", [("CL0042", 1, 4)]),
]  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), TABLE, ids=range(len(TABLE)))
def test_findings_are_at_their_exact_places(text, expected):
    document, findings = parse_text("f.yaml", text)
    assert [(f.code, f.span.line, f.span.column) for f in findings] == expected
    assert (document is None) == bool(expected)


def test_scalars_follow_yaml_1_2_and_stay_exact():
    document, _ = parse_text("f.yaml", "a: [no, on, 1:30, 2026-08-01, 1.10, 80, -0.5, ~, true, 'true', '', =x, 0]\n")
    expected = [
        "no",
        "on",
        "1:30",
        "2026-08-01",
        Decimal("1.10"),
        80,
        Decimal("-0.5"),
        None,
        True,
        "true",
        "",
        "=x",
        0,
    ]
    assert document.data == {"a": expected}
    assert str(document.data["a"][4]) == "1.10"
    assert [type(value) for value in document.data["a"]] == [type(value) for value in expected]


def test_keys_are_text_as_written():
    document, _ = parse_text("f.yaml", "1: a\n1.10: b\ntrue: c\nnull: d\n")
    assert list(document.data) == ["1", "1.10", "true", "null"]


def test_a_duplicate_key_names_the_first_one():
    _, (finding,) = parse_text("f.yaml", "a: 1\nb: 2\na: 3\n")
    assert str(finding.related[0].span) == "f.yaml:1:1"
    assert finding.message == "duplicate key 'a'"


def test_carriage_returns_name_the_file_that_prevents_them():
    _, (finding,) = parse_text("f.yaml", "a: 1\r\n")
    assert ".gitattributes" in finding.hint
    assert "* text=auto eol=lf" in (Path(__file__).parents[2] / ".gitattributes").read_text()


def test_all_findings_of_a_file_come_together_up_to_a_bound():
    _, findings = parse_text("f.yaml", "".join(f"k{i}: 007\n" for i in range(150)))
    assert len(findings) == 101
    assert findings[-1].code == "CL0043"
    assert findings[-1].message == "50 more findings in this file"


@pytest.mark.parametrize(
    "bomb",
    [
        "[" * 1_000_000,
        "{" * 1_000_000,
        "[{" * 500_000,
        "- " * 500_000,
        "? " * 500_000,
        "a: &a [x,x]\n" + "".join(f"b{i}: &b{i} [*a,*a]\n" for i in range(1000)),
        "a: 1" + "_" * 60_000 + "x\n",
        "a: " + "1" * 60_000 + "x\n",
        "a: " + "0." * 30_000 + "\n",
        "\t" * 1_000_000,
        "e\u0301" * 300_000,
        "a: '" + "\n" * 1_000_000,
        "&" * 1_000_000,
        "!" * 1_000_000,
        "a: " + "*a " * 300_000,
        "[" + "a, " * 300_000,
    ],
    ids=range(16),
)
def test_hostile_files_are_refused_quickly(bomb):
    started = time.process_time()
    document, findings = parse_text("f.yaml", bomb[:MAX_FILE_BYTES])
    assert (document is None) == bool(findings)
    assert time.process_time() - started < 3


def test_the_c_parser_is_there():
    assert yaml.__with_libyaml__
