"""Who meets whom, at which seat, in which round, with which cards."""

from farfalia_tournaments.schedules.balance_summary import BalanceKind, BalanceSummary
from farfalia_tournaments.schedules.boards import Boards, Match, board_round, boarded
from farfalia_tournaments.schedules.history import History
from farfalia_tournaments.schedules.knockout import KnockoutRound, knockout_plan, knockout_round
from farfalia_tournaments.schedules.knockout_size import KnockoutSize
from farfalia_tournaments.schedules.model import Balance, Round, Schedule
from farfalia_tournaments.schedules.round_robin import round_robin
from farfalia_tournaments.schedules.span import Span
from farfalia_tournaments.schedules.swiss import swiss_round

__all__ = [
    "Balance",
    "BalanceKind",
    "BalanceSummary",
    "Boards",
    "History",
    "KnockoutRound",
    "KnockoutSize",
    "Match",
    "Round",
    "Schedule",
    "Span",
    "board_round",
    "boarded",
    "knockout_plan",
    "knockout_round",
    "round_robin",
    "swiss_round",
]
