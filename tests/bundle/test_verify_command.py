"""`caselock verify` as a real process: one line and 0, findings and 1, wrong usage and 2."""

import json
import subprocess
import sys

import pytest
from bundles import content

from caselock.bundle.encode import files
from caselock.bundle.write import write
from caselock.source.canonical import sha256_hex

FILES = files(content())
PROGRAM = """
import sys
from caselock.cli import COMMANDS, main
COMMANDS.setdefault("verify", "")
sys.exit(main(sys.argv[1:]))
"""


def verify(*arguments):
    command = [sys.executable, "-c", PROGRAM, "verify", *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert "Traceback" not in done.stdout + done.stderr
    return done


@pytest.fixture
def bundle(tmp_path):
    write(tmp_path / "generated", FILES)
    return tmp_path / "generated"


def test_a_whole_bundle_is_self_consistent(bundle):
    done = verify(bundle)
    digest = sha256_hex(FILES["bundle.json"])
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == f"self-consistent: support_agent 0.1.0, 3 cases, sha256:{digest}\n"


def test_findings_as_text_and_json(bundle):
    (bundle / "oracles" / "challenge.jsonl").write_bytes(b"\x1b[31m\xff\n")
    (bundle / "more").touch()
    text = verify(bundle)
    assert text.returncode == 1
    assert "oracles/challenge.jsonl:1:1: CL0907 text is not UTF-8\n" in text.stdout
    assert "more:1:1: CL0903 bundle.json does not list 'more'\n  hint: remove it\n" in text.stdout
    assert "\x1b" not in text.stdout
    assert str(bundle) not in text.stdout
    entries = json.loads(verify(bundle, "--format", "json").stdout)
    assert ("more", "CL0903") in [(entry["file"], entry["code"]) for entry in entries]


def test_no_findings_as_json(bundle):
    done = verify(bundle, "--format", "json")
    assert (done.returncode, done.stdout) == (0, "[]\n")


def test_a_folder_without_a_bundle_fails(tmp_path):
    assert verify(tmp_path).returncode == 1


@pytest.mark.parametrize("arguments", [["nowhere"], ["\x1b[31m"], [], ["a", "b"], [".", "--format", "xml"]])
def test_wrong_usage_exits_with_2(arguments):
    done = verify(*arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert "\x1b" not in done.stderr
