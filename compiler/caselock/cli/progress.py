"""Progress of long work on a terminal; nothing where nobody watches."""

from __future__ import annotations

import sys
from types import TracebackType
from typing import Any


class TerminalProgress:
    """A bar per pass on standard error, shown only on a terminal."""

    def __init__(self) -> None:
        self._bar: Any = None
        self._task: Any = None

    def __enter__(self) -> TerminalProgress:
        if sys.stderr.isatty():
            from rich.console import Console
            from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

            columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
            self._bar = Progress(*columns, console=Console(stderr=True), transient=True)
            self._bar.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._bar is not None:
            self._bar.stop()

    def start(self, title: str, steps: int) -> None:
        """A pass begins."""
        if self._bar is not None:
            self._task = self._bar.add_task(title, total=steps)

    def advance(self) -> None:
        """A step of it is done."""
        if self._bar is not None:
            self._bar.advance(self._task)
