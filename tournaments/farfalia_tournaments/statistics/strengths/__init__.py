"""Strengths: one model of what was played, from which standings, probabilities and intervals follow.

    score = strength - mean strength of the table + hand + block + luck

A hand is what a seat's cards of a board are worth to everybody who holds them; a block is what one bot makes more than
usual of one board, each time; the scores of a table sum to 0. Matches with cards of their own, boards at several
tables, rotations of the seats, house bots' matches with a board, and whatever order or pairing they came from, are
special cases.

Begin reading at `fit`, which estimates; `tables` sorts what was played, `information` takes hands and blocks out,
`variances` says how large they are, and `posterior` answers questions.
"""

from farfalia_tournaments.statistics.strengths.components import Strength
from farfalia_tournaments.statistics.strengths.fit import fit_strengths
from farfalia_tournaments.statistics.strengths.posterior import TOLD_APART, StrengthFit, letter
from farfalia_tournaments.statistics.strengths.student_mixtures import Difference

__all__ = ["TOLD_APART", "Difference", "Strength", "StrengthFit", "fit_strengths", "letter"]
