"""What ladders know of entrants before a tournament: where its probabilities start from, unless it stands alone."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress

from farfalia_engine import GAMES, RulesetError, ruleset
from farfalia_server.rating.points_scales import PointsScales
from farfalia_server.store import ARENA, Entrant, LadderKnowledge, LadderRating, Match, Store, Tournament
from farfalia_tournaments import Strength


class LadderKnowing:
    """Reads what ladders know of the entrants of a tournament, in points per match."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._scales = PointsScales(store)

    async def at_start(self, tournament: Tournament) -> list[LadderKnowledge]:
        """Return what is known of the entrants of a tournament that is about to start; nothing if it stands alone.

        One ladder of its game tells it, of its event or of the public arena: the one on which it counts, or else the
        one that knows most of its entrants. It knows two of them at least, by the version that they have now, and what
        its ratings are in points.
        """
        if tournament.alone:
            return []
        entrants = await self._store.tournaments.entrants(tournament.id)
        rated = await self._rated(one.bot_id for one in entrants if not one.filler)
        most = sorted(rated, key=lambda ladder: (ladder != tournament.ladder, -len(rated[ladder]), ladder))
        for ladder in most:
            if len(rated[ladder]) > 1 and await self._is_of(tournament, ladder):
                known = await self._in_points(rated[ladder])
                if known:
                    return known
        return []

    async def of_late(self, tournament_id: int, bot_id: int) -> list[LadderKnowledge]:
        """Return what the ladder that told of the others knows of a bot that enters a running tournament."""
        others = await self._store.ladder_knowledge.of(tournament_id)
        if not others or any(own.bot_id == bot_id for own in others):
            return []
        return await self._in_points((await self._rated([bot_id])).get(others[0].ladder, []))

    async def _rated(self, bot_ids: Iterable[int]) -> dict[str, list[LadderRating]]:
        """Return by ladder the ratings of the versions that bots have now."""
        bots = await self._store.bots.by_ids(bot_ids)
        found: defaultdict[str, list[LadderRating]] = defaultdict(list)
        for rating in await self._store.ratings.of_bots(bots):
            if rating.version == bots[rating.bot_id].version and rating.matches:
                found[rating.ladder].append(rating)
        return found

    async def _is_of(self, tournament: Tournament, ladder: str) -> bool:
        kept = await self._store.ladders.find(ladder)
        if kept is None and ladder not in GAMES:
            return False
        game, options, event = (ladder, {}, ARENA) if kept is None else (kept.ruleset, kept.options, kept.event)
        if game != tournament.ruleset or event not in (ARENA, tournament.event):
            return False
        with suppress(RulesetError):  # an old ladder may have options that are no more
            return _options(game, options) == _options(game, tournament.options)
        return False

    async def _in_points(self, rated: Sequence[LadderRating]) -> list[LadderKnowledge]:
        """Return ratings of one ladder in points; none as long as it cannot tell what they are."""
        scale = await self._scales.of(rated[0].ladder) if rated else None
        if scale is None:
            return []
        return [
            LadderKnowledge(
                own.bot_id,
                own.version,
                own.ladder,
                scale.of(own.mu, own.sigma).points,
                scale.unit * own.sigma,
                own.matches,
            )
            for own in rated
        ]


def _options(game: str, options: Mapping[str, str]) -> Mapping[str, str]:
    return ruleset(game, dict(options)).options


def known_entrants(
    entrants: Iterable[Entrant], knowledge: Iterable[LadderKnowledge], matches: Iterable[Match]
) -> dict[str, LadderKnowledge]:
    """Return by name what was known of entrants and still holds after these matches.

    It holds no more of one that has played in another version, nor of an entry that another bot has taken over.
    """
    known = {own.bot_id: own for own in knowledge}
    changed = {
        seat.bot_id
        for match in matches
        if match.result is not None
        for seat in match.seats
        if seat.bot_id in known and seat.version != known[seat.bot_id].version
    }
    return {
        one.name: known[one.bot_id]
        for one in entrants
        if one.bot_id in known and one.bot_id not in changed and not one.former
    }


def known_strengths(known: Mapping[str, LadderKnowledge]) -> dict[str, Strength]:
    """Return what is known of entrants as strengths."""
    return {name: Strength(own.mean, own.sigma) for name, own in known.items()}
