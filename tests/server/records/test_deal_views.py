"""Deal views of every game with every option, and what the terminal and the pages make of them."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache
from itertools import chain

import pytest
from tests.cli.command import played
from tests.engine.games import FARFALIA, FARRAGO, label, pairwise
from tests.server.web_site import FIVE, Site, words

from farfalia_engine import Record, UnreplayableRecord, ruleset
from farfalia_engine.farfalia.collecting import POINTS
from farfalia_server.cli.match_text import print_match
from farfalia_server.records.deal_views import DealView, deals_of

Game = tuple[str, dict[str, str]]

every_game = pytest.mark.parametrize("game", pairwise(), ids=label)
every_farfalia = pytest.mark.parametrize("game", pairwise(FARFALIA), ids=label)
every_farrago = pytest.mark.parametrize("game", pairwise(FARRAGO), ids=label)


def a_record(game: Game) -> Record:
    return _match(game[0], tuple(game[1].items()))[0]


def deals(game: Game) -> tuple[DealView, ...]:
    """The deals of that record."""
    return _match(game[0], tuple(game[1].items()))[1]


@cache
def _match(name: str, options: tuple[tuple[str, str], ...]) -> tuple[Record, tuple[DealView, ...]]:
    record = played(1, game=name, options=dict(options))
    return record, tuple(deals_of(record))


def of_type(game: Game, kind: str) -> DealView:
    (deal,) = (deal for deal in deals(game) if deal.type == kind)
    return deal


# What is gathered ----------------------------------------------------------------------------------------------


@every_game
def test_every_card_is_dealt_once_and_played_discarded_or_kept(game: Game) -> None:
    ordinary = [card for card in ruleset(*game).game.wording.faces if not card.wild]
    for deal in deals(game):
        dealt = list(chain.from_iterable(deal.hands))
        assert sorted(card.text for card in dealt if not card.wild) == sorted(card.text for card in ordinary)
        for position, hand in enumerate(deal.hands):
            plays = [play.card for trick in deal.tricks for play in trick.plays if play.position == position]
            discards = deal.discarded if position == 0 else ()
            assert len(plays) == len(deal.tricks)
            assert set(plays) | set(discards) <= set(hand)
            one_is_kept = any(card.wild for card in hand)
            assert len(hand) == len(plays) + len(discards) + one_is_kept


@every_game
def test_deals_have_the_points_of_the_outcome(game: Game) -> None:
    record = a_record(game)
    assert record.outcome is not None
    assert tuple(deal.scores for deal in deals(game)) == record.outcome.deals


@every_game
def test_the_winner_of_a_trick_leads_the_next_one(game: Game) -> None:
    for deal in deals(game):
        assert deal.tricks[0].leader == 1
        assert [trick.winner for trick in deal.tricks[:-1]] == [trick.leader for trick in deal.tricks[1:]]


@every_farfalia
def test_points_follow_from_what_was_collected_and_doubled(game: Game) -> None:
    for deal in deals(game):
        weight = 2 if (game[0], deal.number) == ("basic", 3) else 1
        for position, seat in enumerate(deal.seats):
            worth = POINTS[len(deal.collected(deal.sides[position]))] * (2 if seat in deal.doubled else 1)
            assert deal.scores[seat] == weight * worth


@every_farfalia
def test_what_is_collected_lay_in_the_trick_and_was_not_burned(game: Game) -> None:
    for trick in (trick for deal in deals(game) for trick in deal.tricks):
        cards = [play.card for play in trick.plays]
        wild = {card.family for card in cards if card.wild}
        assert set(trick.burned) == {card for card in cards if not card.wild and card.family in wild}
        if trick.collected:
            assert trick.collected in set(cards) - set(trick.burned)


@every_farfalia
def test_dummies_begin_with_six_cards_face_down(game: Game) -> None:
    for deal in deals(game):
        hidden = {card for position in deal.dummies for card in deal.hands[position]} & set(deal.face_down)
        assert len(hidden) == len(deal.face_down) == 6 * len(deal.dummies)


@every_farrago
def test_points_of_farrago_follow_from_the_tricks_that_were_won(game: Game) -> None:
    for deal in deals(game):
        par = {3: 4, 4: 3, 5: 2}[len(deal.seats)]
        for position, seat in enumerate(deal.seats):
            above = deal.won(position) - par
            assert deal.scores[seat] == max(10 * above, -15 * above)


@every_farrago
def test_each_type_of_deal_comes_once_and_says_how_trumps_came_about(game: Game) -> None:
    ways = {
        "skint": r"named by \w+",
        "barred": r"\w+ barred \w+, \w+ barred \w+, \w+ barred \w+",
        "majority": r"\w+ showed \S+(, \w+ showed \S+)+",
        "surprise": r"the first suit that did not follow, in trick \d+",
        "red-black": r"spades and hearts trump each other, diamonds and clubs too",
    }
    views = deals(game)
    assert len({deal.type for deal in views}) == 10
    for deal in views:
        assert re.fullmatch(ways.get(deal.type, ""), deal.trumps_how)
        assert (deal.trumps == "NT") == (deal.type == "red-black" or deal.type not in ways)


@every_game
def test_a_play_points_at_its_action(game: Game) -> None:
    record, text = a_record(game), ruleset(*game).text
    for deal in deals(game):
        for play in chain.from_iterable(trick.plays for trick in deal.tricks):
            action = record.actions[play.index]
            assert (text(action.action), action.seat) == (play.card.text, deal.seats[play.position])


def test_chinkway_has_eleven_deals_of_ten_tricks_and_its_dealer_twelve_cards() -> None:
    assert [deal.number for deal in deals(("chinkway", {}))] == list(range(1, 12))
    for deal in deals(("chinkway", {})):
        assert (len(deal.tricks), [len(hand) for hand in deal.hands]) == (10, [12, 10, 10, 10, 10])
        assert set(deal.discarded) < set(deal.hands[0])


def test_a_record_that_breaks_off_shows_what_there_is() -> None:
    record = a_record(("chinkway", {}))
    first, second = deals_of(replace(record, actions=record.actions[:70], outcome=None))
    assert (len(first.scores), second.scores) == (5, ())
    assert second.tricks[-1].winner is None or len(second.tricks[-1].plays) == 5
    assert deals_of(replace(record, actions=(), outcome=None)) == []


def test_an_illegal_action_is_named() -> None:
    record = a_record(("chinkway", {}))
    with pytest.raises(UnreplayableRecord, match="action 0"):
        deals_of(replace(record, actions=record.actions[1:]))


def test_a_suit_that_was_barred_is_not_trumps() -> None:
    deal = of_type(("farrago", {}), "barred")
    assert deal.trumps_words not in deal.trumps_how
    assert deal.trumps_words[0].upper() == deal.trumps


def test_the_first_subject_makes_trumps_where_nobody_declares() -> None:
    for deal in deals(("four", {})):
        assert deal.trumps == deal.subjects[0].replace("B", "NT")
        assert deal.trumps_how == "the first subject"


def test_the_dealer_of_the_last_short_deal_declares_before_it_discards_a_card() -> None:
    *others, last = deals(("three-short", {}))
    assert {deal.discarded for deal in others} == {()}
    assert {deal.trumps_how for deal in (*others, last)} == {""}
    assert (len(last.discarded), len(last.hands[0]), last.dummies) == (1, 18, ())


def test_wild_cards_that_double_are_counted_down() -> None:
    wilds = [2] * 5
    for deal in deals(("chinkway", {"double_you": "on"})):
        for seat in deal.doubled:
            wilds[seat] -= 1
        assert deal.wilds == tuple(wilds)


def test_a_dummy_is_called_after_its_partner() -> None:
    names = ("ada", "ben")
    deal = deals(("two", {}))[1]
    assert [deal.who(position, names) for position in range(4)] == ["ben", "ada", "ben's dummy", "ada's dummy"]


def test_cards_are_said_in_words() -> None:
    cards, farrago = (
        {card.text: card for card in rules.game.wording.faces}
        for rules in (ruleset("four", {"burnin": "on"}), ruleset("farrago", {"players": "5"}))
    )
    assert cards["F10"].words == "10 of fishes, a butterfly"
    assert (cards["O7"].words, cards["O7"].family) == ("7 of seashells", "O")
    assert cards["WB"].words == "wild card, burns butterflies"
    assert not cards["WB"].butterfly
    assert farrago["QD"].words == "queen of diamonds"
    assert farrago["7S'"].words == "7 of spades, the second one"


# What is made of it --------------------------------------------------------------------------------------------


@every_game
def test_a_terminal_shows_every_trick(game: Game, capsys: pytest.CaptureFixture[str]) -> None:
    record = a_record(game)
    views = deals(game)
    print_match(record, views)
    shown = capsys.readouterr().out
    assert len(re.findall(r"^Deal \d+: ", shown, re.MULTILINE)) == len(views)
    tricks = [line for line in shown.splitlines() if re.match(r" +\d+ ", line) and ">" in line]
    assert len(tricks) == sum(len(deal.tricks) for deal in views)
    assert all(line.count(">") == line.count("*") == 1 for line in tricks)


@every_game
def test_a_match_may_break_off_anywhere(game: Game, capsys: pytest.CaptureFixture[str]) -> None:
    whole = a_record(game)
    for length in range(0, 140, 28):
        record = replace(whole, actions=whole.actions[:length], outcome=None)
        print_match(record, deals_of(record))
    assert "None" not in capsys.readouterr().out


#: One with dummies that discards, one with wild cards that double, one that burns, and the pack that has most suits.
PAGES: list[Game] = [
    ("five-hand", {"burnin": "on"}),
    ("three-short", {}),
    ("two", {"double_you": "on"}),
    ("farrago", {"players": "5", "pack": "five-hundred"}),
]
MORE_PAGES: list[Game] = [
    ("basic", {}),
    ("four", {"double_you": "on"}),
    ("three", {"burnin": "on"}),
    ("farrago", {"players": "3"}),
    ("farrago", {}),
]


@pytest.mark.parametrize(
    "game", [*PAGES, *(pytest.param(game, marks=pytest.mark.prove) for game in MORE_PAGES)], ids=label
)
async def test_a_page_shows_every_trick(site: Site, game: Game) -> None:
    name, options = game

    await site.here.register(*FIVE)
    entrants = FIVE[: ruleset(name, options).seats]
    await site.here.play_all(await site.here.plan("spring", entrants, rounds=1, ruleset=name, options=options))
    match = (await site.get("/matches/1")).text
    record = await site.here.store.records.get(1)
    html = "".join([(await site.get(f"/matches/1/{deal}")).text for deal in range(1, len(record.outcome.deals) + 1)])
    assert all(f"{option}={value}" in words(match) for option, value in options.items())
    assert html.count('class="deal"') == len(record.outcome.deals)
    assert html.count('title="won the trick"') == html.count('title="led"') > 0
    assert ("'s dummy" in words(html)) == (name in ("three", "three-short", "two"))
    assert ("wild cards left" in words(html)) == ("double_you" in options)
    used = set(re.findall(r'<use href="#(icon-\w+)"', html))
    assert used <= set(re.findall(r'<symbol id="(icon-\w+)"', html))
