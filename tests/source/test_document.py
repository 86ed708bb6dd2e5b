"""Documents: the place of every part, and the source characters of a scalar's value."""

import hashlib

import pytest

from caselock.diagnostics import Span
from caselock.source.document import read_document
from caselock.source.yaml_reader import parse_text


def read(text):
    document, findings = parse_text("f.yaml", text)
    assert findings == ()
    return document


def source_of(text, span):
    lines = text.split("\n")
    if span.line == span.end_line:
        return lines[span.line - 1][span.column - 1 : span.end_column - 1]
    first, *middle = lines[span.line - 1 : span.end_line - 1]
    return "\n".join([first[span.column - 1 :], *middle, lines[span.end_line - 1][: span.end_column - 1]])


RULES = """\
decision: refund
rules:
  - id: refund.ok
    when: amount > limit
  - {id: x, because: [a#1, b#2]}

owner: ops
"""


@pytest.mark.parametrize(
    ("path", "key", "expected"),
    [
        (("decision",), False, "refund"),
        (("decision",), True, "decision"),
        (("rules", 0, "when"), False, "amount > limit"),
        (("rules", 0), False, "id: refund.ok\n    when: amount > limit"),
        (("rules", 1, "because", 1), False, "b#2"),
        (("rules", 1, "because"), False, "[a#1, b#2]"),
        (("rules", 1, "nothing"), False, "{id: x, because: [a#1, b#2]}"),
        (
            ("rules", 9, "id"),
            False,
            "- id: refund.ok\n    when: amount > limit\n  - {id: x, because: [a#1, b#2]}",
        ),
        (("rules", 0, "because"), True, "id: refund.ok\n    when: amount > limit"),
        ((), False, RULES.rstrip()),
    ],
)
def test_span_of_a_path(path, key, expected):
    assert source_of(RULES, read(RULES).span(path, key=key)) == expected


def test_a_missing_key_is_reported_at_the_first_key_of_its_mapping():
    assert str(read(RULES).first_key_span(("rules", 0))) == "f.yaml:3:5"


SCALARS = [
    ("a: amount > limit\n", "limit", "limit"),
    ("a: amount >\n   limit && x\n", "limit", "limit"),
    ("a: one\n\n\n  two\n", "two", "two"),
    ("a: one\n  two three\n", "one two", "one\n  two"),
    ("a: \U0001f600\U0001f600 b\n", "b", "b"),
    ("a: 'it''s b'\n", "b", "b"),
    ("a: 'it''s b'\n", "'", "''"),
    ("a: 'one\n\n  two'\n", "two", "two"),
    ('a: "x\\n\\u00e9 b"\n', "b", "b"),
    ('a: "x\\n\\u00e9 b"\n', "\u00e9", "\\u00e9"),
    ('a: "\\U0001F600 b"\n', "\U0001f600", "\\U0001F600"),
    ('a: "one \\\n    two"\n', "two", "two"),
    ('a: "one\\\n\n    two"\n', "two", "two"),
    ('a: "one  \n    two"\n', "two", "two"),
    ("a: |\n  one\n   two\n", " two", " two"),
    ("a: |\n\n  one\n\n  two\n", "two", "two"),
    ("a: |-\n  one\n  two\n", "two", "two"),
    ("a: |+\n  one\n\n\n", "one", "one"),
    ("a: |2\n    one\n  two\n", "two", "two"),
    ("a:\n  b: |\n    one", "one", "one"),
    ("a: >\n  one\n  two\n", "two", "two"),
    ("a: >\n  one\n  two\n", "one two", "one\n  two"),
    ("a: >\n\n\n  one\n\n  two\n", "two", "two"),
    ("a: >\n  one\n    more\n  two\n", "more", "more"),
    ("a: >\n  one\n\n    more\n\n  two\n", "two", "two"),
    ("a: >2\n    one\n  two\n", "two", "two"),
    ("a: >+\n  one\n  two\n\n", "two", "two"),
    ("a: >- # comment\n  one  \n  two\n", "two", "two"),
]


@pytest.mark.parametrize(("text", "part", "expected"), SCALARS, ids=range(len(SCALARS)))
def test_offsets_of_a_value_map_to_its_source(text, part, expected):
    document = read(text)
    path = next(iter(paths_of_texts(document.data)))
    value = document.written(path)
    start = value.index(part)
    span = document.scalar_span(path, start, start + len(part))
    assert source_of(text, span) == expected


@pytest.mark.parametrize("text", sorted({row[0] for row in SCALARS}))
def test_every_character_of_every_style_is_followed(text):
    document = read(text)
    path = next(iter(paths_of_texts(document.data)))
    value = document.written(path)
    whole = document.span(path)
    for at, character in enumerate(value):
        span = document.scalar_span(path, at, at + 1)
        assert span != whole or len(value) == 1
        if character.isalpha() and character.isascii():
            assert source_of(text, span) == character


def paths_of_texts(data, path=()):
    if isinstance(data, dict):
        for key, value in data.items():
            yield from paths_of_texts(value, (*path, key))
    elif isinstance(data, list):
        for index, value in enumerate(data):
            yield from paths_of_texts(value, (*path, index))
    elif isinstance(data, str):
        yield path


def test_an_offset_past_the_end_points_behind_the_last_character():
    document = read("a: 'b && '\n")
    assert document.scalar_span(("a",), 5, 6) == Span("f.yaml", 1, 10, 1, 10)


def test_an_empty_text_or_a_list_gives_its_own_place():
    document = read("a: ''\nb: [1]\n")
    assert document.scalar_span(("a",), 0, 1) == Span("f.yaml", 1, 4, 1, 6)
    assert document.scalar_span(("b",), 0, 1) == Span("f.yaml", 2, 4, 2, 7)


def test_written_keeps_the_spelling():
    document = read("a: 1.10\nb: 'x'\nc: [1]\n")
    assert [document.written((key,)) for key in "abc"] == ["1.10", "x", None]


def test_a_document_knows_the_digest_of_its_bytes(tmp_path):
    (tmp_path / "a.yaml").write_bytes(b"a: 1\n")
    document, findings = read_document(tmp_path, "a.yaml")
    assert findings == ()
    assert document.digest == hashlib.sha256(b"a: 1\n").hexdigest()
