"""The record of a match as plain values, field for field the contract's `Record`, and its digest."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import IntEnum
from hashlib import sha256
from typing import Any, Final, NamedTuple

from farfalia_engine.outcome import Outcome

#: The version of the format that is written.
FORMAT: Final = 2
#: Those that are read. Records of the first do not say how chance was drawn, nor surely whether a bot without a strike
#: was asked anything; in those of the second, chance comes from the board's key, and the missing strike says that it
#: was not. Nothing else differs.
FORMATS: Final = (1, FORMAT)

_ACTION = '{"action":%d,"at_ms":%d,"cause":%d,"seat":%d,"took_ms":%d}'


class Cause(IntEnum):
    """Why an action or an incident came about, with the contract's numbers.

    >>> Cause(3).name
    'TIMEOUT'
    """

    UNSPECIFIED = 0
    #: The bot at the seat answered.
    BOT = 1
    #: There was one legal action only; nobody was asked.
    FORCED = 2
    #: The bot gave no answer in time.
    TIMEOUT = 3
    #: The bot's answer was not among the legal actions.
    ILLEGAL = 4
    #: The bot said that it failed at this question.
    FAILURE = 5
    #: The bot was not connected.
    ABSENT = 6
    #: A house bot holds the seat.
    HOUSE = 7
    #: The server was at fault.
    SERVER = 8


@dataclass(frozen=True, slots=True)
class RecordSeat:
    """Who sat at a seat; `house` if a house bot held it from the start, `nonce` if the bot added one to the secret,
    `person` if a person played as the bot.

    >>> RecordSeat("Ada", "ada", "1").house
    False
    """

    name: str
    bot: str = ""
    version: str = ""
    house: bool = False
    nonce: bytes = b""
    person: bool = False


@dataclass(frozen=True, slots=True)
class Beacon:
    """A public value, one of the nonces as UTF-8, whose source and round were announced with the commitment.

    Times are milliseconds since 1970 began, UTC.

    >>> Beacon("drand", "round 42", "9af3", announced_ms=1_000, given_ms=2_000).value
    '9af3'
    """

    source: str
    round: str
    value: str
    announced_ms: int
    given_ms: int


@dataclass(frozen=True, slots=True)
class DealSource:
    """Where the deals came from; the secret is empty until it is public.

    >>> DealSource(commitment(bytes(32)), (), "board-1", bytes(32)).secret
    b''
    """

    commitment: bytes
    nonces: tuple[bytes, ...]
    board: str
    board_key: bytes
    secret: bytes = b""
    beacon: Beacon | None = None
    #: SHA-256 of the value function of luck, published with the commitment; empty if the game had none.
    value_function: bytes = b""
    #: The day, such as "2026-11-28", whose board it is: the same in all matches that play it. Empty for all others.
    daily: str = ""


@dataclass(frozen=True, slots=True)
class TimeControl:
    """How much time a seat has: milliseconds per decision and in the bank, and the strikes that it survives.

    >>> TimeControl(limit_ms=1_000, bank_ms=30_000, grace=3).grace
    3
    """

    limit_ms: int
    bank_ms: int
    grace: int


# A record has hundreds of actions, and a tuple is made several times faster than a frozen dataclass.
class RecordedAction(NamedTuple):
    """One action: when, in milliseconds since the first could be taken, and what the seat was charged for it.

    >>> RecordedAction(0, 12, at_ms=5, took_ms=3, cause=Cause.BOT).action
    12
    """

    seat: int
    action: int
    at_ms: int
    took_ms: int
    cause: Cause


@dataclass(frozen=True, slots=True)
class Incident:
    """What happened at the table beside the play, after `action_index` actions.

    >>> Incident(2, 17, Cause.TIMEOUT, strikes=1, taken_over=False, text="no answer in time").cause.name
    'TIMEOUT'
    """

    seat: int
    action_index: int
    cause: Cause
    strikes: int
    taken_over: bool
    text: str


class TakenBack(NamedTuple):
    """An action that a person decided anew, by its place, and how many decisions it had taken back there.

    >>> TakenBack(17, decisions=2)._asdict()
    {'action_index': 17, 'decisions': 2}
    """

    action_index: int
    decisions: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """One match, whole.

    >>> record = Record(
    ...     engine="1.0.0",
    ...     match=1,
    ...     ruleset="four",
    ...     seats=(),
    ...     source=DealSource(bytes(32), (), "board-1", board_key=bytes(32)),
    ...     time_control=TimeControl(limit_ms=1_000, bank_ms=0, grace=0),
    ...     actions=(),
    ...     outcome=None,
    ...     started_ms=1,
    ...     finished_ms=2,
    ... )
    >>> len(record.computed_digest())
    32
    """

    format: int = FORMAT
    #: Version of the engine that played it.
    engine: str
    match: int
    #: 0 if there was none.
    tournament: int = 0
    ruleset: str
    options: Mapping[str, str] = field(default_factory=dict, hash=False)
    seats: tuple[RecordSeat, ...]
    source: DealSource
    time_control: TimeControl
    actions: tuple[RecordedAction, ...]
    incidents: tuple[Incident, ...] = ()
    #: None for a match that was not finished.
    outcome: Outcome | None
    #: Milliseconds since 1970 began, UTC.
    started_ms: int
    #: Milliseconds since 1970 began, UTC.
    finished_ms: int
    digest: bytes = b""
    #: The actions, by their places, that somebody decided after a hint, ascending.
    hinted: tuple[int, ...] = ()
    #: The actions that a person decided anew, ascending.
    taken_back: tuple[TakenBack, ...] = ()

    def canonical(self) -> bytes:
        """Return the one spelling of everything but the secret and the digest, as `docs/records.md` describes it."""
        source, control, outcome = self.source, self.time_control, self.outcome
        document: dict[str, Any] = {
            "format": self.format,
            "engine": self.engine,
            "match": self.match,
            "tournament": self.tournament,
            "ruleset": self.ruleset,
            "options": dict(self.options),
            "seats": [
                {
                    "name": seat.name,
                    "bot": seat.bot,
                    "version": seat.version,
                    "house": seat.house,
                    "nonce": seat.nonce.hex(),
                    # Left out of all others: they are spelled as before there were persons.
                    **({"person": True} if seat.person else {}),
                }
                for seat in self.seats
            ],
            "source": {
                "commitment": source.commitment.hex(),
                "nonces": [nonce.hex() for nonce in source.nonces],
                "board": source.board,
                "board_key": source.board_key.hex(),
                "beacon": source.beacon
                and {
                    "source": source.beacon.source,
                    "round": source.beacon.round,
                    "value": source.beacon.value,
                    "announced": source.beacon.announced_ms,
                    "given": source.beacon.given_ms,
                },
                # Records from before there was one are spelled as they were.
                **({"value_function": source.value_function.hex()} if source.value_function else {}),
                **({"daily": source.daily} if source.daily else {}),
            },
            "time_control": {
                "limit_ms": control.limit_ms,
                "bank_ms": control.bank_ms,
                "grace": control.grace,
            },
            "incidents": [
                {
                    "seat": incident.seat,
                    "action_index": incident.action_index,
                    "cause": int(incident.cause),
                    "strikes": incident.strikes,
                    "taken_over": incident.taken_over,
                    "text": incident.text,
                }
                for incident in self.incidents
            ],
            "outcome": outcome
            and {
                "points": outcome.points,
                "places": outcome.places,
                "deals": [{"points": points} for points in outcome.deals],
                "forfeits": outcome.forfeits,
            },
            "started": self.started_ms,
            "finished": self.finished_ms,
            # Left out of all others: they are spelled as before there were hints.
            **({"hinted": self.hinted} if self.hinted else {}),
            **({"taken_back": [one._asdict() for one in self.taken_back]} if self.taken_back else {}),
        }
        rest = json.dumps(document, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        # The actions are nearly all of it and the first of its members: written out, they take a quarter of the time.
        actions = ",".join([_ACTION % (a.action, a.at_ms, a.cause, a.seat, a.took_ms) for a in self.actions])
        return f'{{"actions":[{actions}],{rest[1:]}'.encode()

    def computed_digest(self) -> bytes:
        """Return the SHA-256 of `canonical`: what the field `digest` has to hold."""
        return sha256(self.canonical()).digest()
