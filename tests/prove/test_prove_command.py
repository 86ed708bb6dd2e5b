"""`caselock prove`: findings with their witness, in every format, with the exit status of the others."""

import json
import shutil
from pathlib import Path

import pytest

from caselock.cli import main

ROOT = Path(__file__).parents[2]
LIBRARY = ROOT / "tests" / "workspaces" / "library"
ORDER = "    overrides: [renewal.too_often, renewal.too_long, renewal.how_long]\n"


def run(capsys, *arguments):
    status = main(list(map(str, arguments)))
    return status, capsys.readouterr()


@pytest.fixture
def unordered(tmp_path):
    """The library with nothing to order its rule on fees before the rule on renewals."""
    root = Path(shutil.copytree(LIBRARY, tmp_path / "library"))
    table = root / "rules" / "renewal.yaml"
    assert ORDER in table.read_text()
    table.write_text(table.read_text().replace(ORDER, ""))
    return root


@pytest.mark.parametrize("root", [ROOT, LIBRARY], ids=["sample", "library"])
def test_the_workspaces_have_no_findings(capsys, root):
    status, said = run(capsys, "--workspace", root, "prove")
    assert status == 0, said.out
    assert said.out.startswith("no findings in ")


def test_findings_are_shown_with_their_facts(capsys, unordered):
    status, said = run(capsys, "--workspace", unordered, "prove", "renewal")
    assert status == 1
    assert "CL1001" in said.out
    assert "renewal.fees says escalate (fees_owed), renewal.too_often says refuse (renewed_too_often)" in said.out


@pytest.mark.parametrize("style", ["json", "github", "sarif"])
def test_every_format_carries_the_finding(capsys, unordered, style):
    status, said = run(capsys, "--workspace", unordered, "prove", "--format", style)
    assert status == 1
    assert "CL1001" in said.out


def test_json_lists_the_boundary_points(capsys):
    _, said = run(capsys, "--workspace", LIBRARY, "prove", "--points", "--format", "json")
    points = {
        point["side"]: point
        for point in json.loads(said.out)["points"]
        if (point["rule"], point["comparison"]) == ("renewal.ok", "days <= longest")
    }
    near = {side: (point["facts"]["days"], point["facts"]["longest"]) for side, point in points.items()}
    assert near == {"below": ("1", "2"), "at": ("1", "1"), "above": ("1", "0")}
    decides = {side: point["decides"] for side, point in points.items()}
    assert decides == {"below": "renewal.ok", "at": "renewal.ok", "above": "renewal.too_long"}


def test_a_point_that_no_world_reaches_says_why(capsys):
    _, said = run(capsys, "--workspace", LIBRARY, "prove", "--points")
    lines = said.out.splitlines()
    at = lines.index("renewal.nothing_on_loan: candidates == 0")
    assert lines[at + 1] == "  below  impossible: no world reaches it"


def test_an_unknown_decision_is_a_usage_error(capsys):
    status, said = run(capsys, "--workspace", LIBRARY, "prove", "renewl")
    assert status == 2
    assert "did you mean 'renewal'" in said.err
