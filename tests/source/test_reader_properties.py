"""Properties: any bytes are survived, data that was dumped is read back, spans point at the text."""

import unicodedata
from decimal import Decimal

import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from caselock.source.document import Document
from caselock.source.yaml_reader import parse_text

SNIPPETS = [
    *(
        "a: 1\n",
        "- x\n",
        "  ",
        "\t",
        "\n",
        ": ",
        "? ",
        "&a ",
        "*a",
        "!t ",
        "|-\n",
        ">2\n",
        "%YAML",
        "---\n",
        "...\n",
    ),
    *("'", '"', "\\", "[", "]", "{", "}", ",", "|", ">", "#", "<<", "1e3", "0x1"),
    *("\u00e9", "e\u0301", "\U0001f600", "\x85", "\ufeff"),
]
RULES = """\
decision: refund
inputs:
  amount: {from: request.amount, type: decimal, step: 0.01}
assume: [balance >= 0]
rules:
  - id: refund.over_limit
    when: "amount > limit && \\u0041 == 'it'"
    why: >-
      folded
        text

    note: |+
      literal

    because: ['refund_sop_v3.2#section-4', plain
      text]
"""
HIDDEN = ("Cs", "Cc", "Cf", "Cn", "Mn", "Zl", "Zp", "Co")
TEXTS = st.text(
    st.characters(min_codepoint=32, include_characters="\n", max_codepoint=0x1F600, exclude_categories=HIDDEN),
    max_size=12,
).filter(lambda text: unicodedata.is_normalized("NFC", text))
NUMBERS = st.integers(-(2**53) + 1, 2**53 - 1) | st.decimals(-(10**6), 10**6, places=2).filter(
    lambda number: not (number.is_zero() and number.is_signed())
)
DATA = st.dictionaries(
    TEXTS,
    st.recursive(
        st.none() | st.booleans() | NUMBERS | TEXTS,
        lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=4),
        max_leaves=12,
    ),
    min_size=1,
    max_size=4,
)


class Dumper(yaml.SafeDumper):
    """Writes decimals plainly, and quotes every text in the style that a test asks for."""

    quoting = '"'

    def ignore_aliases(self, data):
        return True


Dumper.add_representer(Decimal, lambda dumper, value: dumper.represent_scalar("tag:yaml.org,2002:float", str(value)))
Dumper.add_representer(
    str, lambda dumper, value: dumper.represent_scalar("tag:yaml.org,2002:str", value, dumper.quoting)
)


def survives(source):
    document, findings = parse_text("f.yaml", source)
    assert isinstance(document, Document) != bool(findings)
    for finding in findings:
        assert finding.span.line >= 1
        assert finding.span.column >= 1
        assert (finding.span.line, finding.span.column) <= (finding.span.end_line, finding.span.end_column)
    return document


@settings(max_examples=300, deadline=None)
@given(st.binary(max_size=60))
def test_any_bytes_are_a_document_or_findings(raw):
    survives(raw)


@settings(max_examples=600, deadline=None)
@given(st.lists(st.sampled_from(SNIPPETS), max_size=14).map("".join))
def test_any_mixture_of_yaml_is_a_document_or_findings(text):
    document = survives(text)
    if document is not None:
        follow_every_text(document, document.data, ())


@settings(max_examples=300, deadline=None)
@given(st.lists(st.tuples(st.integers(0, len(RULES)), st.integers(0, 3), st.sampled_from(SNIPPETS)), max_size=4))
def test_any_edit_of_a_rules_file_is_a_document_or_findings(edits):
    text = RULES
    for at, removed, inserted in edits:
        text = text[:at] + inserted + text[at + removed :]
    document = survives(text)
    if document is not None:
        follow_every_text(document, document.data, ())


@settings(max_examples=150, deadline=None)
@given(DATA, st.sampled_from(["'", '"', "|", ">"]), st.sampled_from([30, 1000]))
def test_strict_data_comes_back_as_it_was_written(data, style, width):
    Dumper.quoting = style
    text = yaml.dump(data, Dumper=Dumper, allow_unicode=True, width=width)
    document, findings = parse_text("f.yaml", text)
    assert findings == ()
    assert document.data == data
    follow_every_text(document, document.data, ())


def follow_every_text(document, data, path):
    """Check that each character of each text maps to a source character, and a plain one to itself."""
    if isinstance(data, dict):
        for key, value in data.items():
            follow_every_text(document, value, (*path, key))
    elif isinstance(data, list):
        for index, value in enumerate(data):
            follow_every_text(document, value, (*path, index))
    elif isinstance(data, str) and len(data) > 1:
        lines = document.text.split("\n")
        for at, character in enumerate(data):
            span = document.scalar_span(path, at, at + 1)
            spelling = lines[span.line - 1][span.column - 1 : span.end_column - 1]
            if character.isalnum() and span.line == span.end_line and not spelling.startswith("\\"):
                assert spelling == character
