"""A match is taken up from its journal exactly as it stood, in every game, with any mix of seats.

The journal is kept in memory, and the bots answer by the dice: what Redis and streams do is tested elsewhere.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable, Sequence
from datetime import UTC, datetime

import pytest
from tests.engine.games import ALL, label

from farfalia import bots as house_bots
from farfalia.v1 import journal_pb2, play_pb2
from farfalia_engine import Cause, Deals, Ruleset, TimeControl, ruleset
from farfalia_server.net.measures import Measures
from farfalia_server.play.clock import SeatClock
from farfalia_server.play.connection import BotConnection
from farfalia_server.play.journal import Entry
from farfalia_server.play.match_journal import MatchJournal
from farfalia_server.play.questions import Answer, PendingQuestion, Seating
from farfalia_server.play.seats import BotSeat, HouseSeat, Seat
from farfalia_server.play.table import Table
from farfalia_server.testing import MemoryJournal

MATCH = 12
CONTROL = TimeControl(limit_ms=1000, bank_ms=5000, grace=2)
#: Who sits where, from seat 0 on; beyond the end everybody plays well.
FIELDS = {
    "a house bot opens": ("house", "bot", "rash"),
    "an absent bot opens": ("absent", "bot", "house", "absent"),
    "bots only": ("rash", "bot", "slow"),
}


class FollowedJournal(MemoryJournal):
    """A journal that tells of each entry before anything that depends on it happens."""

    def __init__(self, written: Callable[[bytes], None]) -> None:
        super().__init__()
        self._told = written

    def append(self, entry: Entry) -> None:
        self._told(entry.payload)
        super().append(entry)


async def journal_with(entries: Sequence[bytes], epoch: int) -> MemoryJournal:
    """A journal in which another node has written these entries, and then lost the match to `epoch`."""
    journal = MemoryJournal()
    await journal.claim(MATCH, 1)
    for number, payload in enumerate(entries, 1):
        journal.append(Entry(Owner(), number, payload, lambda _: None))
    await asyncio.sleep(0)
    await journal.claim(MATCH, epoch)
    return journal


class Owner:
    """The node that has written the entries."""

    match, attempt, epoch = MATCH, 1, 1

    def payloads(self, count: int) -> list[bytes]:
        raise AssertionError(f"{count} entries were lost")

    def fail(self, error: Exception) -> None:
        raise error


class Dice:
    """Answers open questions in any order: well, or as the kind of bot does that was asked."""

    def __init__(self, seed: str) -> None:
        self._random = random.Random(seed)
        self._open: list[tuple[str, PendingQuestion]] = []

    def ask(self, kind: str, question: PendingQuestion) -> None:
        self._open.append((kind, question))
        asyncio.get_running_loop().call_soon(self._answer_one)

    def _answer_one(self) -> None:
        kind, question = self._open.pop(self._random.randrange(len(self._open)))
        wrong = kind == "rash" and self._random.random() < 0.1
        cause = self._random.choice((Cause.TIMEOUT, Cause.ILLEGAL, Cause.FAILURE)) if wrong else Cause.BOT
        took_ms = self._random.randrange(1500) if kind == "slow" else 3
        seating = question.seating
        # As a bot's connection does it.
        seating.clock.charge(took_ms)
        if wrong:
            seating.clock.strikes += 1
        if cause is Cause.TIMEOUT:
            seating.late.add(seating.questions)
        question.answered(Answer(None if wrong else self._random.choice(question.legal), cause, took_ms, cause.name))


class DicedConnection(BotConnection):
    """A bot that answers by the dice; `numbers` are those of its questions."""

    def __init__(self, bot: int, kind: str, dice: Dice) -> None:
        loop = asyncio.get_running_loop()

        def soon(callback: Callable[[], None]) -> None:
            loop.call_soon(callback)

        super().__init__(
            bot,
            linger=0.001,
            reconnect_grace=60,
            schedule_flush=soon,
            changed=lambda: None,
            measures=Measures(),
        )
        self._kind = kind
        self._dice = dice
        self.numbers: list[int] = []

    def ask(self, question: PendingQuestion) -> None:
        self.numbers.append(question.seating.questions)
        self._dice.ask(self._kind, question)


def table(rules: Ruleset, field: Sequence[str], epoch: int, journal: MatchJournal, dice: Dice) -> Table:
    seats: list[Seat] = []
    for seat in range(rules.seats):
        kind = field[seat] if seat < len(field) else "bot"
        if kind == "house":
            seats.append(HouseSeat(seat, house_bots.create("random", seat)))
            continue
        seating = Seating(MATCH, seat, SeatClock(CONTROL), play_pb2.Seated(match=MATCH, seat=seat))
        if kind == "absent" and epoch == 1:  # the server that takes the match up waits for it again
            seating.absence = "the bot was not connected"
        seats.append(BotSeat(seat, DicedConnection(seat, kind, dice), seating))
    return Table(
        MATCH,
        1,
        epoch,
        rules.new_match(Deals(bytes(32))),
        seats,
        journal,
        house="greedy",
        seed=1,
        measures=Measures(),
        now=lambda: datetime.now(UTC),
    )


def standing(table: Table) -> list[object]:
    """Everything that must be the same when the match is taken up; of questions, those that were answered."""
    state = table.state
    seats = [
        (
            seat.house is not None,
            seating and seating.questions - (seat.seat in table._asked_seats),
            seating and seating.late,
            seating and (seating.clock.bank_ms, seating.clock.strikes),
        )
        for seat in table.seats
        for seating in [seat.seating if isinstance(seat, BotSeat) else None]
    ]
    names = [name for kind in type(state).__mro__ for name in getattr(kind, "__slots__", ()) if name != "_deals"]
    truth = {name: getattr(state, name) for name in names}
    # Both only grow, so what came before has been compared.
    actions, incidents = (len(table.actions), table.actions[-60:]), (len(table.incidents), table.incidents[-8:])
    return [table.started, actions, incidents, table.forfeits, seats, truth]


#: Every game and option with one field, and with all of them where sides, dummies and simultaneous decisions differ.
CASES = [
    pytest.param(game, field, id=f"{label(game)}, {field}")
    for number, game in enumerate(ALL)
    for count, field in enumerate(FIELDS)
    if count == number % len(FIELDS) or (game[0] in ("chinkway", "three", "two") and "burnin" not in game[1])
]


@pytest.mark.parametrize(("game", "who"), CASES)
async def test_a_match_is_taken_up_from_every_entry_as_it_stood(game: tuple[str, dict[str, str]], who: str) -> None:
    name, options = game
    rules, field = ruleset(name, options), FIELDS[who]

    dice = Dice(f"{label(game)} {field}")

    def compare(payload: bytes) -> None:
        # To take up one entry more is to take the match up from there: the last one stands where it stood.
        follower._replay_entry(journal_pb2.JournalEntry.FromString(payload))
        assert standing(follower) == standing(played)

    journal = FollowedJournal(compare)
    await journal.claim(MATCH, 1)
    played = table(rules, field, 1, journal, dice)
    follower = table(rules, field, 2, MemoryJournal(), dice)
    await played.play([])
    assert (follower.actions, follower.incidents) == (played.actions, played.incidents)
    assert follower.state.outcome == played.state.outcome is not None
    entries = await journal.read(MATCH, 1)
    assert follower.payloads(len(entries)) == entries

    for upto in (1, len(entries) // 2):
        before = await journal_with(entries[:upto], epoch=2)
        again = table(rules, field, 2, before, dice)
        again._recover(entries[:upto])
        replied = [seat.seating.questions for seat in again.bot_seats]
        again = table(rules, field, 2, before, dice)
        await again.play(entries[:upto])
        assert again.state.outcome is not None
        assert (await before.read(MATCH, 1))[:upto] == entries[:upto]
        for seat, first in zip(again.bot_seats, replied, strict=True):
            assert isinstance(seat.connection, DicedConnection)
            numbers = seat.connection.numbers
            assert numbers == list(range(first + 1, first + 1 + len(numbers)))
