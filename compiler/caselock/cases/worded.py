"""Language and dialogue mutations: a parent's request said otherwise, each as (symbolic name, scenario)."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from caselock.cases.paths import BadPath, typed
from caselock.cases.scenario import Scenario
from caselock.cases.wording import Part, join, mentioned, parts
from caselock.rules.program import Program
from caselock.spec.operators import Contradict, Correct, History, Typo
from caselock.spec.seeds import Phrasing, Turn
from caselock.world.state import Value

Worded = Iterator[tuple[str, Scenario]]


def stated(item: Phrasing) -> list[set[str]]:
    """The slots that each user turn of a phrasing states, the last turn last.

    Raises:
        BadWording: when a brace is left over.
    """
    texts = [turn.text for turn in item.conversation if turn.role == "user"]
    return [set(mentioned(text)) for text in (*texts, item.text)]


def _tagged(program: Program, scenario: Scenario, tag: str) -> Iterator[tuple[Phrasing, set[str]]]:
    """The approved phrasings of the family that carry a tag, with the slots each states.

    A later request has no turns before it, so its phrasings have none either.
    """
    for item in program.workspace.phrasings_of(scenario.family, scenario.goal):
        if tag in item.tags and not (item.conversation and scenario.focus):
            yield item, set().union(*stated(item))


def _said(scenario: Scenario, item: Phrasing, **changes: Any) -> tuple[str, Scenario]:
    conversation = (*scenario.conversation, *item.conversation)
    worded = scenario.asking(say=item.text, phrasing=item.id, **changes)
    return item.id, replace(worded, locale=item.locale, conversation=conversation)


def phrased(program: Program, scenario: Scenario, tag: str) -> Worded:
    """Worded with each approved phrasing that carries the tag and states what the request states."""
    for item, slots in _tagged(program, scenario, tag):
        if slots == scenario.slots.keys():
            yield _said(scenario, item)


def omitted(program: Program, scenario: Scenario, slot: str) -> Worded:
    """A slot left unsaid and told when asked."""
    if slot in scenario.slots:
        yield from _withheld(program, scenario, "omission", lambda said: said == scenario.slots.keys() - {slot})


def slowly(program: Program, scenario: Scenario) -> Worded:
    """Some slots left unsaid, and told one at a time."""
    slow = replace(scenario, one_by_one=True)
    yield from _withheld(program, slow, "slow_reveal", lambda said: said < scenario.slots.keys())


def _withheld(program: Program, scenario: Scenario, tag: str, fits: Callable[[set[str]], bool]) -> Worded:
    for item, said in _tagged(program, scenario, tag):
        if fits(said):
            slots = {slot: value for slot, value in scenario.slots.items() if slot in said}
            yield _said(scenario, item, slots=slots, knows=_rest(scenario, slots))


def _rest(scenario: Scenario, slots: Mapping[str, Value]) -> dict[str, Value]:
    """What the user knows and no longer states."""
    return {slot: value for slot, value in scenario.all_slots.items() if slot not in slots}


def corrected(program: Program, scenario: Scenario, mutation: Correct, first: Any) -> Worded:
    """A slot first said with another value; the one said last stands.

    Raises:
        BadPath: when the value does not fit the slot.
    """
    for item in _twice(program, scenario, "changed_requirement", mutation.slot):
        said = _value(program, scenario, mutation.slot, first)
        yield _said(scenario, item, first={**scenario.first, mutation.slot: said})


def contradicted(program: Program, scenario: Scenario, mutation: Contradict, other: Any) -> Worded:
    """A slot said with two values of which the user takes back neither: nothing is stated until they are asked.

    Raises:
        BadPath: when the value does not fit the slot.
    """
    slots = {slot: value for slot, value in scenario.slots.items() if slot != mutation.slot}
    for item in _twice(program, scenario, "contradiction", mutation.slot):
        first = {**scenario.first, mutation.slot: _value(program, scenario, mutation.slot, other)}
        yield _said(scenario, item, slots=slots, knows=_rest(scenario, slots), first=first)


def _twice(program: Program, scenario: Scenario, tag: str, slot: str) -> Iterator[Phrasing]:
    """The phrasings with a tag that state what the request states, and one slot of it in two turns."""
    for item, slots in _tagged(program, scenario, tag):
        if slots == scenario.slots.keys() and sum(slot in turn for turn in stated(item)) > 1:
            yield item


def _value(program: Program, scenario: Scenario, slot: str, written: Any) -> Value:
    return typed(program.goals[scenario.goal].spec.slots[slot], written, f"request.{slot}")


def lengthened(program: Program, scenario: Scenario, operator: str, mutation: History) -> Worded:
    """The request after a long conversation; which small talk it is follows from the seed and the operator.

    Raises:
        BadPath: when there is not enough small talk for so many turns.
    """
    if mutation.tag is None:
        yield "", _filled(program, scenario, operator, mutation.turns)
        return
    for name, worded in phrased(program, scenario, mutation.tag):
        yield name, _filled(program, worded, operator, mutation.turns)


def _filled(program: Program, scenario: Scenario, operator: str, turns: int) -> Scenario:
    exchanges = [
        exchange
        for entry in program.workspace.small_talk.values()
        if entry.value.locale == scenario.locale
        for exchange in entry.value.exchanges
    ]
    needed, odd = divmod(turns - len(scenario.conversation), 2)
    if needed < 0 or odd:
        raise BadPath(f"{len(scenario.conversation)} turns cannot be brought to {turns} by whole exchanges")
    if needed > len(exchanges):
        raise BadPath(f"{needed} exchanges of small talk in '{scenario.locale}' are needed, there are {len(exchanges)}")
    exchanges.sort(key=lambda exchange: derived(scenario.seed, operator, exchange.user))
    talk = (
        turn
        for exchange in exchanges[:needed]
        for turn in (Turn(role="user", text=exchange.user), Turn(role="assistant", text=exchange.assistant))
    )
    return replace(scenario, conversation=(*scenario.conversation, *talk))


def derived(*names: str) -> int:
    """A number that follows from names alone: the same on every machine, and another for every seed and operator."""
    return int.from_bytes(hashlib.sha256("\n".join(names).encode()).digest()[:8], "big")


def abbreviated(program: Program, scenario: Scenario) -> Worded:
    """Every word that the locale abbreviates, abbreviated outside the slots."""
    short = program.workspace.locales[scenario.locale].value.abbreviations
    by_word = {word.casefold(): text for word, text in short.items()}
    pieces = tuple(
        replace(piece, text=_WORDS.sub(lambda word: _short(by_word, word), piece.text)) if piece.slot is None else piece
        for piece in parts(scenario.say)
    )
    yield "", scenario.asking(say=join(pieces))


_WORDS = re.compile(r"(\w+(?:['\u2019-]\w+)*)(\.?)")


def _short(by_word: Mapping[str, str], word: re.Match[str]) -> str:
    """The abbreviation of a word; its own full stop ends a sentence as well."""
    short = by_word.get(word[1].casefold())
    return word[0] if short is None else short if short.endswith(".") else short + word[2]


def mistyped(scenario: Scenario, operator: str, mutation: Typo) -> Worded:
    """One slip in the words between the slots, at a place that follows from the seed and the operator."""
    pieces = list(parts(scenario.say))
    places = [
        (index, offset) for index, piece in enumerate(pieces) if piece.slot is None for offset in _slippable(piece.text)
    ]
    if places:
        index, offset = places[derived(scenario.seed, operator) % len(places)]
        pieces[index] = Part(_SLIPS[mutation.slip](pieces[index].text, offset))
    yield "", scenario.asking(say=join(tuple(pieces)))


def _slippable(text: str) -> Iterator[int]:
    """Offsets inside words where a slip changes the text: between two different letters, away from the word's ends."""
    for offset in range(1, len(text) - 2):
        window = text[offset - 1 : offset + 3]
        if window.isalpha() and text[offset] != text[offset + 1]:
            yield offset


_SLIPS: Mapping[str, Callable[[str, int], str]] = {
    "swap": lambda text, at: text[:at] + text[at + 1] + text[at] + text[at + 2 :],
    "drop": lambda text, at: text[:at] + text[at + 1 :],
    "double": lambda text, at: text[: at + 1] + text[at:],
}
