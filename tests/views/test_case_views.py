"""The whole screen of `show` and `trace`, as golden files: `pytest tests/views --update-golden` writes them anew."""

from pathlib import Path

import pytest

from caselock.bundle.assemble import assemble
from caselock.pipeline import COMPILE, run
from caselock.views.cases import contract_json, contract_text, story_json, story_text
from caselock.views.compiled import render_text

LIBRARY = Path(__file__).resolve().parents[1] / "workspaces" / "library"
GOLDEN = Path(__file__).resolve().parent / "golden"


@pytest.fixture(scope="module")
def build():
    return run(COMPILE, LIBRARY)


@pytest.fixture(scope="module")
def cases(build):
    return {case.case_id: case for case in assemble(build.program, build.cases, build.cases, {}).cases}


def compare(name: str, text: str, request: pytest.FixtureRequest) -> None:
    path = GOLDEN / name
    if request.config.getoption("--update-golden"):
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, "utf-8")
    assert text == path.read_text("utf-8")


def one(cases, kind: str):
    return next(case for _, case in sorted(cases.items()) if case.oracle["mutation_type"] == kind)


@pytest.mark.parametrize("kind", ["NONE", "BOUNDARY", "FAILURE", "PERMISSION", "ADVERSARIAL", "DIALOGUE"])
def test_the_story_of_a_case(cases, kind, request):
    compare(f"trace_{kind.lower()}.txt", story_text(one(cases, kind)), request)


def test_the_contract_of_a_gold_case(cases, request):
    compare("show_gold.txt", contract_text(one(cases, "NONE")), request)


def test_the_json_of_both_views(cases, request):
    case = one(cases, "BOUNDARY")
    compare("show_boundary.json", contract_json(case), request)
    compare("trace_boundary.json", story_json(case), request)


def test_the_summary_of_a_compilation(build, request):
    text = render_text(build, "generated", check=False, stale=False)
    compare("compile.txt", "\n".join(line for line in text.splitlines() if "sha256:" not in line) + "\n", request)
