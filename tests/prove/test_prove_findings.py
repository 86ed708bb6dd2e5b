"""Planted tables: each mistake is found with its witness, each sound table passes."""

import pytest
from probe import FILES, REST, proved

from caselock.pipeline import PROVE, run

WHOLE = "found && stated"


def ok(when=WHOLE, **more):
    return ("ok", when, "fulfil", None, more)


def no(when, **more):
    return ("no", when, "refuse", "closed", more)


def up(when, **more):
    return ("up", when, "escalate", "over", more)


OVER_OK = {"overrides": "[ok]"}
PLANTED = {
    "overlap by one cent": (
        [ok(WHOLE + " && amount <= 100.01"), up(WHOLE + " && amount > 100.0")],
        [("CL1001", "amount 100.01, found yes: ok says fulfil, up says escalate (over)")],
    ),
    "gap of one cent": (
        [ok(WHOLE + " && amount <= 100.0"), up(WHOLE + " && amount > 100.01")],
        [("CL1002", "amount 100.01, found yes: no rule says what happens")],
    ),
    "overlap at two thresholds": (
        [
            ok(WHOLE + " && amount <= 10.0"),
            no(WHOLE + " && amount >= 10.0 && amount <= 20.0"),
            up(WHOLE + " && amount >= 20.0"),
        ],
        [
            ("CL1001", "amount 10.00, found yes: ok says fulfil, no says refuse (closed)"),
            ("CL1001", "amount 20.00, found yes: no says refuse (closed), up says escalate (over)"),
        ],
    ),
    "overlap of thresholds between facts": (
        [
            ok(WHOLE + " && amount <= limit && amount <= balance"),
            no(WHOLE + " && amount > limit"),
            up(WHOLE + " && amount > balance"),
        ],
        [("CL1001", "amount 0.01, balance 0.00, limit 0.00: no says refuse (closed), up says escalate (over)")],
    ),
    "overlap of one second": (
        [ok(WHOLE + " && age <= duration('720h')"), no(WHOLE + " && age >= duration('720h')")],
        [("CL1001", "stated yes, age 30d: ok says fulfil, no says refuse (closed)")],
    ),
    "gap of a microsecond": (
        [
            ok(WHOLE + " && age <= duration('720h')"),
            no(WHOLE + " && age >= duration('720h') + duration('2us')"),
        ],
        [("CL1002", "stated yes, age 30d 1us: no rule says what happens")],
    ),
    "one outcome for two reasons": (
        [
            ok(WHOLE + " && !vip"),
            no(WHOLE + " && vip"),
            ("late", WHOLE + " && vip && weight > 5", "refuse", "late", {}),
        ],
        [("CL1001", "stated yes, weight 6, vip yes: no says refuse (closed), late says refuse (late)")],
    ),
    "overlap that agrees under unique": (
        [ok(WHOLE + " && !vip"), no(WHOLE + " && vip"), ("as", "found && amount > 5.0 && vip", "refuse", "closed", {})],
        [("CL1001", "amount 5.01, found yes, vip yes: no says refuse (closed), as says refuse (closed)")],
    ),
    "overridden rule silences nobody": (
        [
            ("x", WHOLE + " && vip", "refuse", "x", {"overrides": "[y]"}),
            ("y", WHOLE + " && vip && amount > 5.0", "escalate", "y", {"overrides": "[ok]"}),
            ok(),
        ],
        [
            ("CL1004", "'y' never decides: wherever it holds, 'x' decides in its place, "
                       "as with amount 5.01, found yes, vip yes"),
            ("CL1001", "stated yes, found yes, vip yes: x says refuse (x), ok says fulfil"),
        ],
    ),
    "forgotten enum value": (
        [ok(WHOLE + " && status == 'paid'"), no(WHOLE + " && status == 'closed'")],
        [("CL1002", "stated yes, status shipped: no rule says what happens")],
    ),
    "every other value of an enum": (
        [ok(WHOLE + " && status == 'paid'")],
        [("CL1002", "stated yes, status shipped: no rule says what happens")],
    ),
    "presence gap of an optional field": (
        [ok(WHOLE + " && weight <= 10"), no(WHOLE + " && weight > 10")],
        [("CL1002", "stated yes, found yes, weight missing: no rule says what happens")],
    ),
    "presence gap of an optional text": (
        [ok(WHOLE + " && note == 'a'"), no(WHOLE + " && note != 'a'")],
        [("CL1002", "stated yes, found yes, note missing: no rule says what happens")],
    ),
    "text that no rule names": (
        [ok(WHOLE + " && (!present(note) || note == 'a')"), no(WHOLE + " && note == 'b'")],
        [("CL1002", "stated yes, note another text: no rule says what happens")],
    ),
    "rule that contradicts itself": (
        [ok(), no(WHOLE + " && amount > 100.0 && amount < 50.0")],
        [("CL1003", "'no' can never hold: amount > 100.0 and amount < 50.0 clash")],
    ),
    "rule for what the records exclude": (
        [ok(), no(WHOLE + " && status == 'closed' && balance > 0.0")],
        [("CL1003", "'no' can never hold: status == 'closed' and balance > 0.0 clash")],
    ),
    "rule for what the look-up excludes": (
        [ok(), no(WHOLE + " && !named && !owned", **OVER_OK)],
        [("CL1003", "'no' can never hold: !named and !owned clash")],
    ),
    "rule for inputs that are missing together": (
        [ok(), no(WHOLE + " && !present(status)", **OVER_OK)],
        [("CL1003", "'no' can never hold: found and !present(status) clash")],
    ),
    "rule overridden wherever it holds": (
        [no(WHOLE, overrides="[ok]"), ok(WHOLE + " && vip")],
        [("CL1004", "'ok' never decides: wherever it holds, 'no' decides in its place, "
                    "as with stated yes, found yes, vip yes")],
    ),
    "rule overridden by two together": (
        [
            ok(WHOLE + " && status == 'paid'", overrides="[up]"),
            no(WHOLE + " && status != 'paid'", overrides="[up]"),
            up(WHOLE + " && vip"),
        ],
        [("CL1004", "'up' never decides: wherever it holds, 'ok' or 'no' decides in its place, "
                    "as with stated yes, found yes, vip yes")],
    ),
    "division by zero": (
        [ok(WHOLE + " && !present(count)"), no(WHOLE + " && 10 / count > 2"), up(WHOLE + " && 10 / count <= 2")],
        [
            ("CL1006", "stated yes, found yes, count 0: 'no' is in error: division by zero"),
            ("CL1006", "stated yes, found yes, count 0: 'up' is in error: division by zero"),
        ],
    ),
    "whole number that overflows": (
        [ok(), no(WHOLE + " && count * 2 > 10", **OVER_OK)],
        [("CL1006", "stated yes, found yes, count 4611686018427387904: "
                    "'no' is in error: the whole number does not fit in 64 bits")],
    ),
    "decimal beyond its digits": (
        [ok(), no(WHOLE + " && amount * amount > 10.0", **OVER_OK)],
        [("CL1005", "numbers can get longer than 34 digits, where decimals are no longer exact")],
    ),
    "order of texts": ([ok(), no(WHOLE + " && note < 'x'", **OVER_OK)],
                       [("CL1005", "'no': note < 'x' asks for the order of texts")]),
    "part of a text": ([ok(), no(WHOLE + " && note.contains('x')", **OVER_OK)],
                       [("CL1005", "'no': note.contains('x') has no exact formula")]),
    "rule for a missing amount only": (
        [("all", "amount <= limit", "fulfil", None, {}), ("over", "amount > limit", "escalate", "over", {})],
        [("CL1002", "amount missing: no rule says what happens")],
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", PLANTED)
def test_a_planted_mistake_is_found_with_its_witness(name, tmp_path):
    rules, expected = PLANTED[name]
    rest = () if rules[0][0] == "all" else (REST,)
    assert proved(tmp_path, *rest, *rules) == expected


SOUND = {
    "thresholds that meet": ([ok(WHOLE + " && amount <= limit"), up(WHOLE + " && amount > limit")], {}),
    "thresholds one cent apart": ([ok(WHOLE + " && amount <= 100.0"), up(WHOLE + " && amount >= 100.01")], {}),
    "every value of an enum": (
        [ok(WHOLE + " && status in ['paid', 'shipped']"), no(WHOLE + " && status == 'closed'")], {}),
    "override that silences": ([ok(), no(WHOLE + " && vip", **OVER_OK)], {}),
    "presence asked for": ([ok(WHOLE + " && (!present(weight) || weight <= 10)"), no(WHOLE + " && weight > 10")], {}),
    "missing together": ([ok(WHOLE + " && present(status) && present(balance)")], {}),
    "agreement under any": (
        [ok(WHOLE + " && !vip && amount <= 5.0"), no(WHOLE + " && vip"),
         ("as", WHOLE + " && amount > 5.0", "refuse", "closed", {})], {"policy": "any"}),
    "whole number kept small": (
        [ok(), no(WHOLE + " && count * 2 > 10", **OVER_OK)], {"assume": ["count >= 0 && count <= 1000"]}),
    "decimal kept short": (
        [ok(), no(WHOLE + " && amount * amount > 10.0", **OVER_OK)],
        {"assume": ["amount >= 0.0 && amount <= 1000.0"]}),
    "overlap that an assumption excludes": (
        [ok(WHOLE + " && amount <= 10.0"), no(WHOLE + " && amount >= 10.0")], {"assume": ["amount != 10.0"]}),
    "texts told apart": (
        [ok(WHOLE + " && (!present(note) || note != 'a')"), no(WHOLE + " && note == 'a'")], {}),
}  # fmt: skip


@pytest.mark.parametrize("name", SOUND)
def test_a_sound_table_passes(name, tmp_path):
    rules, settings = SOUND[name]
    assert proved(tmp_path, REST, *rules, **settings) == []


def test_an_assumption_that_leaves_no_value_is_found(tmp_path):
    found = proved(tmp_path, REST, ok(), assume=["amount > 5.0", "amount < 5.0"])
    assert found[0] == ("CL1007", "under the assumptions 'amount' can have no value")


def test_an_assumption_without_a_formula_is_found(tmp_path):
    found = proved(tmp_path, REST, ok(), assume=["note.startsWith('x')"])
    assert found == [("CL1005", "note.startsWith('x') has no exact formula")]


RULING = """\
ruling: vip_first
version: "1"
title: Who comes first
owner: team
date: 2026-03-01
status: {status}
between: [sop#a]
rules: {rules}
{prevails}decision: The status comes first.
"""
OVERLAP = (ok(WHOLE + " && !vip"), no(WHOLE + " && status == 'closed'", overrides="[ok]"), up(WHOLE + " && vip"))
SAID = ("CL1001", "stated yes, status closed, vip yes: no says refuse (closed), up says escalate (over)")


@pytest.mark.parametrize(
    ("status", "rules", "prevails", "expected"),
    [
        ("decided", "[no, up]", "prevails: no\n", []),
        ("open", "[no, up]", "prevails: no\n", [SAID]),
        ("decided", "[no, up]", "", [SAID]),
        ("decided", "[no, ok]", "prevails: no\n", [SAID]),
    ],
)
def test_only_a_decided_ruling_that_names_both_silences(tmp_path, status, rules, prevails, expected):
    ruling = RULING.format(status=status, rules=rules, prevails=prevails)
    assert proved(tmp_path, REST, *OVERLAP, **{"rules/ruling.yaml": ruling}) == expected


@pytest.mark.parametrize("policy", ["unique", "any", "priority", "first"])
def test_no_hit_policy_and_no_order_silences(tmp_path, policy):
    assert proved(tmp_path, REST, *OVERLAP, policy=policy) == [SAID]


SUPERSEDED = (
    FILES["spec/sources.yaml"]
    + """\
  - {id: old, kind: sop, version: "0", owner: team, title: Old, superseded_by: sop, sections: [{id: a, title: A}]}
"""
)


def test_a_rule_that_cites_a_superseded_source_is_found(tmp_path):
    rules = (REST, ok(because="[old#a]"))
    assert proved(tmp_path, *rules, **{"spec/sources.yaml": SUPERSEDED}) == []
    found = [(item.code, item.span.file) for item in run(PROVE, tmp_path).diagnostics]
    assert ("CL0206", "rules/claim.yaml") in found


FIXTURE = """\
fixture: shop
title: Shop
clock: "2026-03-10T10:00:00Z"
user: {customer_id: C1, vip: false}
agent: {role: desk, limit: 100.00}
tools: {}
world:
  orders:
    A1: {customer_id: C1, status: paid, balance: 10.00, paid_at: "2026-03-01T10:00:00Z"}
    A2: {customer_id: C2, status: paid, balance: 99.00, paid_at: "2026-03-11T10:00:00Z"}
"""


def test_an_assumption_is_held_against_every_record_of_every_fixture(tmp_path):
    found = proved(
        tmp_path, REST, ok(), assume=["age >= duration('0s')", "limit >= 0.0"], **{"spec/world/shop.yaml": FIXTURE}
    )
    assert found == [("CL1008", "fixture 'shop' when the request names 'A2': age -1d")]


def test_a_witness_is_the_same_whatever_the_order_of_questions(tmp_path):
    rules, expected = PLANTED["overlap at two thresholds"]
    first = proved(tmp_path / "a", REST, *rules)
    second = proved(tmp_path / "b", *reversed(rules), REST)
    assert first == expected
    assert [message.split(":")[0] for _, message in second] == [
        "amount 20.00, found yes",
        "amount 10.00, found yes",
    ]
