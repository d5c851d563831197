"""Why an entrant has its place in a tournament, in a sentence."""

from __future__ import annotations

from farfalia.v1 import stages_pb2, standings_pb2, tournaments_pb2
from farfalia_server.wording.crosstable import percent
from farfalia_server.wording.language import gettext, ngettext
from farfalia_server.wording.phrases import STAGE_KINDS_INSIDE, decimal, ordinal, signed
from farfalia_server.wording.translating import translated
from farfalia_tournaments import TOLD_APART

#: Entrants that share a place, by how many there are besides; of more than three the first ones are named.
_LEVEL = (
    "Level with {}, so they share the place.",
    "Level with {} and {}, so they share the place.",
    "Level with {}, {} and {}, so they share the place.",
)
#: The probability below which a lead may well be luck.
_MAY_BE_LUCK = 0.75
#: How far an entrant came in a knock-out: whether to its final, and whether it has a score there.
_REACHED = {
    (True, True): "{place} in the final, with {score} per match.",
    (True, False): "Reached the final.",
    (False, True): "Reached round {round} of the {kind}: {place}, with {score} per match there.",
    (False, False): "Reached round {round} of the {kind}.",
}
#: Its place in another stage: whether it did not qualify for the next one, and whether it has a score.
_PLACED = {
    (True, True): "{place} in the {kind} of stage {stage} with {score} per match, and did not qualify.",
    (True, False): "{place} in the {kind} of stage {stage}, and did not qualify.",
    (False, True): "{place} in the {kind} of stage {stage} with {score} per match.",
    (False, False): "{place} in the {kind} of stage {stage}.",
}


def reasons(row: tournaments_pb2.Tournament) -> list[str]:
    """Return a sentence for each row of the standings; empty for one that has not played."""
    stronger = {(pair.row, pair.column): pair.stronger for pair in row.pairs if pair.meetings and not pair.doubtful}
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
        return gettext(_LEVEL[min(len(level), len(_LEVEL)) - 1]).format(*level)
    if number + 1 == len(row.standings) or not row.standings[number + 1].matches:
        return gettext("Last of those who have played.") if number else gettext("Nobody else has played.")
    following = row.standings[number + 1]
    likely = stronger.get((number, number + 1))
    if likely is None:
        said = gettext("{points} points per match ahead of {next}.")
    elif likely >= TOLD_APART:
        said = gettext("{points} points per match ahead of {next}, a clear lead: stronger with {percent} %.")
    elif likely >= _MAY_BE_LUCK:
        said = gettext("{points} points per match ahead of {next}: stronger with {percent} %.")
    else:
        said = gettext("{points} points per match ahead of {next}, which may be luck: stronger with {percent} %.")
    points = decimal(standing.adjusted - following.adjusted, 2)
    return said.format(points=points, next=following.entrant, percent=percent(likely or 0))


def _by_stage(row: tournaments_pb2.Tournament, standing: standings_pb2.Standing) -> str:
    """Return how far an entrant came: its last stage decides first, then its place there."""
    for number in range(len(row.stages), 0, -1):
        stage = row.stages[number - 1]
        for own in stage.standings:
            if own.entrant == standing.entrant:
                return _in_stage(number, stage, own, later=number < len(row.stages))
    return ""


def _in_stage(number: int, stage: stages_pb2.StageStandings, own: stages_pb2.StageStanding, *, later: bool) -> str:
    scored, knockout = own.HasField("score"), stage.stage.kind == stages_pb2.STAGE_KIND_KNOCKOUT
    if knockout and (won := _won(stage, own)):
        return won
    if knockout and own.reached_round:
        said = _REACHED[_final(stage) is not None and own.reached_round == stage.rounds_drawn, scored]
    else:
        said = _PLACED[later and not own.qualified and _has_begun_after(stage), scored]
    placed = gettext(said).format(
        place=ordinal(own.place),
        kind=gettext(STAGE_KINDS_INSIDE.get(stage.stage.kind, "games")),
        stage=number,
        round=own.reached_round,
        score=signed(own.score, 2),
    )
    return f"{placed} {translated(own.waiting)}" if own.waiting else placed


def _won(stage: stages_pb2.StageStandings, own: stages_pb2.StageStanding) -> str:
    """Return how an entrant has won the final of a knock-out; empty for the others, and before it is over."""
    final = _final(stage)
    if own.place > 1 or final is None:
        return ""
    found = [row for row in final.results if row.entrant == own.entrant and row.place == 1]
    if not found:
        return ""
    number = len(final.matches)
    said = ngettext(
        "Won the final with {points} points in {number} match, {score} above its mean.",
        "Won the final with {points} points in {number} matches, {score} per match above its mean.",
        number,
    )
    return said.format(points=found[0].points, number=number, score=signed(own.score, 2))


def _final(stage: stages_pb2.StageStandings) -> stages_pb2.KnockoutTable | None:
    """Return the only table of a knock-out's last round; None before that is drawn."""
    last = max((one.round for one in stage.tables), default=0)
    tables = [one for one in stage.tables if one.round == last]
    return tables[0] if len(tables) == 1 and not any(one.round == last for one in stage.byes) else None


def _has_begun_after(stage: stages_pb2.StageStandings) -> bool:
    return any(row.qualified for row in stage.standings)
