"""What a server could hide of its deals is published: attempts that were void, and tournaments that were cancelled."""

from __future__ import annotations

from typing import Any

import grpc
import pytest
from tests.server.arena_client import Arena
from tests.server.arena_world import TEN
from tests.server.store_world import SECRET, claim, five_bots, match_ids, planned, play, seats, started
from tests.server.void_attempts import QUOTE, ladder_match, void
from tests.server.web_site import FIVE, Site

from farfalia.v1 import matches_pb2, stages_pb2
from farfalia_engine import Deals, board_key, commitment
from farfalia_server.arena.messages import VOID_REASONS
from farfalia_server.store import (
    MOST_ATTEMPTS,
    MatchState,
    NewMatch,
    NonceReceipt,
    Store,
    TournamentState,
    VoidAttempt,
    VoidReason,
)


async def newest(store: Store, tournament: int = 1) -> VoidAttempt:
    return (await store.void_attempts.newest(tournament_id=tournament))[0]


# Cancelled tournaments -----------------------------------------------------------------------------------------


async def test_a_tournament_cancelled_before_its_start_shows_secret_nonces_and_reason(store: Store) -> None:
    first, second, *_ = bots = await five_bots(store)
    tournament = await planned(store, bots)
    assert await store.nonces.give(tournament.id, first.id, b"nonce of the first") is NonceReceipt.KEPT
    assert (await store.tournaments.get(tournament.id)).secret == b""
    await store.tournaments.cancel(tournament.id, "too few came")
    cancelled = await store.tournaments.get(tournament.id)
    assert (cancelled.state, cancelled.cancel_reason) == (TournamentState.CANCELLED, "too few came")
    assert commitment(cancelled.secret) == cancelled.commitment
    assert cancelled.ended is not None
    given = {entrant.bot_id: entrant.nonce for entrant in await store.tournaments.entrants(tournament.id)}
    assert given[first.id] == b"nonce of the first"
    assert await store.nonces.give(tournament.id, second.id, b"made to measure") is NonceReceipt.LATE


async def test_a_tournament_cancelled_after_its_start_shows_secret_and_settled_nonces(store: Store) -> None:
    first, *_ = bots = await five_bots(store)
    tournament = await planned(store, bots, 2)
    await store.nonces.give(tournament.id, first.id, b"nonce of the first")
    await store.tournaments.start(tournament.id)
    assert (await store.tournaments.get(tournament.id)).secret == b""
    await store.tournaments.cancel(tournament.id)
    cancelled = await store.tournaments.get(tournament.id)
    assert commitment(cancelled.secret) == cancelled.commitment
    assert (cancelled.nonces, cancelled.cancel_reason) == ((b"nonce of the first",), "")


async def test_anyone_can_see_why_a_tournament_was_cancelled_and_what_it_was_dealt_from(arena: Arena) -> None:
    made = await arena.here.spring(rounds=0)
    ant = (await arena.here.store.bots.by_name("ant")).id
    await arena.here.store.nonces.give(made.id, ant, b"nonce of ant")
    assert not (await arena.ask("GetTournament", id=made.id)).tournament.nonces
    await arena.ask("CancelTournament", arena.admin, id=made.id, reason="rain\n\x1b[31mand more " + "x" * 300)
    shown = (await arena.ask("GetTournament", id=made.id)).tournament
    assert commitment(shown.secret) == shown.commitment
    assert {row.entrant: row.nonce for row in shown.nonces}["ant"] == b"nonce of ant"
    assert {row.nonce for row in shown.nonces} == {b"nonce of ant", b""}
    assert shown.cancel_reason.startswith("rain \ufffd[31mand more xxx")
    assert len(shown.cancel_reason) == 200
    (listed,) = (await arena.ask("ListTournaments")).tournaments
    assert (listed.cancel_reason, listed.secret) == (shown.cancel_reason, shown.secret)


async def test_the_pages_say_why_a_tournament_was_cancelled(site: Site) -> None:
    await site.here.register(*FIVE)
    spring, summer = [await site.here.plan(name, FIVE, rounds=1) for name in ("spring", "summer")]
    await site.here.store.nonces.give(spring.id, 1, b"nonce of ant")
    assert b"nonce of ant".hex() not in await site.text("/tournaments/1")
    await site.here.store.tournaments.cancel(spring.id, "the <b>cards</b>")
    await site.here.store.tournaments.cancel(summer.id)
    listed = await site.text("/tournaments")
    assert "cancelled: the <b>cards</b>" in listed
    assert "cancelled: no reason given" in listed
    page = await site.text("/tournaments/1")
    assert "Cancelled: the <b>cards</b>" in page
    assert f"Secret {(await site.here.store.tournaments.get(spring.id)).secret.hex()}" in page
    assert f"ant {b'nonce of ant'.hex()} bee none" in page
    assert (await site.json("/api/tournaments/1"))["cancelReason"] == "the <b>cards</b>"


# Void attempts -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("reason", VoidReason)
def test_every_reason_of_a_void_attempt_has_a_value_of_its_own_in_the_contract(reason: VoidReason) -> None:
    assert matches_pb2.VoidReason.Name(VOID_REASONS[reason]) == f"VOID_REASON_{reason.name}"


async def test_a_void_attempt_is_closed_while_another_table_plays_its_board(store: Store) -> None:
    first, *_ = bots = await five_bots(store)
    tournament = await planned(store, bots, [NewMatch(1, "board-1", seats(bots), table=table) for table in (1, 2)])
    await store.nonces.give(tournament.id, first.id, b"nonce of the first")
    await store.tournaments.start(tournament.id)
    one, other = await match_ids(store, tournament)
    await void(store, one)
    attempt = await newest(store)
    assert (attempt.match_id, attempt.attempt, attempt.board) == (one, 1, "board-1")
    assert (attempt.open, attempt.text, attempt.key, attempt.source.secret) == (False, "", b"", b"")
    assert attempt.reason is VoidReason.SERVER_FAILED  # names no card
    await play(store, other)
    attempt = await newest(store)
    key = board_key(SECRET, [b"nonce of the first"], "board-1")
    assert (attempt.open, attempt.text, attempt.key) == (True, QUOTE, key)
    assert attempt.source.nonces == (b"nonce of the first",)
    assert attempt.source.secret == b""  # the second attempt has yet to be played with it
    await play(store, one)
    attempt = await newest(store)
    assert commitment(attempt.source.secret) == attempt.source.commitment
    assert (await store.void_attempts.counts([tournament.id, 77])) == {tournament.id: 1, 77: 0}


async def test_the_key_of_a_void_attempt_deals_the_cards_that_were_played(store: Store) -> None:
    (match_id,) = await match_ids(store, await started(store, await five_bots(store)))
    dealt = []
    for _ in range(2):
        claimed = await claim(store, match_id)
        key = board_key(claimed.source.secret, claimed.source.nonces, claimed.match.board)
        dealt.append(Deals(key).shuffle("deal/1/cards", 52))
        await store.claims.void(match_id, claimed.match.epoch, VoidReason.SERVER_FAILED, "a fault")
    attempts = await store.void_attempts.newest(tournament_id=1)
    assert [(attempt.attempt, attempt.board) for attempt in attempts] == [(2, "board-1.1.2"), (1, "board-1")]
    assert [Deals(attempt.key).shuffle("deal/1/cards", 52) for attempt in reversed(attempts)] == dealt
    assert dealt[0] != dealt[1]


async def test_a_second_attempt_has_a_board_of_its_own_and_is_open_at_once(store: Store) -> None:
    bots = await five_bots(store)
    one, _ = await match_ids(
        store, await started(store, bots, [NewMatch(1, "board-1", seats(bots), table=table) for table in (1, 2)])
    )
    await void(store, one)
    await void(store, one)
    second, first = await store.void_attempts.newest(tournament_id=1)
    assert (first.open, first.key) == (False, b"")
    assert (second.open, second.text) == (True, QUOTE)
    assert second.key == board_key(SECRET, [], "board-1.1.2")


async def test_every_void_attempt_counts_once_and_an_old_epoch_voids_nothing(store: Store) -> None:
    tournament = await started(store, await five_bots(store))
    (match_id,) = await match_ids(store, tournament)
    for attempt in range(1, MOST_ATTEMPTS + 1):
        claimed = await claim(store, match_id)
        assert await store.claims.void(match_id, claimed.match.epoch, VoidReason.SERVER_FAILED, f"fault {attempt}")
        assert await store.claims.void(match_id, claimed.match.epoch, VoidReason.SERVER_FAILED, "again") is None
    assert (await store.matches.get(match_id)).state is MatchState.VOID
    attempts = await store.void_attempts.newest(tournament_id=tournament.id)
    assert [one.text for one in attempts] == [f"fault {attempt}" for attempt in range(MOST_ATTEMPTS, 0, -1)]
    assert await store.void_attempts.counts([tournament.id]) == {tournament.id: MOST_ATTEMPTS}
    paged = await store.void_attempts.newest(limit=2, before=attempts[1].id)
    assert paged == attempts[2:4]


async def test_a_void_attempt_on_a_ladder_shows_its_key_and_the_secret_after_the_match(store: Store) -> None:
    bots = await five_bots(store)
    match_id = await ladder_match(store, bots)
    claimed = await claim(store, match_id)
    await store.nonces.settle_match(match_id, claimed.match.epoch, {bots[0].id: b"nonce of the first"})
    await store.claims.void(match_id, claimed.match.epoch, VoidReason.SERVER_FAILED, QUOTE)
    (attempt,) = await store.void_attempts.newest(ladder="chinkway")
    assert (attempt.tournament_id, attempt.open, attempt.text) == (None, True, QUOTE)
    assert attempt.key == board_key(SECRET, [b"nonce of the first"], "board-1")
    assert attempt.source.secret == b""
    await play(store, match_id)
    (attempt,) = await store.void_attempts.newest(ladder="chinkway")
    assert commitment(attempt.source.secret) == attempt.source.commitment
    assert await store.void_attempts.of_ladders() == {"chinkway": 1}
    assert await store.void_attempts.newest(ladder="basic") == []
    assert await store.void_attempts.newest(tournament_id=1) == []


async def test_a_ladder_match_that_is_given_up_shows_its_secret_and_no_key_without_nonces(store: Store) -> None:
    match_id = await ladder_match(store, await five_bots(store))
    for _ in range(MOST_ATTEMPTS):  # before a nonce was settled: no card was dealt
        await void(store, match_id)
    attempts = await store.void_attempts.newest(ladder="chinkway")
    assert len(attempts) == MOST_ATTEMPTS
    assert {(one.key, one.source.secret) for one in attempts} == {(b"", SECRET)}


# As others see them --------------------------------------------------------------------------------------------


async def test_void_attempts_are_listed_by_tournament_by_ladder_or_all(arena: Arena) -> None:
    await arena.five()
    store = arena.here.store
    made = await arena.here.plan("spring", FIVE, rounds=2)
    await store.tournaments.start(made.id)
    first, _ = await store.matches.of_tournament(made.id)
    await void(store, first.id)
    lone = await ladder_match(store, await store.bots.all())
    await void(store, lone, "a fault")

    async def listed(**asked: Any) -> list[int]:
        return [one.match for one in (await arena.ask("ListVoidAttempts", **asked)).attempts]

    assert await listed() == [lone, first.id]
    assert await listed(limit=1) == [lone]
    assert await listed(before=2) == [first.id]
    assert await listed(tournament=made.id) == [first.id]
    assert await listed(ladder="chinkway") == [lone]
    assert await listed(ladder="basic") == []
    assert (await arena.ask("GetTournament", id=made.id)).tournament.void_attempts == 1
    assert dict((await arena.ask("ListLadders")).void_attempts) == {"chinkway": 1}
    for asked, expected in (
        ({"tournament": 9}, (grpc.StatusCode.NOT_FOUND, "TOURNAMENT_UNKNOWN")),
        ({"tournament": 2**63}, (grpc.StatusCode.NOT_FOUND, "TOURNAMENT_UNKNOWN")),
        ({"ladder": "whist"}, (grpc.StatusCode.NOT_FOUND, "LADDER_UNKNOWN")),
        ({"limit": 1001}, (grpc.StatusCode.INVALID_ARGUMENT, "FIELD_INVALID")),
        ({"tournament": made.id, "ladder": "basic"}, (grpc.StatusCode.INVALID_ARGUMENT, "FIELD_INVALID")),
    ):
        assert (await arena.refused("ListVoidAttempts", **asked))[:2] == expected


async def test_pages_and_json_show_void_attempts_and_hide_what_is_in_play(site: Site) -> None:
    await site.here.register(*TEN)
    store = site.here.store
    assert "Void" not in await site.text("/ladders/chinkway")
    spring = await site.here.plan("spring", TEN, rounds=1, boards=stages_pb2.BOARDS_DATUM)
    await store.tournaments.start(spring.id)
    one, other = await store.matches.of_tournament(spring.id)
    await void(store, one.id)
    page = await site.text(f"/tournaments/{spring.id}")
    assert "Void attempts 1 Commitment" in page
    assert "shown once no match on its board is in play" in page
    assert QUOTE not in page
    (attempt,) = (await site.json(f"/api/void-attempts?tournament={spring.id}"))["attempts"]
    assert (attempt["open"], attempt["reason"], attempt["text"]) == (False, "VOID_REASON_SERVER_FAILED", "")
    assert attempt["source"]["boardKey"] == ""
    await site.here.play(other.id)
    (found,) = await store.void_attempts.newest(tournament_id=spring.id)
    page = await site.text(f"/tournaments/{spring.id}")
    assert QUOTE in page
    assert f"{found.board} {found.key.hex()}" in page
    (attempt,) = (await site.json("/api/void-attempts"))["attempts"]
    assert (attempt["open"], attempt["text"], attempt["match"]) == (True, QUOTE, str(one.id))
    assert attempt["reason"] == "VOID_REASON_SERVER_FAILED"
    await void(store, await ladder_match(store, (await store.bots.all())[:5]), "a fault of the <i>server</i>")
    ladder = await site.text("/ladders/chinkway")
    assert "1 match attempt was void" in ladder
    assert "a fault of the <i>server</i>" in ladder
    assert (await site.json("/api/void-attempts?limit=x", 400))["reason"] == "FIELD_INVALID"


async def test_a_match_whose_bots_are_gone_is_queued_again_however_often(store: Store) -> None:
    tournament = await started(store, await five_bots(store))
    (match_id,) = await match_ids(store, tournament)
    for _ in range(MOST_ATTEMPTS + 2):
        claimed = await claim(store, match_id)
        state = await store.claims.void(match_id, claimed.match.epoch, VoidReason.ABANDONED, "gone", {1})
        assert state is MatchState.QUEUED
    match = await store.matches.get(match_id)
    assert [seat.walkouts for seat in match.seats] == [0, MOST_ATTEMPTS + 2, 0, 0, 0]
