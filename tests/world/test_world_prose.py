"""The per-locale checks of what an agent says: each with what passes, what fails, and what words do not settle."""

import time
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from refund_world import program

from caselock.world.localized import shown
from caselock.world.prose import (
    MAX_TEXT,
    asks_for,
    asks_to_confirm,
    cites,
    claims,
    gives_reason,
    holds,
    numbers,
    sentences,
    words,
)

LOCALES = {name: entry.value for name, entry in program().workspace.locales.items()}


def says(check, subject, rows):
    return [(name, text, verdict) for name, text, verdict in rows if check(subject, text, LOCALES[name]) != verdict]


def test_a_question_for_a_slot_is_recognised():
    rows = [
        ("en", "Which order do you mean?", "pass"),
        ("en", "Please tell me the order number.", "pass"),
        ("en", "Could you give me your ORDER NUMBER?", "pass"),
        ("en", "I looked at your order number.", "fail"),
        ("en", "Thank you, one moment.", "fail"),
        ("en", "", "fail"),
        ("en", "What is the weather like?", "unknown"),
        ("en", "Please give me a moment, there is no need for an order number.", "unknown"),
        ("de", "Wie lautet Ihre Bestellnummer?", "pass"),
        ("de", "Bitte nennen Sie mir die Bestellnummer.", "pass"),
        ("de", "Ich habe Ihre Bestellnummer notiert.", "fail"),
        ("de", "Sie müssen mir bitte keine Bestellnummer nennen, ja?", "fail"),
        ("de", "Wie geht es Ihnen?", "unknown"),
        ("fr", "Quel est le numéro de commande ?", "pass"),
        ("fr", "Votre numéro de commande est noté.", "fail"),
        ("fr", "Comment allez-vous ?", "unknown"),
    ]
    assert says(asks_for, "order_id", rows) == []


def test_asking_for_one_slot_is_not_asking_for_another():
    assert asks_for("amount", "Which order do you mean?", LOCALES["en"]) == "unknown"
    assert asks_for("amount", "Shall I refund the whole amount?", LOCALES["en"]) == "fail"
    assert asks_for("no_such_slot", "Which order?", LOCALES["en"]) == "unknown"


def test_asking_to_confirm_is_recognised():
    rows = [
        ("en", "Shall I go ahead?", "pass"),
        ("en", "Please confirm.", "pass"),
        ("en", "Done.", "fail"),
        ("en", "Is it raining?", "unknown"),
        ("de", "Soll ich das so veranlassen?", "pass"),
        ("de", "Erledigt.", "fail"),
        ("fr", "Veuillez confirmer.", "pass"),
        ("fr", "C'est fait.", "fail"),
    ]
    assert [row for row in rows if asks_to_confirm(row[1], LOCALES[row[0]]) != row[2]] == []


def test_a_claim_of_success_is_told_from_its_denial():
    rows = [
        ("en", "I have refunded 80 to you.", "pass"),
        ("en", "Your order has just been refunded.", "pass"),
        ("en", "I have NOT refunded the order.", "fail"),
        ("en", "It hasn't been refunded.", "unknown"),
        ("en", "The order was never refunded, sorry: it was refunded.", "unknown"),
        ("en", "No, I have refunded it.", "unknown"),
        ("en", "Has it been refunded?", "unknown"),
        ("en", "If I have refunded it, you will see it.", "unknown"),
        ("en", "Good morning.", "unknown"),
        ("de", "Der Betrag wurde erstattet.", "pass"),
        ("de", "Ich habe Ihnen 80,00 erstattet.", "pass"),
        ("de", "Ich habe Ihnen keinen Betrag erstattet.", "fail"),
        ("de", "Ich habe den Betrag nicht erstattet.", "fail"),
        ("de", "Guten Morgen.", "unknown"),
        ("fr", "La commande a été remboursée.", "pass"),
        ("fr", "Je n'ai pas encore fini, la commande a été remboursée.", "unknown"),
        ("fr", "Nous avons remboursé la commande.", "pass"),
        ("fr", "Bonjour.", "unknown"),
    ]
    assert says(claims, "fulfil", rows) == []


def test_a_refusal_and_a_handover_are_recognised():
    assert claims("refuse", "I am sorry, we cannot refund this.", LOCALES["en"]) == "pass"
    assert claims("refuse", "Ich kann das leider nicht erstatten.", LOCALES["de"]) == "pass"
    assert claims("escalate", "I have escalated this.", LOCALES["en"]) == "pass"
    assert claims("escalate", "I have not escalated this.", LOCALES["en"]) == "fail"
    assert claims("clarify", "Which order?", LOCALES["en"]) == "unknown"


def test_a_reason_is_told_from_another_and_from_none():
    rows = [
        ("en", "The order is closed.", "pass"),
        ("en", "The amount is above my limit.", "fail"),
        ("en", "It is not that the order is closed.", "unknown"),
        ("en", "The order is not closed.", "fail"),
        ("en", "We cannot refund this because the order is closed.", "pass"),
        ("en", "No refund for an order that is closed.", "unknown"),
        ("en", "I cannot help.", "unknown"),
        ("en", "", "fail"),
        ("de", "Die Bestellung ist abgeschlossen.", "pass"),
        ("de", "Das Konto ist gesperrt.", "fail"),
        ("de", "Die Bestellung ist nicht abgeschlossen.", "fail"),
        ("fr", "La commande est clôturée.", "pass"),
        ("fr", "La commande n'est pas encore arrivée.", "unknown"),
    ]
    assert says(gives_reason, "order_closed", rows) == []
    assert gives_reason("not_your_order", "This is not your order.", LOCALES["en"]) == "pass"
    assert gives_reason("no_such_reason", "It is closed.", LOCALES["en"]) == "unknown"


@pytest.mark.parametrize(
    ("value", "locale", "text", "verdict"),
    [
        ("R-12", "en", "Your refund is R-12.", "pass"),
        ("R-12", "en", "Your refund is R-123.", "fail"),
        ("R-12", "en", "Your refund is r-12.", "fail"),
        (Decimal("80.00"), "en", "80 is on its way", "pass"),
        (Decimal("80.00"), "de", "Es sind 80,00 Euro.", "pass"),
        (Decimal("80.50"), "de", "Es sind 80.50 Euro.", "unknown"),
        (Decimal("80.50"), "de", "Es sind 80,5.", "pass"),
        (Decimal("80.00"), "de", "Es sind 80,01.", "fail"),
        (Decimal("1234.50"), "de", "Es sind 1.234,50.", "pass"),
        (Decimal("1234.50"), "en", "It is 1,234.50.", "pass"),
        (Decimal("1234.50"), "fr", "Voici 1\u202f234,50 euros.", "pass"),
        (Decimal("-3.00"), "en", "The balance is -3.", "pass"),
        (True, "en", "yes", "unknown"),
    ],
)
def test_a_value_is_cited_exactly(value, locale, text, verdict):
    assert cites(value, text, LOCALES[locale]) == verdict


@given(st.decimals(min_value=-(10**9), max_value=10**9, places=2), st.sampled_from(sorted(LOCALES)))
def test_a_number_that_is_shown_is_read_back_exactly(value, name):
    locale = LOCALES[name]
    assert list(numbers(f"x {shown(value, locale)}. y", locale.numbers)) == [value]


@given(st.text(max_size=200), st.sampled_from(sorted(LOCALES)))
def test_every_text_gets_one_of_three_answers(text, name):
    locale = LOCALES[name]
    answers = {
        asks_for("order_id", text, locale),
        asks_to_confirm(text, locale),
        claims("fulfil", text, locale),
        gives_reason("order_closed", text, locale),
        cites("A1024", text, locale),
        cites(Decimal(3), text, locale),
    }
    assert answers <= {"pass", "fail", "unknown"}


@given(st.sampled_from(sorted(LOCALES)))
def test_case_and_composition_do_not_matter(name):
    locale = LOCALES[name]
    for phrase in (phrase for phrases in locale.claims.values() for phrase in phrases):
        plain = phrase.replace("...", "x")
        assert holds(phrase, words(plain.upper()))
        assert holds(phrase, words(plain.replace("é", "e\u0301")))


def test_a_gap_takes_up_to_three_words():
    assert holds("have ... refunded", words("have refunded"))
    assert holds("have ... refunded", words("have by now already refunded"))
    assert not holds("have ... refunded", words("have by now and gladly already refunded"))


def test_a_decimal_point_ends_no_sentence():
    assert len(sentences("It is 80.50 in all. Is that right?", LOCALES["en"])) == 2


@pytest.mark.parametrize("text", ["have " * 4000, "a" * MAX_TEXT, "?" * MAX_TEXT, "1." * 10_000, "1,234" * 4000])
def test_hostile_texts_are_read_in_bounded_time(text):
    started = time.monotonic()
    for check in (claims("fulfil", text, LOCALES["en"]), cites(Decimal(1), text, LOCALES["en"])):
        assert check in ("pass", "fail", "unknown")
    gives_reason("order_closed", text, LOCALES["en"])
    asks_for("order_id", text, LOCALES["en"])
    assert time.monotonic() - started < 10


def test_what_is_too_long_is_unknown():
    assert claims("fulfil", "I have refunded it. " * 2000, LOCALES["en"]) == "unknown"
