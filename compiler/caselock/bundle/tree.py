"""A bundle folder -> the bytes of its files by POSIX path, and findings about whatever else lies in it."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from caselock.bundle.finding import finding, shown_path
from caselock.diagnostics import Diagnostic
from caselock.source.workspace import read_bytes

MAX_FILES = 1_000  # files and folders of one bundle
MAX_FILE_BYTES = 32 * 1024 * 1024
MAX_BYTES = 256 * 1024 * 1024  # all files of one bundle together


def read_tree(folder: Path) -> tuple[dict[str, bytes], tuple[Diagnostic, ...]]:
    """Return all files below a folder, hidden ones too, in path order; links are never followed."""
    files: dict[str, bytes] = {}
    found: list[Diagnostic] = []
    pending = [""]
    room = MAX_BYTES
    for _ in range(MAX_FILES):
        if not pending:
            return dict(sorted(files.items())), tuple(found)
        path = pending.pop()
        children = _children(folder, path)
        if isinstance(children, Diagnostic):
            found.append(children)
        elif children is not None:
            pending += children
        else:
            raw, problems = _read(folder, path, room)
            found += problems
            if raw is not None:
                files[path] = raw
                room -= len(raw)
    found.append(finding("CL0915", "", f"more than {MAX_FILES} files and folders"))
    return files, tuple(found)


def _children(folder: Path, path: str) -> list[str] | Diagnostic | None:
    """Return the paths in a folder, in reverse order; None for a regular file, else what is wrong."""
    try:
        mode = os.lstat(folder / path).st_mode if path else stat.S_IFDIR
        names = sorted(os.listdir(folder / path), reverse=True) if stat.S_ISDIR(mode) else None
    except OSError:
        return finding("CL0901", path, "cannot be read")
    if stat.S_ISLNK(mode):
        return finding("CL0906", path, f"'{shown_path(path)}' is a symbolic link", "replace it by the file itself")
    if names is None:
        special = finding("CL0906", path, f"'{shown_path(path)}' is not a regular file", "remove it")
        return None if stat.S_ISREG(mode) else special
    if path and not names:
        return finding("CL0903", path, f"folder '{shown_path(path)}' is empty", "remove it")
    return [f"{path}/{name}" if path else name for name in names]


def _read(folder: Path, path: str, room: int) -> tuple[bytes | None, tuple[Diagnostic, ...]]:
    if "\\" in path:
        return None, (finding("CL0903", path, "no bundle has a file with a backslash in its name", "remove it"),)
    limit = min(room, MAX_FILE_BYTES)
    raw, problems = read_bytes(folder, path, limit)
    if any(problem.code == "CL0005" for problem in problems):
        bound = MAX_BYTES if limit == room else MAX_FILE_BYTES
        what = "files are together" if limit == room else "file is"
        return None, (finding("CL0915", path, f"{what} larger than {bound} bytes"),)
    return raw, problems
