"""Why a bot on a ladder has no table, as a value and as a sentence."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from farfalia_tournaments.errors import TournamentError
from farfalia_tournaments.ladder import Candidate, companies, in_line


class Reason(StrEnum):
    """What keeps a bot from being seated."""

    #: It plays as many matches at once as it can.
    AT_CAPACITY = "at-capacity"
    #: Fewer others wait than a table needs.
    TOO_FEW = "too-few"
    #: Enough others wait, but not of enough different owners.
    ONLY_SIBLINGS = "only-siblings"
    #: Tables begin, and others came first.
    IN_LINE = "in-line"


@dataclass(frozen=True, slots=True)
class Waiting:
    """Why a bot waits, its place in line if it has one, and for about how many seconds if that can be told."""

    reason: Reason
    place: int | None
    seconds: float | None
    sentence: str


def why_waiting(
    entrant: int,
    candidates: Sequence[Candidate],
    seats: int,
    *,
    seconds_between_tables: float | None = None,
    seconds_per_match: float | None = None,
    siblings: bool = False,
) -> Waiting:
    """Return why one of the candidates waits, with the same rules as `next_table`.

    The seconds are means that the caller has measured, None while there are none. The time in line is an estimate: a
    bot that has played less may come and be seated first. Raises TournamentError if the entrant is no candidate.
    """
    me = next((candidate for candidate in candidates if candidate.entrant == entrant), None)
    if me is None:
        raise TournamentError(f"entrant {entrant}: expected one of the {len(candidates)} candidates")
    if me.capacity <= 0:
        return _waiting(Reason.AT_CAPACITY, seconds_per_match, "It plays as many matches at once as it can.")
    line = in_line(candidates)
    needed, others = seats - 1, len(line) - 1
    if others < needed:
        return _waiting(Reason.TOO_FEW, None, f"A table needs {_others(needed)}, and {_are(others)} waiting.")
    fitting = len(companies(line, siblings))
    if fitting < seats:
        sentence = f"A table needs {_others(needed)}, all of different owners, and {_are(fitting - 1)} waiting."
        return _waiting(Reason.ONLY_SIBLINGS, None, sentence)
    place = 1 + line.index(me)
    tables = min(place, -(-others // needed))
    seconds = None if seconds_between_tables is None else tables * seconds_between_tables
    if place == 1:
        return Waiting(Reason.IN_LINE, place, seconds, "It is the first in line, and sits at the next table.")
    sentence = f"It is number {place} of {len(line)} in line, by matches played; a table seats {seats}."
    return Waiting(Reason.IN_LINE, place, seconds, sentence)


def _waiting(reason: Reason, seconds: float | None, sentence: str) -> Waiting:
    return Waiting(reason, None, seconds, sentence)


def _others(number: int) -> str:
    return f"{number} other" if number == 1 else f"{number} others"


def _are(number: int) -> str:
    return {0: "none is", 1: "1 is"}.get(number, f"{number} are")
