"""Scenarios of tools: what the plans of the suite meet with each tool, and what none of them shows."""

from pathlib import Path

import pytest

from caselock.pipeline import COMPILE, run
from caselock.suite.scenarios import lacking, tool_scenarios

LIBRARY = Path(__file__).resolve().parents[1] / "workspaces" / "library"


@pytest.fixture(scope="module")
def cases():
    return {case.case_id: case for case in run(COMPILE, LIBRARY).cases}


def kinds(case):
    counts = tool_scenarios([case])
    return {tool: {kind for kind, count in by_kind.items() if count} for tool, by_kind in counts.items()}


def test_a_tool_used_on_the_straight_way_is_happy(cases):
    found = kinds(cases["desk_gold_001"])
    assert found["extend_loan"] == {"happy", "offered"}
    assert found["waive_fees"] == set()


def test_a_tool_that_a_fault_strikes_is_in_failure_and_the_others_of_the_case_at_an_edge(cases):
    found = kinds(cases["desk_gold_002"])
    assert found["extend_loan"] == {"failure", "offered"}
    assert "edge" in found["list_holds"]


def test_a_tool_of_a_refusal_is_at_an_edge(cases):
    assert kinds(cases["desk_gold_004"])["file_note"] == {"edge", "offered"}


def test_what_is_lacking_is_named_by_tool():
    counts = {
        "read": {"happy": 1, "edge": 1, "failure": 1, "offered": 1},
        "write": {"happy": 0, "edge": 1, "failure": 0, "offered": 1},
        "banned": {"happy": 0, "edge": 0, "failure": 0, "offered": 1},
        "forgotten": {"happy": 0, "edge": 0, "failure": 0, "offered": 0},
    }
    assert list(lacking(counts)) == ["write (happy, failure)", "forgotten (offered)"]
