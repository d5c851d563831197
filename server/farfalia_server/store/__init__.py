"""Results, records, ratings, bots: SQL is the truth.

`Store.open(url)` gives a store whose parts (`accounts`, `bots`, `tournaments`, `matches`, `baselines`, `nonces`,
`ratings`, `logs`, `meta`) take and return frozen values, those of each group in its `values`. `store.changes` announces
what this process commits. Begin with `sql.schema`, the tables, and `sql.database`, the verbs that every part is written
with.
"""

from farfalia_server.store.acts import Act, LoggedAct
from farfalia_server.store.changes import Change, Changes, Topic
from farfalia_server.store.events.announcements import Announcement
from farfalia_server.store.events.values import (
    ARENA,
    ConnectionCap,
    Event,
    EventCaps,
    EventTimes,
    Member,
    MemberRole,
    RatedOn,
)
from farfalia_server.store.matches.challenges import ADMIN, Challenger
from farfalia_server.store.matches.daily_boards import DailyEntry, PlayedBoard
from farfalia_server.store.matches.gatherings import Gathering
from farfalia_server.store.matches.giving_up import MOST_ATTEMPTS
from farfalia_server.store.matches.live_tables import LiveTable
from farfalia_server.store.matches.matches import MatchStanding, OpenMatch, RunningMatch
from farfalia_server.store.matches.search import WantedMatches
from farfalia_server.store.matches.seat_results import SeatResult
from farfalia_server.store.matches.values import (
    Beacon,
    ClaimedMatch,
    Match,
    MatchState,
    NewLadderMatch,
    NewMatch,
    Seat,
    SeatResults,
    Source,
    VoidAttempt,
    VoidReason,
)
from farfalia_server.store.matches.voiding import Voided
from farfalia_server.store.people.accounts import Account, Role
from farfalia_server.store.people.api_tokens import ApiToken, TokenHolder
from farfalia_server.store.people.bots import Registrant
from farfalia_server.store.people.identities import Identity
from farfalia_server.store.people.invitations import Invitation
from farfalia_server.store.people.password_links import PasswordLink
from farfalia_server.store.people.tokens import API_PREFIX, SESSION_PREFIX, token_hash
from farfalia_server.store.people.values import (
    GUEST_PREFIX,
    REMOVED_PREFIX,
    Bot,
    BotIncident,
    BotVersion,
    Challengers,
    LogEntry,
    NewLogLine,
    TokenScope,
)
from farfalia_server.store.prices.analyses import AnalysisState, SpentTime
from farfalia_server.store.prices.prices import BotPrices, PriceSum, sums_by_aspect
from farfalia_server.store.programs.hosting import LOST_AFTER
from farfalia_server.store.programs.values import (
    Check,
    Host,
    HostedBot,
    Program,
    ProgramState,
    ProgramStep,
    Reported,
)
from farfalia_server.store.ratings.baselines import LoneBoard
from farfalia_server.store.ratings.ratings import DEFAULT_SYSTEM, ArchivedMatch, RatedMatch, UnratedMatches
from farfalia_server.store.ratings.reliability import LadderBins
from farfalia_server.store.ratings.values import FittedRating, Ladder, LadderRating, RatingChange
from farfalia_server.store.sql.retrying import retrying
from farfalia_server.store.store import Store
from farfalia_server.store.tournaments.drafts import Draft
from farfalia_server.store.tournaments.nonces import NonceReceipt
from farfalia_server.store.tournaments.rounds import DueTournament
from farfalia_server.store.tournaments.values import (
    Entrant,
    LadderKnowledge,
    NetworkRule,
    NewTournament,
    Pause,
    PauseCause,
    Takeover,
    Tournament,
    TournamentState,
    WatchedTournament,
    Withdrawal,
)
from farfalia_server.store.webhooks.values import (
    ClaimedDelivery,
    Delivery,
    DeliveryKind,
    DeliveryState,
    Webhook,
)

__all__ = [
    "ADMIN",
    "API_PREFIX",
    "ARENA",
    "DEFAULT_SYSTEM",
    "GUEST_PREFIX",
    "LOST_AFTER",
    "MOST_ATTEMPTS",
    "REMOVED_PREFIX",
    "SESSION_PREFIX",
    "Account",
    "Act",
    "AnalysisState",
    "Announcement",
    "ApiToken",
    "ArchivedMatch",
    "Beacon",
    "Bot",
    "BotIncident",
    "BotPrices",
    "BotVersion",
    "Challenger",
    "Challengers",
    "Change",
    "Changes",
    "Check",
    "ClaimedDelivery",
    "ClaimedMatch",
    "ConnectionCap",
    "DailyEntry",
    "Delivery",
    "DeliveryKind",
    "DeliveryState",
    "Draft",
    "DueTournament",
    "Entrant",
    "Event",
    "EventCaps",
    "EventTimes",
    "FittedRating",
    "Gathering",
    "Host",
    "HostedBot",
    "Identity",
    "Invitation",
    "Ladder",
    "LadderBins",
    "LadderKnowledge",
    "LadderRating",
    "LiveTable",
    "LogEntry",
    "LoggedAct",
    "LoneBoard",
    "Match",
    "MatchStanding",
    "MatchState",
    "Member",
    "MemberRole",
    "NetworkRule",
    "NewLadderMatch",
    "NewLogLine",
    "NewMatch",
    "NewTournament",
    "NonceReceipt",
    "OpenMatch",
    "PasswordLink",
    "Pause",
    "PauseCause",
    "PlayedBoard",
    "PriceSum",
    "Program",
    "ProgramState",
    "ProgramStep",
    "RatedMatch",
    "RatedOn",
    "RatingChange",
    "Registrant",
    "Reported",
    "Role",
    "RunningMatch",
    "Seat",
    "SeatResult",
    "SeatResults",
    "Source",
    "SpentTime",
    "Store",
    "Takeover",
    "TokenHolder",
    "TokenScope",
    "Topic",
    "Tournament",
    "TournamentState",
    "UnratedMatches",
    "VoidAttempt",
    "VoidReason",
    "Voided",
    "WantedMatches",
    "WatchedTournament",
    "Webhook",
    "Withdrawal",
    "retrying",
    "sums_by_aspect",
    "token_hash",
]
