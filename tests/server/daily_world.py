"""Persons who play the board of a day, in a store."""

from __future__ import annotations

from tests.server.store_world import CONTROL, SECRET

from farfalia_engine import commitment
from farfalia_server.store import Bot, Challenger, NewLadderMatch, NewMatch, Registrant, Seat, Store

DAY, GAME = "2026-11-28", "two"


async def person(store: Store, name: str) -> Bot:
    await store.bots.register_person(f"guest-{name}", Registrant())
    return await store.bots.by_name(f"guest-{name}")


async def begin(store: Store, bot: Bot, day: str = DAY) -> int:
    house = await store.bots.ensure_house("house-cautious-1", "cautious")
    table = (Seat(bot.id, bot.name, person=True), Seat(house.id, house.name, filler=True))
    (match,) = await store.matches.plan(
        [NewLadderMatch(NewMatch(0, "board-1", table), SECRET, commitment(SECRET))],
        ruleset=GAME,
        options={},
        time_control=CONTROL,
        ladder="",
        challenger=Challenger(-bot.id, 1, 30),
        daily=day,
    )
    return match.id
