"""The scripted user as a pure function: (script, transcript) -> the next user turn, or the end."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from caselock.spec.locales import Locale
from caselock.spec.seeds import Turn
from caselock.world.events import AskEvent, Event, FinalEvent, SayEvent, UserEvent
from caselock.world.prose import asks_for, asks_to_confirm, sentences
from caselock.world.state import Value


@dataclass(frozen=True, slots=True, kw_only=True)
class Script:
    """What the simulated user is: a role, what was said so far with the slots it states, and what it tells when asked.

    `conversation` went before the opening turn; both together state `states`. `mentions` are values of slots that were
    said and do not stand: corrected, or contradicted and not settled. `knows` is told only when asked, one slot at a
    time when `one_by_one`; `confirms` are the slots that answer a question to confirm. `labels` gives the words people
    use for a slot, `shown` its value as it is said.
    The script holds nothing of the oracle.
    """

    role: str
    conversation: tuple[Turn, ...]
    opening: str
    states: Mapping[str, Value]
    mentions: Mapping[str, tuple[Value, ...]]
    knows: Mapping[str, Value]
    one_by_one: bool
    confirms: tuple[str, ...]
    labels: Mapping[str, str]
    shown: Mapping[str, str]
    locale: Locale


def opening_turn(script: Script) -> UserEvent:
    """The turn that starts the work; what the conversation before it stated counts as stated here."""
    return UserEvent(text=script.opening, slots=script.states, mentions=script.mentions)


def reply(script: Script, transcript: tuple[Event, ...]) -> UserEvent | None:
    """The user's next turn: an answer to an unanswered question, else None (the conversation is over)."""
    for event in reversed(transcript):
        match event:
            case AskEvent():
                return _answer(script, event.slots, disclosed(transcript))
            case SayEvent():
                return _answer_prose(script, event, disclosed(transcript))
            case UserEvent() | FinalEvent():
                return None
    return None


def tells(script: Script, asked: Iterable[str], told: Mapping[str, Value]) -> dict[str, Value]:
    """What the user tells when asked for slots, given what it has told already."""
    known = {**script.states, **script.knows}
    answers = {slot: known[slot] for slot in asked if slot in known}
    if script.one_by_one and len(answers) > 1:
        first = next((slot for slot in answers if slot not in told), next(iter(answers)))
        return {first: answers[first]}
    return answers


def asked_in(script: Script, event: Event) -> tuple[str, ...]:
    """The slots that an event asks the user for: as listed, or as its words are understood in the user's locale."""
    match event:
        case AskEvent():
            return event.slots
        case SayEvent():
            asked = tuple(slot for slot in script.labels if asks_for(slot, event.text, script.locale) == "pass")
            confirm = asks_to_confirm(event.text, script.locale) == "pass"
            return tuple(dict.fromkeys((*asked, *(script.confirms if confirm else ()))))
        case _:
            return ()


def _answer_prose(script: Script, event: SayEvent, told: Mapping[str, Value]) -> UserEvent | None:
    """An answer to what was understood; a slow user goes on unasked; a question nobody understands gets no slot."""
    asked = asked_in(script, event)
    if asked:
        return _answer(script, asked, told)
    left = tuple(slot for slot in script.knows if slot not in told)
    if script.one_by_one and left:
        return _answer(script, left[:1], told)
    if any(sentence.asks for sentence in sentences(event.text, script.locale)):
        return UserEvent(text=script.locale.unsure, slots={}, answers=True)
    return None


def _answer(script: Script, asked: tuple[str, ...], told: Mapping[str, Value]) -> UserEvent:
    answers = tells(script, asked, told)
    known = {**script.states, **script.knows}
    sentences = [
        script.locale.tells.replace("{label}", script.labels[slot]).replace("{value}", script.shown[slot])
        for slot in answers
    ]
    sentences += [
        script.locale.unknown.replace("{label}", script.labels.get(slot, slot)) for slot in asked if slot not in known
    ]
    return UserEvent(text=" ".join(sentences), slots=answers, answers=True)


def disclosed(transcript: tuple[Event, ...]) -> dict[str, Value]:
    """Every slot the user has stated so far, the latest statement of each."""
    slots: dict[str, Value] = {}
    for event in transcript:
        if isinstance(event, UserEvent):
            slots |= event.slots
    return slots
