"""Findings for services: GitHub workflow commands and SARIF logs, the latter against the official schema."""

import json
import subprocess
import sys
from pathlib import Path

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from caselock.diagnostics import CODES, Diagnostic, Related, Severity, Span
from caselock.source.yaml_reader import parse_text
from caselock.views.github import render_github
from caselock.views.sarif import render_sarif

# OASIS, SARIF 2.1.0 errata 01: https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/
SCHEMA = json.loads((Path(__file__).parent / "sarif-schema-2.1.0.json").read_bytes())
CHECK_SARIF = jsonschema.Draft4Validator(SCHEMA)
ROOT = Path(__file__).parents[2]

DUPLICATE = Diagnostic(
    code="CL0205", span=Span("rules/a,b:c.yaml", 4, 1, 4, 9), path="rules[3].id", message="'50%'\r\nis twice",
    nearest="60%", nearest_at=Span("rules/b.yaml", 2, 3, 2, 6), hint="rename, or remove",
    related=(Related(span=Span("rules/b.yaml", 1, 1, 1, 2), message="first defined here"),),
)  # fmt: skip
UNUSED = Diagnostic(code="CL0204", span=Span("spec/tools/b.yaml", 1, 1, 3, 2), message="nothing uses it")
DISPUTED = Diagnostic(code="CL0805", span=Span("seeds/a/b.yaml"), message="seed 'b' is disputed")


def log(*findings, prefix=""):
    text = render_sarif(findings, prefix=prefix)
    assert text.isascii()
    document = json.loads(text)
    CHECK_SARIF.validate(document)
    return document["runs"][0]


def test_a_command_escapes_what_would_end_it():
    assert render_github([DUPLICATE]) == (
        "::error file=rules/a%2Cb%3Ac.yaml,line=4,col=1,endLine=4,endColumn=9,title=CL0205::'50%25'\\r\\nis twice%0A"
        "hint: did you mean '60%25'?%0Ahint: rename, or remove%0Arules/b.yaml:1:1: first defined here\n"
    )


def test_severities_have_their_commands_and_two_lines_no_columns():
    warning, notice = render_github([UNUSED, DISPUTED], prefix="agents/support/").splitlines()
    assert warning == "::warning file=agents/support/spec/tools/b.yaml,line=1,endLine=3,title=CL0204::nothing uses it"
    assert notice.startswith("::notice file=agents/support/seeds/a/b.yaml,line=1,col=1,")


@given(st.text(), st.text(), st.text())
def test_no_text_breaks_out_of_a_command_or_a_log(file, message, hint):
    finding = Diagnostic(code="CL0110", span=Span(file), message=message, hint=hint)
    command = render_github([finding])
    assert command.count("\n") == 1
    assert command.count("::") == 2 + message.count("::") + hint.count("::")
    assert command.startswith("::error file=")
    assert command.split("::")[1].count(",") == 5
    log(finding)


def test_a_log_has_rules_places_and_related_places():
    run = log(DUPLICATE, UNUSED, DISPUTED, prefix="agents/")
    assert run["columnKind"] == "unicodeCodePoints"
    rules = run["tool"]["driver"]["rules"]
    assert [rule["id"] for rule in rules] == ["CL0204", "CL0205", "CL0805"]
    assert rules[1]["fullDescription"]["text"] == CODES["CL0205"].why
    assert CODES["CL0205"].good in rules[1]["help"]["markdown"]
    first, *rest = run["results"]
    assert [result["level"] for result in run["results"]] == ["error", "warning", "note"]
    assert rules[first["ruleIndex"]]["id"] == "CL0205"
    place = first["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"] == "agents/rules/a%2Cb%3Ac.yaml"
    assert place["region"] == {"startLine": 4, "startColumn": 1, "endLine": 4, "endColumn": 9}
    assert [related["message"]["text"] for related in first["relatedLocations"]] == [
        "first defined here", "'60%' is here",
    ]  # fmt: skip
    assert all(result["relatedLocations"] == [] for result in rest)


def test_columns_count_code_points():
    _, findings = parse_text("f.yaml", "\U0001f600: 007\n")
    assert log(*findings)["results"][0]["locations"][0]["physicalLocation"]["region"]["startColumn"] == 4


def test_every_code_is_a_valid_rule():
    log(*(Diagnostic(code=code, span=Span("a.yaml"), message="x") for code in CODES))
    assert {severity.value for severity in Severity} == {"error", "warning", "note"}


def test_a_message_cannot_be_a_link():
    finding = Diagnostic(code="CL0101", span=Span("a.yaml"), message="unknown key '[a](http://evil.example)'")
    assert "](" not in log(finding)["results"][0]["message"]["text"]


def fingerprints(text):
    findings = parse_text("f.yaml", text)[1]
    return [result["partialFingerprints"]["caselock/v1"] for result in log(*findings)["results"]]


def test_fingerprints_survive_moved_lines_and_tell_equal_findings_apart():
    before = fingerprints("a: 007\nb: 1_000\nc: 007\n")
    assert len(set(before)) == 3
    assert fingerprints("# one\n\n# two\na: 007\nb: 1_000\nc: 007\n") == before
    moved = [Diagnostic(code="CL0201", span=Span("a", n), path=f"rules[{n}].id", message="x") for n in (1, 2)]
    assert len({str(log(finding)["results"][0]["partialFingerprints"]) for finding in moved}) == 1


def test_the_schema_refuses_a_wrong_log():
    document = json.loads(render_sarif([UNUSED]))
    document["runs"][0]["results"][0]["level"] = "fatal"
    with pytest.raises(jsonschema.ValidationError):
        CHECK_SARIF.validate(document)


def run(*arguments, cwd):
    command = [sys.executable, "-m", "caselock", *map(str, arguments)]
    return subprocess.run(command, cwd=cwd, capture_output=True, text=True)


def test_the_commands_write_both_formats(tmp_path):
    (tmp_path / "agent" / "spec").mkdir(parents=True)
    (tmp_path / "agent" / "spec" / "project.yaml").write_text("project: &a x\n")
    for command in ("check", "compile"):
        done = run("--workspace", "agent", command, "--format", "github", cwd=tmp_path)
        assert done.returncode == 1
        assert done.stdout.startswith("::error file=agent/spec/")
        done = run("check" if command == "check" else "compile", "--format", "sarif", cwd=tmp_path / "agent")
        document = json.loads(done.stdout)
        CHECK_SARIF.validate(document)
        places = [result["locations"][0]["physicalLocation"] for result in document["runs"][0]["results"]]
        assert "spec/project.yaml" in [place["artifactLocation"]["uri"] for place in places]
        assert done.stderr == ""


def test_verify_writes_both_formats(tmp_path):
    (tmp_path / "bundle").mkdir()
    done = run("verify", "bundle", "--format", "github", cwd=tmp_path)
    assert done.returncode == 1
    assert done.stdout.startswith("::error file=bundle/")
    CHECK_SARIF.validate(json.loads(run("verify", "bundle", "--format", "sarif", cwd=tmp_path).stdout))
