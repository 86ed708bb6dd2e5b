"""The command line as users meet it: real processes, exit codes, and never a traceback."""

import json
import os
import subprocess
import sys

import pytest

from caselock.diagnostics import CODES


def caselock(*arguments, cwd=None, **environment):
    command = [sys.executable, "-m", "caselock", *map(str, arguments)]
    done = subprocess.run(
        command, cwd=cwd, capture_output=True, text=True, env={**os.environ, **environment}, check=False
    )
    assert "Traceback" not in done.stdout + done.stderr
    return done


@pytest.fixture
def workspace(tmp_path):
    (tmp_path / "spec").mkdir()
    (tmp_path / "spec" / "project.yaml").write_text("project: &a x\n")
    return tmp_path


def test_version_is_answered_before_click_is_imported():
    program = (
        "import sys; sys.argv = ['caselock', '--version']\n"
        "from caselock.__main__ import main; main()\n"
        "print(sorted({'click', 'yaml', 'pydantic', 'importlib.metadata'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-S", "-c", program], capture_output=True, text=True, check=True,
                          env={**os.environ, "PYTHONPATH": "compiler"})  # fmt: skip
    name, imported = done.stdout.splitlines()
    assert name.startswith("caselock ")
    assert imported == "[]"


def test_help_lists_the_commands_without_importing_them():
    program = (
        "import sys; from caselock.cli import main; main(['--help'])\n"
        "print(sorted({'yaml', 'pydantic', 'caselock.cli.check'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert "Examples:" in done.stdout
    assert "  explain " in done.stdout
    assert done.stdout.splitlines()[-1] == "[]"


def test_check_reports_findings_and_fails(workspace):
    done = caselock("check", cwd=workspace)
    assert done.returncode == 1
    assert "spec/project.yaml:1:10: CL0022 anchor '&a'\n  1 | project: &a x\n    |          ^^\n" in done.stdout
    assert done.stderr == ""


def test_check_as_json(workspace):
    done = caselock("--workspace", workspace, "check", "--format", "json")
    assert done.returncode == 1
    entries = json.loads(done.stdout)["findings"]
    assert ("spec/project.yaml", 1, 10) in [(entry["file"], entry["line"], entry["column"]) for entry in entries]


@pytest.mark.parametrize(
    "arguments",
    [
        ["frobnicate"],
        ["check", "--format", "xml"],
        ["check"],
        ["--workspace", "nowhere", "check"],
        ["--workspace", "\udcff", "check"],
        ["explain"],
        ["explain", "CL0203", "--all"],
        ["explain", "CL9999"],
        ["explain", "\x1b[31m"],
        ["schema", "--check"],
        ["schema", "--out", "/dev/null/x"],
    ],
)
def test_wrong_usage_exits_with_2(tmp_path, arguments):
    done = caselock(*arguments, cwd=tmp_path)
    assert done.returncode == 2
    assert done.stdout == ""
    assert "\x1b" not in done.stderr


def test_explain_prints_one_code_or_suggests_the_nearest():
    assert caselock("explain", "cl0203").stdout.startswith("CL0203 unknown source (error)\n")
    assert "did you mean 'CL0303'?" in caselock("explain", "CL303").stderr


def test_explain_prints_every_code():
    for style in ("text", "markdown"):
        done = caselock("explain", "--all", "--format", style)
        assert done.returncode == 0
        assert all(code in done.stdout for code in CODES)


def test_schema_writes_files_and_notices_stale_ones(tmp_path):
    assert caselock("schema", "--check", "--out", tmp_path).returncode == 1
    assert caselock("schema", "--out", tmp_path).returncode == 0
    assert caselock("schema", "--check", "--out", tmp_path).stdout == ""
    stale = sorted(tmp_path.iterdir())[0]
    stale.write_text("{}\n")
    done = caselock("schema", "--check", "--out", tmp_path)
    assert (done.returncode, done.stdout) == (1, f"{stale.name} is out of date; run `caselock schema`\n")
    for path in tmp_path.iterdir():
        if path != stale:
            assert json.loads(path.read_text())["$schema"] == "https://json-schema.org/draft/2020-12/schema"


def test_a_fault_is_one_line_and_a_status_of_its_own():
    program = (
        "import sys, caselock.cli as cli\n"
        "def broken(*_, **__): raise RuntimeError('x')\n"
        "cli.caselock.make_context = broken\n"
        "sys.exit(cli.main([]))"
    )
    command = [sys.executable, "-c", program]
    quiet = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (quiet.returncode, quiet.stdout) == (70, "")
    assert quiet.stderr.startswith("internal error (RuntimeError); please report it")
    assert quiet.stderr.count("\n") == 1
    environment = {**os.environ, "CASELOCK_DEBUG": "1"}
    loud = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    assert "Traceback" in loud.stderr


def test_a_reader_that_goes_away_is_no_fault():
    read, write = os.pipe()
    os.close(read)
    command = [sys.executable, "-m", "caselock", "explain", "--all"]
    done = subprocess.run(command, stdout=write, stderr=subprocess.PIPE, text=True, check=False)
    os.close(write)
    assert (done.returncode, done.stderr) == (141, "")


def test_any_terminal_encoding_is_survived():
    done = caselock("explain", "--all", PYTHONIOENCODING="ascii")
    assert done.returncode == 0
