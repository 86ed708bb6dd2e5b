"""The scripted user as a pure function: (script, transcript) -> the next user turn, or the end."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from caselock.world.events import AskEvent, Event, FinalEvent, UserEvent
from caselock.world.state import Value


@dataclass(frozen=True, slots=True, kw_only=True)
class Script:
    """What the simulated user is: a role, the opening turn with the slots it states, and what it tells only when asked.

    `states` is said in the opening, `knows` only when asked. `labels` gives the words people use for a slot, `shown`
    its value as it is said.
    The script holds nothing of the oracle.
    """

    role: str
    opening: str
    states: Mapping[str, Value]
    knows: Mapping[str, Value]
    labels: Mapping[str, str]
    shown: Mapping[str, str]


def opening_turn(script: Script) -> UserEvent:
    """The turn that starts the conversation."""
    return UserEvent(text=script.opening, slots=script.states)


def reply(script: Script, transcript: tuple[Event, ...]) -> UserEvent | None:
    """The user's next turn: an answer to an unanswered question, else None (the conversation is over)."""
    for event in reversed(transcript):
        match event:
            case AskEvent():
                return _answer(script, event)
            case UserEvent() | FinalEvent():
                return None
    return None


def _answer(script: Script, ask: AskEvent) -> UserEvent:
    known = {**script.states, **script.knows}
    told = {slot: known[slot] for slot in ask.slots if slot in known}
    sentences = [f"The {script.labels[slot]} is {script.shown[slot]}." for slot in told]
    unknown = [f"I do not know the {script.labels.get(slot, slot)}." for slot in ask.slots if slot not in told]
    return UserEvent(text=" ".join(sentences + unknown), slots=told, answers=True)


def disclosed(transcript: tuple[Event, ...]) -> dict[str, Value]:
    """Every slot the user has stated so far, the latest statement of each."""
    slots: dict[str, Value] = {}
    for event in transcript:
        if isinstance(event, UserEvent):
            slots |= event.slots
    return slots
