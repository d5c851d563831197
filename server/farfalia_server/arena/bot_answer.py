"""What is told of a bot: its versions, ratings, results, opponents and times, by one choice of matches."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace

from farfalia.v1 import bots_pb2
from farfalia_server.arena.bot_history import histories, last_finished, opponents
from farfalia_server.arena.bot_play import decision_times, places, roles, version_results
from farfalia_server.arena.bot_profile import profile
from farfalia_server.arena.expecting import Expecting
from farfalia_server.arena.ladder_table import ladder_places
from farfalia_server.arena.rated_points import add_points
from farfalia_server.arena.rating_messages import version_message
from farfalia_server.rating.points_scales import PointsScales
from farfalia_server.store import Bot, LadderRating, Store, WantedMatches


async def bot_answer(
    store: Store,
    scales: PointsScales,
    bot: Bot,
    wanted: WantedMatches,
    ratings: Sequence[LadderRating],
    ladders: Sequence[str],
) -> bots_pb2.GetBotResponse:
    """Return what is told of a bot in the matches that are wanted, without itself, its incidents and its prices.

    `ratings` are those of all its versions, `ladders` those on which its history is shown.
    """
    matches = await last_finished(store, wanted)
    numbers = [match.id for match in matches]
    results = await store.seat_results.of_matches(bot.id, numbers, wanted.version)
    every = results
    if wanted.version:
        all_matches = await last_finished(store, replace(wanted, version=""))
        every = await store.seat_results.of_matches(bot.id, [match.id for match in all_matches])
    versions = await store.bots.versions(bot.id)
    of_version: defaultdict[str, list[LadderRating]] = defaultdict(list)
    for rating in ratings:
        of_version[rating.version].append(rating)
    limit = matches[0].time_control.limit_ms if matches else 0
    shown = [version_message(version, of_version[version.version]) for version in versions]
    await add_points(scales, (rating for version in shown for rating in version.ratings))
    return bots_pb2.GetBotResponse(
        versions=shown,
        histories=await histories(store, scales, bot.id, ladders, wanted),
        opponents=await opponents(store, matches, bot, wanted.version),
        places=places(results),
        roles=roles(results),
        profile=profile(results),
        times=decision_times(results, limit),
        ladder_places=await ladder_places(store, bot, ladders),
        results=version_results(
            every, [version.version for version in versions], bot.id, await Expecting.of(store, [bot.id])
        ),
    )
