"""Numbers, moments and states as the pages and the command line word them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime

from google.protobuf.timestamp_pb2 import Timestamp

from farfalia.v1 import (
    accounts_pb2,
    bots_pb2,
    matches_pb2,
    nodes_pb2,
    record_pb2,
    stages_pb2,
    standings_pb2,
    tournaments_pb2,
)
from farfalia_engine.farfalia.wording import FAMILY_WORDS
from farfalia_server.wording.amounts import ago, duration, grouped

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


def sentence(text: str) -> str:
    """Return an error's text, which is written to follow a prefix, as a sentence that stands alone."""
    return f"{text[:1].upper()}{text[1:].removesuffix('.')}."


def game_label(name: str, options: Mapping[str, str]) -> str:
    """Return a game with its options: `farrago order=random players=3`."""
    return " ".join([name, *(f"{option}={value}" for option, value in sorted(options.items()))])


def side_name(number: int) -> str:
    """Return the letter of a side of a deal."""
    return "ABCDE"[number]


def decimal(value: float, places: int) -> str:
    """Return the number with a fixed number of places."""
    return f"{value:.{places}f}".replace("-", "−")


def signed(value: float, places: int) -> str:
    """Return the number with its sign, also if it is positive."""
    return f"{value:+.{places}f}".replace("-", "−")


def ordinal(number: int) -> str:
    """Return 1st, 2nd, 3rd, 4th …"""
    ending = "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"


def iso(stamp: Timestamp) -> str:
    """Return the moment for machines: `2026-11-20T18:22:05Z`."""
    return stamp.ToDatetime(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def date(stamp: Timestamp) -> str:
    """Return the moment for people: `2026-11-20 18:22 UTC`."""
    return stamp.ToDatetime(UTC).strftime("%Y-%m-%d %H:%M UTC")


def age(stamp: Timestamp) -> str:
    """Return how long ago the moment is: `2 minutes ago`."""
    return ago(stamp.ToDatetime(UTC), datetime.now(UTC))


def time_control(control: record_pb2.TimeControl) -> str:
    """Return limit, bank and strikes in one phrase."""
    strikes = "1 strike" if control.grace == 1 else f"{control.grace} strikes"
    limit, bank = duration(control.limit_ms), duration(control.bank_ms)
    return f"{limit} per decision, {bank} in the bank, {strikes} of grace"


def boards(number: int) -> str:
    """Return which matches of a tournament have equal cards."""
    return BOARDS.get(number, "unknown")  # type: ignore[call-overload, no-any-return]


def is_knockout(stage: stages_pb2.Stage) -> bool:
    """Return whether the best of each table advance from round to round."""
    return stage.kind == stages_pb2.STAGE_KIND_KNOCKOUT


def stage_words(stage: stages_pb2.Stage) -> str:
    """Return the kind of a stage and its settings: `Swiss, 7 rounds, datum boards, 10 qualify`."""
    words = [STAGE_KINDS.get(stage.kind, "unknown")]
    if stage.HasField("rounds"):
        words.append("1 round" if stage.rounds == 1 else f"{stage.rounds} rounds")
    if stage.HasField("advance"):
        words.append(f"{stage.advance} of each table advance{'s' * (stage.advance == 1)}")
    if stage.HasField("matches"):
        words.append("1 match per table" if stage.matches == 1 else f"{stage.matches} matches per table")
    words.append(STAGE_BOARDS.get(stage.boards, "unknown boards"))
    if stage.short:
        words.append("as few tables as let everybody meet everybody")
    if stage.carry:
        words.append("scores carried over")
    if stage.HasField("qualifiers"):
        words.append("1 qualifies" if stage.qualifiers == 1 else f"{stage.qualifiers} qualify")
    if stage.HasField("until_first"):
        first = "the first is" if stage.until_first == 1 else f"the first {stage.until_first} are"
        words.append(f"over once {first} known with {stage.until_percent} %")
    return ", ".join(words)


def balance(balances: Sequence[stages_pb2.Balance]) -> str:
    """Return how even a tournament is, in a sentence for each stage: `Stage 1, Swiss: Paired by score; …`."""
    sentences = [f"{STAGE_KINDS.get(one.stage, 'unknown')}: {one.text}" if one.stage else one.text for one in balances]
    if len(sentences) > 1:
        sentences = [f"Stage {number}, {sentence}" for number, sentence in enumerate(sentences, start=1)]
    return " ".join(sentences)


def tournament_state(number: int) -> str:
    """Return its state in one word."""
    return TOURNAMENT_STATES.get(number, "unknown")  # type: ignore[call-overload, no-any-return]


def tournament_status(tournament: tournaments_pb2.Tournament) -> str:
    """Return its state, and of a tournament that was cancelled why."""
    state = tournament_state(tournament.state)
    if tournament.state != tournaments_pb2.TOURNAMENT_STATE_CANCELLED:
        return state
    return f"{state}: {tournament.cancel_reason or 'no reason given'}"


def void_reason(attempt: matches_pb2.VoidAttempt) -> str:
    """Return why an attempt was void, or why that is not shown yet."""
    return attempt.text if attempt.open else "the reason is shown when no match is played on its board any more"


def match_state(number: int) -> str:
    """Return its state in one or two words."""
    return MATCH_STATES.get(number, "unknown")  # type: ignore[call-overload, no-any-return]


def cause(number: int) -> str:
    """Return why an action or an incident came about."""
    return CAUSES.get(number, "unknown")  # type: ignore[call-overload, no-any-return]


def round_of(match: matches_pb2.Match) -> str:
    """Return `3`, or with stages `2.3` for the third round of the second; a dash outside tournaments."""
    if not match.round:
        return "–"
    return f"{match.stage}.{match.round}" if match.stage else str(match.round)


def by_place(match: matches_pb2.Match) -> list[tuple[str, int]]:
    """Return the entrants with their places, the best first; by seat, with place 0, as long as there is no outcome."""
    places = match.outcome.places or [0] * len(match.entrants)
    return sorted(zip(match.entrants, places, strict=True), key=lambda one: one[1])


def role(result: bots_pb2.RoleResult) -> str:
    """Return a role at the table: `dealer, alone`, `2nd after the dealer, with a partner`."""
    place = f"{ordinal(result.position)} after the dealer" if result.position else "dealer"
    company = ["with a dummy"] * result.dummy + ["with a partner"] * result.partner
    return f"{place}, {' and '.join(company) or 'alone'}"


def node_state(node: nodes_pb2.Node) -> str:
    """Return what a node does: whether it plays, and what it does for all nodes."""
    state = "drains" if node.draining else "plays" if node.room else "starts"
    return f"{state}; {', '.join(node.roles)}" if node.roles else state


def ranks(standing: standings_pb2.Standing) -> str:
    """Return the ranks that a row may truly have, as `1–3`; empty before it has played."""
    if standing.best_rank == standing.worst_rank:
        return f"{standing.best_rank or ''}"
    return f"{standing.best_rank}–{standing.worst_rank}"


FILTERS = {
    "age": age,
    "balance": balance,
    "by_place": by_place,
    "cause": cause,
    "date": date,
    "decimal": decimal,
    "duration": duration,
    "family": FAMILY_WORDS.__getitem__,
    "game_label": game_label,
    "grouped": grouped,
    "iso": iso,
    "match_state": match_state,
    "node_state": node_state,
    "ordinal": ordinal,
    "ranks": ranks,
    "role": role,
    "round_of": round_of,
    "sentence": sentence,
    "side": side_name,
    "signed": signed,
    "time_control": time_control,
    "boards": boards,
    "stage_words": stage_words,
    "is_knockout": is_knockout,
    "tournament_status": tournament_status,
    "void_reason": void_reason,
}
