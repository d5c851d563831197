"""Cards stay closed while any match on their board has yet to end, on both databases."""

from __future__ import annotations

import pytest
from tests.server.store_world import claim, five_bots, match_ids, play, record_of, seats, started
from tests.server.void_attempts import void

from farfalia.v1 import record_pb2
from farfalia_server.contract.errors import FailedPrecondition
from farfalia_server.store import MOST_ATTEMPTS, MatchState, NewMatch, Store, WantedMatches


async def two_tables(store: Store, *, rounds: int = 1) -> list[int]:
    """Matches of a tournament in which two tables share the board of each round."""
    bots = await five_bots(store)
    matches = [
        NewMatch(number, f"board-{number}", seats(bots), table=table)
        for number in range(1, rounds + 1)
        for table in (1, 2)
    ]
    return await match_ids(store, await started(store, bots, matches))


async def finish(store: Store, match_id: int) -> None:
    """Play a match with one incident at seat 0, which quotes legal actions."""
    claimed = await claim(store, match_id)
    record = record_of(match_id)
    record.incidents.add(seat=0, cause=record_pb2.CAUSE_ILLEGAL, strikes=1, text="legal were 3, 9, 17")
    assert await store.claims.finish(match_id, claimed.match.epoch, record)


async def is_open(store: Store, match_id: int) -> bool:
    """Whether the record can be had; what the match says of itself, alone and in a list, has to be the same."""
    found = True
    try:
        assert (await store.records.get(match_id)).match == match_id
    except FailedPrecondition:
        found = False
    listed = next(match for match in await store.match_search.newest() if match.id == match_id)
    assert (await store.matches.get(match_id)).record_open == listed.record_open == found
    return found


async def test_a_record_is_closed_while_another_table_plays_its_board(store: Store) -> None:
    first, second, third, _ = await two_tables(store, rounds=2)
    await finish(store, first)
    with pytest.raises(FailedPrecondition) as refusal:
        await store.records.get(first)
    assert str(refusal.value) == (
        f"the cards and the result of match {first} are shown once every match on its board is over: "
        "1 of round 1 is not over yet"
    )
    assert refusal.value.reason == "BOARD_IN_PLAY"
    assert await store.claims.claim(second, "here")
    assert not await is_open(store, first)
    await play(store, third)  # another board
    assert not await is_open(store, first)
    assert not await is_open(store, third)
    assert await store.claims.finish(second, 1, record_of(second))
    assert await is_open(store, first)
    assert await is_open(store, second)
    assert not await is_open(store, third)


async def test_what_an_incident_quotes_is_closed_as_long_as_the_record(store: Store) -> None:
    first, second = await two_tables(store)
    await finish(store, first)
    (incident,) = await store.logs.incidents(1)
    assert (incident.cause, incident.strikes) == (record_pb2.CAUSE_ILLEGAL, 1)
    assert (incident.text, incident.text_open) == ("", False)
    await play(store, second)
    (incident,) = await store.logs.incidents(1)
    assert (incident.text, incident.text_open) == ("legal were 3, 9, 17", True)


async def test_a_record_without_cards_has_times_and_incidents_alone(store: Store) -> None:
    first, _ = await two_tables(store)
    await finish(store, first)
    shown = await store.records.without_cards(first)
    assert not shown.HasField("outcome")
    assert [(action.seat, action.action) for action in shown.actions] == [(1, 0)]
    assert [(incident.cause, incident.text) for incident in shown.incidents] == [(record_pb2.CAUSE_ILLEGAL, "")]
    assert not shown.HasField("source")


async def results_shown(store: Store, match_id: int) -> bool:
    """Whether anything shows how a match ended; all of it has to agree."""
    match = await store.matches.get(match_id)
    assert match.tournament_id is not None
    first = match.seats[0].bot_id
    found = {
        "alone": match.result is not None,
        "in the list": (await store.match_search.newest())[-1].result is not None,
        "in its tournament": (await store.matches.of_tournament(match.tournament_id))[0].result is not None,
        "on its board": (await store.matches.of_board(match.tournament_id, "board-1", 10))[0].result is not None,
        "by place": await store.match_search.newest_numbers(WantedMatches(bot_id=first, place=1)) == [match_id],
        "of a bot": bool(await store.seat_results.of_matches(first, [match_id])),
        "for the rater": [one.id for one in (await store.ratings.unrated(10)).matches] == [match_id],
        "since": list(await store.match_search.opened([match_id])) == [match_id],
        "record": await is_open(store, match_id),
    }
    assert len(set(found.values())) == 1, found
    return found["alone"]


@pytest.mark.parametrize("end", ["void", "cancelled"])
async def test_nothing_shows_what_a_table_made_of_a_board_that_another_plays(store: Store, end: str) -> None:
    first, second = await two_tables(store)
    await finish(store, first)
    assert not await results_shown(store, first)
    match = await store.matches.get(first)
    assert (match.state, match.result_withheld) == (MatchState.FINISHED, True)
    if end == "void":
        await void(store, second)
    else:
        await store.tournaments.cancel(1)
    assert await results_shown(store, first)
    assert not (await store.matches.get(first)).result_withheld


async def test_results_of_a_board_are_shown_since_its_last_table_left_it(store: Store) -> None:
    first, second, third, fourth = await two_tables(store, rounds=2)
    for match in (first, third, second):
        await finish(store, match)
    last = (await store.matches.get(second)).finished
    assert await store.match_search.opened([first, second, third, fourth]) == {first: last, second: last}
    await void(store, fourth)
    (void_attempt,) = await store.void_attempts.newest()
    await finish(store, fourth)
    opened = await store.match_search.opened([third, fourth])
    assert opened == {third: void_attempt.voided, fourth: (await store.matches.get(fourth)).finished}


async def test_a_second_attempt_has_cards_of_its_own_and_is_open_at_once(store: Store) -> None:
    first, second = await two_tables(store)
    await void(store, first)
    await finish(store, first)
    await void(store, second)
    assert (await store.matches.get(first)).board != (await store.matches.get(second)).board
    assert await is_open(store, first)


async def test_matches_that_will_never_be_played_keep_nothing_closed(store: Store) -> None:
    first, second, third, _ = await two_tables(store, rounds=2)
    await finish(store, first)
    for _ in range(MOST_ATTEMPTS):
        await void(store, second)
    assert (await store.matches.get(second)).state is MatchState.VOID
    assert await is_open(store, first)
    await finish(store, third)
    assert not await is_open(store, third)
    await store.tournaments.cancel(1)
    assert await is_open(store, third)


async def test_tournaments_share_names_of_boards_and_no_cards(store: Store) -> None:
    bots = await five_bots(store)
    (first,) = await match_ids(store, await started(store, bots))
    assert await match_ids(store, await started(store, bots)) == [first + 1]
    await play(store, first)
    assert await is_open(store, first)
