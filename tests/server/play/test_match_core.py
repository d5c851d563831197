"""A match's core, event by event: no loop, no Redis, no stream. What a crash leaves is what the journal has."""

from __future__ import annotations

import ast
import inspect
import random
from collections.abc import Sequence
from types import SimpleNamespace
from typing import cast

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule
from tests.engine.games import ALL, label

from farfalia_engine import (
    Cause,
    Deals,
    Incident,
    Kind,
    Observation,
    Record,
    RecordedAction,
    Ruleset,
    TimeControl,
    missed,
    ruleset,
)
from farfalia_engine.record import FORMAT
from farfalia_server.play import attendance, clock, match_core
from farfalia_server.play.attendance import Attendance
from farfalia_server.play.clock import SeatClock
from farfalia_server.play.match_core import MatchCore, SeatState
from farfalia_server.records import house_bot
from farfalia_server.records.house_bot import HouseBot, Search

CONTROL = TimeControl(limit_ms=1000, bank_ms=5000, grace=2)
#: Who sits where, from seat 0 on; beyond the end everybody plays well.
FIELDS = {
    "a house bot opens": ("house", "bot", "rash"),
    "an absent bot opens": ("absent", "bot", "house", "absent"),
    "bots only": ("rash", "bot", "slow"),
}
FAULTS = (Cause.TIMEOUT, Cause.ILLEGAL, Cause.FAILURE)
Event = tuple[RecordedAction, Incident | None]


class World:
    """The port of a core, in memory: its journal, and the questions that are open."""

    def __init__(self, rules: Ruleset, field: Sequence[str], events: Sequence[Event] = ()) -> None:
        self.kinds = [field[seat] if seat < len(field) else "bot" for seat in range(rules.seats)]
        seats = [
            SeatState(SeatClock(CONTROL), HouseBot("random", Deals(bytes(32))) if kind == "house" else None)
            for seat, kind in enumerate(self.kinds)
        ]
        for seat, kind in zip(seats, self.kinds, strict=True):
            seat.due = Attendance.LOST if kind == "absent" else Attendance.ABSENT
        self.events: list[Event] = []
        self.open: dict[int, tuple[int, Sequence[int]]] = {}
        self.searches: dict[int, Search] = {}
        self.told: list[tuple[int, int, Cause]] = []
        self.lost: list[int] = []
        self.finished = self.abandoned = False
        self.core = MatchCore(
            rules.new_match(Deals(bytes(32))),
            seats,
            self,
            house=lambda: HouseBot("greedy", Deals(bytes(32))),
            elapsed_ms=lambda: len(self.events),
        )
        for event in events:
            self.core.apply(*event)
            self.events.append(event)

    def journal(self, action: RecordedAction, incident: Incident | None) -> None:
        self.events.append((action, incident))

    def ask(self, seat: int, kind: Kind, observation: Observation, legal: Sequence[int]) -> None:
        assert seat not in self.open
        assert len(legal) > 1
        assert kind is not None
        assert observation.seat == seat
        self.open[seat] = (self.core.seats[seat].questions, legal)

    def search(self, seat: int, search: Search) -> None:
        assert seat not in self.searches
        self.searches[seat] = search

    def tell(self, seat: int, action: RecordedAction, incident: Incident | None) -> None:
        self.told.append((seat, self.core.seats[seat].answered, action.cause))
        assert (incident is None) == (action.cause is Cause.BOT)

    def take_over(self, seat: int) -> None:
        self.lost.append(seat)

    def finish(self) -> None:
        self.finished = True

    def abandon(self) -> None:
        self.abandoned = True

    def answer(self, seat: int, cause: Cause, took_ms: int, choice: int = 0) -> None:
        _, legal = self.open.pop(seat)
        action = legal[choice % len(legal)] if cause is Cause.BOT else None
        assert self.core.answer(seat, action, cause, took_ms, cause.name)
        self.core.advance(1000)

    def standing(self) -> list[object]:
        """Everything that a match knows, but for which questions are open."""
        state = self.core.state
        names = [name for kind in type(state).__mro__ for name in getattr(kind, "__slots__", ()) if name != "_deals"]
        seats = [
            (seat.answered, sorted(seat.late), seat.clock.bank_ms, seat.clock.strikes, type(seat.house))
            for seat in self.core.seats
        ]
        return [self.core.events, self.core.forfeits, seats, {name: getattr(state, name) for name in names}]


def play_out(world: World, dice: random.Random) -> None:
    """Play a match to its end; each bot answers as its kind does, in any order."""
    for seat, kind in enumerate(world.kinds):
        if kind == "absent":
            world.core.seats[seat].absence = "the bot was not connected"
    world.core.advance(1000)
    while world.open:
        seat = dice.choice(sorted(world.open))
        kind = world.kinds[seat]
        wrong = kind == "rash" and dice.random() < 0.1
        took_ms = dice.randrange(1500) if kind == "slow" else 3
        world.answer(seat, dice.choice(FAULTS) if wrong else Cause.BOT, took_ms, dice.randrange(100))
    assert world.finished


#: Every game and option with one field, and with all of them where sides, dummies and simultaneous decisions differ.
CASES = [
    pytest.param(game, field, id=f"{label(game)}, {field}")
    for number, game in enumerate(ALL)
    for count, field in enumerate(FIELDS)
    if count == number % len(FIELDS) or (game[0] in ("chinkway", "three", "two") and "burnin" not in game[1])
]


@pytest.mark.parametrize(("game", "who"), CASES)
def test_after_a_crash_behind_any_event_a_match_stands_as_it_stood(game: tuple[str, dict[str, str]], who: str) -> None:
    name, options = game
    rules, field = ruleset(name, options), FIELDS[who]
    follower = World(rules, field)

    class Followed(World):
        def journal(self, action: RecordedAction, incident: Incident | None) -> None:
            super().journal(action, incident)
            # To apply one event more is to resume the match from there: the one before stands where it stood.
            follower.core.apply(action, incident)
            assert follower.standing() == self.standing()

    played = Followed(rules, field)
    play_out(played, random.Random(f"{label(game)} {field}"))
    assert follower.core.state.outcome == played.core.state.outcome is not None
    assert follower.core.forfeits == played.core.forfeits == played.lost

    for upto in {0, 1, len(played.events) // 2, len(played.events) - 1}:
        again = World(rules, field, played.events[:upto])
        answered = [seat.answered for seat in again.core.seats]
        play_out(again, random.Random(upto))
        assert again.events[:upto] == played.events[:upto]
        for seat, before in enumerate(answered):
            numbers = [number for told, number, _ in again.told if told == seat]
            assert numbers == list(range(before + 1, before + 1 + len(numbers)))


def test_the_core_imports_nothing_that_waits_or_is_sent() -> None:
    found = {
        name
        for module in (match_core, clock, house_bot, attendance)
        for node in ast.walk(ast.parse(inspect.getsource(module)))
        for name in (
            [node.module]
            if isinstance(node, ast.ImportFrom)
            else [alias.name for alias in node.names]
            if isinstance(node, ast.Import)
            else []
        )
    }
    allowed = {
        "farfalia",
        "farfalia.bots.flat_monte_carlo",
        "farfalia_engine.deals",
        "__future__",
        "collections",
        "collections.abc",
        "dataclasses",
        "enum",
        "math",
        "typing",
        "farfalia_engine",
        clock.__name__,
        house_bot.__name__,
        attendance.__name__,
    }
    assert found <= allowed, "no asyncio, protobuf, Redis or database: the shell around it has them"


def test_an_answer_to_no_open_question_changes_nothing() -> None:
    world = World(ruleset("chinkway"), ())
    world.core.advance()
    (seat,) = world.open
    world.answer(seat, Cause.BOT, 3)
    before = world.standing()
    closed = next(other for other in range(5) if other not in world.open)
    assert not world.core.answer(closed, 0, Cause.BOT, 3)
    assert world.standing() == before


def test_a_seat_is_lost_with_the_strike_beyond_its_grace() -> None:
    world = World(ruleset("chinkway"), ())
    world.core.advance()
    while not world.core.forfeits:
        seat = min(world.open)
        world.answer(seat, Cause.TIMEOUT if seat == 2 else Cause.BOT, 1000)
    assert world.core.forfeits == world.lost == [2]
    incidents = [incident for _, incident in world.events if incident]
    assert [(incident.strikes, incident.taken_over) for incident in incidents] == [(1, False), (2, False), (3, True)]
    assert world.core.seats[2].late == {1, 2, 3}


def test_an_absent_bot_loses_its_seat_at_its_first_decision_without_a_strike() -> None:
    world = World(ruleset("chinkway"), ("bot", "absent"))
    play_out(world, random.Random(1))
    (incident,) = [incident for _, incident in world.events if incident]
    assert (incident.seat, incident.cause, incident.strikes, incident.taken_over) == (1, Cause.ABSENT, 0, True)
    assert incident.text == "the bot was not connected"
    assert world.lost == [1]


def test_house_bots_make_no_more_decisions_at_a_time_than_they_may() -> None:
    world = World(ruleset("chinkway"), ("house",) * 5)
    rounds = 0
    while world.core.advance(4):
        rounds += 1
        decided = [action for action, _ in world.events if action.cause is Cause.HOUSE]
        assert len(decided) == 4 * rounds
    assert world.finished


class AnyCourse(RuleBasedStateMachine):
    """A match under answers, faults, bots that go and come back, repeated answers, and crashes, in any order."""

    def __init__(self) -> None:
        super().__init__()
        self.game = ruleset("four", {"double_you": "on"})  # several decide at once in it
        self.field = ("bot", "house", "bot", "bot")
        self.world = World(self.game, self.field)
        self.world.core.advance(1000)

    @precondition(lambda self: self.world.open)
    @rule(
        which=st.integers(0, 4),
        choice=st.integers(0, 50),
        took_ms=st.integers(0, 8000),
        cause=st.sampled_from((Cause.BOT, Cause.BOT, Cause.BOT, *FAULTS)),
    )
    def answer(self, which: int, choice: int, took_ms: int, cause: Cause) -> None:
        seats = sorted(self.world.open)
        self.world.answer(seats[which % len(seats)], cause, took_ms, choice)

    @rule(seat=st.integers(0, 4))
    def answer_again(self, seat: int) -> None:
        if seat < self.game.seats and seat not in self.world.open:
            before = self.world.standing()
            assert not self.world.core.answer(seat, 0, Cause.BOT, 1)
            assert self.world.standing() == before

    @rule(seat=st.integers(0, 4), back=st.booleans(), reached=st.booleans())
    def go(self, seat: int, back: bool, reached: bool) -> None:
        if seat >= self.game.seats or self.world.core.seats[seat].house is not None:
            return
        self.world.core.seats[seat].absence = "" if back else "the bot was not connected any more"
        if not back and seat in self.world.open:
            self.world.answer(seat, Cause.ABSENT, 1000 if reached else 0)

    @rule()
    def crash(self) -> None:
        old, self.world = self.world, World(self.game, self.field, self.world.events)
        assert self.world.standing() == old.standing()
        self.world.core.advance(1000)
        gone = {seat for seat, state in enumerate(old.core.seats) if state.absence}
        # Who was given up is asked again if nothing says so in the journal; all others have the same question.
        assert {seat: asked for seat, asked in self.world.open.items() if seat not in gone} == old.open

    @invariant()
    def questions_are_counted_without_a_gap(self) -> None:
        for seat, (number, _) in self.world.open.items():
            state = self.world.core.seats[seat]
            assert number == state.questions == state.answered + 1
        assert self.world.core.events == len(self.world.events)

    @invariant()
    def its_record_tells_who_was_gone_before_it_saw_its_cards(self) -> None:
        events, core = self.world.events, self.world.core
        record = SimpleNamespace(
            format=FORMAT,
            actions=[action for action, _ in events],
            incidents=[incident for _, incident in events if incident],
        )
        unseen = [seat for seat in core.forfeits if not core.seats[seat].has_seen_cards]
        assert list(missed(cast("Record", record))) == unseen

    @invariant()
    def it_is_over_when_its_cards_are(self) -> None:
        assert (self.world.core.state.outcome is not None) == self.world.finished


TestAnyCourse = AnyCourse.TestCase
TestAnyCourse.settings = settings(max_examples=20, stateful_step_count=60, deadline=None)


def test_a_match_that_all_but_one_leave_is_abandoned_not_finished() -> None:
    world = World(ruleset("two"), ())
    world.core.seats[1].absence = "the bot was not connected any more"
    world.core.advance(1000)
    assert (world.abandoned, world.finished, world.events) == (True, False, [])


def test_a_seat_lost_by_strikes_is_a_loss_to_the_one_that_stays() -> None:
    world = World(ruleset("two"), ())
    world.core.advance(1000)
    while 0 in world.open or 1 in world.open:
        seat = min(world.open)
        world.answer(seat, Cause.ILLEGAL if seat == 0 else Cause.BOT, 3)
    assert (world.abandoned, world.finished, world.core.forfeits) == (False, True, [0])
