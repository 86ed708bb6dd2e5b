"""The conversation of a case for people: who said what, the middle of a long one folded."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from typing import Any

_ENDS = 2
"""Turns shown at each end of a folded conversation."""
_SHORT = 6
"""Conversations up to so many turns are shown whole."""
_SPEAKERS = {"user": "customer", "assistant": "agent"}


def told(turns: list[dict[str, Any]], width: int) -> Iterator[str]:
    """A line per turn; of a long conversation the first and last turns, and how many are between."""
    if len(turns) <= _SHORT:
        for turn in turns:
            yield from _turn(turn, width)
        return
    for turn in turns[:_ENDS]:
        yield from _turn(turn, width)
    yield f"  ... {len(turns) - 2 * _ENDS} more turns ..."
    for turn in turns[-_ENDS:]:
        yield from _turn(turn, width)


def _turn(turn: dict[str, Any], width: int) -> Iterator[str]:
    said = f'{_SPEAKERS[turn["role"]]}: "{turn["text"]}"'
    yield from textwrap.wrap(said, width, initial_indent="  ", subsequent_indent="     ")


def disclosure(wish: dict[str, Any]) -> Iterator[str]:
    """What the user knows and does not say, and what it said and does not stand by."""
    knows, mentions = wish["knows"], wish["mentions"]
    for slot, values in mentions.items():
        if slot in knows:
            both = " and ".join(values)
            yield f"  (has named both {both} as {slot}; asked which, the user says {knows[slot]})"
        else:
            yield f"  (has said {slot} = {values[0]} first and takes it back)"
    for slot, value in knows.items():
        if slot not in mentions:
            slowly = ", one thing at a time" if wish["disclosure"][slot] == "on_ask_one_by_one" else ""
            yield f"  (and tells {slot} = {value} only when asked{slowly})"
