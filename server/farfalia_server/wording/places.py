"""Why an entrant has its place in a tournament, in a sentence."""

from __future__ import annotations

from farfalia.v1 import stages_pb2, standings_pb2, tournaments_pb2
from farfalia_server.wording.crosstable import percent
from farfalia_server.wording.phrases import STAGE_KINDS, decimal, ordinal, signed
from farfalia_tournaments import TOLD_APART


def reasons(row: tournaments_pb2.Tournament) -> list[str]:
    """Return a sentence for each row of the standings; empty for one that has not played."""
    stronger = {(pair.row, pair.column): pair.stronger for pair in row.pairs if pair.meetings}
    return [
        _by_stage(row, standing) if row.stages else _by_score(row, number, stronger)
        for number, standing in enumerate(row.standings)
    ]


def _by_score(row: tournaments_pb2.Tournament, number: int, stronger: dict[tuple[int, int], float]) -> str:
    """Return how far a row is ahead of the next one, and how sure that is."""
    standing = row.standings[number]
    if not standing.matches:
        return ""
    level = [other.entrant for other in row.standings if other.place == standing.place and other is not standing]
    level = [name for name in level if name != standing.entrant]
    if level:
        return f"Level with {' and '.join(level[:3])}, so they share the place."
    if number + 1 == len(row.standings) or not row.standings[number + 1].matches:
        return "Nobody has played worse." if number else "Nobody else has played."
    following = row.standings[number + 1]
    ahead = f"{decimal(standing.adjusted - following.adjusted, 2)} points a match ahead of {following.entrant}"
    likely = stronger.get((number, number + 1))
    if likely is None:
        return f"{ahead}."
    sure = ", clearly" if likely >= TOLD_APART else ", which may be luck" if likely < 0.75 else ""
    return f"{ahead}{sure}: stronger with {percent(likely)} %."


def _by_stage(row: tournaments_pb2.Tournament, standing: standings_pb2.Standing) -> str:
    """Return how far an entrant came: its last stage decides first, then its place there."""
    for number in range(len(row.stages), 0, -1):
        stage = row.stages[number - 1]
        for own in stage.standings:
            if own.entrant == standing.entrant:
                return _in_stage(number, stage, own, later=number < len(row.stages))
    return ""


def _in_stage(number: int, stage: stages_pb2.StageStandings, own: stages_pb2.StageStanding, *, later: bool) -> str:
    where = f"{STAGE_KINDS.get(stage.stage.kind, 'stage')} of stage {number}"
    score = f" with {signed(own.score, 2)} a match" if own.HasField("score") else ""
    if stage.stage.kind == stages_pb2.STAGE_KIND_KNOCKOUT and own.reached_round:
        final = max(row.reached_round for row in stage.standings)
        came = "the last round" if own.reached_round == final else f"round {own.reached_round}"
        return f"Came to {came} of the {where.lower()}{f', {ordinal(own.place)} there{score}' if score else ''}."
    rest = ", and did not go on" if later and not own.qualified and _has_begun_after(stage) else ""
    return f"{ordinal(own.place)} in the {where.lower()}{score}{rest}."


def _has_begun_after(stage: stages_pb2.StageStandings) -> bool:
    return any(row.qualified for row in stage.standings)
