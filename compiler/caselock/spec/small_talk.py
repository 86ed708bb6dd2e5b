"""spec/dialogue/*.yaml: approved exchanges about nothing in particular, of which long histories are made."""

from __future__ import annotations

from typing import Annotated

from pydantic import AfterValidator, Field

from caselock.spec.base import Identifier, Model, Text, reject


def _plain(text: str) -> str:
    if "{" in text or "}" in text:
        raise reject(f"'{text}' holds a brace", found=text, hint="small talk states no slot; write plain text")
    return text


PlainText = Annotated[Text, AfterValidator(_plain)]


class Exchange(Model):
    """One turn of the user and the answer to it."""

    user: PlainText
    assistant: PlainText


class SmallTalk(Model):
    """Exchanges of one locale; they state nothing that a request could need."""

    small_talk: Identifier
    locale: Identifier
    owner: Identifier
    approved_by: Identifier
    exchanges: Annotated[tuple[Exchange, ...], Field(min_length=1)]
