"""The nodes of a YAML file -> exact plain data, with a finding for each part outside the strict subset."""

from __future__ import annotations

import re

from caselock.diagnostics import Related
from caselock.source.document import Node
from caselock.source.findings import Findings
from caselock.source.limits import MAX_SCALAR
from caselock.source.scalars import BadScalar, PlainValue, YamlValue, plain_value

_WORD = re.compile(r"\S+")
_BAD_KEYS = frozenset({"", "<<"})


def convert(node: Node, findings: Findings) -> YamlValue:
    """Return a node's value; refused parts are added to the findings and become None.

    The graph must be a tree of bounded depth: anchors and depth are refused before.
    """
    if node.tag:
        _refuse_tag(node, findings)
        return None
    if node.id == "sequence":
        return [convert(item, findings) for item in node.value]
    if node.id == "mapping":
        return _mapping(node, findings)
    return _scalar(node, findings)


def _scalar(node: Node, findings: Findings) -> PlainValue:
    text: str = node.value
    if len(text) > MAX_SCALAR:
        _refuse_long(node, findings)
        return None
    value = text if node.style else plain_value(text)
    if isinstance(value, BadScalar):
        _refuse_plain(node, value, findings)
        return None
    return value


def _mapping(node: Node, findings: Findings) -> dict[str, YamlValue]:
    data: dict[str, YamlValue] = {}
    for name, value in node.value:
        key = name.value
        if name.id != "scalar" or name.tag or (not name.style and key in _BAD_KEYS):
            _refuse_key(name, findings)
        elif key in data:
            _refuse_duplicate(node, name, findings)
        else:
            data[key] = convert(value, findings)
    return data


def _refuse_tag(node: Node, findings: Findings) -> None:
    start = node.start_mark.index
    word = _WORD.match(findings.text, start)
    end = word.end() if word else start + 1
    tag = findings.text[start:end]
    findings.add("CL0025", start, end, f"tag '{tag}'", found=tag, hint="remove the tag; quote a text instead")


def _refuse_long(node: Node, findings: Findings) -> None:
    start = node.start_mark.index
    message = f"text of {len(node.value)} characters; at most {MAX_SCALAR} are allowed"
    findings.add("CL0042", start, start + 1, message, hint="keep it in a file outside and name its digest")


def _refuse_plain(node: Node, bad: BadScalar, findings: Findings) -> None:
    hint = "write the number plainly, or put it in quotes if it is a text"
    start, end = node.start_mark.index, node.end_mark.index
    findings.add(bad.code, start, end, bad.message, found=node.value, hint=hint)


def _refuse_key(name: Node, findings: Findings) -> None:
    start = name.start_mark.index
    if name.tag:
        _refuse_tag(name, findings)
    elif name.value == "<<":
        findings.add("CL0024", start, start + 2, "merge key '<<'", found="<<", hint="write the keys out")
    else:
        hint = "use a name, or a text in quotes"
        findings.add("CL0028", start, start + 1, "key is not a simple string", hint=hint)


def _refuse_duplicate(node: Node, name: Node, findings: Findings) -> None:
    first = next(other for other, _ in node.value if other.value == name.value)
    place = findings.span(first.start_mark.index, first.end_mark.index)
    findings.add(
        "CL0021",
        name.start_mark.index,
        name.end_mark.index,
        f"duplicate key '{name.value}'",
        found=name.value,
        hint="keep one of the two",
        related=(Related(span=place, message="first written here"),),
    )
