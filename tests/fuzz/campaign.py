"""Mutated copies of real workspaces, each checked or compiled -> figures: crashes, effects, time."""

import os
import shutil
import sys
import time
import traceback
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

from mutations import mutate

from caselock.bundle.encode import files as encoded
from caselock.diagnostics import in_order
from caselock.pipeline import CHECK, COMPILE, run
from caselock.source.document import read_document
from caselock.source.workspace import read_text
from caselock.views.diagnostics import as_json, render_text
from caselock.views.github import render_github
from caselock.views.sarif import render_sarif

REPOSITORY = Path(__file__).parents[2]
LIBRARY = REPOSITORY / "tests" / "workspaces" / "library"
FOLDERS = ("spec", "rules", "capabilities", "seeds")
MANY = (1, 1, 2, 4, 8, 20)
FEW = (1, 1, 1, 2)
"""How many files of one copy are mutated: few, so that the later passes run, or many, to read more files."""
DANGEROUS = (
    *("subprocess.", "pickle.find_class", "socket.", "ctypes.", "os.exec", "os.system", "os.posix_spawn", "os.fork"),
    *("os.spawn", "os.remove", "os.rename", "os.mkdir", "os.rmdir", "os.symlink", "os.link", "os.truncate", "os.ch"),
)
"""Audit events (https://docs.python.org/3/library/audit_events.html) of programs started and files changed."""
HARMLESS = "ctypes.cdata/buffer"
"""Reported for every value that the solver hands over: a view of memory that Python holds already."""


@dataclass(kw_only=True)
class Figures:
    """What a campaign did and met; `slowest` is (seconds, name of the copy)."""

    copies: int = 0
    files: int = 0
    findings: int = 0
    codes: set[str] = field(default_factory=set)
    compiled: int = 0
    cases: int = 0
    slowest: tuple[float, str] = (0.0, "")
    exceptions: list[str] = field(default_factory=list)
    effects: list[str] = field(default_factory=list)


class Watch:
    """Notes every attempt to write, to start something, or to read outside the workspace, while `root` is set."""

    def __init__(self) -> None:
        self.root: Path | None = None
        self.seen: list[str] = []
        places = (sys.prefix, sys.base_prefix, str(REPOSITORY / "compiler"), "/dev/null", "/usr/share/zoneinfo")
        self._libraries = tuple(map(os.path.realpath, places))
        sys.addaudithook(self._note)

    def _note(self, event: str, arguments: tuple[Any, ...]) -> None:
        if self.root is None:
            return
        if event == "open":
            path, _, flags = arguments
            if isinstance(path, str | bytes | os.PathLike):
                self._opened(os.path.realpath(os.fsdecode(path)), flags)
        elif event.startswith(DANGEROUS) and event != HARMLESS:
            self.seen.append(f"{event} {arguments}")

    def _opened(self, path: str, flags: int) -> None:
        assert self.root is not None
        if flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT):
            self.seen.append(f"write {path}")
        elif not path.startswith((os.path.realpath(self.root), *self._libraries)):
            self.seen.append(f"read {path}")


WATCH = Watch()


class Base:
    """A workspace to mutate: a copy of a real one, its bytes and data."""

    def __init__(self, source: Path, folder: Path) -> None:
        self.root = folder
        for name in FOLDERS:
            shutil.copytree(source / name, folder / name)
        self.raw = {path.relative_to(folder).as_posix(): path.read_bytes() for path in sorted(folder.rglob("*.yaml"))}
        self.data = {path: document.data for path in self.raw if (document := read_document(folder, path)[0])}
        assert not run(CHECK, folder).failed  # and everything that is imported late is there

    def mutated(self, rng: Random, count: int) -> dict[str, bytes | None]:
        """New bytes of some files; None for a file that goes away."""
        others = list(self.data.values())
        changes: dict[str, bytes | None] = {}
        for path in rng.sample(sorted(self.raw), min(count, len(self.raw))):
            kind = rng.random()
            if kind < 0.02:
                changes[path] = None
            elif kind < 0.05:
                changes[path] = self.raw[rng.choice(sorted(self.raw))]
            else:
                changes[path] = mutate(rng, self.raw[path], self.data.get(path), others)
        return changes

    def write(self, changes: dict[str, bytes | None]) -> None:
        """Put changes in place."""
        for path, content in changes.items():
            if content is None:
                (self.root / path).unlink()
            else:
                (self.root / path).write_bytes(content)

    def restore(self, changes: dict[str, bytes | None]) -> None:
        """Take changes back."""
        self.write({path: self.raw[path] for path in changes})


def campaign(files: int, seed: int, folder: Path, only: int | None = None) -> Iterator[Figures]:
    """Mutate and check until `files` files are mutated, giving the figures so far after each copy.

    With `only`, the copy of that number alone is made.
    """
    figures = Figures()
    bases = (Base(REPOSITORY, folder / "support"), Base(LIBRARY, folder / "library"))
    while figures.files < files:
        number = figures.copies if only is None else only
        rng = Random(f"{seed}/{number}")
        # One copy in three is of the small workspace, which a second suffices to compile to the end.
        small = number % 3 == 1
        base = bases[small]
        changes = base.mutated(rng, rng.choice(FEW if small else MANY))
        base.write(changes)
        before = {path.name for path in base.root.iterdir()}
        _try(figures, base.root, COMPILE if small or number % 300 == 0 else CHECK, f"{seed}/{number}")
        assert {path.name for path in base.root.iterdir()} == before
        if only is not None:
            yield figures
            return
        base.restore(changes)
        figures.copies += 1
        figures.files += len(changes)
        yield figures


def _try(figures: Figures, root: Path, passes: Any, name: str) -> None:
    started = time.perf_counter()
    WATCH.root = root
    try:
        build = run(passes, root)
        findings = in_order(build.diagnostics)
        render_text(findings, lambda path: read_text(root, path), files=len(build.documents))
        render_github(findings)
        render_sarif(findings)
        [as_json(finding) for finding in findings]
        figures.findings += len(findings)
        figures.codes |= {finding.code for finding in findings}
        if build.content is not None and not build.failed:
            encoded(build.content)
            figures.compiled += 1
            figures.cases += len(build.cases)
    except Exception as fault:  # noqa: BLE001 - to be counted, whatever it is
        WATCH.root = None  # a traceback reads source files
        last = traceback.extract_tb(fault.__traceback__)[-1]
        place = f"{Path(last.filename).name}:{last.lineno}"
        figures.exceptions.append(f"{name}: {type(fault).__name__} at {place}: {str(fault)[:200]}")
        if os.environ.get("FUZZ_DEBUG"):
            traceback.print_exc()
    finally:
        WATCH.root = None
        figures.effects += [f"{name}: {effect}" for effect in WATCH.seen]
        WATCH.seen.clear()
        figures.slowest = max(figures.slowest, (time.perf_counter() - started, name))
