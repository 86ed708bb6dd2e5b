"""Finding the workspace and its files, also when the folder is hostile."""

import os

import pytest

from caselock.source import limits, workspace
from caselock.source.workspace import find_root, list_files, read_bytes, read_text


def make(root, *paths):
    for path in paths:
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text("a: 1\n")
    return root


def codes(findings):
    return [(finding.code, finding.span.file) for finding in findings]


def test_the_root_is_the_nearest_folder_with_a_project_file(tmp_path):
    make(tmp_path, "spec/project.yaml", "seeds/refund/a.yaml")
    assert find_root(tmp_path / "seeds" / "refund") == tmp_path.resolve()
    assert find_root(tmp_path.parent) is None


def test_files_come_sorted_and_only_from_the_workspace_folders(tmp_path):
    make(tmp_path, "spec/project.yaml", "rules/b.yaml", "rules/a.yaml", "rules/a/z.yaml", "rules/README.md")
    make(tmp_path, "generated/x.yaml", "rules/.hidden.yaml", "capabilities/map.yaml")
    files, findings = list_files(tmp_path)
    assert files == (
        "capabilities/map.yaml",
        "rules/a.yaml",
        "rules/a/z.yaml",
        "rules/b.yaml",
        "spec/project.yaml",
    )
    assert findings == ()


def test_other_names_are_findings(tmp_path):
    make(tmp_path, "spec/project.yaml", "rules/a.yml", "rules/b.YAML", "rules/r\u00fcck.yaml", "rules/c d.yaml")
    files, findings = list_files(tmp_path)
    assert files == ("spec/project.yaml",)
    assert sorted(codes(findings)) == [
        ("CL0002", "rules/a.yml"),
        ("CL0002", "rules/b.YAML"),
        ("CL0004", "rules/c d.yaml"),
        ("CL0004", "rules/r\\xfcck.yaml"),
    ]


def test_paths_that_differ_only_by_case_are_findings(tmp_path):
    make(tmp_path, "spec/project.yaml", "rules/refund.yaml", "rules/Refund.yaml", "rules/other.yaml")
    files, findings = list_files(tmp_path)
    assert len(files) == 4
    assert [(finding.code, finding.message) for finding in findings] == [
        ("CL0004", "path 'rules/refund.yaml' differs from 'rules/Refund.yaml' only by case")
    ]


def test_links_are_never_followed(tmp_path):
    root = make(tmp_path / "w", "spec/project.yaml")
    make(tmp_path, "outside/secret.yaml")
    os.symlink(tmp_path / "outside", root / "rules")
    os.symlink(tmp_path / "outside/secret.yaml", root / "spec/secret.yaml")
    os.symlink(root / "spec", root / "spec/loop")
    files, findings = list_files(root)
    assert files == ("spec/project.yaml",)
    assert sorted(codes(findings)) == [
        ("CL0003", "rules"),
        ("CL0003", "spec/loop"),
        ("CL0003", "spec/secret.yaml"),
    ]


def test_too_many_files_stop_the_listing(tmp_path, monkeypatch):
    monkeypatch.setattr(workspace, "MAX_FILES", 3)
    make(tmp_path, "spec/project.yaml", *(f"rules/{n}.yaml" for n in range(5)))
    files, findings = list_files(tmp_path)
    assert len(files) == 3
    assert [finding.code for finding in findings] == ["CL0006"]


@pytest.mark.parametrize(
    "path", ["../a.yaml", "/etc/passwd", "a/../../b", "", "a//b", "./a", "a\\b", "a\0b", "link/a.yaml"]
)
def test_paths_that_leave_the_workspace_are_refused(tmp_path, path):
    root = make(tmp_path / "w", "spec/project.yaml")
    make(tmp_path, "a.yaml")
    os.symlink(tmp_path, root / "link")
    raw, findings = read_bytes(root, path)
    assert raw is None
    assert [finding.code for finding in findings] == ["CL0007"]


def test_only_regular_files_of_a_bounded_size_are_read(tmp_path):
    os.mkfifo(tmp_path / "pipe.yaml")
    (tmp_path / "folder.yaml").mkdir()
    (tmp_path / "big.yaml").write_bytes(b"#" * (limits.MAX_FILE_BYTES + 1))
    (tmp_path / "fits.yaml").write_bytes(b"#" * limits.MAX_FILE_BYTES)
    outcomes = {name: read_bytes(tmp_path, f"{name}.yaml") for name in ("pipe", "folder", "big", "absent", "fits")}
    assert {name: [f.code for f in findings] for name, (_, findings) in outcomes.items()} == {
        "pipe": ["CL0001"], "folder": ["CL0001"], "big": ["CL0005"], "absent": ["CL0001"], "fits": [],
    }  # fmt: skip


def test_text_for_excerpts_is_read_whatever_its_bytes(tmp_path):
    (tmp_path / "a.yaml").write_bytes(b"a: \xff\n")
    assert read_text(tmp_path, "a.yaml") == "a: \ufffd\n"
    assert read_text(tmp_path, "b.yaml") is None
