"""What a text of an agent says, by the declared words of a locale: pass, fail, or unknown where words do not settle it.

Matching is by whole words, case-folded and composed (NFC); a phrase may hold gaps of up to three words. A negation in
or right beside a phrase turns it round; one farther away, two of them, a hedge or a question leave it unknown.
Every check takes time linear in the text.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from decimal import Decimal
from functools import cache
from typing import Literal

from caselock.spec.decisions import Outcome
from caselock.spec.locales import GAP, Locale, Numbers
from caselock.world.localized import shown
from caselock.world.state import Value
from caselock.world.values import plain

Verdict = Literal["pass", "fail", "unknown"]

MAX_TEXT = 20_000
"""Characters of a text that are read; what a longer one says is unknown."""
_GAP_WORDS = 3
_BESIDE = 2
"""A negation so many words before or after a phrase belongs to it."""
_SENTENCE = re.compile(r"[^.!?\n]*(?:\.(?=\w)[^.!?\n]*)*[.!?\n]?")
_CLAUSE = re.compile(r"(?<![0-9]),|,(?![0-9])|[;:()\u2013\u2014]")
_NO_BREAK = re.compile("[\u00a0\u202f]")
_WORD = re.compile(r"[^\W_]+(?:['-][^\W_]+)*")


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence as clauses of words, and whether it asks."""

    clauses: tuple[tuple[str, ...], ...]
    asks: bool

    @property
    def words(self) -> tuple[str, ...]:
        """All its words."""
        return tuple(word for clause in self.clauses for word in clause)


def words(text: str) -> tuple[str, ...]:
    """The words of a text, as they are compared."""
    folded = unicodedata.normalize("NFC", unicodedata.normalize("NFC", text).casefold())
    return tuple(_WORD.findall(folded.replace("\u2019", "'")))


def sentences(text: str, locale: Locale) -> tuple[Sentence, ...]:
    """The sentences of a text; one asks when it ends with a question mark or holds words of asking."""
    joints = _listed(locale.joints)
    found: list[Sentence] = []
    for match in _SENTENCE.finditer(text):
        clauses = tuple(clause for part in _CLAUSE.split(match[0]) for clause in _joined(words(part), joints))
        if clauses:
            whole = tuple(word for clause in clauses for word in clause)
            asks = match[0].endswith("?") or any(holds(phrase, whole) for phrase in locale.asking)
            found.append(Sentence(clauses, asks))
    return tuple(found)


def _joined(said: tuple[str, ...], joints: frozenset[str]) -> Iterator[tuple[str, ...]]:
    """The clauses that conjunctions separate."""
    clause: list[str] = []
    for word in said:
        if word in joints and clause:
            yield tuple(clause)
            clause = []
        clause.append(word)
    if clause:
        yield tuple(clause)


@cache
def _listed(names: tuple[str, ...]) -> frozenset[str]:
    return frozenset(word for name in names for word in words(name))


@cache
def _parts(phrase: str) -> tuple[tuple[int, str], ...]:
    """The words of a phrase, each with how many words may stand before it."""
    parts: list[tuple[int, str]] = []
    gap = 0
    for part in phrase.split(" "):
        if part == GAP:
            gap = _GAP_WORDS
        else:
            parts += [(gap, word) for word in words(part)]
            gap = 0
    return tuple(parts)


def spans(phrase: str, said: tuple[str, ...]) -> frozenset[tuple[int, int]]:
    """Every (start, end) at which the words of a phrase stand one after the other, three words or fewer at each gap."""
    (_, first), *rest = _parts(phrase)
    found = {(at, at + 1) for at, word in enumerate(said) if word == first}
    for gap, word in rest:
        found = {
            (start, at + 1)
            for start, end in found
            for at in range(end, min(end + gap + 1, len(said)))
            if said[at] == word
        }
    return frozenset(found)


def holds(phrase: str, said: tuple[str, ...]) -> bool:
    """True when a phrase stands in a text."""
    return bool(spans(phrase, said))


def _stance(phrases: Iterable[str], sentence: Sentence, locale: Locale) -> Verdict | None:
    """Whether a sentence affirms one of the phrases, denies it, or leaves it open; None without any."""
    return _settled(_in_clauses(phrase, sentence, locale) for phrase in phrases)


def _in_clauses(phrase: str, sentence: Sentence, locale: Locale) -> Verdict | None:
    negations = _listed(locale.negations) - {word for _, word in _parts(phrase)}
    verdicts: set[Verdict] = set()
    for clause in sentence.clauses:
        denied = [at for at, word in enumerate(clause) if word in negations]
        for start, end in spans(phrase, clause):
            beside = sum(start - _BESIDE <= at < end + _BESIDE for at in denied)
            verdicts.add("pass" if not denied else "fail" if beside == len(denied) == 1 else "unknown")
    if verdicts:
        return verdicts.pop() if len(verdicts) == 1 else "unknown"
    return "unknown" if holds(phrase, sentence.words) else None


def _settled(stances: Iterable[Verdict | None]) -> Verdict | None:
    """One verdict of many: what they agree on, unknown when they do not, None when there is none."""
    found = {stance for stance in stances if stance is not None}
    if not found:
        return None
    return found.pop() if len(found) == 1 else "unknown"


def _stated(phrases: tuple[str, ...], text: str, locale: Locale, *, alone: bool = False) -> Verdict | None:
    """Whether a text states one of the phrases; what is asked about or might be is not stated.

    With `alone`, a negation anywhere in the sentence leaves it open what was affirmed.
    """
    hedges, negations = _listed(locale.hedges), _listed(locale.negations)
    own = {word for phrase in phrases for _, word in _parts(phrase)}
    stances: list[Verdict | None] = []
    for sentence in sentences(text, locale):
        said = set(sentence.words)
        stance = _stance(phrases, sentence, locale)
        open_ = sentence.asks or hedges & said or (alone and stance == "pass" and said & negations - own)
        stances.append("unknown" if stance is not None and open_ else stance)
    return _settled(stances)


def asks_for(slot: str, text: str, locale: Locale) -> Verdict:
    """Whether a text asks the user for a slot; a text without any question asks for nothing."""
    if len(text) > MAX_TEXT or slot not in locale.slots:
        return "unknown"
    questions = [sentence for sentence in sentences(text, locale) if sentence.asks]
    questions = [sentence for sentence in questions if _stance(locale.confirming, sentence, locale) is None]
    if not questions:
        return "fail"
    return _settled(_stance(locale.slots[slot].words, sentence, locale) for sentence in questions) or "unknown"


def asks_to_confirm(text: str, locale: Locale) -> Verdict:
    """Whether a text asks the user to confirm."""
    if len(text) > MAX_TEXT:
        return "unknown"
    stances = [_stance(locale.confirming, sentence, locale) for sentence in sentences(text, locale)]
    asked = any(sentence.asks for sentence in sentences(text, locale))
    return _settled(stances) or ("unknown" if asked else "fail")


def claims(outcome: Outcome, text: str, locale: Locale) -> Verdict:
    """Whether a text claims an outcome: that it has been done, refused or handed over."""
    if len(text) > MAX_TEXT:
        return "unknown"
    return _stated(locale.claims.get(outcome, ()), text, locale, alone=True) or "unknown"


def gives_reason(reason: str, text: str, locale: Locale) -> Verdict:
    """Whether a text gives a reason; one that gives another declared reason and not this one does not."""
    if len(text) > MAX_TEXT or reason not in locale.reasons:
        return "unknown"
    own = _stated(locale.reasons[reason], text, locale)
    if own is not None:
        return own
    others = (_stated(phrases, text, locale) for name, phrases in locale.reasons.items() if name != reason)
    return "fail" if "pass" in others or not words(text) else "unknown"


def cites(value: Value, text: str, locale: Locale) -> Verdict:
    """Whether a text names a value: an id letter by letter, a number as the locale writes it, a day in its order."""
    if len(text) > MAX_TEXT or isinstance(value, bool) or value is None:
        return "unknown"
    if isinstance(value, Decimal | int):
        if Decimal(value) in numbers(text, locale.numbers):
            return "pass"
        return "unknown" if _alone(str(plain(value)), text) else "fail"  # right, in the marks of somewhere else
    return "pass" if _alone(shown(value, locale), text) else "fail"


def _alone(word: str, text: str) -> bool:
    return re.search(rf"(?<![\w-]){re.escape(word)}(?![\w-]|[.,]\w)", text) is not None


def numbers(text: str, marks: Numbers) -> Iterator[Decimal]:
    """Every number of a text, exact, in the marks of the locale; what is written in other marks is no number."""
    group = re.escape(marks.group or "")
    whole = rf"[0-9]{{1,3}}(?:{group}[0-9]{{3}}){{1,6}}|[0-9]{{1,20}}" if group else "[0-9]{1,20}"
    number = rf"(?<![\w.,])-?(?:{whole})(?:{re.escape(marks.decimal)}[0-9]{{1,20}})?(?![\w]|[.,][0-9])"
    for match in re.finditer(number, _NO_BREAK.sub(" ", text), re.ASCII):
        yield Decimal(match[0].replace(marks.group or "", "").replace(marks.decimal, "."))
