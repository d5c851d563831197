"""The store's values as the contract's messages."""

from __future__ import annotations

from farfalia.v1 import acts_pb2, bots_pb2, ladders_pb2, matches_pb2, play_pb2, record_pb2, tournaments_pb2
from farfalia_server.records.codec import time_control_message
from farfalia_server.records.messages import beacon_message, timestamp
from farfalia_server.store import (
    Act,
    Bot,
    BotIncident,
    Challengers,
    Ladder,
    LadderRating,
    LogEntry,
    LoggedAct,
    Match,
    MatchState,
    Pause,
    PauseCause,
    TournamentState,
    VoidAttempt,
    VoidReason,
)
from farfalia_tournaments import conservative_rating

TOURNAMENT_STATES = {
    TournamentState.PLANNED: tournaments_pb2.TOURNAMENT_STATE_PLANNED,
    TournamentState.RUNNING: tournaments_pb2.TOURNAMENT_STATE_RUNNING,
    TournamentState.FINISHED: tournaments_pb2.TOURNAMENT_STATE_FINISHED,
    TournamentState.CANCELLED: tournaments_pb2.TOURNAMENT_STATE_CANCELLED,
}
MATCH_STATES = {
    MatchState.PLANNED: matches_pb2.MATCH_STATE_QUEUED,
    MatchState.QUEUED: matches_pb2.MATCH_STATE_QUEUED,
    MatchState.RUNNING: matches_pb2.MATCH_STATE_RUNNING,
    MatchState.FINISHED: matches_pb2.MATCH_STATE_FINISHED,
    MatchState.VOID: matches_pb2.MATCH_STATE_VOID,
    MatchState.CANCELLED: matches_pb2.MATCH_STATE_VOID,
}
#: What the admin is called, who has no account.
ADMIN_NAME = "admin"
CHALLENGERS = {
    Challengers.ANYONE: bots_pb2.CHALLENGERS_ANYONE,
    Challengers.OWNER: bots_pb2.CHALLENGERS_OWNER,
}
#: The inverse of the states.
STATES_SHOWN = {
    shown: tuple(state for state, other in MATCH_STATES.items() if other == shown) for shown in MATCH_STATES.values()
}
VOID_REASONS = {
    VoidReason.UNPLAYABLE: matches_pb2.VOID_REASON_UNPLAYABLE,
    VoidReason.JOURNAL_LOST: matches_pb2.VOID_REASON_JOURNAL_LOST,
    VoidReason.SERVER_FAILED: matches_pb2.VOID_REASON_SERVER_FAILED,
    VoidReason.ABANDONED: matches_pb2.VOID_REASON_ABANDONED,
    VoidReason.NETWORK: matches_pb2.VOID_REASON_NETWORK,
    VoidReason.ORGANISER: matches_pb2.VOID_REASON_ORGANISER,
}
PAUSE_CAUSES = {
    PauseCause.ORGANISER: tournaments_pb2.PAUSE_CAUSE_ORGANISER,
    PauseCause.NETWORK: tournaments_pb2.PAUSE_CAUSE_NETWORK,
}
ACTS = {
    Act.START: acts_pb2.ACT_KIND_START,
    Act.PAUSE: acts_pb2.ACT_KIND_PAUSE,
    Act.RESUME: acts_pb2.ACT_KIND_RESUME,
    Act.VOID: acts_pb2.ACT_KIND_VOID,
    Act.REPLAY: acts_pb2.ACT_KIND_REPLAY,
    Act.ENTER: acts_pb2.ACT_KIND_ENTER,
    Act.WITHDRAW: acts_pb2.ACT_KIND_WITHDRAW,
    Act.REPLACE: acts_pb2.ACT_KIND_REPLACE,
    Act.CANCEL: acts_pb2.ACT_KIND_CANCEL,
    Act.FINISH: acts_pb2.ACT_KIND_FINISH,
    Act.CREATE: acts_pb2.ACT_KIND_CREATE,
    Act.CHANGE: acts_pb2.ACT_KIND_CHANGE,
    Act.PUBLISH: acts_pb2.ACT_KIND_PUBLISH,
    Act.CLOSE: acts_pb2.ACT_KIND_CLOSE,
    Act.JOIN: acts_pb2.ACT_KIND_JOIN,
    Act.SET_MEMBER: acts_pb2.ACT_KIND_SET_MEMBER,
    Act.REMOVE_MEMBER: acts_pb2.ACT_KIND_REMOVE_MEMBER,
    Act.INVITE: acts_pb2.ACT_KIND_INVITE,
    Act.END_INVITATION: acts_pb2.ACT_KIND_END_INVITATION,
    Act.OPEN_LADDER: acts_pb2.ACT_KIND_OPEN_LADDER,
    Act.CLOSE_LADDER: acts_pb2.ACT_KIND_CLOSE_LADDER,
    Act.REVOKE_ACCOUNT: acts_pb2.ACT_KIND_REVOKE_ACCOUNT,
    Act.SET_PASSWORD: acts_pb2.ACT_KIND_SET_PASSWORD,
    Act.ROTATE_TOKEN: acts_pb2.ACT_KIND_ROTATE_TOKEN,
    Act.SUSPEND: acts_pb2.ACT_KIND_SUSPEND,
    Act.LET_BACK: acts_pb2.ACT_KIND_LET_BACK,
    Act.HIDE: acts_pb2.ACT_KIND_HIDE,
    Act.SHOW: acts_pb2.ACT_KIND_SHOW,
    Act.RENAME: acts_pb2.ACT_KIND_RENAME,
    Act.REMOVE: acts_pb2.ACT_KIND_REMOVE,
    Act.STRIKE: acts_pb2.ACT_KIND_STRIKE,
    Act.SCHEDULE: acts_pb2.ACT_KIND_SCHEDULE,
    Act.ANNOUNCE: acts_pb2.ACT_KIND_ANNOUNCE,
    Act.RETRACT: acts_pb2.ACT_KIND_RETRACT,
    Act.LINK_PASSWORD: acts_pb2.ACT_KIND_LINK_PASSWORD,
    Act.CREATE_TOKEN: acts_pb2.ACT_KIND_CREATE_TOKEN,
    Act.REVOKE_TOKEN: acts_pb2.ACT_KIND_REVOKE_TOKEN,
    Act.SET_EMAIL: acts_pb2.ACT_KIND_SET_EMAIL,
}


def pause_message(pause: Pause) -> tournaments_pb2.Pause:
    """Return a pause."""
    return tournaments_pb2.Pause(
        cause=PAUSE_CAUSES[pause.cause], reason=pause.reason, who=pause.who, since=timestamp(pause.since)
    )


def act_message(act: LoggedAct) -> acts_pb2.Act:
    """Return an entry in the log."""
    return acts_pb2.Act(
        kind=ACTS[act.act],
        who=act.who,
        subject=act.subject,
        reason=act.reason,
        time=timestamp(act.happened),
        id=act.id,
        event=act.event,
        tournament=act.tournament_id,
    )


def rating_message(rating: LadderRating) -> play_pb2.Rating:
    """Return a rating, with the conservative rating by which ladders are sorted."""
    message = rating_values(rating.ladder, rating.mu, rating.sigma, rating.matches)
    message.version = rating.version
    return message


def rating_values(ladder: str, mu: float, sigma: float, matches: int) -> play_pb2.Rating:
    """Return a rating from its numbers."""
    return play_pb2.Rating(
        ladder=ladder, mu=mu, sigma=sigma, conservative=conservative_rating(mu, sigma), matches=matches
    )


def bot_message(bot: Bot, ratings: list[LadderRating], *, connected: bool) -> bots_pb2.BotInfo:
    """Return a bot as others see it."""
    return bots_pb2.BotInfo(
        id=bot.id,
        name=bot.name,
        version=bot.version,
        owner=bot.owner,
        house=bot.house,
        registered=timestamp(bot.created),
        connected=connected,
        hidden=bot.hidden,
        removed=bot.removed,
        suspended=bot.barred,
        challengers=CHALLENGERS[bot.challengers],
        person=bot.person,
        ratings=[rating_message(rating) for rating in ratings],
    )


def ladder_message(ladder: Ladder, playing: int) -> ladders_pb2.Ladder:
    """Return an open ladder, with the number of its matches that are queued or in play."""
    return ladders_pb2.Ladder(
        name=ladder.name,
        ruleset=ladder.ruleset,
        options=ladder.options,
        time_control=time_control_message(ladder.time_control),
        tables=ladder.tables,
        siblings=ladder.siblings,
        fill=ladder.fill,
        rungs=ladder.rungs,
        as_played=ladder.as_played,
        event=ladder.event,
        opened=timestamp(ladder.opened),
        playing=playing,
    )


def match_message(match: Match, challenger: str = "") -> matches_pb2.Match:
    """Return a match without its secrets; the points of its deals are in its record. `challenger` is who asked for it,
    if anybody did.
    """
    return matches_pb2.Match(
        id=match.id,
        tournament=match.tournament_id or 0,
        round=match.round,
        ruleset=match.ruleset,
        entrants=[seat.name for seat in match.seats],
        state=MATCH_STATES[match.state],
        outcome=_outcome(match),
        started=timestamp(match.started),
        finished=timestamp(match.finished),
        stage=match.stage,
        record_open=match.record_open,
        board=match.board if match.tournament_id else "",
        luck=[points / 1000 for points in match.result.luck] if match.result else (),
        missed=match.result.missed if match.result else (),
        ladder=match.ladder,
        challenger=challenger,
        persons=[at for at, seat in enumerate(match.seats) if seat.person],
        daily=match.daily,
    )


def void_attempt_message(attempt: VoidAttempt) -> matches_pb2.VoidAttempt:
    """Return a void attempt without its secrets."""
    source = attempt.source
    return matches_pb2.VoidAttempt(
        id=attempt.id,
        match=attempt.match_id,
        tournament=attempt.tournament_id or 0,
        ruleset=attempt.ruleset,
        attempt=attempt.attempt,
        voided=timestamp(attempt.voided),
        open=attempt.open,
        reason=VOID_REASONS[attempt.reason],
        text=attempt.text,
        source=record_pb2.DealSource(
            commitment=source.commitment,
            nonces=source.nonces,
            board=attempt.board,
            board_key=attempt.key,
            secret=source.secret,
            beacon=None if source.beacon is None else beacon_message(source.beacon),
        ),
    )


def incident_message(incident: BotIncident) -> bots_pb2.BotIncident:
    """Return an incident with its match."""
    return bots_pb2.BotIncident(
        match=incident.match_id,
        text_open=incident.text_open,
        version=incident.version,
        incident=record_pb2.Incident(
            seat=incident.seat,
            action_index=incident.action_index,
            cause=incident.cause,  # type: ignore[arg-type]  # the number that the contract gave it
            strikes=incident.strikes,
            taken_over=incident.taken_over,
            text=incident.text,
        ),
    )


def log_message(entry: LogEntry) -> bots_pb2.BotLog:
    """Return a line that a bot sent for its owner."""
    line = play_pb2.LogLine(match=entry.match_id, text=entry.text)
    return bots_pb2.BotLog(time=timestamp(entry.time), line=line, question=entry.question)


def _outcome(match: Match) -> record_pb2.MatchOutcome | None:
    result = match.result
    if result is None:
        return None
    return record_pb2.MatchOutcome(points=result.points, places=result.places, forfeits=result.forfeits)
