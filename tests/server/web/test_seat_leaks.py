"""Whatever a person's page gets of a seat is the same in all worlds that differ in hidden cards only."""

from __future__ import annotations

import asyncio
import json
import re
from random import Random
from typing import Any

import pytest
from tests.engine.games import PAIRWISE

from farfalia.v1 import matches_pb2, play_pb2
from farfalia.view import from_message
from farfalia_engine import Deals, SearchResult, State, ruleset
from farfalia_server.play.question_encoding import QuestionEncoder
from farfalia_server.records.house_bot import HintSearch
from farfalia_server.web.page_renderer import PageRenderer
from farfalia_server.web.person_seat import SeatAt
from farfalia_server.web.seat_comments import comments_at
from farfalia_server.web.seat_hints import HINTS_BY, SeatHints, hint_at
from farfalia_server.web.seat_view import seat_data, seat_view
from farfalia_server.web.static_files import StaticAddresses
from farfalia_server.wording.player import player_words
from farfalia_server.wording.rules import short_rules

RENDERER = PageRenderer("test", "1", StaticAddresses())
#: Questions of each game whose pages are compared, and worlds for each.
QUESTIONS, WORLDS = 25, 3
#: One in this many questions is asked with a hint, which takes longer.
HINTED = 8


async def searched(search: HintSearch) -> SearchResult:
    """What a search finds that is done here."""
    return search.answer()


def shown(state: State, seat: int, names: list[str], *, hinted: bool) -> tuple[bytes, bytes]:
    """The page and the event of a seat that is asked in this state."""
    observation, pending = state.observation(seat), state.pending
    assert pending is not None
    encoded = QuestionEncoder(7).question(3, pending.kind, observation, observation.legal)
    question = from_message(play_pb2.Question.FromString(encoded))
    view, at = seat_view(question, names), SeatAt(play_pb2.Seated(match=7, seat=seat), question, takes_back=True)
    match = matches_pb2.Match(id=7, ruleset=state.rules.name, entrants=names)
    values: dict[str, Any] = {"match": match, "name": names[seat], "state": "asked", "at": at, "shown": view}
    if hinted:
        asyncio.run(SeatHints(searched).give(at, question.number))
        assert hint_at(at) is not None
    values |= {"practice": True, "hint": hint_at(at), "hinter": HINTS_BY, "prices": None, "pricing": False}
    commented = state.rules.game.collecting
    values |= {"commentable": commented, "comments": comments_at(match, at) if commented else None}
    values |= {
        "refused": None,
        "proof": "p",
        "game": state.rules.name,
        "words": player_words(),
        "short": short_rules()[state.rules.name],
    }
    page = RENDERER.page("seat.html", "play", **values)
    body = re.sub(rb'name="once" value="[^"]*"', b"", bytes(page.body))
    return body, json.dumps(seat_data(view)).encode()


@pytest.mark.parametrize(("game", "options"), PAIRWISE)
def test_a_seat_shows_nothing_of_hidden_cards(
    game: str, options: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("farfalia_server.records.house_bot.ITERATIONS", 16)
    random, rules = Random(17), ruleset(game, options)
    state = rules.new_match(Deals(random.randbytes(32)))
    names = [f"player-{seat}" for seat in range(rules.seats)]
    compared, different = 0, 0
    while state.pending is not None and compared < QUESTIONS:
        seat = random.choice(state.pending.seats)
        legal = state.observation(seat).legal
        if len(legal) > 1 and random.random() < 0.3:
            compared += 1
            hinted = compared % HINTED == 1
            here = shown(state, seat, names, hinted=hinted)
            for _ in range(WORLDS):
                world = state.observation(seat).sample(random)
                different += any(world.observation(other) != state.observation(other) for other in range(rules.seats))
                assert shown(world, seat, names, hinted=hinted) == here
        state.apply(random.choice(legal), seat)
    assert compared
    assert different, "worlds with other hidden cards were looked at"
