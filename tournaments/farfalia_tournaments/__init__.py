"""Schedules, standings and ratings: lists of results in, tables out.

`round_robin`, `swiss_round` and `knockout_round` draw who meets whom, `boarded` with which cards; `parse_stages` and
`next_round` make a tournament of several stages of them, and `plan` computes its figures in advance. A `WaitingPool`
seats a ladder. Every finished match becomes a `MatchResult`. From a list of those `standings` and `crosstable` make
tables, and `rate_all` and `fit_whole_history` ratings. `fit_strengths` fits one model to them, from which standings,
intervals and probabilities follow; `units` makes the observations that `collusion` and `rate_units` rest on, and
`compare` is a sequential test of two. Nothing here reads a clock, a file or a
socket, and all randomness comes in as an argument.

Other rooms import these names from here, from `schedules` or from `stages`; the modules below are internal.
"""

from farfalia_tournaments.crosstable import Pair, crosstable
from farfalia_tournaments.errors import ScheduleError, TournamentError
from farfalia_tournaments.ladder import Candidate, WaitingPool
from farfalia_tournaments.plan import Pace, Plan, PlannedStage, plan
from farfalia_tournaments.ratings.chain import (
    NEW_SIGMA,
    ChainEntry,
    ChainSeat,
    PublishedEntry,
    VersionedRatings,
    is_entry,
    read_entry,
)
from farfalia_tournaments.ratings.match_noise import REPEATS, MatchNoise
from farfalia_tournaments.ratings.points_scale import PointsEstimate, PointsScale
from farfalia_tournaments.ratings.ratings import (
    Rating,
    RatingSystem,
    conservative_rating,
    match_beta,
    rate,
    rate_all,
)
from farfalia_tournaments.ratings.reliability import Reliability, ReliabilityBin, probability_before
from farfalia_tournaments.ratings.settling import MATCH_PARTS, SETTLED, YOUNG, Company, is_settled
from farfalia_tournaments.ratings.systems import SYSTEMS, OpenSkill, TrueSkill, rating_system
from farfalia_tournaments.ratings.unit_ratings import as_result, rate_units
from farfalia_tournaments.ratings.whole_history import SkillEstimate, fit_whole_history
from farfalia_tournaments.results import MatchResult, booked, rating_places, shown, without_luck
from farfalia_tournaments.schedules import (
    Balance,
    BalanceKind,
    BalanceSummary,
    Boards,
    History,
    KnockoutRound,
    KnockoutSize,
    Match,
    Round,
    Schedule,
    Span,
    board_round,
    boarded,
    knockout_plan,
    knockout_round,
    round_robin,
    swiss_round,
)
from farfalia_tournaments.stages import (
    AwaitedResults,
    DrawnMatch,
    Entry,
    FinalStanding,
    NextRound,
    Stage,
    StageKind,
    TournamentOver,
    check_stages,
    final_standings,
    next_round,
    parse_stages,
    stages_of,
)
from farfalia_tournaments.standings import Standing, count_missed, standings
from farfalia_tournaments.statistics.beyond_strength import BeyondStrength, beyond_strength
from farfalia_tournaments.statistics.collusion import Effect, collusion
from farfalia_tournaments.statistics.discoveries import FALSE_DISCOVERIES, stand_out
from farfalia_tournaments.statistics.favours import Favour, MatchFavours
from farfalia_tournaments.statistics.first_place import MOST_MORE, FirstPlace, first_place
from farfalia_tournaments.statistics.looks import lasting_doubt, widening
from farfalia_tournaments.statistics.next_meetings import Meeting, NextMeetings, PairBin, meetings
from farfalia_tournaments.statistics.noise import NOISES, Noise
from farfalia_tournaments.statistics.probability_ratio import ProbabilityRatio
from farfalia_tournaments.statistics.sequential import FEWEST_UNITS, Comparison, ComparisonAnswer, compare, likely_more
from farfalia_tournaments.statistics.strengths import TOLD_APART, Strength, StrengthFit, fit_strengths, letter
from farfalia_tournaments.statistics.units import Unit, units
from farfalia_tournaments.wait_status import Reason, WaitStatus, why_no_table, why_waiting

__all__ = [
    "FALSE_DISCOVERIES",
    "FEWEST_UNITS",
    "MATCH_PARTS",
    "MOST_MORE",
    "NEW_SIGMA",
    "NOISES",
    "REPEATS",
    "SETTLED",
    "SYSTEMS",
    "TOLD_APART",
    "YOUNG",
    "AwaitedResults",
    "Balance",
    "BalanceKind",
    "BalanceSummary",
    "BeyondStrength",
    "Boards",
    "Candidate",
    "ChainEntry",
    "ChainSeat",
    "Company",
    "Comparison",
    "ComparisonAnswer",
    "DrawnMatch",
    "Effect",
    "Entry",
    "Favour",
    "FinalStanding",
    "FirstPlace",
    "History",
    "KnockoutRound",
    "KnockoutSize",
    "Match",
    "MatchFavours",
    "MatchNoise",
    "MatchResult",
    "Meeting",
    "NextMeetings",
    "NextRound",
    "Noise",
    "OpenSkill",
    "Pace",
    "Pair",
    "PairBin",
    "Plan",
    "PlannedStage",
    "PointsEstimate",
    "PointsScale",
    "ProbabilityRatio",
    "PublishedEntry",
    "Rating",
    "RatingSystem",
    "Reason",
    "Reliability",
    "ReliabilityBin",
    "Round",
    "Schedule",
    "ScheduleError",
    "SkillEstimate",
    "Span",
    "Stage",
    "StageKind",
    "Standing",
    "Strength",
    "StrengthFit",
    "TournamentError",
    "TournamentOver",
    "TrueSkill",
    "Unit",
    "VersionedRatings",
    "WaitStatus",
    "WaitingPool",
    "as_result",
    "beyond_strength",
    "board_round",
    "boarded",
    "booked",
    "check_stages",
    "collusion",
    "compare",
    "conservative_rating",
    "count_missed",
    "crosstable",
    "final_standings",
    "first_place",
    "fit_strengths",
    "fit_whole_history",
    "is_entry",
    "is_settled",
    "knockout_plan",
    "knockout_round",
    "lasting_doubt",
    "letter",
    "likely_more",
    "match_beta",
    "meetings",
    "next_round",
    "parse_stages",
    "plan",
    "probability_before",
    "rate",
    "rate_all",
    "rate_units",
    "rating_places",
    "rating_system",
    "read_entry",
    "round_robin",
    "shown",
    "stages_of",
    "stand_out",
    "standings",
    "swiss_round",
    "units",
    "why_no_table",
    "why_waiting",
    "widening",
    "without_luck",
]
