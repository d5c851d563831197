"""What a simulation has seen, and what must hold of it."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from farfalia.v1 import play_pb2, record_pb2
from farfalia_engine import Cause
from farfalia_server.records import codec
from farfalia_server.records.verifying import verify
from farfalia_server.store import MatchState

if TYPE_CHECKING:
    from tests.server.simulation.world import World


class Witness:
    """Keeps what bots were asked and what was journalled, and complains at once where that does not fit together."""

    def __init__(self, world: World) -> None:
        self._world = world
        #: By bot and match: the board, and the questions so far, by number.
        self._boards: dict[tuple[str, int], str] = {}
        self._questions: defaultdict[tuple[str, int], dict[int, bytes]] = defaultdict(dict)
        #: By match and attempt, entries by number: those that were confirmed, and all, as they were written last.
        self._confirmed: defaultdict[tuple[int, int], dict[int, bytes]] = defaultdict(dict)
        self._written: defaultdict[tuple[int, int], dict[int, bytes]] = defaultdict(dict)
        #: By bot and match: by question what the bot has answered, and how it was told that the match ended.
        self._answers: defaultdict[tuple[str, int], defaultdict[int, set[int]]]
        self._answers = defaultdict(lambda: defaultdict(set))
        self._outcomes: dict[tuple[str, int], record_pb2.MatchOutcome] = {}
        #: Matches whose journal has lost something that no table has written again, and those that may be void for it.
        self.wounded: set[int] = set()
        self.excused: set[int] = set()
        #: Whether Redis has lost everything, and with it who is alive: a frozen table may wake up and not be told that
        #: others have played its match to the end. It asks its last question again, whose answer changes nothing.
        self.emptied = False

    # -- what happens ----------------------------------------------------------------------

    def lost(self, matches: set[int]) -> None:
        """Note that Redis has lost writes of these matches."""
        playing = self._world.playing()
        self.excused |= matches - playing
        self.wounded |= matches & playing

    def crashed(self) -> None:
        """Note that all tables are gone: what they have not written again is lost."""
        self.excused |= self.wounded
        self.wounded.clear()

    def written(self, match: int, attempt: int, number: int, payload: bytes) -> None:
        """Note that an entry is in the journal."""
        self.wounded.discard(match)
        self._written[match, attempt][number] = payload
        self._world.note(f"journal {match}/{attempt} has entry {number}")

    def confirmed(self, match: int, attempt: int, number: int, payload: bytes) -> None:
        """Note that a table was told that its entry is in the journal."""
        before = self._confirmed[match, attempt].setdefault(number, payload)
        if before != payload and match not in self.excused:
            self._world.complain(f"entry {number} of match {match} was confirmed, and is another one now")
        self._confirmed[match, attempt][number] = payload

    def seated(self, bot: str, seated: play_pb2.Seated) -> None:
        """Note that a bot has a seat."""
        key = bot, seated.match
        if self._boards.get(key) != seated.board:
            self._world.note(f"{bot} has a seat at {seated.match}, board {seated.board}")
            self._boards[key] = seated.board
            self._questions.pop(key, None)
            self._answers.pop(key, None)

    def asked(self, bot: str, question: play_pb2.Question, *, honest: bool) -> None:
        """Note that a bot was asked."""
        before = self._questions[bot, question.match]
        number, newest = question.number, max(before, default=0)
        if honest and (question.clock.strikes or question.clock.bank_ms != self._world.scenario.control.bank_ms):
            self._world.complain(f"{bot} has {question.clock.strikes} strikes and {question.clock.bank_ms} ms left")
        asked = play_pb2.Question()
        asked.CopyFrom(question)
        asked.ClearField("clock")
        payload = asked.SerializeToString(deterministic=True)
        if question.match not in self.excused and not self._is_asked_after_the_end(question.match, before, payload):
            if number == newest:
                if before[number] != payload:
                    self._world.complain(f"{bot} is asked {question.match}/{number} again, and it is another question")
            elif honest and number != newest + 1:
                self._world.complain(f"{bot} is asked {question.match}/{number} after {newest}")
            elif number < newest:
                self._world.complain(f"{bot} is asked {question.match}/{number} after {newest}: the match went back")
        before[number] = payload

    def _is_asked_after_the_end(self, match: int, before: dict[int, bytes], payload: bytes) -> bool:
        return self.emptied and self._world.store.get(match).state.over and payload in before.values()

    def told(self, bot: str, result: play_pb2.Result, *, honest: bool) -> None:
        """Note what a bot was told of its answer."""
        good = play_pb2.RESULT_STATUS_ACCEPTED, play_pb2.RESULT_STATUS_DUPLICATE, play_pb2.RESULT_STATUS_NOT_ASKED
        if honest and result.status not in good:
            name = play_pb2.ResultStatus.Name(result.status)
            self._world.complain(f"{bot} is told {name} of {result.match}/{result.number}: {result.text}")

    def answered(self, bot: str, question: play_pb2.Question, action: int) -> None:
        """Note what a bot answers, which may not arrive."""
        self._answers[bot, question.match][question.number].add(action)

    def finished(self, bot: str, finished: play_pb2.Finished) -> None:
        """Note that a bot was told how a match ended."""
        if not finished.HasField("outcome"):
            return
        before = self._outcomes.setdefault((bot, finished.match), finished.outcome)
        if before != finished.outcome:
            self._world.complain(f"{bot} is told of two ends of match {finished.match}")

    # -- the end ---------------------------------------------------------------------------

    def check(self) -> None:
        """Look at how everything ended."""
        for match in self._world.store.all():
            self._check_match(match.id)

    def _check_match(self, number: int) -> None:
        world, match = self._world, self._world.store.get(number)
        if match.state is not MatchState.FINISHED and not (number in self.excused and match.state is MatchState.VOID):
            world.complain(f"match {number} is {match.state}")
            return
        if match.attempt != 1 and number not in self.excused:
            world.complain(f"match {number} was played {match.attempt} times: {match.note}")
        record = world.store.records.get(number)
        if record is None:
            return
        verdict = verify(codec.from_message(record))
        if not verdict.holds:
            world.complain(f"the record of match {number} does not hold: {verdict.violations}")
        if number not in self.excused:
            entries = self._written[number, match.attempt]
            journalled = record_pb2.Record.FromString(b"".join(entries[at] for at in sorted(entries)))
            # A table that has the last answer when Redis loses everything ends with it: there is nothing to come
            # that would have to be journalled first.
            played = len(journalled.actions) if number in self.wounded else len(record.actions)
            if record.actions[:played] != journalled.actions:
                world.complain(f"the record of match {number} is not what was journalled")
        for seat, bot in enumerate(world.seated[number]):
            if bot is not None and bot.honest:
                self._check_honest(number, seat, record)
                self._check_seen(number, seat, bot.name, record)

    def _check_seen(self, number: int, seat: int, bot: str, record: record_pb2.Record) -> None:
        outcome = self._outcomes.get((bot, number))
        if outcome is not None and outcome != record.outcome:
            self._world.complain(f"{bot} was told of another end of match {number} than is recorded")
        answers = self._answers[bot, number]
        decided = [one for one in record.actions if one.seat == seat and one.cause == record_pb2.CAUSE_BOT]
        for question, action in enumerate(decided, 1):
            if action.action not in answers[question] and number not in self.excused:
                self._world.complain(f"match {number} has {action.action} for {bot}/{question}: {answers[question]}")

    def _check_honest(self, number: int, seat: int, record: record_pb2.Record) -> None:
        for incident in record.incidents:
            if incident.seat == seat:
                self._world.complain(f"honest seat {seat} of match {number}: {Cause(incident.cause)} {incident.text}")
        most = max((action.took_ms for action in record.actions if action.seat == seat), default=0)
        if most > self._world.scenario.control.limit_ms:
            self._world.complain(f"honest seat {seat} of match {number} was charged {most} ms for a decision")
