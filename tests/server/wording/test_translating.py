"""What the rooms below say is known to the catalogues, sentence by sentence."""

from __future__ import annotations

import pytest

from farfalia_engine import GAMES, ruleset
from farfalia_server.organising.balances import balance_message
from farfalia_server.wording.language import speaking
from farfalia_server.wording.translating import event_in_language, translated
from farfalia_tournaments.schedules.balance_summary import BalanceKind, BalanceSummary
from farfalia_tournaments.schedules.knockout_size import KnockoutSize
from farfalia_tournaments.schedules.span import Span


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("code", ["it", "fr"])
def test_every_card_and_every_trump_has_words(game: str, code: str) -> None:
    wording = ruleset(game).game.wording
    said = [face.words for face in wording.faces] + [wording.trumps(trumps)[1] for trumps in range(6)]
    with speaking(code):
        assert [text for text in said if translated(text) == text] == []
        assert [text for text in map(translated, said) if " of " in text or "{" in text] == []


@pytest.mark.parametrize(
    ("text", "italian"),
    [
        ("the highest of 3 trumps", "la più alta di 3 briscole"),
        ("the highest of leaves, which are trumps", "la carta più alta di foglie, che sono briscola"),
        ("the lowest of hearts, after a low lead", "la carta più bassa di cuori, dopo un’apertura bassa"),
        ("named by ada", "scelta da ada"),
        ("ada barred hearts, ben barred clubs", "ada ha escluso cuori, ben ha escluso fiori"),
        ("ada's dummy", "il morto di ada"),
        ("A table needs 4 others, and none is waiting.", "A un tavolo servono altri 4, e nessuno è in attesa."),
        ("Waiting for ada, ben and 3 others to connect.", "In attesa che si connettano: ada, ben e altri 3."),
        (
            "Paused by ana: lunch. Matches in play are played on.",
            "Messo in pausa da ana: lunch. Le partite in gioco continuano.",
        ),
        (
            "action 49 is not legal; legal were 46, 47, 48, …",
            "l’azione 49 non è legale; legali erano 46, 47, 48, …",
        ),
        (
            "no answer within 5 ms, for as long as which it had waited behind the bot's capacity of 3",
            "nessuna risposta entro 5 ms, per tutto quel tempo aveva aspettato dietro la capacità del bot, che è di 3",
        ),
        ("the bot failed: no cards", "il bot non è riuscito: no cards"),
        ("the bot was not connected", "il bot non era connesso"),
        ("the dragon eats the trick", "the dragon eats the trick"),
        ("", ""),
    ],
)
def test_a_sentence_is_told_with_its_values_and_a_strange_one_stays(text: str, italian: str) -> None:
    with speaking("it"):
        assert translated(text) == italian
    assert translated(text) == text


@pytest.mark.parametrize("kind", BalanceKind)
@pytest.mark.parametrize("shorter", [None, 12])
def test_how_even_a_plan_is_has_words(kind: BalanceKind, shorter: int | None) -> None:
    rounds = (KnockoutSize(10, 2, 1, 0), KnockoutSize(5, 1, 0, 2)) if kind is BalanceKind.KNOCKOUT else ()
    summary = BalanceSummary(kind, None if rounds else Span(3, 4), rounds, None if rounds else shorter)
    with speaking("fr"):
        said = translated(balance_message(None, summary).text)
    assert not {"meet", "table", "then", "the", "for"} & set(said.lower().replace(".", "").split()) - {"table"}


def test_an_event_is_told_anew_and_stays_as_it_was() -> None:
    event = {"type": "trick", "why": "the only trump", "faces": {"S1": {"suit": "S", "words": "1 of strawberries"}}}
    with speaking("fr"):
        told = event_in_language(event)
    assert told["why"] == "l’unique atout"
    assert told["faces"]["S1"] == {"suit": "S", "words": "1 de fraises"}
    assert event["why"] == "the only trump"
