"""A folder -> the sorted spec files of the workspace around it, and their bytes, safely."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from caselock.diagnostics import Diagnostic, Span
from caselock.source.limits import MAX_FILE_BYTES, MAX_FILES

MARKER = "spec/project.yaml"
FOLDERS = ("capabilities", "rules", "seeds", "spec")

_PORTABLE = re.compile(r"[A-Za-z0-9._-]+")


def find_root(start: Path) -> Path | None:
    """Return the nearest folder at or above `start` that holds spec/project.yaml, or None."""
    start = start.resolve()
    return next((folder for folder in (start, *start.parents) if is_root(folder)), None)


def is_root(folder: Path) -> bool:
    """Tell whether a folder is a workspace: whether it holds spec/project.yaml."""
    return (folder / MARKER).is_file()


def list_files(root: Path) -> tuple[tuple[str, ...], tuple[Diagnostic, ...]]:
    """Return the POSIX paths of the workspace's .yaml files in sorted order, and findings about the rest."""
    files: list[str] = []
    findings: list[Diagnostic] = []
    for entry in _entries(root):
        if isinstance(entry, Diagnostic):
            findings.append(entry)
        elif len(files) == MAX_FILES:
            findings.append(_finding("CL0006", entry, f"more than {MAX_FILES} files in the workspace"))
            break
        else:
            files.append(entry)
    return tuple(sorted(files)), (*findings, *_by_case(sorted(files)))


def read_bytes(root: Path, path: str, limit: int = MAX_FILE_BYTES) -> tuple[bytes | None, tuple[Diagnostic, ...]]:
    """Return the bytes of a regular file of the workspace, at most `limit`, or the finding why not.

    `path` is POSIX and relative to the root, and may come from a workspace file: it is not trusted.
    """
    location = _inside(root, path)
    if location is None:
        message = f"path '{_shown(path)}' leaves the workspace"
        return None, (_finding("CL0007", path, message, "name a file inside it"),)
    if location.resolve() != root.resolve().joinpath(*path.split("/")):
        message = f"'{_shown(path)}' is, or is below, a symbolic link"
        return None, (_finding("CL0003", path, message, "replace it by the file itself"),)
    try:
        raw = _read_regular(location, limit)
    except OSError as failure:
        return None, (_finding("CL0001", path, f"file cannot be read: {_reason(failure)}"),)
    if raw is None:
        return None, (_finding("CL0001", path, "not a regular file", "replace it by a plain file"),)
    if len(raw) > limit:
        hint = "split the file, or keep the data outside and name its digest"
        return None, (_finding("CL0005", path, f"file is larger than {limit} bytes", hint),)
    return raw, ()


def read_text(root: Path, path: str) -> str | None:
    """Return a workspace file's text for showing it, whatever its bytes are; None if it cannot be read."""
    raw, _ = read_bytes(root, path)
    return None if raw is None else raw.decode("utf-8", "replace")


def is_portable(path: str) -> bool:
    """Tell whether every file system spells a path alike."""
    return all(_PORTABLE.fullmatch(part) for part in path.split("/"))


def _entries(root: Path) -> Iterator[str | Diagnostic]:
    """Yield the path of each spec file, or a finding, depth first; links are never followed."""
    pending = [name for name in FOLDERS if os.path.lexists(root / name)]
    while pending:
        path = pending.pop()
        try:
            mode = os.lstat(root / path).st_mode
            if not stat.S_ISDIR(mode):
                yield from _file(path, mode)
                continue
            children = sorted(os.listdir(root / path))
        except OSError as failure:
            yield _finding("CL0001", path, f"cannot be read: {_reason(failure)}")
            continue
        pending += [f"{path}/{name}" for name in children if not name.startswith(".")]


def _file(path: str, mode: int) -> Iterator[str | Diagnostic]:
    name = PurePosixPath(path).name
    is_yaml = name.lower().endswith((".yaml", ".yml"))
    if stat.S_ISLNK(mode):
        yield _finding("CL0003", path, f"'{_shown(path)}' is a symbolic link", "replace it by the file itself")
    elif is_yaml and not name.endswith(".yaml"):
        yield _finding("CL0002", path, f"file name '{_shown(name)}' does not end in .yaml", "rename it")
    elif is_yaml and not is_portable(path):
        hint = "use only A-Z a-z 0-9 . _ - in names of files and folders"
        yield _finding("CL0004", path, f"path '{_shown(path)}' is not portable", hint)
    elif is_yaml:
        yield path


def _by_case(files: list[str]) -> Iterator[Diagnostic]:
    first: dict[str, str] = {}
    for path in files:
        other = first.setdefault(path.lower(), path)
        if other != path:
            message = f"path '{path}' differs from '{other}' only by case"
            yield _finding("CL0004", path, message, "rename one: some file systems keep only one of them")


def _inside(root: Path, path: str) -> Path | None:
    parts = path.split("/")
    if "\0" in path or "\\" in path or any(part in ("", ".", "..") for part in parts):
        return None
    location = root.joinpath(*parts)
    return location if location.resolve().is_relative_to(root.resolve()) else None


def _read_regular(location: Path, limit: int) -> bytes | None:
    # O_NONBLOCK, so that a pipe in the workspace cannot make us wait for ever.
    descriptor = os.open(location, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))
    with open(descriptor, "rb") as stream:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            return None
        return stream.read(limit + 1)


def _finding(code: str, path: str, message: str, hint: str | None = None) -> Diagnostic:
    return Diagnostic(code=code, span=Span(_shown(path)), message=message, hint=hint)


def _shown(path: str) -> str:
    """Return a file name that any terminal and any encoding can show."""
    return path.encode("unicode_escape").decode("ascii")


def _reason(failure: OSError) -> str:
    return {"FileNotFoundError": "it does not exist", "PermissionError": "permission denied"}.get(
        type(failure).__name__, "the system refuses it"
    )
