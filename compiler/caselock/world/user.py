"""The scripted user as a pure function: (script, transcript) -> what the user says next."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import reduce
from typing import Literal

from caselock.spec.decisions import Outcome
from caselock.spec.locales import Locale
from caselock.spec.seeds import Turn
from caselock.world.events import AskEvent, Event, FinalEvent, SayEvent, UserEvent
from caselock.world.prose import asks_for, asks_to_confirm, sentences
from caselock.world.state import Value

Said = Literal["at_once", "next", "instead"]
"""In the turn of the request before, once that one is answered, or instead of an answer to a question about it."""

Condition = Literal["fulfilled", "not_fulfilled"]
"""How the request before must have ended for this one to come up."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """One request as the user speaks of it: its words with the slots they state, and what is told only when asked.

    `mentions` are values of slots that were said and do not stand: corrected, or contradicted and not settled. `knows`
    is told only when asked, one slot at a time when `one_by_one`; `confirms` are the slots that answer a question to
    confirm. `labels` gives the words people use for a slot, `shown` its value as it is said.
    """

    text: str
    states: Mapping[str, Value]
    mentions: Mapping[str, tuple[Value, ...]]
    knows: Mapping[str, Value]
    one_by_one: bool
    confirms: tuple[str, ...]
    labels: Mapping[str, str]
    shown: Mapping[str, str]
    said: Said = "next"
    only_if: Condition | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Script:
    """What the simulated user is: a role, what was said so far, and the requests in order.

    `conversation` went before the opening turn; what it states of the first request counts as stated by the opening.
    The script holds nothing of the oracle.
    """

    role: str
    conversation: tuple[Turn, ...]
    requests: tuple[Wish, ...]
    locale: Locale

    @property
    def opening(self) -> str:
        """The words that start the conversation."""
        return " ".join(event.text for event in opening_turn(self))


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """How far a conversation is: how each request that is over ended, and how many were said.

    A request that was replaced or did not come up ended in None.
    """

    fates: tuple[Outcome | None, ...] = ()
    said: int = 0

    @property
    def now(self) -> int:
        """The request that is being worked on or comes up next; their number when all are over."""
        return len(self.fates)


def progress_of(script: Script, transcript: tuple[Event, ...]) -> Progress:
    """How far a transcript has come."""
    return reduce(lambda progress, event: moved(script, progress, event), transcript, Progress())


def moved(script: Script, progress: Progress, event: Event) -> Progress:
    """The progress after one more event."""
    match event:
        case UserEvent(answers=False) if event.request >= progress.said:
            replaces = script.requests[event.request].said == "instead"
            return Progress(fates=(*progress.fates, None) if replaces else progress.fates, said=event.request + 1)
        case FinalEvent() if progress.now < len(script.requests):
            return replace(progress, fates=_passed_over(script, (*progress.fates, event.outcome)))
        case _:
            return progress


def _passed_over(script: Script, fates: tuple[Outcome | None, ...]) -> tuple[Outcome | None, ...]:
    """The fates with every request that does not come up now marked so."""
    while len(fates) < len(script.requests) and not comes_up(script.requests[len(fates)], fates[-1]):
        fates = (*fates, None)
    return fates


def comes_up(request: Wish, before: Outcome | None) -> bool:
    """Whether a request comes up after the one before it ended so."""
    if request.said == "instead":
        return False  # it is said while the one before is open, or never
    return request.only_if is None or (before is not None and (before == "fulfil") == (request.only_if == "fulfilled"))


def is_over(script: Script, transcript: tuple[Event, ...]) -> bool:
    """True when every request that came up has its answer."""
    return progress_of(script, transcript).now == len(script.requests)


def opening_turn(script: Script) -> tuple[UserEvent, ...]:
    """The turn that starts the conversation: the first request, and those said at once with it."""
    return _turn(script, 0)


def reply(script: Script, transcript: tuple[Event, ...]) -> tuple[UserEvent, ...]:
    """What the user says next: an answer, a change of mind, the next request, or nothing."""
    for index in range(len(transcript) - 1, -1, -1):
        match transcript[index]:
            case AskEvent() | SayEvent() as said:
                return _answered(script, transcript, index, said)
            case FinalEvent():
                progress = progress_of(script, transcript[: index + 1])
                return _turn(script, progress.now) if progress.said <= progress.now < len(script.requests) else ()
            case UserEvent():
                return ()
            case _:
                continue
    return ()


def _answered(
    script: Script, transcript: tuple[Event, ...], index: int, said: AskEvent | SayEvent
) -> tuple[UserEvent, ...]:
    """What the user says to words at a place in the transcript."""
    wish, following = script.requests[said.request], said.request + 1
    asked = asked_in(wish, script.locale, said)
    progress = progress_of(script, transcript[:index])
    if asked and progress.now == said.request and _changes_mind(script, progress, following):
        return _turn(script, following)
    told = disclosed(transcript, said.request)
    if isinstance(said, SayEvent):
        return _answer_prose(script, said, told)
    return (_answer(script, said.request, said.slots, told),)


def asked_about(script: Script, transcript: tuple[Event, ...], slots: tuple[str, ...]) -> int:
    """The request a question is about: the first open one of which the user knows a slot, else the one at hand."""
    progress = progress_of(script, transcript)
    at_hand = max(0, min(progress.now, progress.said - 1))
    for index in range(at_hand, progress.said):
        request = script.requests[index]
        if any(slot in request.states or slot in request.knows for slot in slots):
            return index
    return at_hand


def _changes_mind(script: Script, progress: Progress, following: int) -> bool:
    return progress.said <= following < len(script.requests) and script.requests[following].said == "instead"


def _turn(script: Script, first: int) -> tuple[UserEvent, ...]:
    """A request and those said at once with it, as one turn."""
    events = []
    for index in range(first, len(script.requests)):
        request = script.requests[index]
        if index > first and request.said != "at_once":
            break
        events.append(UserEvent(text=request.text, slots=request.states, mentions=request.mentions, request=index))
    return tuple(events)


def tells(wish: Wish, asked: Iterable[str], told: Mapping[str, Value]) -> dict[str, Value]:
    """What the user tells when asked for slots of a request, given what it has told already."""
    known = {**wish.states, **wish.knows}
    answers = {slot: known[slot] for slot in asked if slot in known}
    if wish.one_by_one and len(answers) > 1:
        first = next((slot for slot in answers if slot not in told), next(iter(answers)))
        return {first: answers[first]}
    return answers


def asked_in(wish: Wish, locale: Locale, event: Event) -> tuple[str, ...]:
    """The slots that an event asks the user for: as listed, or as its words are understood in the user's locale."""
    match event:
        case AskEvent():
            return event.slots
        case SayEvent():
            asked = tuple(slot for slot in wish.labels if asks_for(slot, event.text, locale) == "pass")
            confirm = asks_to_confirm(event.text, locale) == "pass"
            return tuple(dict.fromkeys((*asked, *(wish.confirms if confirm else ()))))
        case _:
            return ()


def _answer_prose(script: Script, event: SayEvent, told: Mapping[str, Value]) -> tuple[UserEvent, ...]:
    """An answer to what was understood; a slow user goes on unasked; a question nobody understands gets no slot."""
    wish, locale = script.requests[event.request], script.locale
    asked = asked_in(wish, locale, event)
    if asked:
        return (_answer(script, event.request, asked, told),)
    left = tuple(slot for slot in wish.knows if slot not in told)
    if wish.one_by_one and left:
        return (_answer(script, event.request, left[:1], told),)
    if any(sentence.asks for sentence in sentences(event.text, locale)):
        return (UserEvent(text=locale.unsure, slots={}, answers=True, request=event.request),)
    return ()


def _answer(script: Script, request: int, asked: tuple[str, ...], told: Mapping[str, Value]) -> UserEvent:
    wish, locale = script.requests[request], script.locale
    answers = tells(wish, asked, told)
    known = {**wish.states, **wish.knows}
    sentences = [
        locale.tells.replace("{label}", wish.labels[slot]).replace("{value}", wish.shown[slot]) for slot in answers
    ]
    sentences += [locale.unknown.replace("{label}", wish.labels.get(slot, slot)) for slot in asked if slot not in known]
    return UserEvent(text=" ".join(sentences), slots=answers, answers=True, request=request)


def disclosed(transcript: tuple[Event, ...], request: int = 0) -> dict[str, Value]:
    """Every slot of a request that the user has stated so far, the latest statement of each."""
    slots: dict[str, Value] = {}
    for event in transcript:
        if isinstance(event, UserEvent) and event.request == request:
            slots |= event.slots
    return slots
