"""The suite as a whole: duplicates, contradictions, targets, choice, coverage and its recount, on the library."""

import json
import shutil
from dataclasses import replace
from decimal import Decimal
from pathlib import Path

import pytest
from click.testing import CliRunner

from caselock.bundle.encode import files
from caselock.bundle.write import write
from caselock.cli import caselock
from caselock.gates.duplicates import contradictions, without_duplicates
from caselock.gates.signature import signature
from caselock.pipeline import COMPILE, FOLDER, run
from caselock.source.document import Document
from caselock.spec.suite_policies import Coverage, Dedup, Distribution
from caselock.spec.workspace import Entry
from caselock.suite.covering import tuples_of
from caselock.suite.dimensions import row_of
from caselock.suite.distribution import targets
from caselock.suite.recount import differences, values_of
from caselock.suite.select import select

LIBRARY = Path(__file__).resolve().parents[1] / "workspaces" / "library"


@pytest.fixture(scope="module")
def root(tmp_path_factory):
    return Path(shutil.copytree(LIBRARY, tmp_path_factory.mktemp("suite") / "library"))


@pytest.fixture(scope="module")
def build(root):
    build = run(COMPILE, root)
    assert build.content is not None, build.diagnostics
    assert not write(root / FOLDER, files(build.content))
    return build


def policy(build, value):
    document = next(iter(build.documents.values()))
    assert isinstance(document, Document)
    return Entry(value, document)


def pairs(cases, strength=2):
    return {cells for case in cases for cells in tuples_of(row_of(case), strength)}


def test_a_choice_covers_every_pair_that_any_case_has_and_keeps_every_seed(build):
    chosen = select(build.program, Coverage(coverage="x", select="cover"), build.cases, ())
    assert pairs(chosen) == pairs(build.cases)
    assert len(chosen) < len(build.cases)
    assert {case.case_id for case in build.cases if not case.steps} <= {case.case_id for case in chosen}


@pytest.mark.parametrize("rule", [{"select": "cover"}, {"select": "cover", "strength": 3}, {"size": 30}])
def test_choosing_again_from_the_last_lock_changes_nothing(build, rule):
    wanted = Coverage(coverage="x", **rule)
    chosen = select(build.program, wanted, build.cases, ())
    assert select(build.program, wanted, build.cases, {case.case_id for case in chosen}) == chosen


def test_nine_cases_in_ten_stay_when_an_operator_adds_a_value(build):
    wanted = Coverage(coverage="x", select="cover")
    before = [case for case in build.cases if row_of(case)[3] != "hostile content"]
    old = {case.case_id for case in select(build.program, wanted, before, ())}
    new = {case.case_id for case in select(build.program, wanted, build.cases, old)}
    assert len(before) < len(build.cases)
    assert len(old & new) >= 0.9 * len(old)


def test_a_size_is_met_exactly_and_without_a_policy_everything_stays(build):
    assert len(select(build.program, Coverage(coverage="x", size=30), build.cases, ())) == 30
    assert select(build.program, Coverage(coverage="x"), build.cases, ()) == build.cases


def test_a_size_smaller_than_the_seeds_keeps_the_seeds(build):
    chosen = select(build.program, Coverage(coverage="x", size=1), build.cases, ())
    assert all(not case.steps for case in chosen)
    assert len(chosen) == len(build.seeds)


def test_the_pipeline_chooses_and_compiles_to_the_same_again(root, build, tmp_path):
    copy = Path(shutil.copytree(root, tmp_path / "library"))
    (copy / "spec/policies/coverage.yaml").write_text("coverage: usual\nselect: cover\nsize: 30\n")
    first = run(COMPILE, copy)
    made = files(first.content)
    assert len(first.cases) <= 30
    assert not write(copy / FOLDER, made)
    assert files(run(COMPILE, copy).content) == made


def test_cases_of_one_signature_are_capped_and_seeds_stay(build):
    groups = {}
    for case in build.cases:
        groups.setdefault(signature(case), []).append(case)
    assert max(map(len, groups.values())) <= 2
    case = next(case for case in build.cases if case.steps)
    twins = tuple(replace(case, case_id=f"{case.case_id}_{number}") for number in range(3))
    kept, notes = without_duplicates(policy(build, Dedup(dedup="x", cap=2)), (*build.cases, *twins))
    assert len(kept) == len(build.cases) + 1
    assert [note.code for note in notes] == ["CL1202"]
    assert without_duplicates(None, (*build.cases, *twins)) == ((*build.cases, *twins), ())


def test_one_situation_has_one_answer(build):
    assert list(contradictions(build.cases)) == []
    case = build.cases[0]
    (request,) = case.derived.requests
    changed = replace(request, state={**request.state, "slips": 9})
    other = replace(case, case_id=f"{case.case_id}_b", derived=replace(case.derived, requests=(changed,)))
    assert [finding.code for finding in contradictions((*build.cases, other))] == ["CL1201"]


def target(build, value, **rules):
    rules = {"profile": "standard", "tolerance": Decimal(0), "balance": Decimal(0), **rules}
    found = targets(build.program, Distribution(distribution="x", **rules), build.cases)
    return next(each for each in found if each.value == value)


def test_targets_say_how_many_cases_to_add_or_to_retire(build):
    high, total = sum(case.risk == "high" for case in build.cases), len(build.cases)
    more = target(build, "high", shares={"risk": {"high": Decimal("0.9")}})
    assert (high + more.short) / (total + more.short) >= 0.9 > (high + more.short - 1) / (total + more.short - 1)
    less = target(build, "high", shares={"risk": {"high": Decimal("0.1")}})
    assert (high - less.over) / (total - less.over) <= 0.1 < (high - less.over + 1) / (total - less.over + 1)
    met = target(build, "high", shares={"risk": {"high": Decimal("0.9")}}, tolerance=Decimal(1))
    assert (met.short, met.over) == (0, 0)


def test_minimum_sizes_and_balance(build):
    assert target(build, "graded yes or no").short == max(0, 50 - len(build.cases))
    assert target(build, "graded yes or no", profile="starter").short == max(0, 20 - len(build.cases))
    assert target(build, "act", balance=Decimal("0.5")).short + target(build, "refrain", balance=Decimal("0.5")).short
    assert target(build, "en", at_least={"locale": {"en": 9999}}).short > 9000


def parts(build):
    return [{"oracle": case.oracle, "world": case.world, "proof": case.proof} for case in build.content.cases]


def test_the_recount_of_emitted_cases_agrees_with_the_matrix(build):
    assert differences(build.content.coverage["matrix"], parts(build)) == []
    for case, emitted in zip(build.cases, sorted(build.content.cases, key=lambda each: each.case_id), strict=True):
        assert tuple(values_of(vars_of(emitted)).values()) == row_of(case), case.case_id


def vars_of(case):
    return {"oracle": case.oracle, "world": case.world, "proof": case.proof}


def test_the_recount_notices_a_lost_case(build):
    assert differences(build.content.coverage["matrix"], parts(build)[1:])


def test_every_tuple_is_covered_or_a_hole_with_its_reason(build):
    matrix = build.content.coverage["matrix"]
    sizes = [len(each["values"]) for each in matrix["dimensions"]]
    every = sum(a * b for index, a in enumerate(sizes) for b in sizes[index + 1 :])
    assert len(matrix["counts"]) + len(matrix["holes"]) == every
    assert matrix["feasible"] == every - matrix["holes_by_label"].get("infeasible", 0)
    assert all(hole["why"] and hole["label"] in ("infeasible", "unreached") for hole in matrix["holes"])


def test_a_waiver_in_force_names_who_and_until_when(root, build, tmp_path):
    copy = Path(shutil.copytree(root, tmp_path / "library"))
    hole = next(each for each in build.content.coverage["matrix"]["holes"] if each["label"] == "unreached")
    values = json.dumps(hole["values"])
    (copy / "spec/policies/coverage.yaml").write_text(
        f"coverage: usual\nwaivers:\n  - values: {values}\n    by: lending\n    until: 2026-03-10\n    reason: Later.\n"
    )
    again = run(COMPILE, copy)
    assert again.diagnostics == ()
    waived = [each for each in again.content.coverage["matrix"]["holes"] if each["label"] == "waived"]
    assert [(each["values"], each["why"]) for each in waived] == [
        (hole["values"], "by lending until 2026-03-10: Later.")
    ]


@pytest.mark.parametrize("style", ["text", "json"])
def test_the_coverage_command_counts_again(root, build, style):
    done = CliRunner().invoke(
        caselock, ["--workspace", str(root), "coverage", "--format", style], standalone_mode=False
    )
    assert done.exception is None
    assert done.return_value == 0
    if style == "json":
        document = json.loads(done.output)
        assert document["recount"] == []
        assert {"capabilities", "tools", "faults", "risks", "turns"} <= document["by"].keys()
    else:
        assert "counted again from the cases: the same" in done.output
        assert "infeasible" in done.output
