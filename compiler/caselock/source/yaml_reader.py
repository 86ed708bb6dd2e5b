"""Bytes of one file -> a strict document, or findings at their places; the only module that imports yaml."""

from __future__ import annotations

import hashlib
import re
from functools import partial
from typing import cast

from yaml import AliasEvent, Event, MarkedYAMLError, NodeEvent, YAMLError
from yaml._yaml import CParser  # the C parser or nothing: the Python one is many times slower

from caselock.diagnostics import Diagnostic
from caselock.source.characters import UNPARSEABLE, check_characters, decode
from caselock.source.convert import convert
from caselock.source.document import Document, Mark, Node
from caselock.source.findings import Findings
from caselock.source.limits import MAX_DEPTH, MAX_NODES
from caselock.source.yaml_errors import SyntaxFinding, anchor_or_tag, explain

_DIRECTIVE = re.compile(r"^%.*", re.MULTILINE)
# Texts without these have no anchor, no alias and no bare tag, so that one parse is enough.
_MAYBE_PROPERTY = re.compile(r"[&*][0-9A-Za-z_-]|(?<!\S)!(?!\S)")


def parse_text(
    path: str, source: str | bytes, *, nodes: int = MAX_NODES
) -> tuple[Document | None, tuple[Diagnostic, ...]]:
    """Read one file's content of at most `nodes` keys and values; `path` only names it.

    A document comes back only when nothing is wrong.
    """
    raw = source.encode("utf-8", "surrogatepass") if isinstance(source, str) else source
    text, undecodable = decode(path, raw)
    if text is None:
        return None, undecodable
    findings = Findings(path, text)
    check_characters(findings)
    root = None if findings.has_code(UNPARSEABLE) else _compose(findings, nodes)
    if root is None or findings:
        return None, findings.bounded()
    data = convert(root, findings)
    if findings:
        return None, findings.bounded()
    digest = hashlib.sha256(raw).hexdigest()
    return Document(path=path, text=text, data=data, digest=digest, compose=partial(_recompose, text, nodes)), ()


def _recompose(text: str, nodes: int) -> Node:
    """Return the node graph of a text that was read without findings."""
    return cast("Node", _Composer(text, nodes).get_single_node())


def _compose(findings: Findings, nodes: int) -> Node | None:
    """Return the node graph, a tree: directives and anchors are among the findings."""
    directive = _DIRECTIVE.search(findings.text)
    if directive is not None:
        findings.add("CL0027", directive.start(), directive.end(), "directive", hint="remove the line")
        return None
    root = _compose_nodes(findings, nodes)
    if _MAYBE_PROPERTY.search(findings.text):
        _report_properties(findings)
    return root


def _compose_nodes(findings: Findings, nodes: int) -> Node | None:
    try:
        root = cast("Node | None", _Composer(findings.text, nodes).get_single_node())
    except _TooMuchError as stop:
        _report_limit(stop, findings)
    except MarkedYAMLError as failure:
        _report_syntax(failure, findings)
    except YAMLError:
        findings.add("CL0020", 0, 0, "not valid YAML")
    else:
        if root is None or (root.id == "scalar" and not root.value and not root.style):
            findings.add("CL0029", 0, 0, "file defines nothing", hint="add its content, or delete the file")
        return root
    return None


class _Composer(CParser):
    """libyaml's composer without YAML 1.1's implicit types, stopping before depth or size can hurt."""

    def __init__(self, text: str, most: int) -> None:
        super().__init__(text)
        self.most = most
        self.depth = 0
        self.nodes = 0

    def descend_resolver(self, parent: Node, index: object) -> None:
        self.depth += 1
        self.nodes += 1
        if self.depth > MAX_DEPTH or self.nodes > self.most:
            raise _TooMuchError(parent.start_mark.index, self.most, deep=self.depth > MAX_DEPTH)

    def ascend_resolver(self) -> None:
        self.depth -= 1

    def resolve(self, kind: type, value: str | None, implicit: object) -> str:
        return ""


class _TooMuchError(Exception):
    """Stops the composer at the collection that exceeds a limit."""

    def __init__(self, at: int, most: int, *, deep: bool) -> None:
        self.at = at
        self.most = most
        self.deep = deep


def _report_limit(stop: _TooMuchError, findings: Findings) -> None:
    if stop.deep:
        message = f"lists and mappings are nested more than {MAX_DEPTH} levels deep"
        findings.add("CL0040", stop.at, stop.at + 1, message, hint="flatten the structure")
    else:
        message = f"more than {stop.most} keys and values in one file"
        hint = "split the file, or keep the data outside and name its digest"
        findings.add("CL0041", stop.at, stop.at + 1, message, hint=hint)


def _report_syntax(failure: MarkedYAMLError, findings: Findings) -> None:
    problem, context = failure.problem or "", failure.context or ""
    if problem == "found undefined alias" or context.startswith("found duplicate anchor"):
        return  # _report_properties says where
    at, opening = _index(failure.problem_mark), _index(failure.context_mark)
    finding = explain(problem, context, findings.text[at : at + 1])
    if finding.at_opening:
        at = opening
    if not findings.has_line(findings.span(at, at).line):
        findings.add(finding.code, at, at + 1, finding.message, hint=finding.hint)


def _index(mark: Mark | None) -> int:
    return mark.index if mark is not None else 0


def _report_properties(findings: Findings) -> None:
    """Report every anchor, alias and bare tag; aliases are never followed."""
    parser = CParser(findings.text)
    try:
        while parser.check_event():
            _report_property(parser.get_event(), findings)
    except YAMLError:
        return  # the composer has met and reported the same


def _report_property(event: Event | None, findings: Findings) -> None:
    if not isinstance(event, NodeEvent):
        return
    at = _index(event.start_mark)
    if isinstance(event, AliasEvent):
        _report_sign(anchor_or_tag("*"), at, f"*{event.anchor}", findings)
    elif event.anchor is not None:
        sign = f"&{event.anchor}"
        _report_sign(anchor_or_tag("&"), findings.text.find(sign, at), sign, findings)
    elif getattr(event, "tag", None) == "!":
        _report_sign(anchor_or_tag("!"), at, "!", findings)


def _report_sign(finding: SyntaxFinding, at: int, sign: str, findings: Findings) -> None:
    message = f"{finding.message} '{sign}'"
    findings.add(finding.code, at, at + len(sign), message, found=sign, hint=finding.hint)
