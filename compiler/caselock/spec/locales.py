"""spec/locales/*.yaml: how people of one locale write numbers and dates, and the words that say what an agent did."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Annotated, Literal, TypeAlias

from pydantic import AfterValidator, StringConstraints, model_validator

from caselock.spec.base import Distinct, Identifier, Model, Name, Text, VersionText, reject
from caselock.spec.decisions import Outcome

GAP = "..."
"""Inside a phrase it stands for up to three words."""
_WORD = re.compile(r"[^\W_]+(?:['\u2019-][^\W_]+)*")


def _word(text: str) -> str:
    if not _WORD.fullmatch(text):
        raise reject(f"'{text}' is not a single word", found=text, hint="write letters without spaces or marks")
    return text


def _phrase(text: str) -> str:
    words = text.split(" ")
    for word in words:
        if word != GAP and not _WORD.fullmatch(word):
            raise reject(
                f"'{text}' is not a phrase of words",
                found=text,
                hint="write words with single spaces, and ... for up to three words in between",
            )
    if GAP in (words[0], words[-1]) or (GAP, GAP) in pairwise(words):
        raise reject(f"'{text}' has a gap that no word closes", found=text, hint="put ... between two words")
    return text


Word: TypeAlias = Annotated[str, StringConstraints(min_length=1, max_length=40), AfterValidator(_word)]
Phrase: TypeAlias = Annotated[str, StringConstraints(min_length=1, max_length=80), AfterValidator(_phrase)]
"""Words as they stand in a sentence; case does not matter."""


class Numbers(Model):
    """How a decimal is written: `1.234,50` has the group mark `.` and the decimal mark `,`."""

    decimal: Literal[".", ","]
    group: Literal[".", ",", " ", "'"] | None = None

    @model_validator(mode="after")
    def _apart(self) -> Numbers:
        if self.decimal == self.group:
            raise reject(f"'{self.decimal}' cannot both group digits and start the decimals", path=("group",))
        return self


class Dates(Model):
    """How a day is written: the order of day, month and year, and the mark between them."""

    order: Literal["dmy", "mdy", "ymd"]
    separator: Literal[".", "/", "-"]


class SlotWords(Model):
    """What a slot is called: when the user tells it, and in the words by which a question for it is recognised."""

    label: Text
    words: Distinct[Phrase]


def _marks(text: str, *marks: str) -> str:
    rest = text
    for mark in marks:
        if text.count(mark) != 1:
            raise reject(f"'{text}' does not hold {mark} once", found=text, hint=f"write {mark} where it is said")
        rest = rest.replace(mark, "")
    if "{" in rest or "}" in rest:
        raise reject(f"'{text}' holds another mark than {' and '.join(marks)}", found=text)
    return text


def _tells(text: str) -> str:
    return _marks(text, "{label}", "{value}")


def _unknown(text: str) -> str:
    return _marks(text, "{label}")


class Locale(Model):
    """The words of one locale: what the simulated user says, and the checks of what an agent says.

    `asking` makes a sentence a question without a question mark; `negations` turn a phrase of the same clause round;
    `hedges` make a sentence say only what might be; `joints` start a clause of their own.
    """

    locale: Identifier
    version: VersionText
    owner: Identifier
    approved_by: Identifier
    numbers: Numbers
    dates: Dates
    yes: Text
    no: Text
    tells: Annotated[str, AfterValidator(_tells)]
    unknown: Annotated[str, AfterValidator(_unknown)]
    unsure: Text
    slots: dict[Name, SlotWords] = {}
    negations: Distinct[Word]
    hedges: Distinct[Word] = ()
    joints: Distinct[Word] = ()
    asking: Distinct[Phrase]
    confirming: Distinct[Phrase]
    claims: dict[Outcome, Distinct[Phrase]] = {}
    reasons: dict[Identifier, Distinct[Phrase]] = {}
    abbreviations: dict[Word, str] = {}
