"""The board of a day: who has played it, what counts, and when it opens, on both databases."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

import pytest
from tests.server.daily_world import DAY, GAME, begin, person
from tests.server.store_world import SECRET, claim, play
from tests.server.void_attempts import QUOTE, void

from farfalia_server.arena.daily_boards import daily_board
from farfalia_server.contract.errors import FailedPrecondition, InvalidArgument
from farfalia_server.store import (
    Bot,
    MatchState,
    Store,
    VoidReason,
)
from farfalia_server.store.matches import boards


class Clock:
    """The time of day, for what opens at a time."""

    def __init__(self) -> None:
        self.moment = datetime(2026, 11, 28, 12, tzinfo=UTC)

    def now(self) -> datetime:
        return self.moment


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    for module in ("boards", "claims", "daily_boards", "ends"):
        monkeypatch.setattr(f"farfalia_server.store.matches.{module}.now", clock.now)
    return clock


async def played(store: Store, bot: Bot, points: Sequence[int]) -> int:
    match = await begin(store, bot)
    await play(store, match, points)
    return match


async def is_open(store: Store, match: int) -> bool:
    found, why = True, ""
    try:
        await store.records.get(match)
    except FailedPrecondition as error:
        found, why = False, f"{error.reason}: {error}"
    assert found or re.match("BOARD_IN_PLAY: .* from 2026-11-29 01:00 UTC on", why)
    (listed,) = await store.match_search.newest()
    assert listed.record_open == found == (listed.result is not None)
    assert [*await store.match_search.opened([match])] == [match] * found
    assert ((await store.live_tables.get(match)).source is not None) == found
    assert (await store.live_tables.get(match, seated=True)).source is not None
    return found


async def test_a_board_opens_an_hour_after_its_day(store: Store, clock: Clock) -> None:
    match = await played(store, await person(store, "ada"), (40, 30))
    assert not await is_open(store, match)
    clock.moment = datetime(2026, 11, 29, 0, 59, 59, tzinfo=UTC)
    assert not await is_open(store, match)
    clock.moment += timedelta(seconds=1)
    assert await is_open(store, match)
    opened = await store.match_search.opened([match])
    assert opened == {match: boards.daily_opens(DAY)}


async def test_its_nonces_are_settled_before_anybody_could_give_one(store: Store, clock: Clock) -> None:
    del clock
    claimed = await claim(store, await begin(store, await person(store, "ada")))
    assert (claimed.source.settled, claimed.source.nonces, claimed.match.daily) == (True, (), DAY)


async def test_the_first_match_of_each_person_counts_and_results_are_ranked(store: Store, clock: Clock) -> None:
    ada, ben, cleo = [await person(store, name) for name in ("ada", "ben", "cleo")]
    first = await played(store, ada, (30, 40))
    await played(store, ben, (50, 20))
    await played(store, ada, (60, 10))
    await store.daily_boards.keep(DAY, GAME, "greedy", 30, 2)
    await store.daily_boards.keep(DAY, GAME, "greedy", 99, 1)
    assert await store.daily_boards.of_person(DAY, GAME, ada.id) == (first, True)
    assert await store.daily_boards.of_person(DAY, GAME, cleo.id) == (0, False)

    closed = await daily_board(store, GAME, DAY, cleo)
    assert (closed.shown, [*closed.results], closed.match) == (False, [], 0)
    assert not (await daily_board(store, GAME, DAY)).shown
    board = await daily_board(store, GAME, DAY, ada)
    assert [(one.bot or one.house, one.points, one.place, one.own) for one in board.results] == [
        ("guest-ben", 50, 1, False),
        ("guest-ada", 30, 2, True),
        ("greedy", 30, 2, False),
    ]
    clock.moment += timedelta(days=1)
    later = await daily_board(store, GAME, DAY)
    assert [one.points for one in later.results] == [50, 30, 30]
    assert not (await daily_board(store, GAME, "")).results


async def test_a_match_that_ends_after_its_board_has_opened_does_not_count(store: Store, clock: Clock) -> None:
    ada = await person(store, "ada")
    match = await begin(store, ada)
    clock.moment = datetime(2026, 11, 29, 1, tzinfo=UTC)
    await play(store, match, (30, 40))
    assert await store.daily_boards.entries(DAY, GAME) == []
    assert await store.daily_boards.of_person(DAY, GAME, ada.id) == (match, True)


async def test_a_match_that_the_server_voids_is_given_up_and_another_counts(store: Store, clock: Clock) -> None:
    ada = await person(store, "ada")
    match = await begin(store, ada)
    await void(store, match)
    assert (await store.matches.get(match)).state is MatchState.VOID
    (attempt,) = await store.void_attempts.newest()
    assert (attempt.open, attempt.text, attempt.key, attempt.source.secret) == (False, "", b"", b"")
    second = await played(store, ada, (30, 40))
    assert [one.match_id for one in await store.daily_boards.entries(DAY, GAME)] == [second]
    clock.moment += timedelta(days=1)
    (attempt,) = await store.void_attempts.newest()
    assert (attempt.open, attempt.text, attempt.source.secret) == (True, QUOTE, SECRET)
    assert attempt.key


async def test_who_walks_out_has_played_the_board(store: Store, clock: Clock) -> None:
    del clock
    ada = await person(store, "ada")
    match = await begin(store, ada)
    claimed = await claim(store, match)
    await store.claims.void(match, claimed.match.epoch, VoidReason.ABANDONED, "it was gone", [0])
    await played(store, ada, (60, 10))
    assert await store.daily_boards.of_person(DAY, GAME, ada.id) == (match, True)
    assert await store.daily_boards.entries(DAY, GAME) == []


async def test_what_house_bots_have_not_played_is_known_while_that_is_worked_out(store: Store, clock: Clock) -> None:
    await begin(store, await person(store, "ada"))
    await store.daily_boards.keep(DAY, GAME, "random", 10, 2)
    (found,) = await store.daily_boards.played()
    assert (found.day, found.ruleset, found.secret, found.known) == (DAY, GAME, SECRET, frozenset({"random"}))
    clock.moment += timedelta(days=3)
    assert await store.daily_boards.played() == []


@pytest.mark.parametrize("day", ["2026-11-29", "2026-1-1", "20261128", "tomorrow", "2026-02-30"])
async def test_a_day_that_has_not_begun_or_is_none_is_refused(store: Store, clock: Clock, day: str) -> None:
    del clock
    with pytest.raises(InvalidArgument, match="expected one up to today, such as 2026-11-28"):
        await daily_board(store, GAME, day)
