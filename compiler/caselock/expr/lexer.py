"""Expression text -> tokens, and the questions about places in the text that tokens can answer."""

import re
from dataclasses import dataclass
from functools import cached_property

# Possessive quantifiers keep hostile text linear; a lone quote falls through to `other`.
_TOKEN = re.compile(
    r"""
      (?P<space>[ \t\r\n\f]++|//[^\n]*+)
    | (?P<string>(?:[rR][bB]?|[bB][rR])(?:'{3}(?s:.*?)'{3}|"{3}(?s:.*?)"{3}|'[^'\n]*+'|"[^"\n]*+")
        | [bB]?(?:'{3}(?s:(?:\\.|[^\\])*?)'{3}|"{3}(?s:(?:\\.|[^\\])*?)"{3}
        | '(?:\\[^\n]|[^'\\\n])*+'|"(?:\\[^\n]|[^"\\\n])*+"))
    | (?P<number>0[xX][0-9a-fA-F]++[uU]?|(?:[0-9]++(?:\.[0-9]++)?|\.[0-9]++)(?:[eE][+-]?[0-9]++)?[uU]?)
    | (?P<word>[A-Za-z_][A-Za-z0-9_]*+)
    | (?P<quoted>`[^`\n]*+`)
    | (?P<other>&&|\|\||[=!<>]=|(?s:.))
    """,
    re.VERBOSE,
)
_OPENING = {"(": ")", "[": "]", "{": "}"}
_CLOSING = frozenset(_OPENING.values())


@dataclass(frozen=True, slots=True, kw_only=True)
class Token:
    """A piece of the text; `kind` is the name of the token's group."""

    kind: str
    text: str
    start: int

    @property
    def end(self) -> int:
        """Return the offset just behind the token."""
        return self.start + len(self.text)


@dataclass(frozen=True)
class Source:
    """An expression's text with its tokens."""

    text: str

    @cached_property
    def tokens(self) -> tuple[Token, ...]:
        """Return the tokens without blanks and comments."""
        found = _TOKEN.finditer(self.text)
        return tuple(
            Token(kind=match.lastgroup or "", text=match.group(), start=match.start())
            for match in found
            if match.lastgroup != "space"
        )

    @cached_property
    def depth(self) -> int:
        """Return how deep brackets are nested."""
        depth = deepest = 0
        for token in self.tokens:
            depth += (token.text in _OPENING) - (token.text in _CLOSING)
            deepest = max(deepest, depth)
        return deepest

    @cached_property
    def _starts(self) -> dict[int, int]:
        return {token.start: index for index, token in enumerate(self.tokens)}

    @cached_property
    def _ends(self) -> dict[int, int]:
        return {token.end: index for index, token in enumerate(self.tokens)}

    @cached_property
    def _partners(self) -> dict[int, int]:
        partners: dict[int, int] = {}
        stack: list[Token] = []
        for token in self.tokens:
            if token.text in _OPENING:
                stack.append(token)
            elif stack and token.text == _OPENING[stack[-1].text]:
                partners[stack.pop().start] = token.start
        return partners

    def at(self, start: int, step: int = 0) -> Token | None:
        """Return the token that starts here, or the one `step` places on; None if there is none."""
        index = self._starts.get(start)
        if index is None or not 0 <= index + step < len(self.tokens):
            return None
        return self.tokens[index + step]

    def closing(self, start: int) -> int:
        """Return the offset just behind the bracket that closes the one here."""
        return self._partners.get(start, start) + 1

    def widen(self, start: int, end: int) -> tuple[int, int]:
        """Return the span together with the parentheses that enclose nothing else."""
        while True:
            before, after = self.at(start, -1), self._after(end)
            if before is None or after is None or self._partners.get(before.start) != after.start:
                return start, end
            if before.text != "(" or self._is_call(before):
                return start, end
            start, end = before.start, after.end

    def _after(self, end: int) -> Token | None:
        index = self._ends.get(end)
        return self.tokens[index + 1] if index is not None and index + 1 < len(self.tokens) else None

    def _is_call(self, parenthesis: Token) -> bool:
        before = self.at(parenthesis.start, -1)
        return before is not None and before.kind == "word" and before.text != "in"
