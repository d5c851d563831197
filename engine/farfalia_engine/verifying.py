"""Checking a record: does it follow from its own deals and actions, and does nothing in it contradict the rest?"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

from farfalia_engine import conduct
from farfalia_engine.card_luck import luck
from farfalia_engine.deals import KEY_BYTES, NONCE_BYTES, board_key, commitment
from farfalia_engine.errors import BadKey, RulesetError, UnreplayableRecord
from farfalia_engine.interfaces import Ruleset
from farfalia_engine.outcome import Outcome
from farfalia_engine.record import FORMATS, Beacon, Record
from farfalia_engine.replaying import replay
from farfalia_engine.rulesets import ruleset
from farfalia_engine.version import VERSION

#: How a version of the engine is written.
_VERSION: Final = re.compile(r"\d+\.\d+\.\d+([-.+]?[a-z0-9]+)*")
_DAY: Final = re.compile(r"\d{4}-\d{2}-\d{2}")
_DIGEST_BYTES: Final = 32


@dataclass(frozen=True, slots=True)
class Verdict:
    """What does not hold, the first thing first, what could not be checked, and what was found to hold.

    >>> Verdict(violations=(), unchecked=()).holds
    True
    """

    violations: tuple[str, ...]
    unchecked: tuple[str, ...]
    checked: tuple[str, ...] = ()

    @property
    def holds(self) -> bool:
        """Whether nothing was found wrong."""
        return not self.violations


def verify(record: Record) -> Verdict:
    """Play the record again and compare all that it says with what comes out; never raises for what the record holds.

    Everything is refused that the rest of the record contradicts. What is left is the server's word: who was at the
    seats, when it was, why an answer failed; `docs/records.md` says it field by field.

    >>> record = Record(
    ...     engine="1.0.0",
    ...     match=0,
    ...     ruleset="four",
    ...     seats=(),
    ...     source=DealSource(bytes(32), (), "board-1", board_key=bytes(32)),
    ...     time_control=TimeControl(limit_ms=1_000, bank_ms=0, grace=0),
    ...     actions=(),
    ...     outcome=None,
    ...     started_ms=1,
    ...     finished_ms=2,
    ... )
    >>> "the match has number 0, expected at least 1" in verify(record).violations
    True
    """
    if record.format not in FORMATS:
        expected = " or ".join(map(str, FORMATS))
        return Verdict((f"format {record.format} is unknown, expected {expected}",), ("everything else",))
    source, play = [*_source(record), *_nonces(record)], list[str]()
    violations = [*_heading(record), *source, *_forfeits(record)]
    unchecked: list[str] = []
    checked: list[str] = []
    if not record.source.secret:
        unchecked.append("the secret is not public yet: commitment and board key were not checked against it")
    silent = [seat.name for seat in record.seats if not seat.house and not seat.nonce]
    if record.source.daily:
        unchecked.append(
            f"that everyone who played the board of {record.source.daily} had these cards: compare their commitments"
        )
    elif silent:
        unchecked.append(
            f"no nonce was given by {', '.join(silent)}: they have no proof that the deals were not chosen"
        )
    unchecked += _times(record)
    try:
        for violation in _play(record):
            play.append(violation)
    except (UnreplayableRecord, RulesetError) as error:
        play.append(str(error))
        unchecked.append("points and places: the play could not be repeated to its end")
    violations += play
    violations += conduct.violations(record)
    if not source and not play:
        checked.append(_origin(record))
    if not play and record.outcome is not None:
        checked.append(f"{len(record.outcome.deals)} deals, {len(record.actions)} actions, points and places")
    if not violations and record.source.value_function:
        found = _luck(record)
        (checked if found else unchecked).append(
            found
            or f"the luck of the cards: this engine does not have value function {record.source.value_function.hex()}"
        )
    if not record.digest:
        unchecked.append("the record has no digest")
    elif len(record.digest) != _DIGEST_BYTES:
        violations.append(f"the digest has {len(record.digest)} bytes, expected {_DIGEST_BYTES}")
    elif record.digest != (digest := record.computed_digest()):
        violations.append(f"the digest is {record.digest.hex()}, expected {digest.hex()}")
    else:
        checked.append("the digest")
    return Verdict(tuple(violations), tuple(unchecked), tuple(checked))


def _heading(record: Record) -> Iterator[str]:
    """Yield who played what, when, and by which engine."""
    if not _VERSION.fullmatch(record.engine):
        yield f"engine {record.engine or '(none)'} played it, expected a version such as {VERSION}"
    elif record.engine.split(".")[0] != VERSION.split(".")[0]:
        yield f"engine {record.engine} played it, and this is engine {VERSION}: another major version"
    if record.match < 1:
        yield f"the match has number {record.match}, expected at least 1"
    if record.tournament < 0:
        yield f"the tournament has number {record.tournament}, expected at least 0"
    if record.started_ms < 1:
        yield "the record does not say when the match began"
    yield from _entrants(record)


def _times(record: Record) -> Iterator[str]:
    """Yield what happened in another order by its times than it must have: no fault, since clocks are set back."""
    beacon, odd = record.source.beacon, []
    if record.started_ms and record.finished_ms < record.started_ms:
        odd.append(f"the match ended {record.started_ms - record.finished_ms} ms before it began")
    if beacon is not None and beacon.given_ms < beacon.announced_ms:
        odd.append("the value of the beacon was given before the beacon was announced")
    if beacon is not None and beacon.given_ms > record.started_ms:
        odd.append("the match began before the value of the beacon was given")
    if odd:
        yield f"the times: {', and '.join(odd)}; a clock was set back, or the times are made up"


def _entrants(record: Record) -> Iterator[str]:
    """Yield whose seats these are: one name is one bot, and one bot has one nonce of its own."""
    by_name: dict[str, tuple[str, str]] = {}
    by_bot: dict[tuple[str, str], tuple[bool, bytes]] = {}
    by_nonce: dict[bytes, tuple[str, tuple[str, str]]] = {}
    for number, seat in enumerate(record.seats):
        if not seat.name or not seat.bot:
            yield f"seat {number} has name {seat.name!r} and bot {seat.bot!r}, expected both"
        bot = seat.bot, seat.version
        if by_name.setdefault(seat.name, bot) != bot:
            yield f"{seat.name} is bot {' '.join(by_name[seat.name])} and bot {' '.join(bot)}, expected one"
        if by_bot.setdefault(bot, (seat.house, seat.nonce)) != (seat.house, seat.nonce):
            yield f"bot {' '.join(bot)} has several seats, expected one nonce at all of them and house or not"
        other, gave = by_nonce.setdefault(seat.nonce, (seat.name, bot))
        if seat.nonce and gave != bot:
            yield f"{seat.name} and {other} have the same nonce, {seat.nonce.hex()}, expected different ones"
        if seat.house and seat.nonce:
            yield f"seat {number} ({seat.name}) has a nonce, expected none of a house bot"
        if seat.house and seat.person:
            yield f"seat {number} ({seat.name}) has a person and a house bot, expected one of them"


def _source(record: Record) -> Iterator[str]:
    source = record.source
    if not source.board:
        yield "the board has no name"
    if len(source.value_function) not in (0, KEY_BYTES):
        yield f"the value function has {len(source.value_function)} bytes, expected {KEY_BYTES} of its SHA-256, or none"
    if len(source.commitment) != KEY_BYTES:
        yield f"the commitment has {len(source.commitment)} bytes, expected {KEY_BYTES}"
    yield from _daily(record)
    if not source.secret:
        return
    try:
        committed = commitment(source.secret)
        key = board_key(source.secret, source.nonces, source.board)
    except BadKey as error:
        yield str(error)
        return
    if source.commitment != committed:
        yield f"the commitment is {source.commitment.hex()}, but the secret's is {committed.hex()}"
    if source.board_key != key:
        yield f"the board key is {source.board_key.hex()}, but secret, nonces and board give {key.hex()}"


def _daily(record: Record) -> Iterator[str]:
    """Yield what a board of a day cannot have, if the record says that it is one."""
    source = record.source
    if not source.daily:
        return
    if not _DAY.fullmatch(source.daily):
        yield f"the board is of the day {source.daily!r}, expected one such as 2026-11-28"
    if source.nonces:
        yield f"the board of a day has {len(source.nonces)} nonces, expected none: all who play it have its cards"
    if record.tournament:
        yield f"the board of a day was played in tournament {record.tournament}, expected none"


def _luck(record: Record) -> str:
    """Return what the cards of a record that holds were worth."""
    points = luck(record)
    if points is None:
        return ""
    names = (f"{seat.name} {float(own):+.1f}" for seat, own in zip(record.seats, points, strict=True))
    function = record.source.value_function.hex()
    return f"the luck of the cards in points, by value function {function[:16]}…: {', '.join(names)}"


def _nonces(record: Record) -> Iterator[str]:
    source = record.source
    if list(source.nonces) != sorted(source.nonces):
        yield f"the nonces are {_hex(source.nonces)}, expected them in ascending order"
    if not source.secret:  # otherwise the board key cannot be computed, and that is said
        for nonce in source.nonces:
            if len(nonce) not in NONCE_BYTES:
                yield f"nonce {nonce.hex() or '(empty)'} has {len(nonce)} bytes, expected 8 to 64"
    for seat in record.seats:
        if seat.nonce and seat.nonce not in source.nonces:
            yield f"the nonce of {seat.name}, {seat.nonce.hex()}, is not among the nonces"
    beacon = source.beacon
    if beacon is None:
        return
    if beacon.value.encode(errors="replace") not in source.nonces:
        yield f"the beacon {beacon.value!r} is not among the nonces"


def _hex(nonces: tuple[bytes, ...]) -> str:
    return " ".join(nonce.hex() for nonce in nonces)


def _origin(record: Record) -> str:
    """Return where the deals were found to come from."""
    source = record.source
    if not source.secret:
        return f"every card follows from the key of {source.board}"
    given = sum(bool(seat.nonce) for seat in record.seats)
    return (
        f"every card follows from the secret that was committed to and {len(source.nonces)} nonces, "
        f"{given} of them of this table" + _beacon(source.beacon)
    )


def _beacon(beacon: Beacon | None) -> str:
    if beacon is None:
        return ""
    announced = datetime.fromtimestamp(beacon.announced_ms / 1000, UTC).isoformat(" ", "seconds")
    return (
        f", one the beacon of {beacon.source}, {beacon.round}, which was announced with the commitment ({announced}):"
        f" compare {beacon.value!r} with its source, and when that made it public"
    )


def _forfeits(record: Record) -> Iterator[str]:
    if record.outcome is None:
        return
    taken = tuple(incident.seat for incident in record.incidents if incident.taken_over)
    if record.outcome.forfeits != taken:
        yield f"seats {list(record.outcome.forfeits)} are forfeited, but incidents say {list(taken)}"


def _play(record: Record) -> Iterator[str]:
    """Yield what is wrong with actions and outcome; UnreplayableRecord at an illegal action."""
    rules = ruleset(record.ruleset, record.options)
    function = record.source.value_function
    if record.engine == VERSION and function not in (b"", rules.value_function):
        yield f"the value function is {function.hex()}, but this engine's is {rules.value_function.hex() or '(none)'}"
    if dict(record.options) != rules.options:
        yield f"the options are {dict(record.options)}, expected {rules.options}: those that are not the defaults"
    if len(record.seats) != rules.seats:
        yield f"{len(record.seats)} seats are named, but {rules.name} has {rules.seats}"
    states = replay(record)
    state = next(states)
    questions = conduct.Questions(rules)
    for index, action in enumerate(record.actions):
        pending, legal = state.pending.seats if state.pending else (), state.legal_actions(action.seat)
        yield from questions.violations(index, action, pending, legal)
        next(states)
    outcome = state.outcome
    if outcome is None:
        yield f"the record stops after {len(record.actions)} actions, before the match is over"
    elif record.outcome is None:
        yield "the match is over, but the record has no outcome"
    else:
        yield from _outcome(rules, record.outcome, outcome)


def _outcome(rules: Ruleset, recorded: Outcome, played: Outcome) -> Iterator[str]:
    for number, (said, found) in enumerate(zip(recorded.deals, played.deals, strict=False), 1):
        if said != found:
            yield f"the points of deal {number} are {list(said)}, but the play gives {list(found)}"
    if len(recorded.deals) != len(played.deals):
        yield f"{len(recorded.deals)} deals have points, but {len(played.deals)} were played"
    if recorded.points != played.points:
        yield f"the points are {list(recorded.points)}, but the play gives {list(played.points)}"
    seats = range(len(played.points))
    if len(set(recorded.forfeits)) < len(recorded.forfeits) or not set(recorded.forfeits) <= set(seats):
        yield f"{list(recorded.forfeits)} cannot be forfeited, expected different seats of 0 to {seats[-1]}"
    elif recorded.places != (expected := rules.places(played.points, recorded.forfeits)):
        yield f"the places are {list(recorded.places)}, but points and forfeits give {list(expected)}"
