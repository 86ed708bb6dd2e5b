"""Strata and shares: every case has one stratum, and the first definition that fits decides it."""

from dataclasses import replace
from pathlib import Path

import pytest

from caselock.pipeline import COMPILE, run
from caselock.spec.seeds import Regression
from caselock.suite.coverage import coverage, shares
from caselock.suite.strata import STRATA, stratum

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def cases():
    return {case.case_id: case for case in run(COMPILE, ROOT / "tests" / "workspaces" / "library").cases}


@pytest.mark.parametrize(
    ("case_id", "expected"),
    [
        ("desk_gold_001", "happy"),
        ("plain_01+slip-of-the-finger", "happy"),
        ("desk_gold_002", "edge"),  # a fault strikes
        ("desk_gold_003", "edge"),  # a question comes first
        ("desk_gold_004", "edge"),  # a refusal
        ("plain_01+days-boundary@too_long.at", "edge"),
        ("plain_01+remark-with-orders", "adversarial"),
    ],
)
def test_the_stratum_of_a_case(cases, case_id, expected):
    assert stratum(cases[case_id]) == expected


def incident(case):
    came = Regression(kind="regression", tag="double_slip", evidence="desk_api_1#retries", first_fixed="2")
    entry = replace(case.seed, value=case.seed.value.model_copy(update={"provenance": came}))
    return replace(case, seed=entry)


@pytest.mark.parametrize("case_id", ["desk_gold_001", "plain_01+remark-with-orders"])
def test_whatever_comes_of_a_regression_seed_is_a_regression(cases, case_id):
    case = incident(cases[case_id])
    assert (stratum(case), case.bucket) == ("regression", "regression")
    assert incident(replace(cases[case_id], partition="hidden")).bucket == "hidden"


def test_every_case_is_counted_in_one_stratum_and_shares_add_up(cases):
    counted = coverage(cases.values())
    assert sum(counted["by"]["strata"].values()) == len(cases)
    assert set(counted["shares"]["strata"]) == set(STRATA)
    assert shares({"happy": 2, "edge": 1, "adversarial": 1, "regression": 0}) == {
        "happy": "0.500", "edge": "0.250", "adversarial": "0.250", "regression": "0.000",
    }  # fmt: skip
    assert shares({"happy": 0}) == {"happy": "0.000"}
