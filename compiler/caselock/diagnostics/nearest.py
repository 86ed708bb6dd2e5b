"""A misspelt word and the allowed ones -> the allowed word the author most likely meant."""

from __future__ import annotations

from collections.abc import Iterable


def nearest(word: str, allowed: Iterable[str]) -> str | None:
    """Return the closest allowed word, or None when none is close; case does not matter."""
    import difflib

    if len(word) > 200:
        return None
    words = {candidate.lower(): candidate for candidate in sorted(set(allowed), reverse=True)}
    matches = difflib.get_close_matches(word.lower(), sorted(words), n=1, cutoff=0.6)
    return words[matches[0]] if matches else None
