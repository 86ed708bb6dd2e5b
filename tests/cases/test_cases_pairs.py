"""Twins of fault cases, lifts of refusals, chains as sets, and drafts: what a whole compilation makes of them."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from caselock.pipeline import CHECK, COMPILE, run

LIBRARY = Path(__file__).parents[1] / "workspaces" / "library"
OPERATOR = """\
operator: {name}
version: "1"
title: {name}
status: approved
approved_by: lead_librarian
type: state
applies_to: {{goal: renew_loan, when: "{when}"}}
changes: [{changes}]
mutation: {mutation}
effect: {effect}
risk: low
bucket: coverage
"""
CALM = "outcome == 'fulfil' && size(faults) == 0 && has(request.loan_id) && 'get_loan' in tools"
OWN = {
    "late-look": (CALM, "faults.get_loan", "{kind: fault, fault: {fault: timeout_before_execution, tool: get_loan}}"),
    "owes-much": (CALM, "user.fees_owed", "{kind: set, set: {user.fees_owed: 90.00}}"),
    "returned": (
        "outcome != 'refuse' && size(faults) == 0 && has(request.loan_id) && 'get_loan' in tools",
        "initial_state.loans.status",
        "{kind: set, set: {loan.status: returned}}",
    ),
    "returned-meanwhile": (
        CALM,
        "faults.get_loan",
        "{kind: fault, fault: {fault: concurrent_modification, tool: get_loan, patch: {loan.status: returned}}}",
    ),
    "slow-extension": (
        "size(faults) == 1 && outcome == 'fulfil'",
        "faults.extend_loan",
        "{kind: fault, fault: {fault: timeout_before_execution, tool: extend_loan}}",
    ),
}
HUMAN = (CALM, "user.reader_id", "{kind: choose, field: user.reader_id, among: readers, where: 'true'}")


def workspace(folder, chains="[]", human=False):
    root = Path(shutil.copytree(LIBRARY, folder / "library"))
    shutil.rmtree(root / "spec" / "operators")
    (root / "spec" / "operators").mkdir()
    for name, (when, changes, mutation) in OWN.items():
        text = OPERATOR.format(name=name, when=when, changes=changes, mutation=mutation, effect="recompute")
        (root / "spec" / "operators" / f"{name}.yaml").write_text(text)
    if human:
        text = OPERATOR.format(name="a-friend", when=HUMAN[0], changes=HUMAN[1], mutation=HUMAN[2], effect="human")
        (root / "spec" / "operators" / "a-friend.yaml").write_text(text)
    policy = root / "spec" / "policies" / "expansion.yaml"
    policy.write_text(policy.read_text().replace("[[lost-answer, plain-words]]", chains))
    return root


CHAINS = "[[returned, owes-much], [slow-extension, late-look]]"


@pytest.fixture(scope="module")
def build(tmp_path_factory):
    found = run(COMPILE, workspace(tmp_path_factory.mktemp("pairs"), CHAINS))
    assert not found.failed, found.diagnostics
    return found


@pytest.fixture(scope="module")
def cases(build):
    return {case.case_id: case for case in build.cases}


def test_a_fault_case_has_a_twin_that_is_the_case_without_the_fault(cases):
    twin = cases["plain_01+returned-meanwhile"].twin
    assert cases["plain_01+returned-meanwhile"].derived.final.rule == "renewal.returned"
    assert (twin.case_id, twin.derived.final.rule) == ("desk_gold_001", "renewal.ok")


def test_a_case_without_a_fault_has_no_twin(cases):
    assert all((case.twin is None) == (not case.scenario.faults) for case in cases.values())


def test_two_faults_compose_and_both_strike(cases):
    made = cases["plain_01+late-look+slow-extension"]
    assert made.derived.plan.run.session.fired == {0, 1}
    assert made.twin.case_id == "desk_gold_001"


def test_a_chain_is_a_set_in_canonical_order(cases, tmp_path):
    assert "plain_01+owes-much+returned" in cases
    turned = run(COMPILE, workspace(tmp_path, "[[owes-much, returned], [late-look, slow-extension]]"))
    assert [case.case_id for case in turned.cases] == list(cases)


@pytest.mark.parametrize(
    ("case_id", "undo", "seed"),
    [
        ("plain_01+returned", ("returned",), False),
        ("plain_01+owes-much+returned", ("owes-much", "returned"), False),
        ("plain_01+returned-meanwhile", ("returned-meanwhile",), False),
        ("handed_over_01+returned", ("returned",), True),
    ],
)
def test_the_lift_of_a_refusal_is_the_least_that_has_to_be_undone(cases, case_id, undo, seed):
    assert (cases[case_id].lift.undo, cases[case_id].lift.seed) == (undo, seed)


def test_a_fulfilment_needs_no_lift_and_a_gold_case_has_that_of_its_author(cases):
    assert cases["plain_01+late-look"].lift is None
    assert all(case.lift is None for case in cases.values() if not case.steps)


def test_lineage_and_proof_say_both(build):
    parts = {case.case_id: case for case in build.content.cases}
    made = parts["plain_01+returned-meanwhile"]
    assert made.lineage["twin"] == "desk_gold_001"
    assert made.lineage["lift"] == {"undo": ["returned-meanwhile"], "seed": False}
    assert made.proof["twin"]["expected_outcome"] == ["fulfil"]


def caselock(root, *arguments):
    command = [sys.executable, "-m", "caselock", "--workspace", str(root), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_a_human_operator_makes_no_case_and_a_draft_that_compiles_to_nothing(tmp_path):
    root = workspace(tmp_path, human=True)
    assert not any("a-friend" in case.case_id for case in run(COMPILE, root).cases)
    done = caselock(root, "draft", "a-friend", "plain_01")
    assert done.returncode == 0, done.stderr
    (root / "seeds" / "plain" / "draft_01.yaml").write_text(done.stdout)
    found = run(CHECK, root)
    assert [(item.code, item.span.file) for item in found.diagnostics] == [("CL0805", "seeds/plain/draft_01.yaml")]
    draft = found.workspace.seeds["plain_01_a_friend"].value
    assert (draft.status, draft.expected.outcome, draft.reviews) == ("draft", (), ())
    assert draft.overlay == {"user.reader_id": "P200"}
    assert draft.requests[0].slots == {"loan_id": "L-101", "days": "14"}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("returned", "plain_01"), "it makes cases, not drafts"),
        (("a-frend", "plain_01"), "did you mean 'a-friend'?"),
        (("a-friend", "plain_1"), "did you mean 'plain_01'?"),
        (("a-friend", "declined_01"), "does not take seed"),
    ],
)
def test_what_cannot_be_drafted_is_a_usage_error(tmp_path, arguments, message):
    done = caselock(workspace(tmp_path, human=True), "draft", *arguments)
    assert done.returncode == 2
    assert message in done.stderr
