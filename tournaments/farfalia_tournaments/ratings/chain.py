"""The chain of a ladder: what each rated match did to ratings, each entry with the hash of the one before.

Anyone who keeps one hash can tell later whether anything before it has been changed: the order of rating, a record or a
rating. `docs/records.md` has the form of an entry.
"""

from __future__ import annotations

import json
import math
import re
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from hashlib import sha256
from typing import Any, Final

from farfalia_tournaments.errors import TournamentError
from farfalia_tournaments.ratings.ratings import Rating, RatingSystem, rate
from farfalia_tournaments.ratings.settling import Company
from farfalia_tournaments.ratings.systems.trueskill import TrueSkill
from farfalia_tournaments.results import MatchResult

#: Deviation of a newcomer, and of a new version, in every system of rating.
NEW_SIGMA: Final = TrueSkill().sigma

_HASH = re.compile("[0-9a-f]{64}")
_FIELDS: Final[dict[str, type]] = {
    "before": str,
    "digest": str,
    "entry": int,
    "hash": str,
    "ladder": str,
    "match": int,
    "seats": list,
    "system": str,
}
_SEAT_FIELDS: Final[dict[str, type]] = {"bot": str, "id": int, "version": str}
#: In the entry, and in each of its seats, of a match that was rated by points less luck.
_BETA_FIELD: Final[dict[str, type]] = {"beta": str}
_LUCK_FIELD: Final[dict[str, type]] = {"luck": int}
_RATING_FIELDS: Final[dict[str, type]] = {"mu": str, "sigma": str}
#: Digits of a number that is read, at most.
_DIGITS = 40


@dataclass(frozen=True, slots=True)
class ChainSeat:
    """Who sat at a seat: the bot's name, its number and its version; `rating` is the one after the match, None if it
    was not rated. `luck` is what its cards were worth, in thousandths of a point, 0 if luck was left in.
    """

    bot: str
    number: int
    version: str
    rating: Rating | None
    luck: int = 0


@dataclass(frozen=True)
class ChainEntry:
    """An entry of a ladder's chain; `number` counts from 1, `before` is the hash of the entry before, empty in the
    first one, and `digest` that of the match's record, empty if there is none. Both are hexadecimal. `beta` is the
    performance noise of a match that was rated by points less luck, None if it was rated as it was played.
    """

    ladder: str
    number: int
    match: int
    digest: str
    system: str
    seats: tuple[ChainSeat, ...]
    before: str
    beta: float | None = None

    @cached_property
    def hash(self) -> str:
        """The SHA-256 of the entry's canonical form."""
        return sha256(_canonical(self._fields()).encode()).hexdigest()

    def line(self) -> str:
        """Return the entry as it is published: its canonical form with the hash as one more member."""
        return _canonical({**self._fields(), "hash": self.hash})

    @property
    def luck(self) -> tuple[Fraction, ...]:
        """The luck that was taken out, by seat, in points; empty if it was left in."""
        return () if self.beta is None else tuple(Fraction(seat.luck, 1000) for seat in self.seats)

    def _fields(self) -> dict[str, Any]:
        seats = [_seat_fields(seat) for seat in self.seats]
        if self.beta is not None:
            seats = [fields | {"luck": seat.luck} for fields, seat in zip(seats, self.seats, strict=True)]
        return {
            "before": self.before,
            "digest": self.digest,
            "entry": self.number,
            "ladder": self.ladder,
            "match": self.match,
            "seats": seats,
            "system": self.system,
            **({} if self.beta is None else {"beta": repr(self.beta)}),
        }


@dataclass(frozen=True, slots=True)
class PublishedEntry:
    """An entry as it was read, and the hash that stands in it."""

    entry: ChainEntry
    hash: str


class VersionedRatings:
    """The ratings of the versions of bots on one ladder; bots are numbers. `is_house` knows house bots by name."""

    def __init__(self, system: RatingSystem, is_house: Callable[[str], bool]) -> None:
        self._system = system
        self._is_house = is_house
        self._ratings: dict[tuple[int, str], Rating] = {}
        #: The version of each bot that was rated last.
        self._last: dict[int, str] = {}
        #: What the matches of each version have counted so far.
        self._counted: defaultdict[tuple[int, str], int] = defaultdict(int)

    def of(self, bot: int, version: str) -> Rating:
        """Return the rating of a version of a bot, or what it starts with: what the version before was thought to be
        worth, and a newcomer's uncertainty.
        """
        known = self._ratings.get((bot, version))
        if known is not None:
            return known
        last = self._last.get(bot)
        return self._system.prior if last is None else Rating(self._ratings[bot, last].mu, NEW_SIGMA)

    def before(self, entry: ChainEntry) -> dict[int, Rating]:
        """Return what the bots of an entry had before its match."""
        return {seat.number: self.of(seat.number, seat.version) for seat in entry.seats}

    def after(self, entry: ChainEntry, result: MatchResult[int]) -> dict[int, Rating]:
        """Return the ratings after the match of an entry, by bot; of the entry's own nothing is taken.

        Nothing is kept of them.
        """
        return rate(self.before(entry), result, self._system, entry.beta, self._company(entry))

    def learn(self, entry: ChainEntry) -> None:
        """Take over the ratings that stand in an entry, and what its match counts."""
        company = self._company(entry)
        for seat in entry.seats:
            if seat.rating is not None:
                self._ratings[seat.number, seat.version] = seat.rating
                self._last[seat.number] = seat.version
                self._counted[seat.number, seat.version] += company.parts(seat.number)

    def _company(self, entry: ChainEntry) -> Company[int]:
        """Return who sits at the table: all who were rated, and house bots; the others missed the match."""
        house = {seat.number for seat in entry.seats if self._is_house(seat.bot)}
        there = [seat for seat in entry.seats if seat.rating is not None or seat.number in house]
        counted = {seat.number: self._counted[seat.number, seat.version] for seat in there}
        return Company(counted, house, entry.number)


def read_entry(line: str) -> PublishedEntry:
    """Return the entry of a line; TournamentError says what is wrong with it."""
    try:
        document = json.loads(line)
    except (ValueError, RecursionError):
        raise TournamentError("a line of a chain is not JSON") from None
    if not isinstance(document, dict):
        raise TournamentError("a line of a chain is not an object")
    return _read(document)


def is_entry(document: Any) -> bool:
    """Return whether what was read is meant as an entry of a chain."""
    return isinstance(document, dict) and "before" in document and "entry" in document


def _read(document: dict[str, Any]) -> PublishedEntry:
    number = document.get("entry")
    where = f"entry {number}" if isinstance(number, int) else "an entry"
    less_luck = "beta" in document
    _check(document, _FIELDS | (_BETA_FIELD if less_luck else {}), where)
    for name in ("before", "digest", "hash"):
        if document[name] and not _HASH.fullmatch(document[name]):
            raise TournamentError(f"{where}: {name} is {document[name][:80]!r}, expected 64 hexadecimal digits")
    seats = []
    for index, seat in enumerate(document["seats"]):
        which = f"{where}, seat {index}"
        if not isinstance(seat, dict):
            raise TournamentError(f"{which}: expected an object")
        rated = bool(seat.keys() & _RATING_FIELDS.keys())
        fields = _SEAT_FIELDS | (_RATING_FIELDS if rated else {}) | (_LUCK_FIELD if less_luck else {})
        _check(seat, fields, which)
        rating = Rating(_number(seat["mu"], which), _number(seat["sigma"], which)) if rated else None
        seats.append(ChainSeat(seat["bot"], seat["id"], seat["version"], rating, seat.get("luck", 0)))
    beta = _number(document["beta"], where) if less_luck else None
    if beta is not None and not 0 < beta < math.inf:
        raise TournamentError(f"{where}: beta is {beta}, expected a finite number above 0")
    entry = ChainEntry(
        document["ladder"],
        document["entry"],
        document["match"],
        document["digest"],
        document["system"],
        tuple(seats),
        document["before"],
        beta,
    )
    return PublishedEntry(entry, document["hash"])


def _check(document: dict[str, Any], fields: dict[str, type], where: str) -> None:
    for name, kind in fields.items():
        if type(document.get(name)) is not kind:
            raise TournamentError(f"{where}: {name} is missing or of the wrong type, expected {_KINDS[kind]}")
    for name in document:
        if name not in fields:
            raise TournamentError(f"{where}: there is no field {name[:80]!r}")


_KINDS: Final = {str: "a text", int: "a whole number", list: "a list"}


def _number(text: str, where: str) -> float:
    """Return a number that is written as the shortest decimals of a double, and no other way."""
    try:
        number = float(text) if len(text) <= _DIGITS else None
    except ValueError:
        number = None
    if number is None or repr(number) != text:
        raise TournamentError(f"{where}: {text[:80]!r} is not the shortest decimal form of a double")
    return number


def _seat_fields(seat: ChainSeat) -> dict[str, Any]:
    fields: dict[str, Any] = {"bot": seat.bot, "id": seat.number, "version": seat.version}
    if seat.rating is not None:
        fields |= {"mu": repr(seat.rating.mu), "sigma": repr(seat.rating.sigma)}
    return fields


def _canonical(fields: dict[str, Any]) -> str:
    return json.dumps(fields, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
