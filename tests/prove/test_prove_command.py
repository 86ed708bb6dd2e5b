"""`caselock prove`: findings with their witness, in every format, with the exit status of the others."""

import json
from pathlib import Path

import pytest
from probe import REST, program_of, table

from caselock.cli import main

ROOT = Path(__file__).parents[2]
OVERLAP = (REST, ("ok", "found && stated", "fulfil", None), ("no", "found && stated && vip", "refuse", "no"))


def run(capsys, *arguments):
    status = main(list(map(str, arguments)))
    return status, capsys.readouterr()


def test_the_sample_has_no_findings(capsys):
    status, said = run(capsys, "--workspace", ROOT, "prove")
    assert status == 0, said.out
    assert said.out.startswith("no findings in ")


def test_findings_are_shown_with_their_facts(capsys, tmp_path):
    program_of(tmp_path, table(*OVERLAP))
    status, said = run(capsys, "--workspace", tmp_path, "prove", "claim")
    assert status == 1
    assert "CL1001" in said.out
    assert "stated yes, found yes, vip yes: ok says fulfil, no says refuse (no)" in said.out


@pytest.mark.parametrize("style", ["json", "github", "sarif"])
def test_every_format_carries_the_finding(capsys, tmp_path, style):
    program_of(tmp_path, table(*OVERLAP))
    status, said = run(capsys, "--workspace", tmp_path, "prove", "--format", style)
    assert status == 1
    assert "CL1001" in said.out


def test_json_lists_the_boundary_points(capsys, tmp_path):
    program_of(tmp_path, table(REST, ("ok", "found && amount <= limit", "fulfil", None),
                               ("no", "found && amount > limit", "escalate", "no")))  # fmt: skip
    _, said = run(capsys, "--workspace", tmp_path, "prove", "--points", "--format", "json")
    found = [(p["rule"], p["side"], p["facts"]["amount"], p["facts"]["limit"], p["decides"])
             for p in json.loads(said.out)["points"]]  # fmt: skip
    assert found[:3] == [
        ("ok", "below", "0.00", "0.01", "ok"),
        ("ok", "at", "0.00", "0.00", "ok"),
        ("ok", "above", "0.01", "0.00", "no"),
    ]
    assert [point[1:] for point in found[3:]] == [point[1:] for point in found[:3]]


def test_an_unknown_decision_is_a_usage_error(capsys, tmp_path):
    program_of(tmp_path, table(*OVERLAP))
    status, said = run(capsys, "--workspace", tmp_path, "prove", "clam")
    assert status == 2
    assert "did you mean 'claim'" in said.err
