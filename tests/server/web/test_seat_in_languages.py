"""A person's seat names cards and trumps in the language of the reader."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from farfalia.v1 import matches_pb2, play_pb2
from farfalia.view import from_message
from farfalia_engine import Deals, Kind, ruleset
from farfalia_server.play.question_encoding import QuestionEncoder
from farfalia_server.web.page_renderer import PageRenderer
from farfalia_server.web.person_seat import SeatAt
from farfalia_server.web.seat_view import seat_data, seat_view
from farfalia_server.web.static_files import StaticAddresses
from farfalia_server.wording.language import speaking

ENGLISH = re.compile(r"\b(strawberries|leaves|fishes|seashells|no trumps)\b")
NAMES = ["guest-Ada", "house-greedy-1", "house-greedy-2", "house-greedy-3", "house-greedy-4"]


@pytest.mark.parametrize("language", ["it", "fr"])
@pytest.mark.parametrize("until", [Kind.DISCARD, Kind.DECLARE, Kind.PLAY])
def test_no_card_is_named_in_english(language: str, until: Kind) -> None:
    state = ruleset("basic").new_match(Deals(bytes(32)))
    while state.pending is not None and state.pending.kind is not until:
        state.apply(state.legal_actions()[0], state.pending.seats[0])
    assert state.pending is not None
    observation = state.observation(state.pending.seats[0])
    encoded = QuestionEncoder(7).question(1, until, observation, observation.legal)
    question = from_message(play_pb2.Question.FromString(encoded))
    match = matches_pb2.Match(id=7, ruleset="basic", entrants=NAMES)
    with speaking(language):
        view = seat_view(question, NAMES)
        at = SeatAt(play_pb2.Seated(match=7), question)
        values: dict[str, Any] = {"match": match, "name": NAMES[0], "state": "asked", "at": at, "shown": view}
        values |= {"game": "basic", "words": {}, "proof": "p", "refused": None, "prices": None}
        values |= {"practice": False, "pricing": False, "commentable": False, "comments": None, "short": None}
        page = PageRenderer("test", "1", StaticAddresses()).page("seat.html", "play", **values)
        told = json.dumps(seat_data(view))
    assert ENGLISH.findall(bytes(page.body).decode()) == []
    assert ENGLISH.findall(told) == []
