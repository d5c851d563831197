"""Numbers, moments and states as the pages and the command line word them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from google.protobuf.timestamp_pb2 import Timestamp

from farfalia.v1 import (
    accounts_pb2,
    bots_pb2,
    events_pb2,
    matches_pb2,
    nodes_pb2,
    ratings_pb2,
    record_pb2,
    stages_pb2,
    standings_pb2,
    tournaments_pb2,
)
from farfalia_engine.farfalia.wording import FAMILY_WORDS
from farfalia_server.contract.moments import shown_in
from farfalia_server.net.wall_clock import now
from farfalia_server.wording.acts import ACT_FILTERS
from farfalia_server.wording.amounts import ago, duration, grouped
from farfalia_server.wording.figures import in_figures, moment_words, ordinal_in
from farfalia_server.wording.language import SOURCE, gettext, language, ngettext
from farfalia_server.wording.programs import PROGRAM_FILTERS
from farfalia_server.wording.translating import translated
from farfalia_server.wording.webhooks import WEBHOOK_FILTERS
from farfalia_tournaments import letter

BOARDS = {
    stages_pb2.BOARDS_FRESH: "every match has a board of its own",
    stages_pb2.BOARDS_DATUM: "all tables of a round play the same board",
    stages_pb2.BOARDS_ROTATIONS: "every table plays each of its boards from every seat",
}
STAGE_KINDS = {
    stages_pb2.STAGE_KIND_ROUND_ROBIN: "Round robin",
    stages_pb2.STAGE_KIND_SWISS: "Swiss",
    stages_pb2.STAGE_KIND_KNOCKOUT: "Knock-out",
}
#: The same inside a sentence.
STAGE_KINDS_INSIDE = {
    stages_pb2.STAGE_KIND_ROUND_ROBIN: "round robin",
    stages_pb2.STAGE_KIND_SWISS: "Swiss",
    stages_pb2.STAGE_KIND_KNOCKOUT: "knock-out",
}
STAGE_BOARDS = {
    stages_pb2.BOARDS_FRESH: "fresh boards",
    stages_pb2.BOARDS_DATUM: "datum boards",
    stages_pb2.BOARDS_ROTATIONS: "rotated boards",
}
ROLES = {
    accounts_pb2.ROLE_OWNER: "owner",
    accounts_pb2.ROLE_VIEWER: "viewer",
    accounts_pb2.ROLE_ORGANISER: "organiser",
    accounts_pb2.ROLE_ADMIN: "admin",
}
TOKEN_SCOPES = {
    accounts_pb2.TOKEN_SCOPE_ALL: "all",
    accounts_pb2.TOKEN_SCOPE_BOTS: "bots",
    accounts_pb2.TOKEN_SCOPE_BOT: "bot",
    accounts_pb2.TOKEN_SCOPE_EVENT: "event",
    accounts_pb2.TOKEN_SCOPE_HOST: "host",
}
CHALLENGERS = {
    bots_pb2.CHALLENGERS_ANYONE: "anyone",
    bots_pb2.CHALLENGERS_OWNER: "owner",
}
EVENT_STATES = {
    events_pb2.EVENT_STATE_DRAFT: "draft",
    events_pb2.EVENT_STATE_PUBLISHED: "published",
    events_pb2.EVENT_STATE_CLOSED: "closed",
}
RATED_ON = {
    events_pb2.RATED_ON_NONE: "none",
    events_pb2.RATED_ON_OWN: "own",
    events_pb2.RATED_ON_GAME: "game",
}
MEMBER_ROLES = {
    events_pb2.MEMBER_ROLE_MEMBER: "member",
    events_pb2.MEMBER_ROLE_HELPER: "helper",
    events_pb2.MEMBER_ROLE_ORGANISER: "organiser",
}
#: What happens in an event, in the order of its times.
EVENT_TIMES = {
    "opens": "registration opens",
    "closes": "registration closes",
    "freezes": "versions are pinned",
    "starts": "start",
    "ends": "end",
}
TOURNAMENT_STATES = {
    tournaments_pb2.TOURNAMENT_STATE_PLANNED: "planned",
    tournaments_pb2.TOURNAMENT_STATE_RUNNING: "running",
    tournaments_pb2.TOURNAMENT_STATE_FINISHED: "finished",
    tournaments_pb2.TOURNAMENT_STATE_CANCELLED: "cancelled",
}
MATCH_STATES = {
    matches_pb2.MATCH_STATE_QUEUED: "waiting",
    matches_pb2.MATCH_STATE_RUNNING: "being played",
    matches_pb2.MATCH_STATE_FINISHED: "finished",
    matches_pb2.MATCH_STATE_VOID: "given up",
}
#: What the page of matches calls the states that can be asked for.
MATCH_TABS = {
    "running": "Now",
    "finished": "Finished",
    "waiting": "Waiting",
    "void": "Given up",
}
CAUSES = {
    record_pb2.CAUSE_BOT: "the bot",
    record_pb2.CAUSE_FORCED: "forced",
    record_pb2.CAUSE_TIMEOUT: "out of time",
    record_pb2.CAUSE_ILLEGAL: "illegal answer",
    record_pb2.CAUSE_FAILURE: "said that it failed",
    record_pb2.CAUSE_ABSENT: "not connected",
    record_pb2.CAUSE_HOUSE: "house bot",
    record_pb2.CAUSE_SERVER: "fault of the server",
}
#: What people call the games whose names in addresses and commands are shorter.
_GAME_NAMES = {"two": "Two-handed", "three": "Three-handed", "four": "Four-handed"}


def sentence(text: str) -> str:
    """Return an error's text, which is written to follow a prefix, as a sentence that stands alone."""
    return f"{text[:1].upper()}{text[1:].removesuffix('.')}."


def game_label(name: str, options: Mapping[str, str]) -> str:
    """Return a game with its options: `farrago order=random players=3`."""
    return " ".join([name, *(f"{option}={value}" for option, value in sorted(options.items()))])


def game_name(name: str) -> str:
    """Return a game as people write it: `Chinkway`, `Two-handed`, `Three-short`."""
    return gettext(_GAME_NAMES[name]) if name in _GAME_NAMES else name.capitalize()


def game_words(name: str, options: Mapping[str, str]) -> str:
    """Return a game as people write it, with its options: `Farrago, order=random players=3`."""
    return game_label(game_name(name), options).replace(" ", ", ", 1)


def side_name(number: int) -> str:
    """Return the letter of a side of a deal."""
    return "ABCDE"[number]


def decimal(value: float, places: int) -> str:
    """Return the number with a fixed number of places."""
    return in_figures(f"{value:.{places}f}").replace("-", "−")


def signed(value: float, places: int) -> str:
    """Return the number with its sign, also if it is positive."""
    return in_figures(f"{value:+.{places}f}").replace("-", "−")


def ordinal(number: int) -> str:
    """Return 1st, 2nd, 3rd, 4th … as the language of the reader writes them in the masculine."""
    if language() != SOURCE:
        return ordinal_in(number, language())
    ending = "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"


def in_zone(moment: datetime, zone: str) -> str:
    """Return a moment as clocks of a zone show it, with the zone."""
    return f"{moment_words(datetime.fromisoformat(shown_in(moment, zone)))} {zone}"


def iso(stamp: Timestamp) -> str:
    """Return the moment for machines: `2026-11-20T18:22:05Z`."""
    return stamp.ToDatetime(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def date(stamp: Timestamp) -> str:
    """Return the moment for people: `2026-11-20 18:22 UTC`."""
    return f"{moment_words(stamp.ToDatetime(UTC))} UTC"


def age(stamp: Timestamp) -> str:
    """Return how long ago the moment is: `2 minutes ago`."""
    return ago(stamp.ToDatetime(UTC), now())


def time_control(control: record_pb2.TimeControl) -> str:
    """Return limit, bank and strikes in one phrase."""
    said = ngettext(
        "{limit} per decision, {bank} in the bank, {strikes} strike of grace",
        "{limit} per decision, {bank} in the bank, {strikes} strikes of grace",
        control.grace,
    )
    return said.format(limit=duration(control.limit_ms), bank=duration(control.bank_ms), strikes=control.grace)


def boards(number: int) -> str:
    """Return which matches of a tournament have equal cards."""
    return gettext(BOARDS.get(number, "unknown"))  # type: ignore[call-overload]


def is_knockout(stage: stages_pb2.Stage) -> bool:
    """Return whether the best of each table advance from round to round."""
    return stage.kind == stages_pb2.STAGE_KIND_KNOCKOUT


def stage_words(stage: stages_pb2.Stage) -> str:
    """Return the kind of a stage and its settings: `Swiss, 7 rounds, datum boards, 10 qualify`."""
    words = [gettext(STAGE_KINDS.get(stage.kind, "unknown"))]
    if stage.HasField("rounds"):
        words.append(_counted("{number} round", "{number} rounds", stage.rounds))
    if stage.HasField("advance"):
        words.append(
            _counted("{number} of each table advances", "{number} of each table advance", stage.advance),
        )
    if stage.HasField("matches"):
        words.append(_counted("{number} match per table", "{number} matches per table", stage.matches))
    words.append(gettext(STAGE_BOARDS.get(stage.boards, "unknown boards")))
    if stage.short:
        words.append(gettext("as few tables as let everybody meet everybody"))
    if stage.opposed:
        words.append(gettext("the first two on opposite sides"))
    if stage.carry:
        words.append(gettext("scores carried over"))
    if stage.HasField("qualifiers"):
        words.append(_counted("{number} qualifies", "{number} qualify", stage.qualifiers))
    if stage.HasField("until_first"):
        first = ngettext(
            "over once the first is known with {percent} %",
            "over once the first {number} are known with {percent} %",
            stage.until_first,
        )
        words.append(first.format(number=stage.until_first, percent=stage.until_percent))
    return ", ".join(words)


def balance(balances: Sequence[stages_pb2.Balance]) -> str:
    """Return how even a tournament is, in a sentence for each stage: `Stage 1, Swiss: Paired by score; …`."""
    return " ".join(_balance(one, number if len(balances) > 1 else 0) for number, one in enumerate(balances, start=1))


def _balance(one: stages_pb2.Balance, number: int) -> str:
    """Return the sentence about a stage, with its number unless that is 0."""
    text = translated(one.text)
    if not one.stage:
        return gettext("Stage {number}, {text}").format(number=number, text=text) if number else text
    said = gettext("Stage {number}, {kind}: {text}") if number else gettext("{kind}: {text}")
    return said.format(number=number, kind=gettext(STAGE_KINDS.get(one.stage, "unknown")), text=text)


def _counted(one: str, more: str, number: int) -> str:
    return ngettext(one, more, number).format(number=number)


def tournament_state(number: int) -> str:
    """Return its state in one word."""
    return gettext(TOURNAMENT_STATES.get(number, "unknown"))  # type: ignore[call-overload]


def tournament_status(tournament: tournaments_pb2.Tournament) -> str:
    """Return its state, of a tournament that is paused so, and of one that was cancelled why."""
    if tournament.HasField("pause"):
        return gettext("paused")
    state = tournament_state(tournament.state)
    if tournament.HasField("starts"):
        return gettext("{state}, starts at {moment}").format(state=state, moment=date(tournament.starts))
    if tournament.starts_with_event:
        return gettext("{state}, starts with its event").format(state=state)
    if tournament.state != tournaments_pb2.TOURNAMENT_STATE_CANCELLED:
        return state
    return gettext("{state}: {reason}").format(
        state=state, reason=tournament.cancel_reason or gettext("no reason given")
    )


def void_reason(attempt: matches_pb2.VoidAttempt) -> str:
    """Return why an attempt was void, or why that is not shown yet."""
    return attempt.text if attempt.open else gettext("shown once no match on its board is in play")


def match_state(number: int) -> str:
    """Return its state in one or two words."""
    return gettext(MATCH_STATES.get(number, "unknown"))  # type: ignore[call-overload]


def cause(number: int) -> str:
    """Return why an action or an incident came about."""
    return gettext(CAUSES.get(number, "unknown"))  # type: ignore[call-overload]


def round_of(match: matches_pb2.Match) -> str:
    """Return `3`, or with stages `2.3` for the third round of the second; a dash outside tournaments."""
    if not match.round:
        return "–"
    return f"{match.stage}.{match.round}" if match.stage else str(match.round)


def by_place(match: matches_pb2.Match) -> list[tuple[str, int]]:
    """Return the entrants with their places, the best first; by seat, with place 0, as long as there is no outcome."""
    places = match.outcome.places or [0] * len(match.entrants)
    return sorted(zip(match.entrants, places, strict=True), key=lambda one: one[1])


def node_state(node: nodes_pb2.Node) -> str:
    """Return what a node does: whether it plays, and what it does for all nodes."""
    state = gettext("drains") if node.draining else gettext("plays") if node.room else gettext("starts")
    return "; ".join([state, ", ".join(node.roles)] if node.roles else [state])


def ranks(standing: standings_pb2.Standing) -> str:
    """Return the ranks that a row may truly have, as `1–3`; empty before it has played."""
    if standing.best_rank == standing.worst_rank:
        return f"{standing.best_rank or ''}"
    return f"{standing.best_rank}–{standing.worst_rank}"


def level(row: ratings_pb2.RatedBot) -> str:
    """Return the letters of a bot's groups on a ladder, as `a` or `b–d`; empty for a bot without a place."""
    if not row.settled:
        return ""
    first, last = letter(row.group - 1), letter(row.last_group - 1)
    return first if first == last else f"{first}–{last}"


def _words_of(words: Mapping[Any, str]) -> Callable[[Any], str]:
    """Return what says one of these words in the language of the reader."""
    return lambda key: gettext(words[key])


FILTERS = {
    **ACT_FILTERS,
    **PROGRAM_FILTERS,
    **WEBHOOK_FILTERS,
    "account_role": _words_of(ROLES),
    "age": age,
    "balance": balance,
    "by_place": by_place,
    "cause": cause,
    "challengers_word": CHALLENGERS.__getitem__,
    "date": date,
    "decimal": decimal,
    "duration": duration,
    "event_state": _words_of(EVENT_STATES),
    "in_zone": in_zone,
    "iso_moment": datetime.isoformat,
    "member_role": _words_of(MEMBER_ROLES),
    "translated": translated,
    "family": _words_of(FAMILY_WORDS),
    "game_label": game_words,  # commands take the other one
    "game_name": game_name,
    "grouped": grouped,
    "iso": iso,
    "level": level,
    "match_state": match_state,
    "node_state": node_state,
    "ordinal": ordinal,
    "round_of": round_of,
    "sentence": sentence,
    "side": side_name,
    "signed": signed,
    "time_control": time_control,
    "token_scope": _words_of(TOKEN_SCOPES),
    "boards": boards,
    "stage_words": stage_words,
    "is_knockout": is_knockout,
    "tournament_status": tournament_status,
    "void_reason": void_reason,
}
