"""The same workspace compiles to the same bytes, whatever the machine, its clock, language, hash seed and folder."""

import os
import shutil
from pathlib import Path

import pytest
from processes import LIBRARY, caselock, contents

PLAIN = {"TZ": "UTC", "LC_ALL": "C.UTF-8", "PYTHONHASHSEED": "0"}
MACHINES = {
    "far east": {"TZ": "Pacific/Kiritimati", "LC_ALL": "C", "PYTHONHASHSEED": "1"},
    "german": {"TZ": "Europe/Berlin", "LC_ALL": "de_DE.UTF-8", "LANG": "de_DE.UTF-8", "PYTHONHASHSEED": "random"},
    "no home": {"TZ": "America/St_Johns", "LC_ALL": "POSIX", "HOME": "/nowhere", "PYTHONUTF8": "0"},
}


@pytest.fixture(scope="module")
def expected(tmp_path_factory):
    root = Path(shutil.copytree(LIBRARY, tmp_path_factory.mktemp("here") / "library"))
    assert caselock(root, "compile", "--strict", environment=PLAIN).returncode == 0
    return contents(root / "generated")


def copied_backwards(target):
    """The library with its files created last to first and dated long ago."""
    for number, source in enumerate(sorted(LIBRARY.rglob("*.yaml"), reverse=True)):
        path = target / source.relative_to(LIBRARY)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(source.read_bytes())
        os.utime(path, (number, number))
    return target


@pytest.mark.parametrize("machine", MACHINES)
def test_another_machine_makes_the_same_bytes(tmp_path, expected, machine):
    root = copied_backwards(tmp_path / "a folder with spaces" / "ünïcode")
    done = caselock(root, "compile", "--strict", environment=MACHINES[machine], umask=0o077)
    assert done.returncode == 0, done.stdout
    assert contents(root / "generated") == expected


def test_nothing_of_the_machine_is_in_the_bundle(expected):
    for path, content in expected.items():
        assert str(LIBRARY).encode() not in content, path
        assert str(Path.home()).encode() + b"/" not in content, path
