"""Everything that can be read from the server, as the contract's messages."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Iterable, Sequence
from datetime import datetime
from functools import partial

from farfalia.v1 import (
    acts_pb2,
    bots_pb2,
    ladders_pb2,
    matches_pb2,
    nodes_pb2,
    programs_pb2,
    ratings_pb2,
    record_pb2,
    tournaments_pb2,
)
from farfalia_server.arena.board_reading import played_board
from farfalia_server.arena.bot_reading import BotReader
from farfalia_server.arena.daily_boards import daily_board
from farfalia_server.arena.event_reading import EventReader
from farfalia_server.arena.ladder_table import ladder_table
from farfalia_server.arena.log_reading import LogReader
from farfalia_server.arena.machine_reading import host_list, node_list, queue_seen
from farfalia_server.arena.messages import (
    ADMIN_NAME,
    ladder_message,
    match_message,
    void_attempt_message,
)
from farfalia_server.arena.presence import Presence
from farfalia_server.arena.price_reading import PriceReader
from farfalia_server.arena.request_checks import (
    checked_number,
    ladder_games,
    ladder_named,
    row_limit,
)
from farfalia_server.arena.searching import Search
from farfalia_server.arena.standings_cache import StandingsCache, StandingsSource
from farfalia_server.arena.tournament_message import tournament_message
from farfalia_server.arena.tournament_progress import expected_end
from farfalia_server.arena.tournament_wait import no_node_plays, unplayable, why_waiting
from farfalia_server.arena.wanted_matches import wanted_matches
from farfalia_server.contract.errors import InvalidArgument
from farfalia_server.contract.said import said
from farfalia_server.rating.points_scales import PointsScales
from farfalia_server.records.house_names import house_of
from farfalia_server.store import ADMIN, Entrant, Match, Store, Tournament, TournamentState
from farfalia_tournaments import RatingSystem, TrueSkill

#: Rows that are turned into messages in one turn of the event loop.
_AT_ONCE = 100


class Reader:
    """Answers questions about bots, matches, tournaments and the queue; it changes nothing.

    Raises NotFound for what does not exist and InvalidArgument for an invalid request.
    """

    def __init__(
        self,
        store: Store,
        presence: Presence,
        system: RatingSystem | None = None,
        standings: StandingsSource | None = None,
    ) -> None:
        self._store = store
        self._presence = presence
        #: Reads events, the log, and prices.
        self.events, self.log, self.prices = EventReader(store), LogReader(store), PriceReader(store)
        self.search = Search(store)
        #: Reads the board of a game on a day, as the bot of a person may see it.
        self.daily_board = partial(daily_board, store)
        self._scales = PointsScales(store)
        #: Reads what is known of bots.
        self.bots = BotReader(store, presence, self._scales, self.prices)
        self._standings = standings or StandingsCache(store, system or TrueSkill())

    async def ladder_list(self) -> ladders_pb2.ListLaddersResponse:
        """Return the ladders that are open, by name, and of all ladders the names and the void attempts."""
        seated, opened = await self._store.ladders.seated(), await self._store.ladders.all()
        return ladders_pb2.ListLaddersResponse(
            ladders=[ladder_message(ladder, len(seated.get(ladder.name, {}))) for ladder in opened],
            void_attempts=await self._store.void_attempts.of_ladders(),
            rated=await self._store.ratings.ladders(),
        )

    async def ladder(self, name: str) -> str:
        """Return the ladder of that name, the default one for none; NotFound (LADDER_UNKNOWN)."""
        return await ladder_named(self._store, name)

    async def ladder_games(self) -> dict[str, str]:
        """Return the games of all ladders, by name."""
        return await ladder_games(self._store)

    async def rated_ladders(self) -> list[str]:
        """Return the names of all ladders that have ratings, in order."""
        return await self._store.ratings.ladders()

    async def ratings(
        self,
        ladder: str,
        *,
        all_versions: bool = False,
        limit: int = 0,
        skip: int = 0,
        search: str = "",
        owner: str = "",
        order: ratings_pb2.RatingOrder = ratings_pb2.RATING_ORDER_UNSPECIFIED,
    ) -> ratings_pb2.ListRatingsResponse:
        """Return rows of a ladder, best first: current versions, or all rated ones."""
        asked = ratings_pb2.ListRatingsRequest(
            ladder=await ladder_named(self._store, ladder),
            all_versions=all_versions,
            limit=row_limit(limit),
            skip=skip,
            search=search,
            owner=owner,
            order=order,
        )
        return await ladder_table(self._store, self._presence, self._scales, asked)

    async def rating_chain(self, ladder: str, limit: int = 0, after: int = 0) -> ratings_pb2.ListRatingChainResponse:
        """Return entries of the chain of a ladder, in order, starting after one."""
        checked = checked_number(after, "entry")
        entries = await self._store.rating_chain.page(
            await ladder_named(self._store, ladder), checked, row_limit(limit)
        )
        return ratings_pb2.ListRatingChainResponse(
            entries=[ratings_pb2.RatingChainEntry(number=one.entry, line=one.line) for one in entries]
        )

    async def tournaments(
        self, limit: int = 0, before: int = 0, event: str = ""
    ) -> tournaments_pb2.ListTournamentsResponse:
        """Return tournaments, newest first, without their standings: of an event, or all."""
        if event:
            await self._store.events.get(event)
        before_number = checked_number(before, "tournament") or None
        rows = await self._store.tournaments.all(row_limit(limit), before_number, event)
        counts = await self._store.tournaments.counts(row.id for row in rows)
        voids = await self._store.void_attempts.counts(counts)
        return tournaments_pb2.ListTournamentsResponse(
            tournaments=[tournament_message(row, counts[row.id], voids[row.id]) for row in rows]
        )

    async def tournament(self, number: int, *, wait: float | None = None) -> tournaments_pb2.Tournament:
        """Return a tournament with its standings; NotReady if they are not ready after `wait` seconds."""
        return await self.shown(await self._store.tournaments.get(checked_number(number, "tournament")), wait=wait)

    async def shown(self, row: Tournament, *, wait: float | None = None) -> tournaments_pb2.Tournament:
        """Return a tournament that was just read, as `tournament` does."""
        counts = (await self._store.tournaments.counts([row.id]))[row.id]
        voids = await self._store.void_attempts.counts([row.id])
        message = tournament_message(row, counts, voids[row.id])
        snapshot = await self._standings.of(row, counts, wait)
        message.MergeFrom(snapshot.shown)
        # Matches end between two readings: the headline is of the moment of the rows.
        message.finished = snapshot.shown.finished
        message.running = min(message.running, message.matches - message.finished)
        message.nonces.extend(await self._nonces(row))
        reason, text = await why_waiting(self._store, self._presence, row, snapshot.unfinished)
        message.waiting_reason, message.waiting = reason, text
        if (end := expected_end(message)) is not None:
            message.expected_end.CopyFrom(end)
        return message

    async def tournament_alone(self, number: int) -> tournaments_pb2.Tournament:
        """Return a tournament without its standings; that it waits for bots is not known, either."""
        row = await self._store.tournaments.get(checked_number(number, "tournament"))
        counts = await self._store.tournaments.counts([row.id])
        voids = await self._store.void_attempts.counts([row.id])
        message = tournament_message(row, counts[row.id], voids[row.id])
        message.waiting_reason, message.waiting = await why_waiting(self._store, self._presence, row, ())
        return message

    async def entry(self, number: int, name: str) -> Entrant | None:
        """Return the entry in a tournament that the bot of this name holds, or held until it left; None without one."""
        entrants = await self._store.tournaments.entrants(checked_number(number, "tournament"))
        return next((one for one in entrants if one.name == name), None)

    async def tournament_names(self, of: Iterable[matches_pb2.Match | bots_pb2.CommonBoard]) -> dict[int, str]:
        """Return what the tournaments of these matches or boards are called, by number."""
        numbers = {one.tournament for one in of} - {0}
        return await self._store.tournaments.names(numbers) if numbers else {}

    async def tournament_acts(self, number: int) -> acts_pb2.ListActsResponse:
        """Return the log of a tournament, oldest first."""
        return await self.log.acts(acts_pb2.ListActsRequest(tournament=number))

    async def front(self, number: int, *, wait: float | None = None) -> int:
        """Return the first match of a tournament that is not finished; 0 if all are."""
        row = await self._store.tournaments.get(checked_number(number, "tournament"))
        counts = (await self._store.tournaments.counts([row.id]))[row.id]
        return (await self._standings.of(row, counts, wait)).front

    async def match(self, number: int) -> matches_pb2.Match:
        """Return one match."""
        return (await self._shown([await self._store.matches.get(checked_number(number, "match"))]))[0]

    async def matches(self, asked: matches_pb2.ListMatchesRequest) -> matches_pb2.ListMatchesResponse:
        """Return matches, newest first; if only finished ones are asked for, by time of end."""
        limit = row_limit(asked.limit)
        wanted = await wanted_matches(self._store, asked)
        rows = await self._store.match_search.newest(wanted, limit, checked_number(asked.before, "match") or None)
        answer = matches_pb2.ListMatchesResponse()
        for first in range(0, len(rows), _AT_ONCE):
            answer.matches.extend(await self._shown(rows[first : first + _AT_ONCE]))
            await asyncio.sleep(0)  # bots with clocks wait
        return answer

    async def _shown(self, matches: Sequence[Match]) -> list[matches_pb2.Match]:
        """Return matches with the names of those who asked for them."""
        asked = {match.challenger for match in matches if match.challenger is not None}
        accounts, bots = {one for one in asked if one > ADMIN}, {-one for one in asked if one < ADMIN}
        names = {ADMIN: ADMIN_NAME} | (await self._store.accounts.names(accounts) if accounts else {})
        if bots:
            names |= {-bot.id: bot.name for bot in (await self._store.bots.by_ids(bots)).values()}
        return [match_message(match, "" if match.challenger is None else names[match.challenger]) for match in matches]

    async def match_numbers(self, asked: matches_pb2.ListMatchesRequest) -> list[int]:
        """Return the numbers of the first matches that `matches` returns, for those who know most of them."""
        wanted = await wanted_matches(self._store, asked)
        return await self._store.match_search.newest_numbers(wanted, row_limit(asked.limit))

    async def results_open(self, matches: Collection[int]) -> dict[int, datetime]:
        """Return since when the results of these matches are shown, without those that are withheld."""
        return await self._store.match_search.opened(matches)

    async def board(self, tournament: int, name: str) -> matches_pb2.Board:
        """Return a board with its finished matches; FailedPrecondition (BOARD_IN_PLAY) until all on it are over."""
        await self._store.tournaments.get(checked_number(tournament, "tournament"))
        return await played_board(self._store, tournament, name)

    async def void_attempts(self, asked: matches_pb2.ListVoidAttemptsRequest) -> matches_pb2.ListVoidAttemptsResponse:
        """Return void attempts, newest first."""
        if asked.tournament and asked.ladder:
            raise InvalidArgument("ladder", said("tournament and ladder are both given; expected at most one of them"))
        if asked.tournament:
            await self._store.tournaments.get(checked_number(asked.tournament, "tournament"))
        attempts = await self._store.void_attempts.newest(
            tournament_id=asked.tournament or None,
            ladder=await ladder_named(self._store, asked.ladder) if asked.ladder else "",
            limit=row_limit(asked.limit),
            before=checked_number(asked.before, "void attempt") or None,
        )
        return matches_pb2.ListVoidAttemptsResponse(attempts=map(void_attempt_message, attempts))

    async def record(self, number: int, token: str = "") -> record_pb2.Record:
        """Return the record of a finished match, as the bot with this token may see it; FailedPrecondition
        (MATCH_NOT_OVER, BOARD_IN_PLAY) before.
        """
        bot = await self._store.bots.by_token(token) if token else None
        return await self._store.records.get(checked_number(number, "match"), 0 if bot is None else bot.id)

    async def why_not_begun(self, match: matches_pb2.Match) -> str:
        """Return a sentence that says why no node plays a match that is not over; empty if one may."""
        lacking = await unplayable(self._presence, map(house_of, match.entrants))
        return no_node_plays(lacking) if lacking else ""

    async def record_without_cards(self, number: int) -> record_pb2.Record:
        """Return seats, times and incidents of a finished match; FailedPrecondition (MATCH_NOT_OVER) before."""
        return await self._store.records.without_cards(checked_number(number, "match"))

    async def queue(self) -> nodes_pb2.GetQueueResponse:
        """Return what is queued, what is in play, and what it waits for."""
        return await queue_seen(self._store, self._presence)

    async def nodes(self) -> nodes_pb2.ListNodesResponse:
        """Return the nodes, by name."""
        return await node_list(self._presence)

    async def hosts(self) -> programs_pb2.ListHostsResponse:
        """Return the hosts by name, and how many programs wait for their check."""
        return await host_list(self._store)

    async def _nonces(self, row: Tournament) -> list[tournaments_pb2.EntrantNonce]:
        """Return the entrants' nonces; hidden while another one can still be given."""
        if row.state is TournamentState.PLANNED:
            return []
        entrants = await self._store.tournaments.entrants(row.id)
        former = [one for entrant in entrants for one in entrant.former]
        bots = await self._store.bots.by_ids(one.bot_id for one in former)
        given = [(entrant.name, entrant.nonce) for entrant in entrants]
        given += [(bots[one.bot_id].name, one.nonce) for one in former if one.nonce]
        return [tournaments_pb2.EntrantNonce(entrant=name, nonce=nonce) for name, nonce in given]
