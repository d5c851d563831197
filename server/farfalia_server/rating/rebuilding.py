"""The online ratings, recomputed from the records alone."""

from __future__ import annotations

import asyncio
import dataclasses
import math
from collections.abc import AsyncGenerator, Iterable, Iterator
from dataclasses import dataclass

from farfalia_server.net.worker_process import WorkerProcess
from farfalia_server.rating.chain_rebuilding import ChainDifference, RebuiltChains
from farfalia_server.rating.checking import ProblemReason, RecordProblem, place_of, problems
from farfalia_server.rating.ladder_habits import LadderHabits
from farfalia_server.rating.ladder_ratings import LadderRatings
from farfalia_server.records.house_names import is_house
from farfalia_server.store import DEFAULT_SYSTEM, ArchivedMatch, LadderRating, MatchState, RatingChange, Store
from farfalia_server.store.ratings.chain import digest_of, unlinked_entry
from farfalia_tournaments import rating_system

#: Matches that are read and checked at a time.
_BATCH = 100
#: Tolerance for rebuilt ratings: machines round the last digit of logarithms differently.
_ROUNDING = 1e-9


@dataclass(frozen=True, slots=True)
class RatingDifference:
    """A rating that does not follow from the results; one of the two is None if it should not exist, or is missing."""

    kept: LadderRating | None
    rebuilt: LadderRating | None


@dataclass(frozen=True, slots=True)
class RebuildReport:
    """The progress so far, and at the end (`over`) the outcome.

    `problems` names records that are missing or invalid; their matches are not rated. `chain_differences` names the
    first wrong entry of each chain.
    """

    checked: int = 0
    total: int = 0
    problems: tuple[RecordProblem, ...] = ()
    differences: tuple[RatingDifference, ...] = ()
    chain_differences: tuple[ChainDifference, ...] = ()
    over: bool = False
    replaced: bool = False


async def rebuild(
    store: Store, *, replace: bool = False, system: str = DEFAULT_SYSTEM
) -> AsyncGenerator[RebuildReport, None]:
    """Play every rated match again from its record, rate them in the order of rating, and compare.

    Yields its progress after every batch. With `replace` it then corrects the ratings that differ. A match without a
    valid record is left out of the ratings and of the chain. Matches that are rated meanwhile are included. Ratings of
    another system all differ, and are all replaced. Whether a match is rated by points less luck or as it was played
    is what the chain says; if that has no entry of it, what the ladder is set to.
    """
    found: list[RecordProblem] = []
    chains = RebuiltChains(_ROUNDING)
    changes: list[RatingChange] = []
    ladders, habits, seq, checked = LadderRatings(rating_system(system)), LadderHabits(store), 0, 0
    async with WorkerProcess() as worker:
        while True:
            while batch := await store.ratings.kept(seq, _BATCH):
                # A match that is void, or struck from its ladder, holds its place in the order and counts no more.
                counted = [kept for kept in batch if kept.match.ladder and kept.match.state is not MatchState.VOID]
                seated = await store.bots.by_ids(bot_id for kept in counted for bot_id in kept.match.bot_ids)
                bots = {bot.id: bot.name for bot in seated.values()}
                house = {bot for bot, name in bots.items() if is_house(name)}
                found += [*_missing(batch, seq), *(odd := await worker.run(problems, counted, bots))]
                left_out = {problem.match for problem in odd}
                lines = await store.rating_chain.of_matches(kept.match.id for kept in counted)
                for kept in counted:
                    if kept.match.id in left_out:
                        continue
                    line = lines.get(kept.match.id)
                    as_played = await habits.as_played(kept.match.ladder, line)
                    applied = ladders.apply(kept.match, place_of(kept), house, as_played=as_played)
                    changes += applied.changes
                    digest = digest_of(kept.match.id, kept.record)
                    entry = unlinked_entry(kept.match, applied.changes, bots, digest, system, applied.beta)
                    chains.compare(entry, line)
                    await asyncio.sleep(0)  # a match costs milliseconds, and tables wait for their turn
                seq, checked = place_of(batch[-1]), checked + len(batch)
                yield RebuildReport(checked, max(checked, await store.ratings.rated_count()), tuple(found))
            rebuilt = ladders.changed()
            differing = tuple(_differences(await store.ratings.all(), rebuilt))
            said = tuple(chains.found(await store.rating_chain.counts()))
            report = RebuildReport(checked, checked, tuple(found), differing, said, over=True)
            differs = bool(differing or said) or await store.ratings.system() not in ("", system)
            if not replace or not differs:
                yield report
                return
            if await store.ratings.replace(seq, rebuilt, changes, chains.entries, system=system):
                yield dataclasses.replace(report, replaced=True)
                return


def _missing(batch: list[ArchivedMatch], seq: int) -> Iterator[RecordProblem]:
    """Yield a problem if the rating order has a gap: a match was removed."""
    places = {place_of(kept) for kept in batch}
    for place in range(seq + 1, place_of(batch[-1])):
        if place not in places:
            text = f"the match with place {place} in the order of rating is missing"
            yield RecordProblem(0, place, ProblemReason.MATCH_MISSING, text)


def _differences(kept: Iterable[LadderRating], rebuilt: Iterable[LadderRating]) -> Iterator[RatingDifference]:
    by_key = {(rating.ladder, rating.bot_id, rating.version): rating for rating in kept}
    for rating in rebuilt:
        other = by_key.pop((rating.ladder, rating.bot_id, rating.version), None)
        if other is None or not _same(other, rating):
            yield RatingDifference(other, rating)
    for rating in by_key.values():
        yield RatingDifference(rating, None)


def _same(one: LadderRating, other: LadderRating) -> bool:
    return (
        (one.matches, one.seq, one.uncounted) == (other.matches, other.seq, other.uncounted)
        and math.isclose(one.mu, other.mu, rel_tol=_ROUNDING, abs_tol=_ROUNDING)
        and math.isclose(one.sigma, other.sigma, rel_tol=_ROUNDING, abs_tol=_ROUNDING)
    )
