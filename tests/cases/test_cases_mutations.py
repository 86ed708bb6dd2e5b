"""Operators at work: boundary points, typos, what may change, and ids that name no value."""

import functools
import tempfile
from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from refund_world import BASE, NOTIFY, program, replaced, scenario, variant

from caselock.cases.dialogue import lost
from caselock.cases.expand import expand
from caselock.cases.mutations import Bound, CompiledOperator, mutate
from caselock.cases.operators import compile_operators
from caselock.cases.parent import Parent, parent_of
from caselock.cases.seeds import seed_scenario
from caselock.cases.thresholds import Threshold, ends, points, threshold_value, thresholds
from caselock.cases.wording import fill, parts
from caselock.expr.types import Decimal as DecimalType
from caselock.expr.types import Int
from caselock.spec.operators import Operator
from caselock.spec.schemas import Schema
from caselock.spec.seeds import Authored, Seed

SEED = Seed.model_construct(seed="s", risk="high", provenance=Authored(kind="authored"))
EN = program().workspace.locales["en"].value
CENT = DecimalType(step=Decimal("0.01"))


def parent(built=None, **changes):
    found = parent_of(built or program(), SEED, scenario(**changes))
    assert isinstance(found, Parent), found
    return found


def operator(mutation, **more):
    fields = {
        "operator": "op",
        "version": "1",
        "title": "An operator",
        "status": "approved",
        "type": "boundary",
        "applies_to": {"goal": "refund_order"},
        "changes": ("request.amount",),
        "effect": "recompute",
        "risk": "high",
        "bucket": "challenge",
        **more,
    }
    spec = Operator.model_validate({**fields, "mutation": mutation})
    return CompiledOperator(spec=spec, goals={"refund_order": Bound(when=None, values={})})


AMOUNT = {"kind": "boundary", "of": "refund.amount", "vary": "request.amount"}


def decided(made, from_parent, built=None):
    """The rule that decides each child of an operator, by the child's symbolic name."""
    return {
        child.param: parent_of(built or program(), SEED, child.scenario).decision.rule
        for child in mutate(built or program(), made, from_parent)
    }


def table():
    return program().goals["refund_order"].table


def test_the_thresholds_of_an_input_are_what_the_rules_compare_it_with():
    assert [item.name for item in thresholds(table(), "amount")] == ["bad_amount", "over_balance", "over_limit"]
    assert {item.name: sorted(item.rules) for item in thresholds(table(), "limit")} == {
        "over_limit": ["refund.ok", "refund.over_limit"]
    }


def test_a_threshold_is_evaluated_on_the_facts():
    facts = parent().decision.facts
    values = [threshold_value(item, facts) for item in thresholds(table(), "amount")]
    assert values == [Decimal("0.0"), Decimal("80.00"), Decimal("100.00")]


def test_a_threshold_without_its_fact_has_no_value():
    unknown = parent(slots={"order_id": "Z0000", "amount": Decimal("80.00")}).decision.facts
    assert threshold_value(thresholds(table(), "amount")[1], unknown) is None


@given(st.decimals(min_value=0, max_value=10**6, places=4))
def test_points_lie_a_step_apart_around_the_threshold(at):
    threshold = Threshold(name="t", node=thresholds(table(), "amount")[0].node, rules=frozenset())
    found = {point.name: point.value for point in points(threshold, CENT, at)}
    on_grid = at % Decimal("0.01") == 0
    assert list(found) == (["t.below", "t.at", "t.above"] if on_grid else ["t.below", "t.above"])
    assert found["t.above"] - found["t.below"] == (Decimal("0.02") if on_grid else Decimal("0.01"))
    assert found["t.below"] < at < found["t.above"]
    assert all(value % Decimal("0.01") == 0 for value in found.values())


def test_points_of_whole_numbers():
    threshold = thresholds(table(), "candidates")[0]
    assert [point.value for point in points(threshold, Int(), 1)] == [0, 1, 2]


def test_points_of_a_coarse_step_are_steps():
    threshold = thresholds(table(), "amount")[0]
    step = Decimal("0.05")
    assert all(point.value % step == 0 for point in points(threshold, DecimalType(step=step), Decimal("0.12")))


def test_points_of_a_duration():
    threshold = thresholds(table(), "age")[0]
    at = threshold_value(threshold, parent().decision.facts)
    assert len(points(threshold, table().input_types["age"].type, at)) == 3


def test_two_thresholds_never_share_a_name(tmp_path):
    built = variant(
        tmp_path,
        rules__refund=replaced(
            "when: owned && amount <= 0.0\n", "when: owned && (amount <= 0.0 || amount == 66.6 || amount > 5000.0)\n"
        ),
    )
    names = [item.name for item in thresholds(built.goals["refund_order"].table, "amount")]
    assert len(names) == len(set(names))


def test_boundary_points_fall_on_the_rule_that_each_is_about():
    unmask = ("initial_state.orders.refundable_amount", "initial_state.orders.total")
    aims = ("refund.bad_amount", "refund.over_balance", "refund.over_limit")
    rules = decided(operator(AMOUNT, unmask=unmask, aims_at=aims), parent())
    assert rules == {
        "bad_amount.below": "refund.bad_amount",
        "bad_amount.at": "refund.bad_amount",
        "bad_amount.above": "refund.ok",
        "over_balance.below": "refund.ok",
        "over_balance.above": "refund.over_balance",
        "over_limit.below": "refund.ok",
        "over_limit.at": "refund.ok",
        "over_limit.above": "refund.over_limit",
    }


def test_without_unmask_the_balance_hides_the_limit():
    rules = decided(operator(AMOUNT, aims_at=("refund.over_limit",)), parent())
    assert rules["over_limit.above"] == "refund.over_balance"


def test_unmask_changes_as_little_as_it_can():
    unmask = ("initial_state.orders.refundable_amount", "initial_state.orders.total")
    made = operator(AMOUNT, unmask=unmask, aims_at=("refund.over_limit",))
    plenty = parent(slots={"order_id": "A2048", "amount": Decimal("80.00")})
    assert all(child.scenario.overlay == {} for child in mutate(program(), made, plenty))
    scarce = {child.param: child.scenario.overlay for child in mutate(program(), made, parent())}
    assert set(scarce["over_limit.above"]) == {
        ("orders", "A1024", "refundable_amount"),
        ("orders", "A1024", "total"),
    }
    assert scarce["over_balance.above"] == {}


def test_the_limit_is_varied_the_same_way():
    made = operator(
        {"kind": "boundary", "of": "refund.limit", "vary": "agent.refund_limit"}, changes=("agent.refund_limit",)
    )
    assert decided(made, parent()) == {
        "over_limit.below": "refund.over_limit",
        "over_limit.at": "refund.ok",
        "over_limit.above": "refund.ok",
        "limit.lowest": "refund.over_limit",
    }


def test_a_closed_list_has_a_point_for_every_value_and_what_the_world_needs_for_it():
    status = {"kind": "boundary", "of": "refund.status", "vary": "order.status"}
    unmask = ("initial_state.orders.refundable_amount",)
    made = operator(status, aims_at=("refund.closed",), unmask=unmask, changes=("initial_state.orders.status",))
    assert decided(made, parent()) == {
        "status.shipped": "refund.ok",
        "status.refund_pending": "refund.in_progress",
        "status.closed": "refund.closed",
    }
    closed = next(child for child in mutate(program(), made, parent()) if child.param == "status.closed")
    assert closed.scenario.overlay[("orders", "A1024", "refundable_amount")] == 0


def test_a_value_that_no_world_can_have_makes_no_point():
    status = {"kind": "boundary", "of": "refund.status", "vary": "order.status"}
    assert "status.closed" not in decided(operator(status), parent())


@pytest.mark.parametrize(
    ("schema", "expected"),
    [
        ({"type": "integer", "minimum": 1, "maximum": 9}, [("lowest", 1), ("highest", 9)]),
        ({"type": "integer", "exclusiveMinimum": 0}, [("lowest", 1)]),
        (
            {"type": "number", "multipleOf": Decimal("0.01"), "exclusiveMaximum": Decimal("5")},
            [("highest", Decimal("4.99"))],
        ),
        ({"type": "number", "exclusiveMinimum": 0}, []),
        ({"type": "string"}, []),
    ],
)
def test_a_bounded_field_has_a_point_at_each_end(schema, expected):
    assert list(ends(Schema.model_validate(schema))) == expected


def test_where_two_thresholds_can_meet_there_are_points_at_and_above_both():
    unmask = ("initial_state.orders.refundable_amount", "initial_state.orders.total")
    plain = decided(operator(AMOUNT, unmask=unmask), parent())
    crossed = decided(operator({**AMOUNT, "cross": True}, unmask=unmask), parent())
    assert {name: rule for name, rule in crossed.items() if name not in plain} == {
        "over_balance_at_bad_amount.at": "refund.bad_amount",
        "over_balance_at_bad_amount.above": "refund.over_balance",
        "over_balance_at_over_limit.at": "refund.ok",
        "over_balance_at_over_limit.above": "refund.over_balance",
    }


TEXT = st.text(st.characters(exclude_characters="{}", exclude_categories=["C", "N"]), max_size=20)


@given(TEXT, TEXT, TEXT, st.sampled_from(["swap", "drop", "double"]))
def test_a_typo_changes_the_words_and_nothing_of_a_slot(first, second, third, slip):
    say = f"{first} {{amount}} {second} {{order_id}} and {{notify|send me a notice}} {third}"
    made = operator({"kind": "typo", "slip": slip}, type="language", changes=("request.wording",))
    before = parent(slots=NOTIFY["slots"], say=say)
    (child,) = mutate(program(), made, before)
    after = child.scenario
    assert [item for item in parts(after.say) if item.slot] == [item for item in parts(say) if item.slot]
    assert after.slots == before.scenario.slots
    schemas = program().goals["refund_order"].spec.slots
    assert lost(after, schemas, EN) is None


@pytest.mark.parametrize("slip", ["swap", "drop", "double"])
@given(TEXT)
def test_a_typo_always_changes_a_text_with_a_long_word(slip, text):
    say = f"{text} Please refund {{amount}} from {{order_id}}."
    made = operator({"kind": "typo", "slip": slip}, type="language", changes=("request.wording",))
    (child,) = mutate(program(), made, parent(say=say))
    changed = fill(child.scenario.say, BASE.slots, EN)
    assert changed != fill(say, BASE.slots, EN)
    assert abs(len(changed) - len(fill(say, BASE.slots, EN))) == (0 if slip == "swap" else 1)


def test_a_typo_is_the_same_each_time():
    made = operator({"kind": "typo", "slip": "swap"}, type="language", changes=("request.wording",))
    assert list(mutate(program(), made, parent())) == list(mutate(program(), made, parent()))


GOLD = """\
seed: my_seed
case_id: my_gold_001
version: "1"
family: my_family
title: A paid order is refunded in full
capability: refund.standard
owner: operations
author: somebody
source: [refund_sop_v3.2#section-4]
risk: high
severity: P1
locale: en
provenance: {kind: authored}
fixture: refund_fixture_v4
requests:
  - goal: refund_order
    slots: {order_id: A1024, amount: 80.00}
    say: Please refund {amount} from order {order_id}.
conversation: []
tools: [get_order, create_refund, create_ticket]
expected:
  outcome: [fulfil]
  rule: refund.ok
  state: {}
  required_invariants: []
  allowed_actions: []
  forbidden_actions: []
reference:
  - {respond: fulfil, says: {}}
reviews: []
"""
OPERATOR = """\
operator: {name}
version: "1"
title: An operator
status: approved
approved_by: somebody
type: state
applies_to: {{goal: refund_order}}
changes: [{changes}]
{more}mutation: {mutation}
effect: recompute
risk: high
bucket: challenge
"""
OWN = {
    "stays": ("user.on_hold", "{kind: set, set: {user.on_hold: true}}", ""),
    "strays": ("request.amount", "{kind: set, set: {user.on_hold: true}}", ""),
    "idles": ("user.on_hold", "{kind: set, set: {user.on_hold: false}}", ""),
    "breaks": ("initial_state.orders.status", "{kind: set, set: {order.status: closed}}", ""),
    "borders": (
        "request.amount",
        "{kind: boundary, of: refund.amount, vary: request.amount}",
        "aims_at: [refund.over_limit]\nunmask: [initial_state.orders.refundable_amount, initial_state.orders.total]\n",
    ),
    "slips": ("request.wording", "{kind: typo, slip: swap}", ""),
}


@functools.cache
def expanded(limit="100.00"):
    """Case ids and findings (code by operator) of the operators above on one seed."""
    files = {
        f"spec__operators__{name}": OPERATOR.format(name=name, changes=changes, mutation=mutation, more=more)
        for name, (changes, mutation, more) in OWN.items()
    }
    files["spec__world__refund_fixture_v4"] = replaced("refund_limit: 100.00", f"refund_limit: {limit}")
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        (root / "seeds" / "my_family").mkdir(parents=True)
        (root / "seeds" / "my_family" / "my_seed.yaml").write_text(GOLD)
        built = variant(root, **files)
    operators, _ = compile_operators(built)
    entry = built.workspace.seeds["my_seed"]
    base, problems = seed_scenario(built, entry)
    assert not problems
    return expand(built, {name: operators[name] for name in OWN}, {"my_seed": (entry, base)})


def codes(name):
    return sorted({item.code for item in expanded()[1] if f"'{name}'" in item.message})


def ids(limit="100.00"):
    return sorted(candidate.case_id for candidate in expanded(limit)[0])


def test_a_change_that_is_declared_is_a_case():
    assert codes("stays") == []
    assert "my_seed+stays" in ids()


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("strays", "CL0701"),
        pytest.param("idles", "CL0702"),
        ("breaks", "CL0706"),
    ],
)
def test_a_wrong_declaration_is_a_finding_and_no_case(name, code):
    assert code in codes(name)
    assert not any(name in case_id for case_id in ids())


def test_case_ids_are_symbolic():
    assert [case_id for case_id in ids() if "borders" in case_id] == [
        f"my_seed+borders@{threshold}.{point}"
        for threshold in ("bad_amount", "over_balance", "over_limit")
        for point in ("above", "at", "below")
        if (threshold, point) != ("over_balance", "at")
    ]
    assert "my_seed+slips" in ids()


def test_no_value_appears_in_an_id():
    values = ("A1024", "80", "100", "0.01", "C009", "Please")
    assert not any(value in case_id for case_id in ids() for value in values)


def test_another_limit_changes_cases_and_no_id():
    assert ids("120.00") == ids("100.00")
    first, second = expanded("100.00")[0], expanded("120.00")[0]
    assert [item.scenario for item in first] != [item.scenario for item in second]


def test_case_ids_are_unique():
    assert len(ids()) == len(set(ids()))
