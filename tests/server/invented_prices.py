"""Prices that nobody has computed, for each decision of a real match that can have one."""

from __future__ import annotations

import random
from pathlib import Path

from farfalia.analysis.places import decides_places
from farfalia.analysis.prices import aspect_of
from farfalia.analysis.pricing import is_priced
from farfalia.v1 import analysis_pb2, record_pb2
from farfalia_engine import Kind, replay
from farfalia_server.records import codec
from farfalia_server.store import Store


async def give_prices(store: Store, match_id: int) -> None:
    """Have a match analysed, with invented prices, also one whose board is still played."""
    decisions = invented(await store.records.sealed(match_id))
    assert await store.analyses.begin(match_id)
    assert await store.prices.keep(match_id, decisions, 1.0)


async def give_prices_in(database: Path, match_id: int) -> None:
    """Do that in the database of a server that runs."""
    async with await Store.open(f"sqlite:///{database}") as store:
        await give_prices(store, match_id)


def invented(message: record_pb2.Record) -> list[analysis_pb2.PricedDecision]:
    record, rng = codec.from_message(message), random.Random(message.match)
    found = []
    for number, (done, state) in enumerate(zip(record.actions, replay(record), strict=False)):
        if not is_priced(state, done.seat):
            continue
        view = state.observation(done.seat)
        values = [
            analysis_pb2.ActionValue(action=action, value=-rng.randrange(60) / 10, error=0.5) for action in view.legal
        ]
        places = None
        if decides_places(view):
            for value in values:
                value.place, value.first = 1 - value.value / 2, 1 / (1 - value.value)
            likely = min(values, key=lambda one: one.place)
            done_there = next(one.place for one in values if one.action == done.action)
            places = analysis_pb2.PlacePrice(best=likely.action, price=done_there - likely.place, error=0.5)
        best = max(values, key=lambda one: one.value)
        price = best.value - next(one.value for one in values if one.action == done.action)
        found.append(
            analysis_pb2.PricedDecision(
                number=number,
                deal=view.deal,
                trick=len(view.winners) + (view.kind is Kind.PLAY),
                seat=done.seat,
                aspect=aspect_of(view),
                action=done.action,
                best=best.action,
                price=price,
                error=1.0,
                open_price=price / 2,
                mistake=price > 2,
                values=values,
                places=places,
            )
        )
    return found
