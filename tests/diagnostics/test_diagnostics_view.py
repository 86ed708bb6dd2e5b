"""What people and programs get to see of findings."""

import json

from caselock.diagnostics import Diagnostic, Related, Span
from caselock.views.diagnostics import render_json, render_text, summary

FILES = {
    "rules/refund.yaml": "decision: refund\nrules:\n  because: [refund_sop_v3.1#section-4]\n",
    "spec/evil.yaml": "a: \x1b[31mred\n" + "x" * 300 + "\n\u8fd4\u54c1: bad\n",
}
UNKNOWN_SOURCE = Diagnostic(
    code="CL0203",
    span=Span("rules/refund.yaml", 3, 13, 3, 38),
    path="because[0]",
    message="unknown source 'refund_sop_v3.1#section-4'",
    found="refund_sop_v3.1#section-4",
    nearest="refund_sop_v3.2#section-4",
    nearest_at=Span("spec/sources.yaml", 8, 5, 8, 9),
)
DUPLICATE = Diagnostic(
    code="CL0205",
    span=Span("spec/gone.yaml", 4, 1, 4, 2),
    message="'a' is defined twice",
    hint="rename one",
    allowed=tuple(f"v{n}" for n in range(15)),
    related=(Related(span=Span("spec/evil.yaml", 1, 1, 1, 2), message="first defined here"),),
)
UNUSED = Diagnostic(code="CL0204", span=Span("rules/refund.yaml", 1, 1, 2, 7), message="nothing uses it")

GOLDEN = """\
rules/refund.yaml:3:13: CL0203 unknown source 'refund_sop_v3.1#section-4'
  3 |   because: [refund_sop_v3.1#section-4]
    |             ^^^^^^^^^^^^^^^^^^^^^^^^^
  hint: did you mean 'refund_sop_v3.2#section-4' (spec/sources.yaml:8:5)?

spec/gone.yaml:4:1: CL0205 'a' is defined twice
  hint: rename one
  allowed: v0, v1, v2, v3, v4, v5, v6, v7, v8, v9, v10, v11 and 3 more
  spec/evil.yaml:1:1: first defined here

rules/refund.yaml:1:1: CL0204 warning: nothing uses it
  1 | decision: refund
    | ^^^^^^^^^^^^^^^^

2 errors, 1 warning in 14 files
"""


def test_text_shows_the_line_the_hint_and_the_related_places():
    assert render_text([UNKNOWN_SOURCE, DUPLICATE, UNUSED], FILES.get, files=14) == GOLDEN


def test_colour_is_only_there_when_asked_for():
    assert "\x1b[" in render_text([UNKNOWN_SOURCE], FILES.get, files=1, colour=True)
    assert "\x1b" not in render_text([UNKNOWN_SOURCE], FILES.get, files=1)


def test_hostile_text_never_reaches_the_terminal():
    evil = Diagnostic(
        code="CL0101",
        span=Span("spec/evil.yaml", 1, 9, 1, 12),
        message="key '\x1b]0;x\x07'",
        found="\x1b",
        hint="a\nb",
        nearest="\u202e",
        allowed=("\x9b",),
    )
    text = render_text([evil], FILES.get, files=1)
    assert all(character.isprintable() or character == "\n" for character in text)
    assert "  1 | a: \\x1b[31mred\n    |            ^^^\n" in text


def test_long_lines_are_cut_around_the_span():
    finding = Diagnostic(code="CL0101", span=Span("spec/evil.yaml", 2, 200, 2, 203), message="m")
    _, line, carets, *_ = render_text([finding], FILES.get, files=1).split("\n")
    assert line == "  2 | ..." + "x" * 120 + "..."
    assert carets == "    | " + " " * 63 + "^^^"


def test_carets_stand_below_wide_characters():
    finding = Diagnostic(code="CL0101", span=Span("spec/evil.yaml", 3, 5, 3, 8), message="m")
    assert "    |       ^^^\n" in render_text([finding], FILES.get, files=1)


def test_places_beyond_the_file_do_not_fail():
    finding = Diagnostic(code="CL0101", span=Span("rules/refund.yaml", 99, 9, 99, 12), message="m")
    assert render_text([finding], FILES.get, files=1).startswith("rules/refund.yaml:99:9: CL0101 m\n")


def test_json_has_every_field():
    (entry,) = json.loads(render_json([DUPLICATE]))
    assert entry == {
        "code": "CL0205",
        "severity": "error",
        "file": "spec/gone.yaml",
        "line": 4,
        "column": 1,
        "end_line": 4,
        "end_column": 2,
        "path": "",
        "message": "'a' is defined twice",
        "found": None,
        "allowed": list(DUPLICATE.allowed),
        "nearest": None,
        "hint": "rename one",
        "related": [
            {
                "file": "spec/evil.yaml",
                "line": 1,
                "column": 1,
                "end_line": 1,
                "end_column": 2,
                "message": "first defined here",
            }
        ],
    }
    assert render_json([]) == "[]\n"


def test_summary():
    assert summary([], 1) == "no findings in 1 file"
    assert summary([UNUSED], 0) == "1 warning in 0 files"
