"""Tournaments of several stages: what they are, how they are written, and what is next."""

from farfalia_tournaments.stages.checks import check_stages
from farfalia_tournaments.stages.model import Awaited, Entry, Kind, NextRound, Over, Placed, PlayedMatch, Stage
from farfalia_tournaments.stages.notation import parse_stages, stages_of
from farfalia_tournaments.stages.progress import final_standing, next_round

__all__ = [
    "Awaited",
    "Entry",
    "Kind",
    "NextRound",
    "Over",
    "Placed",
    "PlayedMatch",
    "Stage",
    "check_stages",
    "final_standing",
    "next_round",
    "parse_stages",
    "stages_of",
]
