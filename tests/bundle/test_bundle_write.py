"""Files -> folder: whole or not at all, also when the process dies or the disk refuses."""

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from bundles import content

from caselock.bundle.encode import files
from caselock.bundle.read import verify
from caselock.bundle.write import write

OLD = files(content())
NEW = files(content(version="0.2.0", cases=()))


def tree(folder):
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "generated"


def test_writes_replaces_and_leaves_nothing_behind(folder):
    for data in (OLD, NEW, OLD):
        assert write(folder, data) == ()
        assert tree(folder) == data
        assert verify(folder) == ()
        assert os.listdir(folder.parent) == ["generated"]


def test_stray_files_go_with_the_old_bundle(folder):
    write(folder, OLD)
    (folder / "stray.txt").touch()
    assert write(folder, OLD) == ()
    assert tree(folder) == OLD


def test_modes_do_not_depend_on_the_umask(folder):
    for umask in (0o077, 0o000):
        before = os.umask(umask)
        try:
            write(folder, OLD if umask else NEW)
        finally:
            os.umask(before)
        modes = {stat.S_IMODE(path.stat().st_mode) for path in folder.rglob("*") if path.is_file()}
        folders = {stat.S_IMODE(path.stat().st_mode) for path in (folder, *folder.rglob("*")) if path.is_dir()}
        assert (modes, folders) == ({0o644}, {0o755})


def test_the_same_bytes_are_not_written_again(folder):
    write(folder, OLD)
    before = written(folder)
    assert write(folder, OLD) == ()
    assert written(folder) == before


def written(folder):
    """Which file each path is, and when it was last written; reading one changes neither."""
    return {path: (path.stat().st_ino, path.stat().st_mtime_ns) for path in (folder, *folder.rglob("*"))}


def test_a_link_is_not_followed(folder, tmp_path):
    elsewhere = tmp_path / "elsewhere"
    write(elsewhere, OLD)
    for target in (elsewhere, tmp_path / "nowhere"):
        folder.symlink_to(target)
        assert [finding.code for finding in write(folder, NEW)] == ["CL0916"]
        folder.unlink()
    assert tree(elsewhere) == OLD
    assert not (tmp_path / "nowhere").exists()


def test_a_folder_that_holds_something_else_is_kept(folder):
    folder.mkdir()
    assert write(folder, OLD) == ()
    other = folder.parent / "documents"
    other.mkdir()
    (other / "thesis.txt").write_text("mine")
    assert [finding.code for finding in write(other, OLD)] == ["CL0916"]
    (folder.parent / "file").write_text("mine")
    assert [finding.code for finding in write(folder.parent / "file", OLD)] == ["CL0916"]
    assert (other / "thesis.txt").read_text() == (folder.parent / "file").read_text() == "mine"


def test_a_missing_workspace_is_a_finding(tmp_path):
    [finding] = write(tmp_path / "nowhere" / "generated", OLD)
    assert (finding.code, finding.message) == (
        "CL0917",
        "bundle cannot be written: no such file or directory",
    )


# An audit hook sees the real system calls: it ends the process, or lets one fail, at a chosen moment.
PROGRAM = """
import os, sys
sys.path.insert(0, sys.argv[1])
folder, event, nth, action = sys.argv[2], sys.argv[3], int(sys.argv[4]), sys.argv[5]
from pathlib import Path
from bundles import content
from caselock.bundle.encode import files
from caselock.bundle.write import write
data = files(content(version="0.2.0", cases=()))
write(Path(folder), files(content()))
seen = 0
def hook(name, arguments):
    global seen
    if name == event and ".caselock-" in str(arguments[:2]):
        seen += 1
        if seen == nth:
            if action == "die":
                os._exit(9)
            raise OSError(28, "No space left on device")
sys.addaudithook(hook)
for finding in write(Path(folder), data):
    print(finding.code, finding.message)
"""


def interrupted(folder, event, nth, action):
    command = [sys.executable, "-c", PROGRAM, str(Path(__file__).parent), folder, event, str(nth), action]
    return subprocess.run(list(map(str, command)), capture_output=True, text=True, check=False)


@pytest.mark.parametrize(("event", "nth"), [("os.mkdir", 1), ("open", 3), ("os.rename", 1)])
def test_dying_before_the_swap_leaves_the_old_bundle(folder, event, nth):
    assert interrupted(folder, event, nth, "die").returncode == 9
    assert tree(folder) == OLD
    assert write(folder, NEW) == ()
    assert (tree(folder), os.listdir(folder.parent)) == (NEW, ["generated"])


def test_dying_within_the_swap_loses_nothing(folder):
    assert interrupted(folder, "os.rename", 2, "die").returncode == 9
    assert not folder.exists()
    assert write(folder, OLD) == ()
    assert (tree(folder), os.listdir(folder.parent)) == (OLD, ["generated"])


def test_dying_after_the_swap_leaves_the_new_bundle(folder):
    assert interrupted(folder, "shutil.rmtree", 1, "die").returncode == 9
    assert tree(folder) == NEW
    assert write(folder, NEW) == ()
    assert os.listdir(folder.parent) == ["generated"]


@pytest.mark.parametrize(("event", "nth"), [("os.mkdir", 1), ("open", 3), ("os.rename", 1), ("os.rename", 2)])
def test_a_full_disk_is_a_finding_and_keeps_the_old_bundle(folder, event, nth):
    done = interrupted(folder, event, nth, "fail")
    assert done.stderr == ""
    assert done.stdout == "CL0917 bundle cannot be written: no space left on device\n"
    assert (tree(folder), os.listdir(folder.parent)) == (OLD, ["generated"])


def test_two_writers_do_not_meet(folder):
    import fcntl

    descriptor = os.open(folder.parent, os.O_RDONLY)
    fcntl.flock(descriptor, fcntl.LOCK_EX)
    [finding] = write(folder, OLD)
    assert (finding.code, finding.message) == ("CL0917", "another process is writing here")
    os.close(descriptor)
    assert write(folder, OLD) == ()


def test_planted_leftovers_are_removed_and_never_followed(folder, tmp_path):
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "file").touch()
    (folder.parent / ".generated.caselock-new").symlink_to(tmp_path / "mine")
    (folder.parent / ".generated.caselock-old").write_text("x")
    write(folder, OLD)
    assert tree(folder) == OLD
    assert (tmp_path / "mine" / "file").exists()
