"""The commands on the library workspace: exit statuses, what they print, and what they leave on disk."""

import json
import shutil
from pathlib import Path

import pytest
from processes import LIBRARY, caselock, contents

SEED = "seeds/plain/plain_01.yaml"
UNUSED = "  - {id: brief, text: The answer is brief.}\nshared:"


@pytest.fixture
def library(tmp_path):
    return Path(shutil.copytree(LIBRARY, tmp_path / "library"))


@pytest.fixture(scope="module")
def compiled(tmp_path_factory):
    root = Path(shutil.copytree(LIBRARY, tmp_path_factory.mktemp("compiled") / "library"))
    assert caselock(root, "compile", "--strict").returncode == 0
    return root


@pytest.fixture
def locked(compiled, tmp_path):
    return Path(shutil.copytree(compiled, tmp_path / "library"))


def replace(root, file, old, new):
    text = (root / file).read_text()
    assert text.count(old) == 1
    (root / file).write_text(text.replace(old, new))


def test_check_accepts_the_library():
    done = caselock(LIBRARY, "check", "--strict")
    assert (done.returncode, done.stdout, done.stderr) == (0, "no findings in 44 files\n", "")


def test_check_of_an_error_exits_with_1_and_points_at_it(library):
    replace(library, SEED, "outcome: [fulfil]", "outcome: [refuse]")
    done = caselock(library, "check")
    assert done.returncode == 1
    assert f"{SEED}:22:12: CL0606 the author says refuse, the rules say fulfil (renewal.ok)\n" in done.stdout
    assert "  22 |   outcome: [refuse]\n     |            ^^^^^^^^\n" in done.stdout
    assert done.stdout.endswith("\n1 error in 44 files\n")


def test_check_as_json_has_one_object_per_finding(library):
    replace(library, SEED, "outcome: [fulfil]", "outcome: [refuse]")
    done = caselock(library, "check", "--format", "json")
    assert done.returncode == 1
    report = json.loads(done.stdout)
    (finding,) = report.pop("findings")
    assert report["counts"] == {"error": 1, "warning": 0, "note": 0}
    assert report["files"] == 44
    place = {"file": SEED, "line": 22, "column": 12, "end_line": 22, "end_column": 20}
    expected = {
        "code": "CL0606",
        "severity": "error",
        "path": "expected.outcome",
        "found": "refuse",
        "allowed": ["fulfil"],
    }
    assert {key: finding[key] for key in (*place, *expected)} == {**place, **expected}
    assert finding.keys() - place.keys() - expected.keys() == {"message", "nearest", "hint", "related"}


def test_check_of_a_sound_workspace_as_json_has_no_findings():
    assert json.loads(caselock(LIBRARY, "check", "--format", "json").stdout)["findings"] == []


def test_warnings_fail_the_check_only_when_strict(library):
    replace(library, "spec/rubrics/desk.yaml", "shared:", UNUSED)
    assert caselock(library, "check").returncode == 0
    strict = caselock(library, "check", "--strict")
    assert strict.returncode == 1
    assert "CL0204 warning: criterion 'brief' is never used" in strict.stdout


@pytest.mark.parametrize("arguments", [("check", "--frobnicate"), ("check", "--format", "xml"), ("compile", "extra")])
def test_misuse_exits_with_2(arguments):
    done = caselock(LIBRARY, *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("Usage: ")


def test_a_folder_that_is_no_workspace_exits_with_2(tmp_path):
    assert caselock(tmp_path, "check").returncode == 2


def test_compile_writes_generated_and_again_touches_nothing(locked):
    before, times = contents(locked / "generated"), modified(locked / "generated")
    assert {"bundle.json", "bundle.lock", "model.json", "tools.json", "cases/gold.jsonl"} <= before.keys()
    done = caselock(locked, "compile", "--strict")
    assert done.returncode == 0
    assert "50 cases from 9 seeds in 5 families" in done.stdout
    assert contents(locked / "generated") == before
    assert modified(locked / "generated") == times


def modified(folder):
    return {str(path): path.stat().st_mtime_ns for path in folder.rglob("*")}


def test_nothing_in_the_bundle_is_of_another_domain(compiled):
    for path, content in contents(compiled / "generated").items():
        for word in (b"refund", b"customer", b"order_id"):
            assert word not in content, path


def test_compile_check_of_a_fresh_lock_exits_with_0(locked):
    assert caselock(locked, "compile", "--check").returncode == 0


def test_compile_check_names_the_edited_input_and_writes_nothing(locked):
    before = contents(locked / "generated")
    replace(locked, "spec/world/desk.yaml", "longest: 28", "longest: 21")
    done = caselock(locked, "compile", "--check")
    assert done.returncode == 1
    assert "stale: spec/world/desk.yaml changed since the last compile" in done.stdout
    assert contents(locked / "generated") == before


def test_compile_check_names_an_output_edited_by_hand(locked):
    lock = locked / "generated" / "tools.json"
    lock.write_bytes(lock.read_bytes() + b"\n")
    done = caselock(locked, "compile", "--check")
    assert done.returncode == 1
    assert "tools.json" in done.stdout


def test_compile_check_without_generated_exits_with_1(library):
    done = caselock(library, "compile", "--check")
    assert done.returncode == 1
    assert "generated/ does not exist" in done.stdout
    assert not (library / "generated").exists()


def test_a_workspace_that_fails_leaves_generated_as_it_was(locked):
    before, times = contents(locked / "generated"), modified(locked / "generated")
    replace(locked, SEED, "rule: renewal.ok", "rule: renewal.late")
    assert caselock(locked, "compile").returncode == 1
    assert contents(locked / "generated") == before
    assert modified(locked / "generated") == times


def test_an_edited_input_changes_the_lock(locked):
    before = contents(locked / "generated")
    replace(locked, "spec/world/desk.yaml", "longest: 28", "longest: 21")
    assert caselock(locked, "compile").returncode == 0
    after = contents(locked / "generated")
    assert after["bundle.lock"] != before["bundle.lock"]
    assert caselock(locked, "compile", "--check").returncode == 0


@pytest.mark.parametrize("command", ["show", "trace"])
def test_a_case_is_shown_as_text_and_as_json(locked, command):
    text = caselock(locked, command, "desk_gold_001")
    assert text.returncode == 0
    assert "desk_gold_001" in text.stdout
    data = caselock(locked, command, "desk_gold_001", "--format", "json")
    assert "desk_gold_001" in json.dumps(json.loads(data.stdout))


@pytest.mark.parametrize("command", ["show", "trace"])
def test_an_unknown_case_exits_with_2_and_names_the_nearest(locked, command):
    done = caselock(locked, command, "desk_gold_01")
    assert (done.returncode, done.stdout) == (2, "")
    assert "no case 'desk_gold_01'; did you mean 'desk_gold_001'?" in done.stderr


@pytest.mark.parametrize("command", ["show", "trace"])
def test_a_workspace_that_was_never_compiled_has_no_cases_to_show(library, command):
    done = caselock(library, command, "desk_gold_001")
    assert done.returncode == 2
    assert "generated/ does not exist" in done.stderr
