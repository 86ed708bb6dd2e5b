"""A strict YAML file once read: its data, and the place of every part of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, Protocol

from caselock.diagnostics import Diagnostic, Span
from caselock.source.places import Places
from caselock.source.scalar_offsets import spellings

YamlPath = tuple[str | int, ...]


class Mark(Protocol):
    """A position in the text, counted in code points."""

    index: int


class Node(Protocol):
    """A node of the YAML graph; `id` is scalar, sequence or mapping and says what `value` holds."""

    id: str
    tag: str
    value: Any
    start_mark: Mark
    end_mark: Mark
    style: str | None


@dataclass(frozen=True, kw_only=True, eq=False)
class Document:
    """One file: `data` is exact plain data, `digest` the sha256 of the bytes in lower-case hex."""

    path: str
    text: str = field(repr=False)
    data: Any = field(repr=False)
    digest: str
    compose: Callable[[], Node] = field(repr=False)

    @cached_property
    def root(self) -> Node:
        """The node graph, composed again when a place is first asked for: most files have no findings."""
        return self.compose()

    @cached_property
    def _places(self) -> Places:
        return Places(self.path, self.text)

    def span(self, path: YamlPath, *, key: bool = False) -> Span:
        """Return the place of the value at `path`, or of its key; for a missing part, its parent's."""
        name, node = self._find(path)
        if key and name is not None:
            node = name
        return self._places.span(*self._extent(node))

    def first_key_span(self, path: YamlPath) -> Span:
        """Return the place of the first key of the mapping at `path`, where its missing keys are reported."""
        _, node = self._find(path)
        if node.id == "mapping" and node.value:
            node = node.value[0][0]
        return self._places.span(*self._extent(node))

    def scalar_span(self, path: YamlPath, start: int, end: int) -> Span:
        """Return the source characters that spell code points `start` to `end` of a scalar's value.

        An offset past the end points just behind the last character; other values give their own span.
        """
        _, node = self._find(path)
        if node.id != "scalar":
            return self._places.span(*self._extent(node))
        begin, stop = self._extent(node)
        spelt = spellings(self.text, begin, node.end_mark.index, node.style or "", node.value)
        if not spelt:
            return self._places.span(begin, stop)
        if start >= len(spelt):
            return self._places.span(spelt[-1][1], spelt[-1][1])
        last = min(max(start, end - 1), len(spelt) - 1)
        return self._places.span(spelt[start][0], spelt[last][1])

    def characters(self, start: int, end: int) -> Span:
        """Return the place of code points `start` to `end` of the text."""
        return self._places.span(start, end)

    def written(self, path: YamlPath) -> str | None:
        """Return a scalar as it is written (`1.10`), a text without its quotes; None for other values."""
        _, node = self._find(path)
        return node.value if node.id == "scalar" else None

    def _find(self, path: YamlPath) -> tuple[Node | None, Node]:
        """Return the (key, value) nodes at a path, or of its longest prefix that exists."""
        name: Node | None = None
        node = self.root
        for part in path:
            child = self._child(node, part)
            if child is None:
                break
            name, node = child
        return name, node

    def _child(self, node: Node, part: str | int) -> tuple[Node | None, Node] | None:
        if node.id == "mapping" and isinstance(part, str):
            if id(node) not in self._keys:
                self._keys[id(node)] = {name.value: (name, value) for name, value in node.value}
            return self._keys[id(node)].get(part)
        if node.id == "sequence" and isinstance(part, int) and 0 <= part < len(node.value):
            return None, node.value[part]
        return None

    @cached_property
    def _keys(self) -> dict[int, dict[str, tuple[Node, Node]]]:
        """The keys of each mapping once looked into: a large one is asked for many places."""
        return {}

    def _extent(self, node: Node) -> tuple[int, int]:
        """Return a node's characters, less the blank lines that the parser counts in."""
        start, end = node.start_mark.index, node.end_mark.index
        if _is_block(node):
            while end > start and self.text[end - 1] in "\n ":
                end -= 1
        return start, end


@dataclass(frozen=True, kw_only=True, eq=False)
class JoinedDocument(Document):
    """A document some parts of which are files of their own: their places are in those files."""

    parts: Mapping[YamlPath, Document] = field(repr=False)

    def span(self, path: YamlPath, *, key: bool = False) -> Span:
        """Return the place of the value at `path`, or of its key, in the file that holds it."""
        part, inner = self._part(path)
        return super().span(path, key=key) if part is None else part.span(inner, key=key)

    def written(self, path: YamlPath) -> str | None:
        """Return a scalar as it is written in the file that holds it."""
        part, inner = self._part(path)
        return super().written(path) if part is None else part.written(inner)

    def _part(self, path: YamlPath) -> tuple[Document | None, YamlPath]:
        for where, part in self.parts.items():
            if len(path) > len(where) and path[: len(where)] == where:
                return part, path[len(where) :]
        return None, path


def read_document(root: Path, path: str) -> tuple[Document | None, tuple[Diagnostic, ...]]:
    """Read one file of the workspace as strict YAML."""
    from caselock.source.workspace import read_bytes
    from caselock.source.yaml_reader import parse_text  # imports yaml, which a mere `--help` must not pay for

    raw, findings = read_bytes(root, path)
    return parse_text(path, raw) if raw is not None else (None, findings)


def _is_block(node: Node) -> bool:
    if node.id == "scalar":
        return node.style in ("|", ">")
    return True
