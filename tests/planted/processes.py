"""The command line in a real process, for tests that read its exit status and output."""

import os
import subprocess
import sys
from pathlib import Path

LIBRARY = Path(__file__).parents[1] / "workspaces" / "library"


def caselock(root, *arguments, environment=None, umask=-1):
    """Run a command on the workspace at `root`; it never ends in a traceback or an internal error."""
    command = [sys.executable, "-m", "caselock", "--workspace", str(root), *arguments]
    done = subprocess.run(
        command, capture_output=True, text=True, env={**os.environ, **(environment or {})}, umask=umask, check=False
    )
    assert "Traceback" not in done.stdout + done.stderr
    assert done.returncode in (0, 1, 2), done.stderr
    return done


def contents(folder):
    """Every file below a folder with its bytes, by relative path."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}
