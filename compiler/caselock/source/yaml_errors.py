"""What libyaml complains about -> our code, words and hint for it."""

from __future__ import annotations

from dataclasses import dataclass

_QUOTE = "put the text in quotes"
_INDENT = "check the indentation, and quote texts that contain ': '"


@dataclass(frozen=True, slots=True)
class SyntaxFinding:
    """What to say of an error; `at_opening` points at what was opened, not at where reading failed."""

    message: str
    hint: str | None = None
    code: str = "CL0020"
    at_opening: bool = False


_FINDINGS = {
    "mapping values are not allowed in this context": SyntaxFinding("a ':' is not allowed here", _INDENT),
    "mapping keys are not allowed in this context": SyntaxFinding("a '?' is not allowed here", _QUOTE),
    "block sequence entries are not allowed in this context": SyntaxFinding("a '-' is not allowed here", _INDENT),
    "did not find expected ',' or ']'": SyntaxFinding(
        "list is not closed", "add the missing ',' or ']'", at_opening=True
    ),
    "did not find expected ',' or '}'": SyntaxFinding(
        "mapping is not closed", "add the missing ',' or '}'", at_opening=True
    ),
    "did not find expected node content": SyntaxFinding("a value is missing here", "add it, or close the bracket"),
    "found unexpected end of stream": SyntaxFinding(
        "quoted text is not closed", "add the closing quote", at_opening=True
    ),
    "found unexpected document indicator": SyntaxFinding(
        "quoted text is not closed", "add the closing quote", at_opening=True
    ),
    "did not find expected '-' indicator": SyntaxFinding("expected another '- ' item of the list", _INDENT),
    "did not find expected key": SyntaxFinding("expected another key of the mapping", _INDENT),
    "could not find expected ':'": SyntaxFinding("key without a ':'", "add ': ' and a value", at_opening=True),
    "found unexpected ':'": SyntaxFinding("a ':' is not allowed here", _QUOTE),
    "found unknown escape character": SyntaxFinding(
        "unknown escape in double quotes", 'write "\\\\" for a backslash, or use single quotes'
    ),
    "did not find expected hexdecimal number": SyntaxFinding(
        "escape without its hexadecimal digits", 'write "\\x41", "\\u0041" or "\\U00000041"'
    ),
    "found invalid Unicode character escape code": SyntaxFinding("escape is not a Unicode character"),
    "did not find expected comment or line break": SyntaxFinding(
        "a block text starts on the line after its '|' or '>'", "move the text to the next line, or quote it"
    ),
    "found an indentation indicator equal to 0": SyntaxFinding("a block text cannot be indented by 0"),
    "did not find expected <document start>": SyntaxFinding("content after the end of the document", _INDENT),
    "exceeded maximum nesting depth": SyntaxFinding(
        "lists and mappings are nested too deeply", "flatten the structure", "CL0040"
    ),
    "but found another document": SyntaxFinding(
        "a second document starts here", "move it to a file of its own", "CL0026"
    ),
}
_BY_CHARACTER = {
    "&": SyntaxFinding("anchor", "write the value where it is used, or quote the text", "CL0022"),
    "*": SyntaxFinding("alias", "write the value where it is used, or quote the text", "CL0023"),
    "!": SyntaxFinding("tag", "quote the text if it starts with '!'", "CL0025"),
}


def explain(problem: str, context: str, character: str) -> SyntaxFinding:
    """Return our finding for libyaml's `problem`, met at `character` while doing `context`."""
    if character in _BY_CHARACTER and ("anchor" in context or "alias" in context or "tag" in context):
        return _BY_CHARACTER[character]
    if problem == "found character that cannot start any token":
        return SyntaxFinding(f"a text cannot start with '{character}'", _QUOTE)
    return _FINDINGS.get(problem, SyntaxFinding("not valid YAML", _INDENT))


def anchor_or_tag(character: str) -> SyntaxFinding:
    """Return the finding for an anchor, alias or tag by its first character."""
    return _BY_CHARACTER[character]
