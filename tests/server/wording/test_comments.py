"""What a first match is commented with: true sentences, each kind of question once, from the seat's knowledge alone."""

from __future__ import annotations

import re
from collections import Counter
from random import Random

import pytest

from farfalia_engine import DECLINED, NOTHING, Deals, FarfaliaObservation, Kind, ruleset
from farfalia_server.wording.comments import comments

NAMES = ["Robin", "Ada", "Bo", "Cleo", "Dee"]
#: The games that are commented, with the sections of the rules that say more.
GAMES = ["chinkway", "five-hand", "basic", "four", "three", "three-short", "two"]
#: How the explanation of each kind of question begins.
EXPLAINED = (
    "Any card may begin a trick",
    "Follow the suit that was led",
    "Now you choose for your dummy",
    "You choose for your dummy, too",
    "You may take one card of the trick",
)


def asked(seed: int, seat: int, game: str = "two") -> list[FarfaliaObservation]:
    """Every question of a seat in a random match."""
    random, found = Random(seed), list[FarfaliaObservation]()
    state = ruleset(game).new_match(Deals(random.randbytes(32)))
    while state.pending is not None:
        (now,) = state.pending.seats
        view = state.observation(now)
        assert isinstance(view, FarfaliaObservation)
        if now == seat and len(view.legal) > 1:
            found.append(view)
        state.apply(random.choice(view.legal), now)
    return found


def test_each_kind_of_question_is_explained_when_it_comes_first() -> None:
    together: Counter[str] = Counter()
    for seed in range(12):
        lines = [line for view in asked(seed, seed % 2) for line in comments(view, NAMES).lines]
        for words in EXPLAINED:
            found = sum(line.startswith(words) for line in lines)
            assert found <= (2 if "dummy" in words else 1)
            together[words] += bool(found)
    assert set(together) == set(EXPLAINED)
    assert min(together.values()) > 8


@pytest.mark.parametrize("game", GAMES)
def test_a_comment_has_two_sentences_at_most_and_two_lines(game: str) -> None:
    for view in asked(3, 1, game):
        said = comments(view, NAMES)
        assert 1 <= len(said.lines) <= 2
        assert all(len(re.findall(r"[.!?](?: |$)", line)) <= 2 for line in said.lines)
        assert said.section in ("a-deal", game if view.dummies else "")


@pytest.mark.parametrize("game", ["chinkway", "five-hand", "basic", "three", "three-short"])
def test_what_a_dealer_decides_is_explained_when_the_seat_deals_for_the_first_time(game: str) -> None:
    begins = {Kind.DISCARD: "As the dealer you have more cards", Kind.DECLARE: "You name the suit that is trumps"}
    for seat in range(3):
        deals: dict[Kind, list[bool]] = {kind: [] for kind in begins}
        for view in asked(7, seat, game):
            lines = comments(view, NAMES).lines
            for kind, words in begins.items():
                told = any(line.startswith(words) for line in lines)
                assert not told or view.kind is kind
                if view.kind is kind:
                    deals[kind].append(told)
        assert all(told == (at == 0) for own in deals.values() for at, told in enumerate(own))


@pytest.mark.parametrize("game", ["chinkway", "five-hand", "four", "three"])
def test_a_deal_begins_with_who_plays_with_whom(game: str) -> None:
    told: Counter[str] = Counter()
    for view in asked(8, 1, game):
        if view.winners:
            continue
        line, *_ = comments(view, NAMES).lines
        position = view.seats.index(1)
        own = {view.seats[at] for at, side in enumerate(view.sides) if side == view.sides[position]}
        if partners := own - {1}:
            words = f"In this deal {NAMES[partners.pop()]} is your partner."
        else:
            words = "In this deal you have a dummy" if view.dummies else "You play alone in this deal."
        assert words in line
        assert line.startswith("Points of the last deal: you ") == (view.deal > 1)
        told[words] += 1
    assert len(told) > (game != "four")


def test_a_trick_is_told_as_it_was_played() -> None:
    told: Counter[str] = Counter()
    for view in asked(4, 0):
        if not view.winners:
            continue
        line, *_ = comments(view, NAMES).lines
        winner, n = view.winners[-1], len(view.seats)
        trick = view.plays[n * (len(view.winners) - 1) :][:n]
        card = trick[(winner - view.leaders[len(view.winners) - 1]) % n]
        who = {(True, False): "You", (True, True): "Your dummy", (False, False): "Ada", (False, True): "Ada's dummy"}
        assert line.startswith(who[view.seats[winner] == 0, winner in view.dummies] + " won the last trick")
        assert f"({view.rules.game.wording.faces[card].words})" in line
        if len(view.winners) <= 3 and not view.deciding:
            assert line.endswith("Nobody collects from the first three tricks of a deal.")
        elif not view.deciding:
            taken = view.collected[-1]
            end = {DECLINED: "declined.", NOTHING: "could be collected."}.get(taken)
            assert line.endswith(end or f"Collected from it: {view.rules.game.wording.faces[taken].words}.")
            told["taken" if end is None else end] += 1
    assert told["taken"]


def test_a_deal_is_told_with_its_points_and_the_cards_that_they_are_for() -> None:
    told = 0
    for view in asked(5, 1):
        line, *_ = comments(view, NAMES).lines
        if view.deal > 1 and not view.winners:
            theirs, mine = view.scores[-2:]
            assert line.startswith(f"Points of the last deal: you {mine}, Robin {theirs}, for ")
            assert line.endswith(f"In all you have {view.totals[1]} now, Robin {view.totals[0]}.")
            told += 1
    assert told


@pytest.mark.parametrize("game", GAMES)
def test_comments_are_equal_in_worlds_that_differ_in_hidden_cards(game: str) -> None:
    random = Random(6)
    for view in asked(6, 0, game)[::9]:
        said = comments(view, NAMES)
        for _ in range(2):
            world = view.sample(random).observation(0)
            assert isinstance(world, FarfaliaObservation)
            assert comments(world, NAMES) == said
