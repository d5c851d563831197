"""What a ladder knows of a field before its tournament: matches at random tables, rated, and turned into points."""

from random import Random

from farfalia_tools.bench.calibration.fields import SimulatedField, result_of
from farfalia_tools.bench.calibration.luck import SEATS, DrawnLuck
from farfalia_tournaments import MatchNoise, PointsScale, Strength, TrueSkill, rate_all
from farfalia_tournaments.schedules import Match


def known_by_ladder(field: SimulatedField, random: Random) -> dict[int, Strength]:
    """Return what a ladder knows of each entrant, by as many matches as the field says; nothing if it has none.

    It rates matches as they were played, luck included.
    """
    if not field.ladder:
        return {}
    entrants = range(len(field.strengths))
    tables = -(-field.ladder * len(entrants) // SEATS)
    matches = [
        Match(1, number, 1, f"ladder-{number}", 1, tuple(random.sample(entrants, SEATS))) for number in range(tables)
    ]
    made = DrawnLuck(random).of(matches)
    results = [result_of(field, match, points) for match, points in zip(matches, made, strict=True)]
    noise, versions = MatchNoise[int](), dict.fromkeys(entrants, "")
    for result in results:
        noise.add(result, versions)
    system = TrueSkill()
    assert noise.points is not None
    scale = PointsScale(noise.points, system)
    return {
        entrant: Strength(scale.of(rating.mu, rating.sigma).points, scale.unit * rating.sigma)
        for entrant, rating in rate_all(results, system).items()
    }
