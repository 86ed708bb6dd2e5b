"""Decision tables: every hit is recorded, precedence is explicit, and nothing is settled by order alone."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from refund_world import LOOK, REFUND, played, replaced, task, variant

from caselock.expr.compile import compile_expression
from caselock.expr.types import Bool, Int, Scope, Variable
from caselock.expr.values import EvaluationError, Missing
from caselock.rules.tables import CompiledTable, Decision, Undecided, decide, facts_of
from caselock.spec.decisions import Rule
from caselock.spec.faults import ConcurrentModification

INPUTS = {name: Variable(type=Int(), optional=True) for name in ("a", "b")}


def table(*rules, policy="unique", rulings=()):
    """A table of (id, when, then, reason, overrides) rows."""
    made = [
        Rule(
            id=name, version="1", title=name, when=when, then=then, reason=reason, overrides=overrides, because=("s#1",)
        )
        for name, when, then, reason, overrides in rules
    ]
    losers = {rule.id: set(rule.overrides) for rule in made}
    for winner, loser in rulings:
        losers[winner].add(loser)
    return CompiledTable(
        name="t",
        version="1",
        hit_policy=policy,
        inputs={name: compile_expression(name, Scope(variables=INPUTS))[0] for name in INPUTS},
        input_types=INPUTS,
        assume=(),
        rules=tuple((rule, compile_expression(rule.when, Scope(variables=INPUTS), Bool())[0]) for rule in made),
        losers={name: frozenset(beaten) for name, beaten in losers.items()},
    )


def row(name, when, then="refuse", reason=None, overrides=()):
    return name, when, then, reason, overrides


def said(made, **facts):
    found = decide(made, {"a": Missing("a"), "b": Missing("b"), **facts})
    return found.kind if isinstance(found, Undecided) else (found.outcome, found.reason, found.rule, found.hits)


def test_all_hits_are_recorded_also_those_set_aside():
    made = table(row("big", "a > 1", overrides=("any", "odd")), row("any", "a > 0", "fulfil"), row("odd", "a == 3"))
    assert said(made, a=3) == ("refuse", None, "big", ("big", "any", "odd"))


def test_no_hit_is_a_gap():
    assert said(table(row("one", "a > 1")), a=1) == "gap"


@pytest.mark.parametrize("policy", ["unique", "any", "priority", "first"])
def test_two_outcomes_are_a_conflict_whatever_the_policy(policy):
    assert said(table(row("no", "a > 0"), row("yes", "a > 0", "fulfil"), policy=policy), a=1) == "conflict"


@pytest.mark.parametrize("policy", ["unique", "any", "priority", "first"])
def test_one_outcome_for_two_reasons_is_a_conflict(policy):
    made = table(row("x", "a > 0", reason="late"), row("y", "a > 0", reason="closed"), policy=policy)
    assert said(made, a=1) == "conflict"


@pytest.mark.parametrize(("policy", "expected"), [("unique", "conflict"), ("any", ("refuse", "late", "x", ("x", "y")))])
def test_two_rules_that_agree_are_fine_for_any_and_not_for_unique(policy, expected):
    made = table(row("x", "a > 0", reason="late"), row("y", "a > 0", reason="late"), policy=policy)
    assert said(made, a=1) == expected


def test_an_override_decides_only_where_both_hit():
    made = table(row("no", "a > 5", overrides=("yes",)), row("yes", "a > 0", "fulfil"))
    assert said(made, a=6)[:2] == ("refuse", None)
    assert said(made, a=5) == ("fulfil", None, "yes", ("yes",))


def test_rules_that_override_each_other_decide_nothing():
    made = table(row("x", "a > 0", overrides=("y",)), row("y", "a > 0", "fulfil", overrides=("x",)))
    assert said(made, a=1) in ("gap", "conflict")


def test_an_overridden_rule_silences_nobody():
    """x and z disagree and neither overrides the other; that y stands between them settles nothing."""
    made = table(
        row("x", "a > 0", overrides=("y",)),
        row("y", "a > 0", "escalate", overrides=("z",)),
        row("z", "a > 0", "fulfil"),
    )
    assert said(made, a=1) == "conflict"


def test_a_missing_input_keeps_its_rule_from_firing():
    made = table(row("no", "a > 0"), row("negated", "!(a > 0)"), row("yes", "b > 0", "fulfil"))
    assert said(made, b=1) == ("fulfil", None, "yes", ("yes",))


def test_a_missing_input_that_is_not_needed_does_not_matter():
    made = table(row("either", "a > 0 || b > 0"))
    assert said(made, b=1)[0] == "refuse"
    assert said(made, b=0) == "gap"


def test_presence_can_be_asked_for():
    made = table(row("absent", "!present(a)"), row("there", "present(a)", "fulfil"))
    assert said(made)[0] == "refuse"
    assert said(made, a=0)[0] == "fulfil"


def test_an_input_in_error_is_an_error_even_beside_a_hit():
    assert said(table(row("yes", "b > 0", "fulfil")), a=EvaluationError("dangling"), b=1) == "error"


def test_a_rule_in_error_is_an_error():
    made = table(row("broken", "a / b > 0"), row("yes", "a > 0", "fulfil"))
    assert said(made, a=1, b=0) == "error"


def test_facts_plant_what_is_missing():
    made = table(row("yes", "a > 0", "fulfil"))
    facts = facts_of(made, {"a": 1})
    assert facts["a"] == 1
    assert isinstance(facts["b"], Missing)


SOME = st.lists(st.sampled_from(["x", "y", "z"]), unique=True).map(tuple)


@given(st.tuples(SOME, SOME, SOME), st.permutations(["x", "y", "z"]))
def test_the_order_of_the_rows_never_decides(overrides, order):
    rows = {
        name: row(name, "a > 0", then, None, tuple(loser for loser in beaten if loser != name))
        for name, then, beaten in zip("xyz", ("refuse", "fulfil", "escalate"), overrides, strict=True)
    }
    usual, mixed = (table(*(rows[name] for name in names)) for names in ("xyz", order))
    first, second = said(usual, a=1), said(mixed, a=1)
    assert first[:3] == second[:3] if isinstance(first, tuple) else first == second


RULING = """\
ruling: limit_before_hold
version: "1"
title: The limit is looked at before the hold
owner: operations
date: 2026-08-01
status: {status}
between: [refund_sop_v3.2#section-6, refund_sop_v3.2#section-4]
rules: [refund.over_limit, refund.account_hold]
prevails: refund.over_limit
decision: The limit prevails.
"""


@pytest.mark.parametrize(("status", "expected"), [("decided", "refund.over_limit"), ("open", "conflict")])
def test_a_decided_ruling_settles_two_rules_and_an_open_one_does_not(tmp_path, status, expected):
    built = variant(
        tmp_path,
        rules__refund=replaced(
            "overrides: [refund.over_limit, refund.no_authority, refund.which_amount]\n"
            "    because: [refund_sop_v3.2#section-6]\n"
            "  - id: refund.over_limit",
            "overrides: [refund.no_authority, refund.which_amount]\n"
            "    because: [refund_sop_v3.2#section-6]\n  - id: refund.over_limit",
        ),
        rules__ruling=RULING.format(status=status),
    )
    made = task(built, overlay={("user", "on_hold"): True}, slots={"order_id": "A2048", "amount": Decimal("150.00")})
    found = made.decide(made.setup.state, made.wish.states)
    assert (found.rule if isinstance(found, Decision) else found.kind) == expected


def test_the_table_never_reads_the_agents_own_effects():
    made = task()
    run = played(made, LOOK, REFUND)
    assert run.session.state["orders"]["A1024"]["status"] == "refund_pending"
    assert made.decide_now(run.session).rule == "refund.ok"


def test_the_table_reads_what_others_changed_and_what_the_user_said():
    patch = ConcurrentModification(fault="concurrent_modification", tool="get_order", patch={"order.disputed": True})
    made = task(faults=(patch,))
    assert made.decide_now(played(made).session).rule == "refund.ok"
    assert made.decide_now(played(made, LOOK).session).rule == "refund.chargeback"
