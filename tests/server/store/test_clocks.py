"""What is kept in the order of time stays in it when a clock is set back, or those of two nodes differ."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from tests.server.store_world import five_bots, match_ids, play, seats, started
from tests.server.void_attempts import void

from farfalia_server.contract.errors import ResourceExhausted
from farfalia_server.store import MatchState, NewMatch, Store, WantedMatches
from farfalia_server.store.matches import ends
from farfalia_server.store.people import registrations
from farfalia_server.store.people.bots import Registrant

#: After all that begins here.
NOON = datetime(2126, 5, 17, 12, tzinfo=UTC)


class Clock:
    """A clock that is set back by an hour whenever it is looked at: the next look may be another node's."""

    def __init__(self) -> None:
        self.looks = 0

    def __call__(self) -> datetime:
        self.looks += 1
        return NOON - timedelta(hours=self.looks)


@pytest.mark.parametrize("order", ["played out", "void", "taken out", "cancelled"])
async def test_what_is_over_later_ended_later_and_is_shown_since_later(
    store: Store, monkeypatch: pytest.MonkeyPatch, order: str
) -> None:
    bots = await five_bots(store)
    matches = [NewMatch(number, f"board-{number}", seats(bots), table=table) for number in (1, 2) for table in (1, 2)]
    tournament = await started(store, bots, matches)
    first, second, third, fourth = await match_ids(store, tournament)
    monkeypatch.setattr(ends, "now", Clock())
    for match in (first, third, second):
        await play(store, match)
    if order == "played out":
        await play(store, fourth)
    elif order == "void":
        await void(store, fourth)
    elif order == "taken out":
        await store.voiding.void(tournament.id, [fourth], text="why")
    else:
        await store.tournaments.cancel(tournament.id)
    finished = await store.match_search.newest(WantedMatches((MatchState.FINISHED,)))
    assert [match.id for match in finished] == [*([fourth] if order == "played out" else []), second, third, first]
    since = await store.match_search.opened([first, second, third])
    assert since[first] == since[second] < since[third]


async def test_a_match_that_ends_after_a_void_attempt_ended_later(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = await match_ids(store, await started(store, await five_bots(store), 2))
    monkeypatch.setattr(ends, "now", Clock())
    await void(store, first)
    await play(store, second)
    (attempt,) = await store.void_attempts.newest()
    ended = (await store.matches.get(second)).finished
    assert ended is not None
    assert ended > attempt.voided


async def test_a_node_whose_clock_is_ahead_forgets_no_registration_of_the_last_hour(
    store: Store, store_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if store_url.startswith("sqlite"):
        pytest.skip("all who write to a file are on its machine, and share its clock")
    by = Registrant(source="192.0.2.1", most=2)
    for number in range(2):
        await store.bots.register(f"bot-{number}", registrant=by)
    monkeypatch.setattr(registrations, "now", lambda: datetime.now(UTC) + timedelta(hours=2))
    with pytest.raises(ResourceExhausted):
        await store.bots.register("bot-2", registrant=by)
