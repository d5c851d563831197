"""The tables.

SQL is the truth: a match is a row from the moment when it is planned, results are kept, ratings
are derived from them. The same tables serve SQLite and PostgreSQL.
"""

from sqlalchemy import (
    JSON,
    BigInteger,
    Boolean,
    Column,
    Double,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    Table,
    Text,
    UniqueConstraint,
    false,
    text,
)

from farfalia_server.store.sql.analysis_tables import analysis, price_sum, seat_price
from farfalia_server.store.sql.column_types import Moment, Number
from farfalia_server.store.sql.gathering_tables import gathering, gathering_person
from farfalia_server.store.sql.metadata import OF_ARENA, metadata
from farfalia_server.store.sql.people_tables import (
    account,
    announcement,
    api_token,
    bot,
    bot_version,
    event,
    event_member,
    identity,
    invitation,
    registration,
    renaming,
    session,
)
from farfalia_server.store.sql.program_tables import archive, archive_leftover, archive_part, host, hosted, program
from farfalia_server.store.sql.tournament_tables import act, entrant, ladder_knowledge, tournament, tournament_draft
from farfalia_server.store.sql.webhook_tables import delivery, webhook

# What the rater looks for, over and over: rows that are few among very many.
_unrated = text("state = 'finished' AND rating_seq IS NULL AND ladder <> ''")
_uncounted = text("(state = 'void' OR ladder = '') AND rating_seq IS NOT NULL")
# Without those that have no place: SQLite believes that there is one at most, and would look for it here.
_rated = text("rating_seq IS NOT NULL")
# Matches with a result by when they ended: few changes, since no other state is in these indexes.
_finished = text("state = 'finished'")
# Matches on boards of a day.
_daily = text("daily IS NOT NULL")
# True of every match. Only a search by game says so: SQLite would also take its index where another reads far fewer.
_numbered = text("id > 0")

match = Table(
    "match",
    metadata,
    Column("id", Number, primary_key=True),
    Column("tournament_id", Number, ForeignKey("tournament.id")),
    Column("round", Integer, nullable=False),  # from 1; 0 outside tournaments
    Column("number", Integer, nullable=False),  # within the tournament, from 1
    Column("stage", Integer, nullable=False),  # from 1, rounds are counted in each; 0 where there are none
    Column("table", Integer, nullable=False),  # of the round, from 1; 0 where there are no stages
    Column("replay", Integer, nullable=False),  # of its board at its table, from 1; 0 where there are no stages
    Column("ruleset", Text, nullable=False),
    Column("options", JSON, nullable=False),
    Column("board", Text, nullable=False),  # of the first attempt
    Column("seats", JSON, nullable=False),  # by seat: bot, name, filler
    Column("versions", JSON(none_as_null=True)),  # by seat: of the bots as they were when the attempt began
    Column("time_control", JSON, nullable=False),
    Column("secret", LargeBinary),  # this and the next: of matches outside tournaments
    Column("commitment", LargeBinary),
    Column("nonces", JSON(none_as_null=True)),  # hexadecimal by bot, of the same matches; none until they are settled
    Column("state", Text, nullable=False),
    Column("epoch", Integer, nullable=False),  # raised by every claim: a node with an older one is refused
    Column("attempt", Integer, nullable=False),  # from 1, raised when the server voids what was played
    Column("node", Text, nullable=False),  # who claimed it last
    Column("note", Text, nullable=False),  # why it was void, one sentence
    Column("result", JSON(none_as_null=True)),
    Column("created", Moment, nullable=False),
    Column("started", Moment),
    Column("finished", Moment),
    Column("ladder", Text, nullable=False, server_default=text("''")),  # on which it counts; empty for none
    Column("rating_seq", Number),  # its place in the order of rating; none as long as it is not rated
    Column("challenger", Number),  # the account that asked for it, 0 for the admin, minus its number for a person's bot
    Column("daily", Text),  # the day in UTC whose board it plays, as 2026-11-28; none for all other matches
    Column("replaced_by", Number),  # the match that is played instead of this void one; 0 if its round is drawn anew
    UniqueConstraint("tournament_id", "number"),
    Index("ix_match_tournament_id", "tournament_id", "id"),
    Index("ix_match_state", "state", "id"),
    Index("ix_match_queue", "tournament_id", "state", "id"),
    Index("ix_match_challenger", "challenger", "id"),
    Index("ix_match_board", "tournament_id", "board", "state"),
    Index("ix_match_rating_seq", "rating_seq", unique=True, sqlite_where=_rated, postgresql_where=_rated),
    Index("ix_match_game", "ruleset", "id", sqlite_where=_numbered, postgresql_where=_numbered),
    # By all that is looked for: by less, SQLite would take the index of all finished ones.
    Index(
        "ix_match_unrated",
        *("rating_seq", "state", "finished", "id"),
        sqlite_where=_unrated,
        postgresql_where=_unrated,
    ),
    Index("ix_match_uncounted", "id", sqlite_where=_uncounted, postgresql_where=_uncounted),
    Index("ix_match_finished", "state", "finished", "id", sqlite_where=_finished, postgresql_where=_finished),
    Index("ix_match_ruleset", "ruleset", "finished", "id", sqlite_where=_finished, postgresql_where=_finished),
    Index("ix_match_ladder", "ladder", "finished", "id", sqlite_where=_finished, postgresql_where=_finished),
    Index("ix_match_daily", "daily", "ruleset", "id", sqlite_where=_daily, postgresql_where=_daily),
    Index("ix_match_ended", "tournament_id", "finished", "id", sqlite_where=_finished, postgresql_where=_finished),
    sqlite_autoincrement=True,
)

# What was dealt and does not count: a match that is void is played again with other cards.
void_attempt = Table(
    "void_attempt",
    metadata,
    Column("id", Number, primary_key=True),
    Column("match_id", Number, ForeignKey("match.id"), nullable=False),
    Column("attempt", Integer, nullable=False),
    Column("reason", Text, nullable=False),
    Column("text", Text, nullable=False),  # the same as one sentence, which may name cards
    Column("voided", Moment, nullable=False),
    UniqueConstraint("match_id", "attempt"),
    sqlite_autoincrement=True,
)

match_bot = Table(
    "match_bot",
    metadata,
    Column("bot_id", Number, ForeignKey("bot.id"), primary_key=True),
    Column("match_id", Number, ForeignKey("match.id"), primary_key=True),
    Index("ix_match_bot_match_id", "match_id"),
)

_struck = text("strikes > 0")

# What a finished match says of each of its seats: bots' pages are made of it, and matches are found by it.
seat_result = Table(
    "seat_result",
    metadata,
    Column("match_id", Number, ForeignKey("match.id"), primary_key=True),
    Column("seat", Integer, primary_key=True, autoincrement=False),
    Column("bot_id", Number, ForeignKey("bot.id"), nullable=False),
    Column("version", Text, nullable=False),
    Column("filler", Boolean, nullable=False),
    Column("place", Integer, nullable=False),
    Column("points", Integer, nullable=False),
    Column("strikes", Integer, nullable=False),
    Column("ended", Moment, nullable=False),
    Column("times", JSON, nullable=False),  # number of decisions by step of time (seat_results.step)
    Column("roles", JSON, nullable=False),  # number of deals and points in them by role
    Column("trumps", JSON(none_as_null=True)),  # the same by trumps held at the first lead; none if not kept
    Index("ix_seat_result_bot_id", "bot_id", "ended", "match_id", "place", "version", "strikes"),
    Index("ix_seat_result_struck", "ended", "match_id", sqlite_where=_struck, postgresql_where=_struck),
)

record = Table(
    "record",
    metadata,
    Column("match_id", Number, ForeignKey("match.id"), primary_key=True),
    Column("data", LargeBinary, nullable=False),  # zlib over the contract's Record, without the secret
    # By seat and other seat, thousandths of a point by which cards favoured that; [] if unknown: derived, computed once
    Column("favours", JSON(none_as_null=True)),
)

# The points by seat of house bots on a board that one table alone has played: derived, computed once.
baseline = Table(
    "baseline",
    metadata,
    Column("tournament_id", Number, ForeignKey("tournament.id"), primary_key=True),
    Column("board", Text, primary_key=True),  # of the attempt that was finished
    Column("points", JSON, nullable=False),
)

# What house bots made of the person's seat of a board of a day: derived, computed once.
daily_baseline = Table(
    "daily_baseline",
    metadata,
    Column("daily", Text, primary_key=True),
    Column("ruleset", Text, primary_key=True),
    Column("house", Text, primary_key=True),
    Column("points", Integer, nullable=False),
    Column("place", Integer, nullable=False),  # in its match
)

rating = Table(
    "rating",
    metadata,
    Column("ladder", Text, primary_key=True),
    Column("bot_id", Number, ForeignKey("bot.id"), primary_key=True),
    Column("version", Text, primary_key=True),
    Column("mu", Double, nullable=False),
    Column("sigma", Double, nullable=False),
    Column("matches", Integer, nullable=False),
    Column("last_seq", Number, nullable=False),  # place of its last match in the order of rating
    Column("uncounted", Integer, nullable=False, server_default="0"),  # parts of its matches that do not settle it
)

# The ratings of the last whole-history fit of each ladder.
fitted_rating = Table(
    "fitted_rating",
    metadata,
    Column("ladder", Text, primary_key=True),
    Column("bot_id", Number, ForeignKey("bot.id"), primary_key=True),
    Column("version", Text, primary_key=True),
    Column("mu", Double, nullable=False),
    Column("low", Double, nullable=False),  # this and the next: where mu lies with 95 % confidence
    Column("high", Double, nullable=False),
    Column("matches", Integer, nullable=False),
    Column("made", Moment, nullable=False),
    Column("strength", Double),  # in points per match; this and the next two are null in a fit before the third schema
    Column("strength_low", Double),
    Column("strength_high", Double),
)

rating_event = Table(
    "rating_event",
    metadata,
    Column("seq", Number, primary_key=True),
    Column("ladder", Text, nullable=False),
    Column("match_id", Number, ForeignKey("match.id"), nullable=False),
    Column("bot_id", Number, ForeignKey("bot.id"), nullable=False),
    Column("version", Text, nullable=False),
    Column("mu_before", Double, nullable=False),
    Column("sigma_before", Double, nullable=False),
    Column("mu_after", Double, nullable=False),
    Column("sigma_after", Double, nullable=False),
    Column("matches", Integer, nullable=False),  # rated ones, with this
    UniqueConstraint("match_id", "bot_id", "ladder"),
    Index("ix_rating_event_bot_id", "bot_id", "seq"),
    sqlite_autoincrement=True,
)

# What is published of the order of rating: each entry has the hash of the one before it on its ladder.
rating_chain = Table(
    "rating_chain",
    metadata,
    Column("ladder", Text, primary_key=True),
    Column("entry", Number, primary_key=True, autoincrement=False),  # from 1
    Column("match_id", Number, ForeignKey("match.id"), nullable=False, unique=True),
    Column("hash", Text, nullable=False),  # of the line, as that has it: the next entry needs it
    Column("line", Text, nullable=False),  # as it is published
)

# The ladders that have ever been open.
ladder = Table(
    "ladder",
    metadata,
    Column("name", Text, primary_key=True),
    Column("event", Text, nullable=False, server_default=OF_ARENA),
    Column("ruleset", Text, nullable=False),
    Column("options", JSON, nullable=False),
    Column("time_control", JSON, nullable=False),
    Column("tables", Integer, nullable=False),  # matches at a time
    Column("siblings", Boolean, nullable=False),  # whether bots of one owner may meet
    Column("fill", Boolean, nullable=False),  # whether house bots sit where bots are missing
    Column("rungs", JSON(none_as_null=True)),  # which ones; none for all that decide at once
    Column("as_played", Boolean, nullable=False, server_default=false()),  # whether matches are rated with luck
    Column("opened", Moment, nullable=False),
    Column("closed", Moment),  # none while it is open
)

bot_log = Table(
    "bot_log",
    metadata,
    Column("id", Number, primary_key=True),
    Column("bot_id", Number, ForeignKey("bot.id"), nullable=False),
    Column("time", Moment, nullable=False),
    Column("match_id", Number, nullable=False),  # 0 for none; as the bot said it, so no foreign key
    Column("text", Text, nullable=False),
    Column("question", Integer, nullable=False, server_default="0"),  # in the match, which the bot was asked last
    Index("ix_bot_log_bot_id", "bot_id", "id"),
    sqlite_autoincrement=True,
)

incident = Table(
    "incident",
    metadata,
    Column("id", Number, primary_key=True),
    Column("bot_id", Number, ForeignKey("bot.id"), nullable=False),
    Column("match_id", Number, ForeignKey("match.id"), nullable=False),
    Column("seat", Integer, nullable=False),
    Column("action_index", Integer, nullable=False),
    Column("cause", Integer, nullable=False),  # number of the contract's Cause
    Column("strikes", Integer, nullable=False),
    Column("taken_over", Boolean, nullable=False),
    Column("text", Text, nullable=False),
    Index("ix_incident_bot_id", "bot_id", "id"),
    sqlite_autoincrement=True,
)

# Calls that were made with a key, by its hash, and what they answered, encrypted; those of the last day.
answer = Table(
    "answer",
    metadata,
    Column("key", LargeBinary, primary_key=True),
    Column("request", LargeBinary, nullable=False),  # hash of what it asked for
    Column("made", Moment, nullable=False),
    Column("answer", LargeBinary),  # none as long as it goes on
    Index("ix_answer_made", "made"),
)

fence = Table(  # what one node at a time may write, and the newest token of those who did
    "fence",
    metadata,
    Column("role", Text, primary_key=True),
    Column("token", BigInteger, nullable=False),
)

meta = Table(
    "meta",
    metadata,
    Column("key", Text, primary_key=True),
    Column("value", Text, nullable=False),
)

__all__ = [
    "account",
    "act",
    "analysis",
    "announcement",
    "answer",
    "api_token",
    "archive",
    "archive_leftover",
    "archive_part",
    "baseline",
    "bot",
    "bot_log",
    "bot_version",
    "daily_baseline",
    "delivery",
    "entrant",
    "event",
    "event_member",
    "fence",
    "fitted_rating",
    "gathering",
    "gathering_person",
    "host",
    "hosted",
    "identity",
    "incident",
    "invitation",
    "ladder",
    "ladder_knowledge",
    "match",
    "match_bot",
    "meta",
    "metadata",
    "price_sum",
    "program",
    "rating",
    "rating_chain",
    "rating_event",
    "record",
    "registration",
    "renaming",
    "seat_price",
    "seat_result",
    "session",
    "tournament",
    "tournament_draft",
    "void_attempt",
    "webhook",
]
