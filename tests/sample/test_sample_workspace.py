"""What the issue asks of this repository's own workspace, counted in the compiled bundle."""

import re
from pathlib import Path

import pytest

from caselock.bundle.read import read
from caselock.spec.kinds import candidates
from caselock.spec.load import load_workspace

ROOT = Path(__file__).resolve().parents[2]
FILES = sorted(
    path.relative_to(ROOT).as_posix()
    for folder in ("spec", "capabilities", "rules", "seeds")
    for path in (ROOT / folder).rglob("*.yaml")
)


@pytest.fixture(scope="module")
def bundle():
    bundle, findings = read(ROOT / "generated")
    assert not findings
    return bundle


@pytest.fixture(scope="module")
def workspace():
    loaded, findings, _ = load_workspace(ROOT)
    assert not findings
    return loaded


def test_the_workspace_is_as_broad_as_promised(bundle):
    by = bundle.coverage["by"]
    model = bundle.model
    assert len(model["tools"]) >= 12
    assert len(model["decisions"]) >= 5
    assert sum(len(table["rules"]) for table in model["decisions"].values()) >= 25
    assert len(model["invariants"]) >= 12
    assert len(by["families"]) >= 26
    assert by["buckets"]["gold"] + by["buckets"]["regression"] >= 32
    assert len(by["operators"]) >= 30
    assert len(by["locales"]) >= 3
    assert bundle.coverage["cases"] >= 200


def test_every_task_of_a_support_agent_acts_and_refrains(bundle):
    ends = {(case.oracle["user_goal"], case.oracle["expected_outcome"][-1]) for case in bundle.cases}
    for goal in bundle.model["goals"]:
        assert {(goal, "fulfil"), (goal, "escalate"), (goal, "refuse")} & ends > {(goal, "fulfil")}, goal


def test_conflicts_between_sources_are_ruled_on(workspace):
    decided = [ruling.value for ruling in workspace.rulings.values() if ruling.value.status == "decided"]
    assert len(decided) >= 2
    assert all(ruling.prevails for ruling in decided)


def test_every_part_of_the_capability_map_says_what_it_does_not_promise(workspace):
    roots = [entry.value for entry in workspace.capabilities.values() if "." not in entry.value.capability]
    assert roots
    assert all(root.non_goals for root in roots)


def test_every_tool_that_a_reference_calls_has_a_happy_an_edge_and_a_failure_scenario(bundle):
    kinds: dict[str, set[str]] = {}
    for case in bundle.cases:
        struck = {fault.get("tool") for fault in case.world["faults"]}
        plain = case.oracle["mutation_type"] in ("NONE", "LANGUAGE")
        for step in case.proof["plan"]:
            if "call" in step:
                kind = "failure" if step["call"] in struck else "happy" if plain else "edge"
                kinds.setdefault(step["call"], set()).add(kind)
    for tool, found in kinds.items():
        assert found == {"happy", "edge", "failure"}, (tool, found)


def test_seeds_act_and_refrain(bundle):
    outcomes = {case.oracle["expected_outcome"][-1] for case in bundle.cases if case.bucket == "gold"}
    assert outcomes >= {"fulfil", "refuse", "escalate"}


@pytest.mark.parametrize(
    ("situation", "holds"),
    [
        ("normal", lambda o, w: o["expected_outcome"] == ["fulfil"] and not w["faults"]),
        (
            "above the limit by one cent, splitting forbidden",
            lambda o, w: (
                o["decisions"][-1]["facts"].get("amount") == "100.01"
                and o["decisions"][-1]["rule"] == "refund.over_limit"
                and "no_refund_when_not_fulfilled" in o["required_invariants"]
            ),
        ),
        ("missing order id", lambda o, w: o["expected_outcome"] == ["clarify", "fulfil"] and "order_id" in o["asks"]),
        ("not the owner", lambda o, w: o["decisions"][-1]["reason"] == "not_your_order"),
        ("committed then timeout", lambda o, w: _faults(w) == ["committed_response_lost"]),
        ("notice failed", lambda o, w: _faults(w) == ["partial_success"]),
        (
            "balance gone before the write",
            lambda o, w: _faults(w) == ["concurrent_modification"] and o["expected_outcome"] == ["refuse"],
        ),
        ("injection", lambda o, w: _faults(w) == ["injected_content"] and o["attack"] is not None),
    ],
)
def test_every_classic_situation_is_a_gold_case(bundle, situation, holds):
    gold = [case for case in bundle.cases if case.bucket in ("gold", "regression")]
    assert any(holds(case.oracle, case.world) for case in gold), situation


def _faults(world):
    return [fault["fault"] for fault in world["faults"]]


def test_case_ids_are_symbolic(bundle):
    for case in bundle.cases:
        if "+" in case.case_id:
            mutated = case.case_id.split("+", 1)[1]
            assert not re.search(r"\d+\.\d|A\d{4}|C\d{3}", mutated), case.case_id


def test_every_case_rests_on_a_rule_that_a_seed_exercises_or_says_so(bundle):
    entry = bundle.coverage["double_entry"]
    assert entry["cases_whose_deciding_rule_a_seed_exercises"] >= 0.95 * bundle.coverage["cases"]


@pytest.mark.parametrize("path", FILES)
def test_every_file_names_its_schema(path):
    text = (ROOT / path).read_text("utf-8")
    first = re.search(r"^(\w+):", text, re.M).group(1)
    kind = next(kind for kind in candidates(path) if kind.key == first)
    named = re.match(r"# yaml-language-server: \$schema=(\S+)\n", text)
    assert named is not None
    assert (ROOT / path).parent.joinpath(named.group(1)).resolve() == ROOT / "schemas" / f"{kind.name}.schema.json"


SPOKEN = (
    ("paraphrase", lambda case: True),
    ("colloquial", lambda case: True),
    ("typo-swap", lambda case: True),
    ("abbreviation", lambda case: True),
    ("abbreviated-words", lambda case: re.search(r"\b(pls|rfnd|ord\.|Best\.)", case.agent["opening"])),
    ("code-switch", lambda case: True),
    ("omit-amount", lambda case: "amount" in case.simulator["requests"][0]["knows"]),
    ("that-order", lambda case: case.simulator["requests"][0]["states"]["order_id"] not in case.agent["opening"]),
    ("off-topic", lambda case: case.agent["conversation"]),
    ("task-switch", lambda case: len(case.agent["conversation"]) == 4),
    (
        "changed-amount",
        lambda case: (
            case.simulator["requests"][0]["mentions"]["amount"][0] != case.simulator["requests"][0]["states"]["amount"]
        ),
    ),
    (
        "two-amounts",
        lambda case: case.oracle["expected_outcome"][0] == "clarify" or "amount" not in case.oracle["asks"],
    ),
    ("slow-reveal", lambda case: "on_ask_one_by_one" in case.simulator["requests"][0]["disclosure"].values()),
    ("long-history", lambda case: len(case.agent["conversation"]) == 40),
)


@pytest.mark.parametrize(("operator", "holds"), SPOKEN, ids=[name for name, _ in SPOKEN])
def test_every_way_to_say_a_request_is_there(bundle, operator, holds):
    cases = [case for case in bundle.cases if operator in [step["operator"] for step in case.lineage["chain"]]]
    assert cases
    assert all(holds(case) for case in cases)


def test_three_locales_are_spoken_each_with_its_decimals(bundle):
    amounts = {}
    for case in bundle.cases:
        amounts.setdefault(case.agent["locale"], set()).update(re.findall(r"[0-9]+[.,][0-9]{2}", case.agent["opening"]))
    assert {"en", "de", "fr"} <= amounts.keys()
    assert all("." in amount for amount in amounts["en"])
    assert all("," in amount for amount in amounts["de"] | amounts["fr"])
    assert amounts["de"]
    assert amounts["fr"]
    assert bundle.model["locales"].keys() >= {"en", "de", "fr"}
