"""An example deal of each game, played by house bots: the same one on every server."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

from farfalia import bots
from farfalia.v1 import matches_pb2, record_pb2
from farfalia_engine import (
    Cause,
    Deals,
    DealSource,
    Record,
    RecordedAction,
    RecordSeat,
    TimeControl,
    commitment,
    play_to_end,
    ruleset,
)
from farfalia_server.records.codec import to_message
from farfalia_server.records.deal_views import DealView, deals_of
from farfalia_server.web.played_deal import played_deal
from farfalia_server.wording.language import SOURCE, speaking

_NAMES = ("Ada", "Ben", "Cleo", "Dan", "Eve")


@dataclass(frozen=True, slots=True)
class ExampleDeal:
    """The first deal of a match, for the page of a deal."""

    match: matches_pb2.Match
    record: record_pb2.Record
    deal: DealView
    events: list[dict[str, Any]]


@cache
def example_deal(game: str) -> ExampleDeal:
    """Return the deal of a game, with its options at their defaults; its events are in English."""
    rules = ruleset(game)
    names, key = _NAMES[: rules.seats], bytes(32)
    state = rules.new_match(Deals(key))
    state.end_with_deal()
    players = [bots.create("cautious", seat).decide for seat in range(rules.seats)]
    actions = [RecordedAction(seat, action, 0, 0, Cause.HOUSE) for seat, action, _ in play_to_end(state, players)]
    played = Record(
        engine="",
        match=0,
        ruleset=rules.name,
        options=rules.options,
        seats=tuple(RecordSeat(name, house=True) for name in names),
        source=DealSource(commitment(key), (), "example", key),
        time_control=TimeControl(0, 0, 0),
        actions=tuple(actions),
        outcome=None,
        started_ms=0,
        finished_ms=0,
    )
    record = to_message(played)
    (deal,) = deals_of(played)
    match = matches_pb2.Match(entrants=names)
    with speaking(SOURCE):
        return ExampleDeal(match, record, deal, played_deal(record, 1, 1)["events"])
