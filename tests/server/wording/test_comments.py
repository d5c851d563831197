"""What a first match is commented with: true sentences, each kind of question once, from the seat's knowledge alone."""

from __future__ import annotations

import re
from collections import Counter
from random import Random

from farfalia_engine import DECLINED, NOTHING, Deals, FarfaliaObservation, ruleset
from farfalia_server.web.seat_comments import COMMENTED
from farfalia_server.wording.comments import comments

NAMES = ["Robin", "Ada"]
#: How the explanation of each kind of question begins.
EXPLAINED = (
    "Any card may begin a trick",
    "Follow the suit that was led",
    "Now you choose for your dummy",
    "You choose for your dummy, too",
    "You may take one card of the trick",
)


def asked(seed: int, seat: int) -> list[FarfaliaObservation]:
    """Every question of a seat in a random match."""
    random, found = Random(seed), list[FarfaliaObservation]()
    state = ruleset(COMMENTED).new_match(Deals(random.randbytes(32)))
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


def test_a_comment_has_two_sentences_at_most_and_two_lines() -> None:
    for view in asked(3, 1):
        said = comments(view, NAMES)
        assert 1 <= len(said.lines) <= 2
        assert all(len(re.findall(r"[.!?](?: |$)", line)) <= 2 for line in said.lines)
        assert said.section in ("a-deal", "two")


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


def test_comments_are_equal_in_worlds_that_differ_in_hidden_cards() -> None:
    random = Random(6)
    for view in asked(6, 0)[::5]:
        said = comments(view, NAMES)
        for _ in range(3):
            world = view.sample(random).observation(0)
            assert isinstance(world, FarfaliaObservation)
            assert comments(world, NAMES) == said
