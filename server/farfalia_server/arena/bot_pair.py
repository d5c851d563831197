"""Two bots: their results against each other, and what each scored with the same cards."""

from __future__ import annotations

import math
from collections import Counter
from statistics import fmean, stdev

from farfalia.v1 import bots_pb2
from farfalia_server.arena.bot_history import LOOKED_AT, met, shows
from farfalia_server.arena.messages import rating_message
from farfalia_server.arena.rated_points import pair_rating
from farfalia_server.arena.rating_messages import present_ratings
from farfalia_server.arena.request_checks import bot_named
from farfalia_server.contract.errors import NotFound
from farfalia_server.contract.said import said
from farfalia_server.contract.untrusted import quoted
from farfalia_server.rating.points_scales import PointsScales
from farfalia_server.store import Bot, Match, MatchState, Store, WantedMatches

#: Most boards in an answer.
MOST_BOARDS = 100
_FINISHED = (MatchState.FINISHED,)


async def bot_pair(store: Store, scales: PointsScales, name: str, against: str) -> bots_pb2.BotPair:
    """Return how a bot did against another one; NotFound, for one and the same, too."""
    if name == against:
        raise NotFound(said("%(name)s has not met itself; expected two bots", name=quoted(name)), "BOT_UNKNOWN")
    bot, other = await bot_named(store, name), await bot_named(store, against)
    together = await store.match_search.newest(WantedMatches(_FINISHED, bot_id=bot.id, against_id=other.id), LOOKED_AT)
    own = await store.match_search.newest(WantedMatches(_FINISHED, bot_id=bot.id), LOOKED_AT)
    others = await store.match_search.newest(WantedMatches(_FINISHED, bot_id=other.id), LOOKED_AT)
    return bots_pb2.BotPair(
        bot=bot.name,
        against=other.name,
        games=_games(together, bot, other),
        boards=_boards(_newest_first(together, own), _newest_first(together, others), bot, other),
        ratings=await _ratings(store, scales, bot, other),
    )


async def _ratings(store: Store, scales: PointsScales, bot: Bot, other: Bot) -> list[bots_pb2.PairRating]:
    """Return the present ratings of both on each ladder on which both are rated."""
    own, others = [
        {one.ladder: one for one in present_ratings(each, await store.bots.ratings(each.id)) if one.matches}
        for each in (bot, other)
    ]
    return [
        pair_rating(rating_message(own[ladder]), rating_message(others[ladder]), await scales.of(ladder))
        for ladder in own
        if ladder in others
    ]


def _games(matches: list[Match], bot: Bot, other: Bot) -> list[bots_pb2.PairGame]:
    met_at: dict[str, tuple[Counter[str], list[int]]] = {}
    for match in matches:
        for name, tally in met(match, bot.id):
            if name == other.name:
                counts, margins = met_at.setdefault(match.ruleset, (Counter(), []))
                counts.update(tally)
                margins.append(tally["margin"])
    return [
        bots_pb2.PairGame(
            ruleset=ruleset,
            better=tally["better"],
            worse=tally["worse"],
            equal=tally["equal"],
            margin=fmean(margins),
            margin_error=stdev(margins) / math.sqrt(len(margins)) if len(margins) > 1 else 0,
        )
        for ruleset, (tally, margins) in sorted(met_at.items())
    ]


def _boards(own: list[Match], others: list[Match], bot: Bot, other: Bot) -> list[bots_pb2.CommonBoard]:
    """Return the boards that are in both lists; if both sat at one table, only that table counts."""
    by_board: dict[tuple[int, str], Match] = {}
    for match in reversed(others):
        if match.record_open and shows(match, other.id):
            by_board[_board_of(match)] = match
    found: dict[tuple[int, str], bots_pb2.CommonBoard] = {}
    for match in own:
        if not match.record_open or not shows(match, bot.id):
            continue
        against = match if shows(match, other.id) else by_board.get(_board_of(match))
        if against is None or match.result is None or against.result is None:
            continue
        seat, other_seat = match.bot_ids.index(bot.id), against.bot_ids.index(other.id)
        found.setdefault(
            _board_of(match),
            bots_pb2.CommonBoard(
                tournament=match.tournament_id or 0,
                board=match.board,
                ruleset=match.ruleset,
                match=match.id,
                seat=seat,
                points=match.result.points[seat],
                other_match=against.id,
                other_seat=other_seat,
                other_points=against.result.points[other_seat],
            ),
        )
    return list(found.values())[:MOST_BOARDS]


def _board_of(match: Match) -> tuple[int, str]:
    return match.tournament_id or -match.id, match.board


def _newest_first(*lists: list[Match]) -> list[Match]:
    """Return the matches of these lists, each once, the last to end first."""
    every = {match.id: match for matches in lists for match in matches}
    return sorted(every.values(), key=lambda match: (match.finished or match.created, match.id), reverse=True)
