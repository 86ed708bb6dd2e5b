"""Findings: their order, their weight, and the words that go with them."""

import pytest

from caselock.diagnostics import (
    Diagnostic,
    Severity,
    Span,
    counts,
    exit_status,
    in_order,
    nearest,
    yaml_path,
)

ERROR = Diagnostic(code="CL0101", span=Span("b.yaml", 2, 1, 2, 4), message="x")
EARLIER = Diagnostic(code="CL0101", span=Span("b.yaml", 1, 9, 1, 10), message="x")
OTHER_FILE = Diagnostic(code="CL0103", span=Span("a.yaml", 10, 1, 10, 2), message="x")
WARNING = Diagnostic(code="CL0204", span=Span("a.yaml", 9, 1, 9, 2), message="x")


def test_findings_come_in_file_order_and_once():
    assert in_order([ERROR, OTHER_FILE, WARNING, EARLIER, ERROR]) == (WARNING, OTHER_FILE, EARLIER, ERROR)


def test_counts_include_zeros():
    assert counts([ERROR, OTHER_FILE, WARNING]) == {Severity.ERROR: 2, Severity.WARNING: 1, Severity.NOTE: 0}


@pytest.mark.parametrize(
    ("findings", "strict", "status"),
    [
        ((), False, 0),
        ((), True, 0),
        ((WARNING,), False, 0),
        ((WARNING,), True, 1),
        ((WARNING, ERROR), False, 1),
    ],
)
def test_exit_status(findings, strict, status):
    assert exit_status(findings, strict=strict) == status


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ((), ""),
        (("rules", 3, "when"), "rules[3].when"),
        (("arguments", "create_refund.amount"), 'arguments["create_refund.amount"]'),
        ((0, "x-ref"), "[0].x-ref"),
        (("a\x1b\n",), '["a\\u001b\\n"]'),
    ],
)
def test_paths_are_written_as_people_write_them(path, text):
    assert yaml_path(path) == text


@pytest.mark.parametrize(
    ("word", "allowed", "expected"),
    [
        ("wen", ["when", "then"], "when"),
        ("cl0203", ["CL0201", "CL0203"], "CL0203"),
        ("xyz", ["when", "then"], None),
        ("a" * 1000, ["a" * 999], None),
        ("when", [], None),
    ],
)
def test_nearest(word, allowed, expected):
    assert nearest(word, allowed) == expected
