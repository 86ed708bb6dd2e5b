"""A request said over several turns: the turns written out, and the slots read back from them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from caselock.cases.scenario import Scenario
from caselock.cases.wording import BadWording, check_protected, fill, mentioned, parts, read_back
from caselock.spec.locales import Locale
from caselock.spec.schemas import Schema
from caselock.spec.seeds import Turn
from caselock.world.localized import shown
from caselock.world.state import State, Value


@dataclass(frozen=True, slots=True, kw_only=True)
class Spoken:
    """What was said: the conversation before, and the opening turn that starts the work."""

    conversation: tuple[Turn, ...]
    opening: str


def user_wordings(scenario: Scenario) -> tuple[str, ...]:
    """The wordings of the user's turns in order, the opening last."""
    return (*(turn.text for turn in scenario.history if turn.role == "user"), scenario.say)


def speak(scenario: Scenario, locale: Locale) -> Spoken:
    """Every turn with its slots written out.

    The first turn to mention a slot that the user `first` had otherwise says that value, every later one what stands.

    Raises:
        BadWording: when a turn states what the request does not, or no turn states what it does.
    """
    stating = {slot for say in user_wordings(scenario) for slot in mentioned(say)}
    for slot in scenario.slots:
        if slot not in stating:
            raise BadWording(f"the wording does not mention '{slot}'")
    texts = iter(_said(scenario, locale))
    conversation = tuple(
        turn.model_copy(update={"text": next(texts)}) if turn.role == "user" else _assistant(turn)
        for turn in scenario.history
    )
    return Spoken(conversation=conversation, opening=next(texts))


def _assistant(turn: Turn) -> Turn:
    if mentioned(turn.text):
        raise BadWording("only the user states slots; an assistant's turn holds none")
    return turn


def _said(scenario: Scenario, locale: Locale) -> Iterator[str]:
    for say, values in _turns(scenario):
        if say == scenario.say or mentioned(say):
            check_protected(parts(say))
        yield fill(say, values, locale)


def _turns(scenario: Scenario) -> Iterator[tuple[str, Mapping[str, Value]]]:
    """Every user turn with the values that hold in it."""
    standing = {**scenario.slots, **{slot: scenario.knows[slot] for slot in scenario.first if slot in scenario.knows}}
    taken_back: set[str] = set()
    for say in user_wordings(scenario):
        yield say, {**standing, **{slot: value for slot, value in scenario.first.items() if slot not in taken_back}}
        taken_back |= set(mentioned(say))


def lost(scenario: Scenario, schemas: Mapping[str, Schema], locale: Locale) -> str | None:
    """Why the slots that come back from the turns are not the slots that went in, or None."""
    try:
        spoken = speak(scenario, locale)
        texts = [*(turn.text for turn in spoken.conversation if turn.role == "user"), spoken.opening]
        heard = [
            read_back(say, text, schemas, locale)
            for say, text in zip(user_wordings(scenario), texts, strict=True)
            if mentioned(say)
        ]
    except BadWording as bad:
        return str(bad)
    for slot, value in {**scenario.slots, **scenario.first}.items():
        said = [turn[slot] for turn in heard if slot in turn]
        wanted = scenario.all_slots[slot]
        if not said or said[-1] != wanted:
            return f"the slot '{slot}' does not come back from the text"
        if slot in scenario.first and (len(said) < 2 or said[0] != value or value == wanted):
            return f"'{slot}' is not said in two turns with two values"
    return None


def unclear(
    scenario: Scenario, schemas: Mapping[str, Schema], locale: Locale, keys: Mapping[str, frozenset[str]]
) -> str | None:
    """Why a slot that the opening only refers to is not found exactly once in the conversation, or None.

    `keys` are the keys of every collection: where the conversation names two records, `that order` is either.
    """
    spoken = speak(scenario, locale)
    history = "\n".join(turn.text for turn in spoken.conversation)
    for slot, value in scenario.slots.items():
        if slot in mentioned(scenario.say) or isinstance(value, bool):
            continue
        times = _times(shown(value, locale), history)
        if times != 1:
            return f"the request refers to '{slot}', which the conversation names {times} times"
        others = keys.get(schemas[slot].x_ref or "", frozenset()) - {value, scenario.first.get(slot)}
        other = next((key for key in sorted(others) if _times(key, history)), None)
        if other is not None:
            return f"the request refers to '{slot}', and the conversation names '{other}' as well"
    return None


def _times(word: str, text: str) -> int:
    """How often a word stands alone in a text: `80` is not found in `80.50`."""
    return len(re.findall(rf"(?<![\w.,-]){re.escape(word)}(?![\w-]|[.,]\w)", text))


def collection_keys(state: State) -> dict[str, frozenset[str]]:
    """The keys of every collection of a state."""
    return {name: frozenset(records) for name, records in state.items()}
