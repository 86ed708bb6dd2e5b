"""spec/policies/*.yaml: how strict the compiler is and how far it expands."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, model_validator

from caselock.spec.base import CaseId, Distinct, Identifier, Model, Number, reject


class Splits(Model):
    """How families are divided: explicit choices first, then a salted hash below `hidden_share`."""

    splits: Identifier
    salt: str
    hidden_share: Annotated[Number, Field(ge=0, le=1)]
    families: dict[Identifier, Literal["dev", "hidden"]] = {}


class Expansion(Model):
    """Which compositions of operators are expanded besides single ones; each chain is a set."""

    expansion: Identifier
    max_depth: Annotated[int, Field(ge=1, le=4)]
    chains: tuple[tuple[Identifier, ...], ...] = ()


class Trials(Model):
    """The default trial protocol of a case."""

    trials: Identifier
    ordinary_trials: Annotated[int, Field(ge=1)]
    high_risk_trials: Annotated[int, Field(ge=1)]


class Packs(Model):
    """Which cases are run together besides all of them.

    `smoke` is the size of the pack that is chosen to touch everything once; `canary` names its cases one by one.
    """

    packs: Identifier
    smoke: Annotated[int, Field(ge=1, le=500)]
    canary: Annotated[Distinct[CaseId], Field(min_length=30, max_length=50)] | None = None


class Allowance(Model):
    """Something that looks like personal data and is not: this text, everything in this file, or both at once."""

    text: str | None = None
    path: str | None = None
    reason: str
    approved_by: Identifier

    @model_validator(mode="after")
    def _names_something(self) -> Allowance:
        if self.text is None and self.path is None:
            raise reject("an allowance names a text, a file, or both")
        return self


class Privacy(Model):
    """What the screening for personal data lets pass; nothing lets a secret pass."""

    privacy: Identifier
    owner: Identifier
    allow: tuple[Allowance, ...] = ()
