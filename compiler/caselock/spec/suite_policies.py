"""spec/policies/*.yaml about the suite as a whole: what it covers and how large it is, duplicates, distribution."""

from __future__ import annotations

from typing import Annotated, Literal, get_args

from pydantic import Field

from caselock.spec.base import Day, Identifier, Model, Number

Dimension = Literal["goal", "complexity", "input", "state", "risk"]
DIMENSIONS: tuple[Dimension, ...] = get_args(Dimension)
Aspect = Literal["capability", "tool", "risk", "tier", "input", "state", "mutation", "stratum", "locale"]
Share = Annotated[Number, Field(ge=0, le=1)]


class Waiver(Model):
    """A combination of values that an owner does without until a day; it needs no case till then."""

    values: Annotated[dict[Dimension, str], Field(min_length=2)]
    by: Identifier
    until: Day
    reason: str


class Coverage(Model):
    """How the suite is chosen: all cases, or those that cover every `strength` values of different dimensions.

    `size` is how many cases the suite holds at most; gold and regression seeds are always in it.
    """

    coverage: Identifier
    strength: Annotated[int, Field(ge=2, le=3)] = 2
    select: Literal["all", "cover"] = "all"
    size: Annotated[int, Field(ge=1)] | None = None
    waivers: tuple[Waiver, ...] = ()


class Dedup(Model):
    """How many cases may share one signature; those worded least alike stay."""

    dedup: Identifier
    cap: Annotated[int, Field(ge=1)]


class Distribution(Model):
    """What the suite should be made of, one aspect at a time.

    `starter` asks for the minimum sizes alone, `standard` warns, `release` fails. `shares` are parts of the suite that
    may be missed by `tolerance`; `at_least` are numbers of cases; `balance` is the least share of cases that act, and
    of those that refrain.
    """

    distribution: Identifier
    profile: Literal["starter", "standard", "release"]
    shares: dict[Aspect, dict[str, Share]] = {}
    tolerance: Share
    at_least: dict[Aspect, dict[str, Annotated[int, Field(ge=1)]]] = {}
    balance: Annotated[Number, Field(ge=0, le=0.5)]
