"""The addresses that programs read, with the parameters of each and what comes back."""

from __future__ import annotations

from dataclasses import dataclass

from google.protobuf.message import Message

from farfalia.v1 import (
    acts_pb2,
    analysis_pb2,
    bots_pb2,
    daily_boards_pb2,
    events_pb2,
    ladders_pb2,
    matches_pb2,
    nodes_pb2,
    programs_pb2,
    ratings_pb2,
    record_pb2,
    search_pb2,
    standings_pb2,
    tournaments_pb2,
)
from farfalia_server.web.query_parameters import MATCHES

_LADDER = ("ladder", "name of the ladder; chinkway if left out")
_ALL_VERSIONS = ("all_versions", "true: every rated version, not only the current one of each bot")
_ROWS = ("limit", "how many at most, up to 1000; 100 if left out")
_SKIP = ("skip", "how many of the best rows to skip, for paging")
_SEARCH = ("search", "only bots whose names contain this, in upper or lower case")
_OWNER = ("owner", "only bots of this owner")
_ORDER = (
    "order",
    "sorts by place, skill, matches, name or last, the time of the last rated match; place if left out",
)
_GAME = ("game", "only what the bot did at this game: incidents, history, opponents, places, roles, times and prices")
_VERSION = ("version", "only what it did at this version")
_DID_IN = (
    ("event", "only what it did in tournaments of this event, prices left out"),
    ("since", "only what it did in matches that ended on this day or later, prices left out: 2026-11-20, in UTC"),
)
_AFTER = ("after", "only bots whose names sort after this one, for paging")
_EVENT = ("event", "only tournaments of the event of this name")
_BEFORE = ("before", "only tournaments with a smaller number, for paging")
_FORMAT = ("format", "csv: the rows as a table for spreadsheets; json if left out")
_LANGUAGE = ("language", "of the words in events: it, fr, or en, which it is if left out")
_VOID_PAGING = (
    ("tournament", "only those of matches of the tournament with this number"),
    ("ladder", "only those of matches of this ladder that have no tournament"),
    ("limit", "how many at most, up to 1000; 50 if left out"),
    ("before", "only attempts with a smaller number, for paging"),
    _FORMAT,
)


@dataclass(frozen=True, slots=True)
class Path:
    """An address: its summary, the message that it returns, and its query parameters with their meaning.

    `rows` is the field with rows that can be had as a table. A download has such a message in each of its `lines`, or
    an entry of a chain if there is no message.
    """

    address: str
    operation: str
    summary: str
    message: type[Message] | None
    query: tuple[tuple[str, str], ...] = ()
    rows: str = ""
    lines: bool = False


#: What is read as JSON.
PATHS = (
    Path(
        "/api/ladders",
        "listLadders",
        "The names of the ladders that have ratings, and the ladders that are open; as CSV the open ones",
        ladders_pb2.ListLaddersResponse,
        (_FORMAT,),
        rows="ladders",
    ),
    Path(
        "/api/ratings",
        "listRatings",
        "A ladder, best first",
        ratings_pb2.ListRatingsResponse,
        (_LADDER, _ALL_VERSIONS, _SEARCH, _OWNER, _ORDER, _ROWS, _SKIP, _FORMAT),
        rows="bots",
    ),
    Path(
        "/api/bots",
        "listBots",
        "Bots, by name",
        bots_pb2.ListBotsResponse,
        (_SEARCH, _OWNER, _ROWS, _AFTER, _FORMAT),
        rows="bots",
    ),
    Path(
        "/api/bots/{name}",
        "getBot",
        "One bot, with its incidents in finished matches; their text follows when the match's record is open. As CSV "
        "the incidents alone",
        bots_pb2.GetBotResponse,
        (_GAME, _VERSION, *_DID_IN, _FORMAT),
        rows="incidents",
    ),
    Path(
        "/api/bots/{name}/ratings",
        "listBotRatings",
        "The ratings of all versions of a bot, the newest version first",
        bots_pb2.BotRatings,
        (_FORMAT,),
        rows="ratings",
    ),
    Path(
        "/api/bots/{name}/history/{ladder}",
        "getRatingHistory",
        "How a bot's rating on a ladder came about, oldest first",
        bots_pb2.RatingHistory,
        (_VERSION, *_DID_IN, _FORMAT),
        rows="points",
    ),
    Path(
        "/api/bots/{name}/vs/{other}/ratings",
        "getPairRatings",
        "The same of two bots as at the address before; as CSV their ratings alone, how far these are apart",
        bots_pb2.BotPair,
        (_FORMAT,),
        rows="ratings",
    ),
    Path(
        "/api/bots/{name}/profile",
        "getBotProfile",
        "What a bot made per deal alone or in company, by position, and by the trumps that it held",
        bots_pb2.BotProfile,
        (_GAME, _VERSION, *_DID_IN, _FORMAT),
        rows="parts",
    ),
    Path(
        "/api/bots/{name}/vs/{other}",
        "getBotPair",
        "Two bots: their results against each other, and the boards that both have played; as CSV the boards alone",
        bots_pb2.BotPair,
        (_FORMAT,),
        rows="boards",
    ),
    Path("/api/events", "listEvents", "Events, newest first", events_pb2.ListEventsResponse, (_FORMAT,), rows="events"),
    Path(
        "/api/events/{event}",
        "getEvent",
        "One event with its members, ladders and tournaments; as CSV the members alone",
        events_pb2.GetEventResponse,
        (_FORMAT,),
        rows="members",
    ),
    Path(
        "/api/tournaments",
        "listTournaments",
        "Tournaments, newest first",
        tournaments_pb2.ListTournamentsResponse,
        (_EVENT, _ROWS, _BEFORE, _FORMAT),
        rows="tournaments",
    ),
    Path(
        "/api/tournaments/{id}",
        "getTournament",
        "One tournament with its standings; as CSV the standings alone",
        tournaments_pb2.Tournament,
        (_FORMAT,),
        rows="standings",
    ),
    Path(
        "/api/tournaments/{id}/pairs",
        "getPairsBeyondStrength",
        "Who beats whom in a tournament by more than their strengths say, the furthest pair first",
        standings_pb2.PairsBeyondStrength,
        (_FORMAT,),
        rows="pairs",
    ),
    Path(
        "/api/tournaments/{id}/log",
        "listTournamentActs",
        "What people, and the server by itself, did to a tournament, oldest first",
        acts_pb2.ListActsResponse,
        (_FORMAT,),
        rows="acts",
    ),
    Path(
        "/api/tournaments/{id}/boards/{board}",
        "getBoard",
        "What all tables made of one board, once every match on it is over; until then 409, BOARD_IN_PLAY",
        matches_pb2.Board,
        (_FORMAT,),
        rows="matches",
    ),
    Path(
        "/api/matches",
        "listMatches",
        "Matches, newest first: by when they ended where only finished ones are asked for, otherwise by number",
        matches_pb2.ListMatchesResponse,
        (*MATCHES, _FORMAT),
        rows="matches",
    ),
    Path("/api/matches/{id}", "getMatch", "One match", matches_pb2.Match),
    Path(
        "/api/today/{game}/{day}",
        "getDailyBoard",
        "The board of a game on a day in UTC, such as 2026-11-28; with what everyone made of it an hour after its day",
        daily_boards_pb2.DailyBoard,
        (_FORMAT,),
        rows="results",
    ),
    Path(
        "/api/matches/{id}/analysis",
        "getAnalysis",
        "What the decisions of a match have cost, with the value of each action, as far as it was analysed; 409 as for "
        "its record. As CSV the decisions alone",
        analysis_pb2.Analysis,
        (_FORMAT,),
        rows="decisions",
    ),
    Path(
        "/api/records/{id}",
        "getRecord",
        "The record of a finished match, once no match with the same cards is in play; until then 409, BOARD_IN_PLAY",
        record_pb2.Record,
    ),
    Path(
        "/api/void-attempts",
        "listVoidAttempts",
        "Void attempts of matches, newest first; with key and text once no match on the board is in play",
        matches_pb2.ListVoidAttemptsResponse,
        _VOID_PAGING,
        rows="attempts",
    ),
    Path("/api/queue", "getQueue", "What is waiting and what is in play", nodes_pb2.GetQueueResponse),
    Path(
        "/api/nodes",
        "listNodes",
        "The servers that play matches",
        nodes_pb2.ListNodesResponse,
        (_FORMAT,),
        rows="nodes",
    ),
    Path(
        "/api/hosts",
        "listHosts",
        "The machines that run programs which were handed in, and how many programs wait for their check",
        programs_pb2.ListHostsResponse,
        (_FORMAT,),
        rows="hosts",
    ),
    Path(
        "/api/search",
        "search",
        "What has this name or one that is near it: matches by number, bots, tournaments, events, people, ladders, "
        "games and documents",
        search_pb2.SearchResults,
        (("q", "a name, a part of it, or the number of a match, in at most 80 characters"), _FORMAT),
        rows="hits",
    ),
)

#: A download with one message per line, however many there are.
DOWNLOADS = (
    Path(
        "/api/records",
        "downloadRecords",
        "All open records of a tournament or of a ladder, newest first; give one of the two",
        record_pb2.Record,
        (
            ("tournament", "the tournament with this number"),
            ("ladder", "the ladder of this name, with the matches of tournaments that count there"),
        ),
        lines=True,
    ),
    Path(
        "/api/ladders/{ladder}/chain",
        "downloadChain",
        "The chain of a ladder, in order; /docs/records explains its entries",
        None,
        (("after", "only entries after the one with this number"),),
        lines=True,
    ),
)

#: Streams of events, server-sent or one per line, that begin again after a `Last-Event-ID`.
STREAMS = (
    Path(
        "/api/matches/events",
        "watchArena",
        "Which matches begin and end, and what goes wrong in them; /docs/watching explains the events",
        None,
        (
            ("bots", "only what is about one of these bots, with commas between them"),
            ("matches", "only what is about one of these matches, or about what else is named"),
            ("tournaments", "only what is about one of these tournaments, or about what else is named"),
            _LANGUAGE,
        ),
    ),
    Path(
        "/api/matches/{id}/events",
        "watchMatch",
        "What happens at a table, while it plays and afterwards; /docs/watching explains the events",
        None,
        (_LANGUAGE,),
    ),
    Path(
        "/api/tournaments/{id}/events",
        "watchTournament",
        "What happens in a tournament until it is over; /docs/watching explains the events",
        None,
        (_LANGUAGE,),
    ),
)

#: Where a program is handed in: its archive is the body.
PROGRAMS = Path(
    "/api/bots/{name}/programs",
    "handInProgram",
    "Hand in a program for a bot, with its token or its owner's: a tar, compressed by gzip or not, or a zip file",
    programs_pb2.Program,
    (("check_only", "true: check it only; the bot goes on with what it plays with"),),
)
