"""Who meets whom, at which seat, in which round."""

from farfalia_tournaments.schedules.model import Balance, Round, Schedule
from farfalia_tournaments.schedules.round_robin import round_robin
from farfalia_tournaments.schedules.span import Span

__all__ = ["Balance", "Round", "Schedule", "Span", "round_robin"]
