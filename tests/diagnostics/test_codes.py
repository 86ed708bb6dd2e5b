"""The code table: every entry says enough, and no number is used twice."""

import re

import pytest

from caselock.diagnostics import CODES, CodeInfo, Severity
from caselock.diagnostics.code import error, note, retired, table, warning
from caselock.views.codes import explain_markdown, explain_text

ENTRY = {"why": "w", "bad": "b", "good": "g"}


@pytest.mark.parametrize("info", CODES.values(), ids=CODES)
def test_every_code_has_a_title_a_reason_and_an_example_each_way(info):
    assert re.fullmatch(r"CL[01][0-9]{3}", info.id)
    assert info.title
    assert not info.title[0].isupper() or info.title.split()[0].isupper()
    assert info.why.endswith(".")
    assert info.bad
    assert info.good
    assert info.bad != info.good or info.retired


@pytest.mark.parametrize("info", CODES.values(), ids=CODES)
def test_every_code_can_be_explained(info):
    assert explain_text((info,)).startswith(f"{info.id} {info.title} (")
    assert f"## {info.id}: {info.title}" in explain_markdown((info,))


def test_codes_are_listed_in_order():
    assert list(CODES) == sorted(CODES)


def test_a_number_used_twice_is_a_fault():
    with pytest.raises(AssertionError):
        table((error("CL0001", "a", **ENTRY),), (note("CL0001", "b", **ENTRY),))


def test_each_constructor_gives_its_severity():
    entries = [make("CL0001", "t", **ENTRY) for make in (error, warning, note)]
    assert [entry.severity for entry in entries] == [Severity.ERROR, Severity.WARNING, Severity.NOTE]


def test_a_retired_code_stays_as_a_tombstone():
    entry = retired("CL0999", "old", why="replaced by CL0001.")
    assert isinstance(entry, CodeInfo)
    assert explain_text((entry,)).startswith("CL0999 old (retired)")
