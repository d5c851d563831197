"""Tournaments of several stages: what they are, how they are written, and what is next."""

from farfalia_tournaments.stages.checks import check_stages
from farfalia_tournaments.stages.contest import Contest, contest_of, contest_sentence
from farfalia_tournaments.stages.model import (
    AwaitedResults,
    DrawnMatch,
    Entry,
    FinalStanding,
    NextRound,
    Stage,
    StageKind,
    TournamentOver,
)
from farfalia_tournaments.stages.notation import parse_stages, stages_of
from farfalia_tournaments.stages.played_rounds import PlayedRounds
from farfalia_tournaments.stages.progress import final_standings, next_round, stage_contest
from farfalia_tournaments.stages.stage_results import KnockoutScores, StageResults, StageStanding
from farfalia_tournaments.stages.stopping import Until, parse_until, until_of

__all__ = [
    "AwaitedResults",
    "Contest",
    "DrawnMatch",
    "Entry",
    "FinalStanding",
    "KnockoutScores",
    "NextRound",
    "PlayedRounds",
    "Stage",
    "StageKind",
    "StageResults",
    "StageStanding",
    "TournamentOver",
    "Until",
    "check_stages",
    "contest_of",
    "contest_sentence",
    "final_standings",
    "next_round",
    "parse_stages",
    "parse_until",
    "stage_contest",
    "stages_of",
    "until_of",
]
