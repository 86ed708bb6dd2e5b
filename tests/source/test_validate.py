"""Documents against models: every misfit at its place, in our own words."""

from __future__ import annotations

import datetime
import json
from collections.abc import Mapping
from decimal import Decimal
from typing import Annotated, Any, Literal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import Field, Tag, field_validator, model_validator
from pydantic_core import PydanticCustomError

from caselock.diagnostics import CODES
from caselock.source.yaml_reader import parse_text
from caselock.spec.base import (
    CelText,
    Day,
    Identifier,
    Instant,
    Model,
    Number,
    OneOrMany,
    Sha256,
    SourceRef,
    Text,
    VersionText,
    keyed,
    reject,
)
from caselock.spec.validate import validate
from caselock.views.diagnostics import render_text
from caselock.views.schemas import render_schema


class Call(Model):
    event: Literal["call"]
    times: int = Field(1, ge=1, le=9)


class Effect(Model):
    event: Literal["effect"]
    amount: Number
    call: Text | None = None
    nested: Mapping[Identifier, Effect] = Field(default_factory=dict)


class Insert(Model):
    insert: Identifier


class Update(Model):
    update: Identifier
    fields: tuple[str, ...] = Field((), min_length=1)


Change = Annotated[
    Annotated[Insert, Tag("insert")] | Annotated[Update, Tag("update")],
    keyed("insert", "update"),
]


class Toy(Model):
    name: Identifier
    version: VersionText = "1"
    then: Literal["fulfil", "refuse"] = "fulfil"
    events: tuple[Annotated[Call | Effect, Field(discriminator="event")], ...] = ()
    changes: tuple[Change, ...] = ()
    from_: OneOrMany[SourceRef] = Field((), alias="from")
    counts: dict[Identifier, tuple[int, ...]] = Field(default_factory=dict)
    more: Call | Literal[False] | None = None
    when: CelText = "true"
    on: Day | None = None
    at: Instant | None = None
    flag: bool = False
    digest: Sha256 | None = None
    anything: Any = None

    @field_validator("anything")
    @classmethod
    def _no_secret(cls, value: Any) -> Any:
        if value == "secret":
            raise ValueError("a secret has no place here")
        if value == "old":
            raise PydanticCustomError("old_word", "'old' is no longer used", {"allowed": ["new"]})
        return value

    @model_validator(mode="before")
    @classmethod
    def _no_both(cls, value: Any) -> Any:
        if isinstance(value, dict) and "on" in value and "at" in value:
            raise reject("'on' and 'at' exclude each other", code="CL0101", path=("at",), key=True, hint="keep one")
        return value


TOY_KEYS = tuple(field.alias or name for name, field in Toy.model_fields.items())

TABLE = [
    ("name: a\n", []),
    ("name: a\nevents: [{event: call}, {event: effect, amount: 1, call: x}]\n", []),
    ("name: a\nfrom: sop#s-4\ncounts: {a: [1, 2]}\nmore: false\n", []),
    (
        "nam: a\n",
        [("CL0101", "1:1", "nam", "unknown key 'nam'"), ("CL0102", "1:1", "", "missing key 'name'")],
    ),
    ('name: a\n"[key]": 1\n', [("CL0101", "2:1", '["[key]"]', "unknown key '[key]'")]),
    ("- a\n", [("CL0103", "1:1", "", "expected a mapping for 'the file', found a list")]),
    ("a\n", [("CL0103", "1:1", "", "expected a mapping for 'the file', found 'a'")]),
    ("name: A b\n", [("CL0105", "1:7", "name", "'A b' is not an identifier")]),
    ("name: 12\n", [("CL0103", "1:7", "name", "expected a text for 'name', found 12")]),
    ("name:\n", [("CL0103", "1:6", "name", "expected a text for 'name', found nothing")]),
    (f"name: {'a' * 129}\n", [("CL0107", "1:7", "name", "'name' has 129 characters; expected at most 128")]),
    ("name: a\nversion: 1.10\n", [("CL0108", "2:10", "version", "version 1.10 is not quoted")]),
    (
        "name: a\nversion: true\n",
        [("CL0103", "2:10", "version", "expected a text for 'version', found true")],
    ),
    ("name: a\nthen: refus\n", [("CL0104", "2:7", "then", "'refus' is not allowed for 'then'")]),
    ("name: a\nfrom_: a#b\n", [("CL0101", "2:1", "from_", "unknown key 'from_'")]),
    ("name: a\nfrom: sop\n", [("CL0105", "2:7", "from", "'sop' is not a source reference")]),
    ("name: a\nfrom: [a#b, sop]\n", [("CL0105", "2:13", "from[1]", "'sop' is not a source reference")]),
    (
        "name: a\nevents: {}\n",
        [("CL0103", "2:9", "events", "expected a list of mappings for 'events', found a mapping")],
    ),
    ("name: a\nevents: [5]\n", [("CL0103", "2:10", "events[0]", "expected a mapping in 'events', found 5")]),
    ("name: a\nevents: [{amount: 1}]\n", [("CL0102", "2:11", "events[0]", "missing key 'event'")]),
    (
        "name: a\nevents: [{event: cal}]\n",
        [("CL0104", "2:18", "events[0].event", "'cal' is not allowed for 'event'")],
    ),
    (
        "name: a\nevents: [{event: call, tims: 1}]\n",
        [("CL0101", "2:24", "events[0].tims", "unknown key 'tims'")],
    ),
    (
        "name: a\nevents: [{event: call, times: 0}]\n",
        [("CL0106", "2:31", "events[0].times", "0 is out of bounds for 'times'; expected at least 1")],
    ),
    (
        "name: a\nevents: [{event: call, times: 1.0}]\n",
        [("CL0103", "2:31", "events[0].times", "expected a whole number for 'times', found 1.0")],
    ),
    (
        "name: a\nevents: [{event: effect, amount: '1', call: 2}]\n",
        [
            ("CL0103", "2:34", "events[0].amount", "expected a number for 'amount', found '1'"),
            ("CL0103", "2:45", "events[0].call", "expected a text for 'call', found 2"),
        ],
    ),
    (
        "name: a\nevents: [{event: effect, amount: true}]\n",
        [("CL0103", "2:34", "events[0].amount", "expected a number for 'amount', found true")],
    ),
    (
        "name: a\nevents: [{event: effect, amount: 1, nested: {B: {event: effect}}}]\n",
        [
            ("CL0105", "2:46", "events[0].nested.B", "'B' is not an identifier"),
            ("CL0102", "2:50", "events[0].nested.B", "missing key 'amount'"),
        ],
    ),
    (
        "name: a\nchanges: [{insert: a, b: 1}, {update: c, fields: []}]\n",
        [
            ("CL0101", "2:23", "changes[0].b", "unknown key 'b'"),
            ("CL0107", "2:50", "changes[1].fields", "'fields' is empty; expected at least 1"),
        ],
    ),
    (
        "name: a\nchanges: [{insrt: a}]\n",
        [("CL0102", "2:12", "changes[0]", "missing key 'insert' or 'update'")],
    ),
    (
        "name: a\nchanges: [5]\n",
        [("CL0103", "2:11", "changes[0]", "expected a mapping in 'changes', found 5")],
    ),
    (
        "name: a\ncounts: {a: [1, x]}\n",
        [("CL0103", "2:17", "counts.a[1]", "expected a whole number in 'a', found 'x'")],
    ),
    ("name: a\nmore: {event: call, tims: 1}\n", [("CL0101", "2:21", "more.tims", "unknown key 'tims'")]),
    ("name: a\nmore: 5\n", [("CL0103", "2:7", "more", "expected a mapping or false for 'more', found 5")]),
    ("name: a\nwhen: [x]\n", [("CL0103", "2:7", "when", "expected a text for 'when', found a list")]),
    ("name: a\nwhen: ''\n", [("CL0107", "2:7", "when", "'when' is empty; expected at least 1")]),
    ("name: a\non: 2026-02-30\n", [("CL0110", "2:5", "on", "'2026-02-30' is not a date")]),
    ("name: a\non: 20260228\n", [("CL0103", "2:5", "on", "expected a date for 'on', found 20260228")]),
    ("name: a\nat: 2026-02-28\n", [("CL0110", "2:5", "at", "'2026-02-28' is not a point in time")]),
    ("name: a\nflag: yes\n", [("CL0103", "2:7", "flag", "expected true or false for 'flag', found 'yes'")]),
    ("name: a\ndigest: abc\n", [("CL0105", "2:9", "digest", "'abc' is not a sha256 digest")]),
    ("name: a\nanything: secret\n", [("CL0110", "2:11", "anything", "a secret has no place here")]),
    ("name: a\nanything: old\n", [("CL0110", "2:11", "anything", "'old' is no longer used")]),
    ("name: a\non: 2026-02-28\nat: x\n", [("CL0101", "3:1", "at", "'on' and 'at' exclude each other")]),
]


def check(text):
    document, findings = parse_text("f.yaml", text)
    assert findings == ()
    return validate(document, Toy)


@pytest.mark.parametrize(("text", "expected"), TABLE, ids=range(len(TABLE)))
def test_misfits_are_found_at_their_places(text, expected):
    value, findings = check(text)
    found = [(f.code, f"{f.span.line}:{f.span.column}", f.path, f.message) for f in findings]
    assert sorted(found) == sorted(expected)
    assert (value is None) == bool(expected)


def test_an_unknown_key_names_what_is_allowed_and_nearest():
    _, (finding,) = check("name: a\nevents: [{event: call, tims: 1}]\n")
    assert finding.allowed == ("event", "times")
    assert (finding.found, finding.nearest) == ("tims", "times")


def test_a_wrong_word_names_what_is_allowed_and_nearest():
    _, (finding,) = check("name: a\nthen: refus\n")
    assert (finding.found, finding.allowed, finding.nearest) == ("refus", ("fulfil", "refuse"), "refuse")


def test_found_is_exactly_as_written():
    _, (finding,) = check("name: 1.10\n")
    assert (finding.found, finding.hint) == ("1.10", 'put it in quotes: "1.10"')


def test_values_keep_their_exact_types():
    value, _ = check("name: a\nwhen: true\non: 2026-02-28\nat: 2026-02-28T08:00:00Z\n")
    assert value is None
    value, _ = check("name: a\nevents: [{event: effect, amount: 1.10}]\nwhen: 1.5\nfrom: a#b\n")
    assert str(value.events[0].amount) == "1.10"
    assert isinstance(value.events[0].amount, Decimal)
    assert (value.when, value.from_) == ("1.5", ("a#b",))
    value, _ = check("name: a\nwhen: true\nat: 2026-02-28T08:00:00Z\n")
    assert value.when == "true"
    assert value.at == datetime.datetime(2026, 2, 28, 8, tzinfo=datetime.UTC)


def test_many_misfits_are_bounded():
    _, findings = check("name: a\nevents: [" + "1, " * 500 + "]\n")
    assert len(findings) == 101


def test_messages_never_speak_python_or_pydantic():
    for text, _ in TABLE:
        for finding in check(text)[1]:
            words = f"{finding.message} {finding.hint}".lower()
            assert not any(word in words for word in ("input should", "pydantic", "dict", "tuple", "nonetype"))


def test_schemas_say_what_an_editor_can_check():
    text = render_schema("toy", Toy)
    assert text == render_schema("toy", Toy)
    assert '"$id": "urn:caselock:schema:toy"' in text
    assert '"type": "number"' in text
    assert "Generated by `caselock schema`" in text


KEYS = st.sampled_from(
    [*TOY_KEYS, "event", "times", "amount", "call", "nested", "insert", "update", "fields", "a", "B", "[key]"]
)
SCALARS = st.sampled_from([None, True, 0, 1, Decimal("1.5"), "", "a", "call", "effect", "fulfil", "x#y", "2026-02-28"])
DATA = st.dictionaries(
    KEYS,
    st.recursive(SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=4)),
    max_size=6,
)


@settings(max_examples=300, deadline=None)
@given(DATA)
def test_any_data_is_a_model_or_findings_inside_the_file(data):
    document, _ = parse_text("f.yaml", json.dumps(data, default=float))
    value, findings = validate(document, Toy)
    assert (value is None) == bool(findings)
    for finding in findings:
        assert finding.code in CODES
        assert finding.span.end_column <= len(document.text) + 1
        render_text([finding], lambda _: document.text, files=1)
