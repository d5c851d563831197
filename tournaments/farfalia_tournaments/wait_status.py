"""Why a bot has no table, on a ladder or in a stage, as a value and as a sentence."""

from dataclasses import dataclass
from enum import StrEnum

from farfalia_tournaments.ladder import WaitingPool
from farfalia_tournaments.stages.contest import Contest


class Reason(StrEnum):
    """Why a bot is not seated."""

    #: It plays as many matches at a time as it offers.
    AT_CAPACITY = "at-capacity"
    #: Fewer others wait than a table needs.
    TOO_FEW = "too-few"
    #: Enough others wait, but not of enough different owners.
    ONLY_SIBLINGS = "only-siblings"
    #: Tables begin, and others came first.
    IN_LINE = "in-line"
    #: It has had its matches for now.
    RESTS = "rests"
    #: The event of the ladder has not started, or has ended.
    EVENT_TIMES = "event-times"
    #: It cannot be among the first of a stage any more; tables go to those who can.
    BEHIND = "behind"
    #: It will be among the first of a stage; tables go to those of whom that is open.
    AHEAD = "ahead"
    #: It can still be among the first of a stage, and others got the seats of this round.
    NOT_DRAWN = "not-drawn"


@dataclass(frozen=True, slots=True)
class WaitStatus:
    """Why a bot waits, its place in the queue if it has one, and about how many seconds more if that is known."""

    reason: Reason
    place: int | None
    seconds: float | None
    sentence: str


def why_waiting(pool: WaitingPool, place: int | None, *, seconds_between_tables: float | None = None) -> WaitStatus:
    """Return why a bot waits, with the same rules as `WaitingPool.next_table`.

    `place` is its place in the queue, from `WaitingPool.places`; None if it is not in the pool. The seconds are a mean
    that the caller has measured, None while there is none. The waiting time is an estimate: a bot with fewer matches
    may come and be seated first.
    """
    if place is None:
        return _waiting(Reason.AT_CAPACITY, "It plays as many matches at a time as it can.")
    needed, others = pool.seats - 1, len(pool) - 1
    if others < needed:
        return _waiting(Reason.TOO_FEW, f"A table needs {_others(needed)}, and {_are(others)} waiting.")
    if pool.groups < pool.seats:
        sentence = f"A table needs {_others(needed)}, all of different owners, and {_are(pool.groups - 1)} waiting."
        return _waiting(Reason.ONLY_SIBLINGS, sentence)
    tables = min(place, -(-others // needed))
    seconds = None if seconds_between_tables is None else tables * seconds_between_tables
    if place == 1:
        return WaitStatus(Reason.IN_LINE, place, seconds, "It is the first in line, and sits at the next table.")
    sentence = f"It is number {place} of {len(pool)} in line, by matches played; a table seats {pool.seats}."
    return WaitStatus(Reason.IN_LINE, place, seconds, sentence)


def why_no_table(contest: Contest, entrant: int) -> WaitStatus | None:
    """Return why an entrant of a stage that ends once the first are known has no table in a round.

    None while it is open for every entrant: then it has a bye. At the end of the stage the reason says how it came out.
    """
    first, front = len(contest.first), entrant in contest.first
    among = "first" if first == 1 else f"among the first {first}"
    if contest.known:
        return _waiting(Reason.AHEAD, f"It is {among}.") if front else _waiting(Reason.BEHIND, f"It is not {among}.")
    if entrant in contest.contenders:
        if len(contest.contenders) == first + len(contest.others):
            return None
        sentence = f"It can still be {among}, and has no table in this round: seats are drawn by how open that is."
        return _waiting(Reason.NOT_DRAWN, sentence)
    if front:
        return _waiting(Reason.AHEAD, f"It stays {among}: tables go to those of whom that is open.")
    return _waiting(Reason.BEHIND, f"It cannot be {among} any more: tables go to those who can.")


def _waiting(reason: Reason, sentence: str) -> WaitStatus:
    return WaitStatus(reason, None, None, sentence)


def _others(number: int) -> str:
    return f"{number} other" if number == 1 else f"{number} others"


def _are(number: int) -> str:
    return {0: "none is", 1: "1 is"}.get(number, f"{number} are")
