"""Wrong agents against sound graders, and against graders with one hole each: that one agent gets through."""

import shutil
from pathlib import Path

import pytest

from caselock.cases.build import build_task
from caselock.cases.derive import derive
from caselock.cases.seeds import seed_scenario
from caselock.rules.program import build_program
from caselock.spec.load import load_workspace
from caselock.strength.agents import AGENTS
from caselock.strength.battery import strength
from caselock.strength.bench import Bench

LIBRARY = Path(__file__).parents[1] / "workspaces" / "library"
GOAL = "spec/goals/renew_loan.yaml"
DAYS = "      - {that: slip.days == request.days, because: [lending_rules_2026#extending]}\n"
EXTRA = DAYS.replace("slip.days == request.days", "loan.extra_days == before.loan.extra_days + request.days")
LOAN = "      - {that: slip.loan_id == loan.loan_id, because: [lending_rules_2026#extending]}\n"
NOTHING = [
    ("creates: {slip: slips}", "may_create: {slip: {in: slips}}"),
    ("says: {slip_id: slip.slip_id}", "says: {loan_id: loan.loan_id}"),
    ("required: [slip_id]", "required: [loan_id]"),
    ('{slip_id: {type: string, pattern: "^S-[0-9A-F]{8}$"}}', "{loan_id: {type: string}}"),
    ("before.loan.renewals + 1", "loan.renewals"),
    *((line, "") for line in (DAYS, EXTRA, LOAN)),
]


def bench(root, seed, *cuts):
    """A seed of the library on the bench, with parts of the goal's contract cut out."""
    text = (root / GOAL).read_text()
    for old, new in cuts:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    (root / GOAL).write_text(text)
    workspace, found, _ = load_workspace(root)
    assert not found
    program, found = build_program(workspace)
    assert not found
    scenario, found = seed_scenario(program, workspace.seeds[seed])
    assert not found
    task = build_task(program, scenario, "bench")
    return Bench(task, derive(task).plan.steps, ())


@pytest.fixture
def root(tmp_path):
    return Path(shutil.copytree(LIBRARY, tmp_path / "library"))


def words(made):
    return {verdict.agent: verdict.word for verdict in strength(made).verdicts}


@pytest.mark.parametrize("seed", ["plain_01", "plain_02", "declined_01", "declined_02", "handed_over_01", "unnamed_01"])
def test_sound_graders_let_nobody_through_and_every_variation(root, seed):
    strong = strength(bench(root, seed))
    assert strong.survivors == ()
    assert dict(strong.rejected) == {}
    assert {verdict.agent for verdict in strong.verdicts} == set(AGENTS)


@pytest.mark.parametrize(
    ("seed", "agent", "cuts"),
    [
        ("plain_01", "wrong_amount", [(DAYS, ""), (EXTRA, "")]),
        ("plain_01", "do_nothing", NOTHING),
        ("handed_over_01", "wrong_choice", [("note.kind == 'handed_over' && note.reason", "note.reason")]),
        ("handed_over_01", "wrong_reason", [("\"note.kind == 'handed_over' && note.reason == decision.reason\"",
                                             "\"note.kind == 'handed_over'\"")]),
    ],
)  # fmt: skip
def test_a_hole_in_the_graders_lets_the_agent_through(root, seed, agent, cuts):
    assert words(bench(root, seed))[agent] == "killed"
    holed = strength(bench(root, seed, *cuts))
    kills = {verdict.agent: verdict for verdict in holed.verdicts}[agent]
    assert kills.word == "survived" or kills.by_text_alone, kills


def test_an_agent_that_does_nothing_wrong_here_is_no_fault(root):
    assert words(bench(root, "plain_01"))["act_always"] == "inapplicable"
    assert words(bench(root, "plain_01"))["replay_the_parent"] == "inapplicable"
    assert words(bench(root, "plain_01"))["obey_the_injection"] == "inapplicable"


def test_replaying_what_was_right_before_the_mutation_is_a_try_of_its_own(root):
    before, after = bench(root, "plain_01"), bench(root, "handed_over_01")
    replayed = Bench(after.task, after.reference, before.reference)
    assert words(replayed)["replay_the_parent"] == "killed"
    same = Bench(before.task, before.reference, before.reference)
    assert words(same)["replay_the_parent"] == "equivalent"
