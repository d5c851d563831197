"""A bot's profile: what it made per deal alone or in company, by position, and by the trumps that it held."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from math import sqrt
from operator import itemgetter
from typing import TypeVar

from farfalia.v1 import bots_pb2
from farfalia_engine import SeatRole
from farfalia_server.store import SeatResult

#: Standard errors on either side of the mean that hold 95 % of a normal distribution.
_NORMAL = 1.96

Part = TypeVar("Part")
Whole = TypeVar("Whole")
#: Number of deals and points in them.
Sums = tuple[int, int]


def by_match(
    results: Sequence[SeatResult], parts: Callable[[SeatResult], Mapping[Part, Sums]]
) -> dict[tuple[str, Part], Collection[Sums]]:
    """Return deals and points of each part of a game, match by match."""
    found: defaultdict[tuple[str, Part], defaultdict[int, Sums]] = defaultdict(lambda: defaultdict(lambda: (0, 0)))
    for one in results:
        for part, (number, made) in parts(one).items():
            deals, points = found[one.ruleset, part][one.match_id]
            found[one.ruleset, part][one.match_id] = (deals + number, points + made)
    return {key: sums.values() for key, sums in found.items()}


def points_per_deal(matches: Collection[Sums]) -> tuple[float, float]:
    """Return the mean of points per deal and its standard error, 0 in a single match.

    Deals of one match have the same opponents, so matches are what varies independently.
    """
    deals, points = (sum(column) for column in zip(*matches, strict=True))
    mean = points / deals
    if len(matches) == 1:
        return mean, 0.0
    rest = sum((made - mean * number) ** 2 for number, made in matches)
    return mean, sqrt(len(matches) / (len(matches) - 1) * rest) / deals


def profile(results: Sequence[SeatResult]) -> list[bots_pb2.ProfilePart]:
    """Return the parts of a bot's profile by game and split."""
    found = [*_roles(results), *_trumps(results)]
    return sorted(found, key=lambda part: (part.ruleset, part.split))


def _roles(results: Sequence[SeatResult]) -> Iterator[bots_pb2.ProfilePart]:
    by_company = by_match(results, lambda one: _merged(one.roles, lambda role: role._replace(position=0)))
    by_position = by_match(results, lambda one: one.roles)
    for (ruleset, role), matches in sorted(by_company.items(), key=itemgetter(0)):
        yield _part(ruleset, bots_pb2.PROFILE_SPLIT_COMPANY, _company(role), matches)
    for (ruleset, role), matches in sorted(by_position.items(), key=itemgetter(0)):
        yield _part(ruleset, bots_pb2.PROFILE_SPLIT_POSITION, f"{role.position}-{_company(role)}", matches)


def _trumps(results: Sequence[SeatResult]) -> Iterator[bots_pb2.ProfilePart]:
    with_or_without = by_match(results, lambda one: _merged(one.trumps, lambda held: held is not None))
    by_number = by_match(results, lambda one: {held: sums for held, sums in one.trumps.items() if held is not None})
    for (ruleset, trumps), matches in sorted(with_or_without.items(), key=itemgetter(0)):
        yield _part(ruleset, bots_pb2.PROFILE_SPLIT_TRUMPS, "trumps" if trumps else "none", matches)
    for (ruleset, held), matches in sorted(by_number.items(), key=itemgetter(0)):
        yield _part(ruleset, bots_pb2.PROFILE_SPLIT_HELD, str(held), matches)


def _merged(parts: Mapping[Part, Sums], whole: Callable[[Part], Whole]) -> dict[Whole, Sums]:
    """Return the sums of the parts that belong to one whole."""
    found: defaultdict[Whole, Sums] = defaultdict(lambda: (0, 0))
    for part, (number, made) in parts.items():
        deals, points = found[whole(part)]
        found[whole(part)] = (deals + number, points + made)
    return found


def _company(role: SeatRole) -> str:
    return "-".join(["dummy"] * role.dummy + ["partner"] * role.partner) or "alone"


def _part(ruleset: str, split: bots_pb2.ProfileSplit, part: str, matches: Collection[Sums]) -> bots_pb2.ProfilePart:
    (mean, error), several = points_per_deal(matches), len(matches) > 1
    return bots_pb2.ProfilePart(
        ruleset=ruleset,
        split=split,
        part=part,
        deals=sum(deals for deals, _ in matches),
        points=mean,
        error=error,
        low=mean - _NORMAL * error if several else None,
        high=mean + _NORMAL * error if several else None,
    )
