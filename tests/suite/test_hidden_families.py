"""A hidden family in a temporary workspace: apart from everything public, in every file of the bundle."""

import shutil
from pathlib import Path

import pytest

from caselock.bundle.encode import files
from caselock.pipeline import COMPILE, run

LIBRARY = Path(__file__).resolve().parents[1] / "workspaces" / "library"


@pytest.fixture(scope="module")
def bundle(tmp_path_factory):
    root = tmp_path_factory.mktemp("hidden") / "library"
    shutil.copytree(LIBRARY, root, ignore=shutil.ignore_patterns("generated"))
    splits = root / "spec" / "policies" / "splits.yaml"
    splits.write_text(splits.read_text("utf-8").rstrip() + "\nfamilies: {declined: hidden}\n", "utf-8")
    build = run(COMPILE, root)
    assert build.content is not None, build.diagnostics
    return build, files(build.content)


def test_every_case_of_a_hidden_family_is_in_the_hidden_bucket_and_no_other(bundle):
    build, _ = bundle
    for case in build.cases:
        assert (case.bucket == "hidden") == (case.scenario.family == "declined"), case.case_id


def test_no_open_bucket_and_no_count_speaks_of_a_hidden_case(bundle):
    build, made = bundle
    hidden = [case.case_id for case in build.cases if case.bucket == "hidden"]
    public = b"".join(raw for path, raw in made.items() if not path.endswith("/hidden.jsonl")).decode()
    assert hidden
    for name in hidden:
        assert f'"{name}"' not in public
    assert "declined" not in made["coverage.json"].decode()


def test_hidden_rows_are_written_to_files_of_their_own(bundle):
    _, made = bundle
    folders = {path.split("/")[0] for path in made if path.endswith("/hidden.jsonl")}
    assert folders == {"cases", "oracles", "worlds", "proofs", "simulators", "lineage"}
