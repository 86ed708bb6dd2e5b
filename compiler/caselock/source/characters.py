"""Bytes -> text that every editor and reviewer sees alike, or findings at its bytes and characters."""

from __future__ import annotations

import re
import unicodedata

from caselock.diagnostics import Diagnostic, Span
from caselock.source.findings import Findings

# Controls, DEL, line separators, direction changes, inner byte order marks, surrogates, noncharacters.
_SUSPECT = re.compile(
    "[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff\ud800-\udfff\ufffe\uffff]+"
)
_NAMED = {
    "\x00": ("CL0013", "NUL character", "remove it"),
    "\t": ("CL0015", "tab character", 'indent with spaces; inside a text write "\\t" in double quotes'),
    "\r": (
        "CL0014",
        "carriage return",
        "save the file with LF line endings; the shipped .gitattributes ('* text=auto eol=lf') makes git keep them",
    ),
}
# libyaml refuses these itself or, worse, reads them as ends of lines; the parser never sees them.
UNPARSEABLE = frozenset({"CL0013", "CL0014", "CL0016"})


def decode(path: str, raw: bytes) -> tuple[str | None, tuple[Diagnostic, ...]]:
    """Return the UTF-8 text of a file's bytes, or the finding that says why they are not."""
    foreign = _foreign_encoding(raw)
    if foreign is not None:
        return None, (Diagnostic(code="CL0011", span=Span(path), message=f"file is {foreign}", hint=_AS_UTF8),)
    if raw.startswith(b"\xef\xbb\xbf"):
        return None, (Diagnostic(code="CL0012", span=Span(path), message="byte order mark", hint=_AS_UTF8),)
    try:
        return raw.decode("utf-8"), ()
    except UnicodeDecodeError as failure:
        return None, (_not_utf8(path, raw, failure.start),)


def check_characters(findings: Findings) -> None:
    """Add a finding for each suspect character, at most one of a code per line, and for text not in NFC."""
    text = findings.text
    seen: set[tuple[str, int]] = set()
    for run in _SUSPECT.finditer(text):
        line = findings.span(run.start(), run.start()).line
        for character in dict.fromkeys(run[0]):
            code, name, hint = _NAMED.get(character) or _control(character)
            if (code, line) not in seen:
                seen.add((code, line))
                at = run.start() + run[0].index(character)
                findings.add(code, at, at + 1, name, hint=hint)
    if not unicodedata.is_normalized("NFC", text):
        _check_composed(findings)


_AS_UTF8 = "save the file as UTF-8 without a byte order mark"


def _foreign_encoding(raw: bytes) -> str | None:
    if raw.startswith((b"\xff\xfe\x00\x00", b"\x00\x00\xfe\xff")):
        return "UTF-32"
    if raw.startswith((b"\xff\xfe", b"\xfe\xff")):
        return "UTF-16"
    return None


def _not_utf8(path: str, raw: bytes, at: int) -> Diagnostic:
    before = raw[:at].decode("utf-8")
    line, column = before.count("\n") + 1, len(before) - before.rfind("\n")
    span = Span(path, line, column, line, column + 1)
    return Diagnostic(
        code="CL0010",
        span=span,
        message=f"byte 0x{raw[at]:02x} is not UTF-8",
        found=f"0x{raw[at]:02x}",
        hint=_AS_UTF8,
    )


def _control(character: str) -> tuple[str, str, str]:
    point = ord(character)
    escape = f"\\u{point:04X}" if point > 0xFF else f"\\x{point:02X}"
    return (
        "CL0016",
        f"invisible character U+{point:04X}",
        f'remove it, or write "{escape}" in double quotes if it is meant',
    )


def _check_composed(findings: Findings) -> None:
    start = 0
    for line in findings.text.split("\n"):
        if not unicodedata.is_normalized("NFC", line):
            at, end = _first_difference(line)
            findings.add(
                "CL0017", start + at, start + end, "text is not in Unicode normal form C",
                found=line[at:end], nearest=unicodedata.normalize("NFC", line[at:end]),
                hint="normalise the file to NFC",
            )  # fmt: skip
        start += len(line) + 1


def _first_difference(line: str) -> tuple[int, int]:
    composed = unicodedata.normalize("NFC", line)
    pairs = enumerate(zip(line, composed, strict=False))
    at = next((i for i, (left, right) in pairs if left != right), min(len(line), len(composed)))
    end = at + 1
    while end < len(line) and unicodedata.combining(line[end]):
        end += 1
    return at, end
