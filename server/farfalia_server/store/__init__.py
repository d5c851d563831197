"""Results, records, ratings, bots: SQL is the truth.

`Store.open(url)` gives a store whose parts (`bots`, `tournaments`, `matches`, `baselines`, `nonces`, `ratings`, `logs`,
`meta`) take and give the frozen values of `values.py`. `store.changes` tells what this process has committed.
"""

from farfalia_server.store.baselines import LoneBoard
from farfalia_server.store.bots import token_hash
from farfalia_server.store.changes import Change, Changes, Topic
from farfalia_server.store.database import retrying
from farfalia_server.store.matches import ATTEMPTS, OpenMatch, RunningMatch
from farfalia_server.store.nonces import Given
from farfalia_server.store.ratings import DEFAULT_SYSTEM, KeptMatch, Rated, Unrated
from farfalia_server.store.rounds import Due
from farfalia_server.store.store import Store
from farfalia_server.store.values import (
    OVER,
    Beacon,
    Bot,
    BotIncident,
    BotVersion,
    ClaimedMatch,
    Entrant,
    Ladder,
    LogEntry,
    Match,
    MatchState,
    NewLadderMatch,
    NewMatch,
    NewTournament,
    Rating,
    RatingChange,
    Refit,
    Result,
    Seat,
    Source,
    TimeControl,
    Tournament,
    TournamentState,
    VoidAttempt,
    Withdrawn,
)

__all__ = [
    "ATTEMPTS",
    "DEFAULT_SYSTEM",
    "OVER",
    "Beacon",
    "Bot",
    "BotIncident",
    "BotVersion",
    "Change",
    "Changes",
    "ClaimedMatch",
    "Due",
    "Entrant",
    "Given",
    "KeptMatch",
    "Ladder",
    "LogEntry",
    "LoneBoard",
    "Match",
    "MatchState",
    "NewLadderMatch",
    "NewMatch",
    "NewTournament",
    "OpenMatch",
    "Rated",
    "Rating",
    "RatingChange",
    "Refit",
    "Result",
    "RunningMatch",
    "Seat",
    "Source",
    "Store",
    "TimeControl",
    "Topic",
    "Tournament",
    "TournamentState",
    "Unrated",
    "VoidAttempt",
    "Withdrawn",
    "retrying",
    "token_hash",
]
