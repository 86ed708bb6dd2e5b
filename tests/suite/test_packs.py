"""Packs: smoke touches everything once in the size that is asked for, full is everything, canary is listed."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from caselock.pipeline import COMPILE, run
from caselock.spec.policies import Packs
from caselock.suite.packs import features, packs, smoke

ROOT = Path(__file__).resolve().parents[2]
SUITES = st.dictionaries(
    st.text("abcdef+@", min_size=1, max_size=4),
    st.frozensets(st.sampled_from("uvwxyz").map(lambda letter: ("fault", letter)), min_size=1, max_size=3),
    min_size=1,
    max_size=20,
)


@pytest.fixture(scope="module")
def cases():
    return run(COMPILE, ROOT / "tests" / "workspaces" / "library").cases


@given(SUITES, st.integers(1, 25))
def test_a_smoke_pack_has_its_size_and_no_case_twice(cases, size):
    chosen = smoke(cases, size)
    assert len(chosen) == len(set(chosen)) == min(size, len(cases))


@given(SUITES)
def test_a_smoke_pack_with_room_for_one_case_of_each_feature_touches_every_feature(cases):
    every = frozenset().union(*cases.values())
    chosen = smoke(cases, len(every))
    assert frozenset().union(*(cases[case_id] for case_id in chosen)) == every


@given(SUITES, st.integers(1, 25))
def test_a_smoke_pack_depends_on_no_order_and_grows_without_dropping_a_case(cases, size):
    backwards = dict(reversed(cases.items()))
    assert smoke(backwards, size) == smoke(cases, size) == smoke(cases, size + 1)[:size][: len(cases)]


def test_the_case_that_adds_most_is_first_and_the_first_id_wins_a_tie():
    one, two = ("fault", "one"), ("fault", "two")
    assert smoke({"c": frozenset([one]), "b": frozenset([one, two]), "a": frozenset([two])}, 2) == ["b", "a"]


def test_the_packs_of_a_suite(cases):
    made = packs(Packs(packs="small", smoke=12), cases)
    assert made["full"] == sorted(case.case_id for case in cases)
    assert made["canary"] == []
    chosen = [case for case in cases if case.case_id in made["smoke"]]
    assert {feature for case in chosen for feature in features(case)} == {
        feature for case in cases for feature in features(case)
    }
