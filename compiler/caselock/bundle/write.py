"""The files of a bundle -> a folder that holds exactly them, replaced whole or not at all."""

from __future__ import annotations

import os
import shutil
import stat
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from caselock.bundle.finding import finding
from caselock.bundle.manifest import LOCK, MANIFEST
from caselock.bundle.tree import read_tree
from caselock.diagnostics import Diagnostic


def write(folder: Path, files: Mapping[str, bytes]) -> tuple[Diagnostic, ...]:
    """Make `folder` (normally `<workspace>/generated`) hold exactly `files`, or return why that cannot be.

    The new files are complete on disk before they take the folder's place by two renames; a crash between
    these is mended by the next call. A folder that already holds the same bytes is not touched.
    """
    refusal = _refusal(folder)
    if refusal is not None:
        return (refusal,)
    try:
        with _only_writer(folder.parent) as alone:
            if not alone:
                hint = "let it finish, then try again"
                return (finding("CL0917", folder.name, "another process is writing here", hint),)
            _mend(folder)
            if read_tree(folder) != (dict(sorted(files.items())), ()):
                _replace(folder, files)
    except OSError as failure:
        reason = (failure.strerror or "the system refuses it").lower()
        return (finding("CL0917", folder.name, f"bundle cannot be written: {reason}"),)
    return ()


def _refusal(folder: Path) -> Diagnostic | None:
    """Return why a folder must not be replaced: it is a link, no folder, or holds something else."""
    if folder.is_symlink():
        hint = "replace the link by a folder"
        return finding("CL0916", folder.name, f"'{folder.name}' is a symbolic link", hint)
    try:
        names = os.listdir(folder)
    except FileNotFoundError:
        return None
    except OSError:
        return finding("CL0916", folder.name, f"'{folder.name}' is not a folder that can be read")
    if names and not {MANIFEST, LOCK} & set(names):
        hint = "remove it, or choose another folder"
        return finding("CL0916", folder.name, f"'{folder.name}' holds something else than a bundle", hint)
    return None


@contextmanager
def _only_writer(parent: Path) -> Iterator[bool]:
    """Tell whether no other caselock writes beside us; the lock is the system's: a crash releases it."""
    descriptor = os.open(parent, os.O_RDONLY | os.O_DIRECTORY)
    try:
        yield _locked(descriptor)
    finally:
        os.close(descriptor)


def _locked(descriptor: int) -> bool:
    import fcntl

    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _mend(folder: Path) -> None:
    """Undo what a crashed run left: put back a bundle that was moved aside, remove what was not finished."""
    if os.path.lexists(_old(folder)) and not os.path.lexists(folder):
        os.rename(_old(folder), folder)
    _remove(_old(folder))
    _remove(_new(folder))


def _replace(folder: Path, files: Mapping[str, bytes]) -> None:
    try:
        _build(_new(folder), files)
        _swap(folder)
    finally:
        _remove(_new(folder))


def _build(folder: Path, files: Mapping[str, bytes]) -> None:
    """Write all files below a new folder and wait until they are on disk, whatever the umask is."""
    folders = [folder, *sorted({folder / path.rpartition("/")[0] for path in files} - {folder})]
    for path in folders:
        path.mkdir()
        path.chmod(0o755)
    for name, raw in files.items():
        with open(folder / name, "xb") as stream:
            os.fchmod(stream.fileno(), 0o644)
            stream.write(raw)
            stream.flush()
            os.fsync(stream.fileno())
    for path in reversed(folders):
        _sync_folder(path)


def _swap(folder: Path) -> None:
    """Put the new folder in the place of the old one; if that fails the old one is put back."""
    old, new = _old(folder), _new(folder)
    had_one = folder.exists()
    if had_one:
        os.rename(folder, old)
    try:
        os.rename(new, folder)
    except OSError:
        if had_one:
            os.rename(old, folder)
        raise
    _sync_folder(folder.parent)
    _remove(old)


def _sync_folder(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _remove(path: Path) -> None:
    if not os.path.lexists(path):
        return
    if stat.S_ISDIR(os.lstat(path).st_mode):
        shutil.rmtree(path)
    else:
        path.unlink()


def _new(folder: Path) -> Path:
    return folder.with_name(f".{folder.name}.caselock-new")


def _old(folder: Path) -> Path:
    return folder.with_name(f".{folder.name}.caselock-old")
