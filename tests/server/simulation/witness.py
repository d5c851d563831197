"""What a simulation has seen, and what must hold of it."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from farfalia.v1 import play_pb2, record_pb2
from farfalia_engine import Cause
from farfalia_server.rating.ladder_ratings import LadderRatings
from farfalia_server.records import codec
from farfalia_server.records.house_names import is_house
from farfalia_server.records.verifying import verify
from farfalia_server.store import DEFAULT_SYSTEM, MatchState
from farfalia_tournaments import rating_system

if TYPE_CHECKING:
    from tests.server.simulation.process import ServerProcess
    from tests.server.simulation.world import World


class Witness:
    """Keeps what bots were asked and what was journalled, and complains at once where that does not fit together."""

    def __init__(self, world: World) -> None:
        self._world = world
        #: By bot and match the board, and by these three the questions so far, by number. A seat on an older board
        #: may be told of by a table that does not know yet that others have taken its match.
        self._boards: dict[tuple[str, int], str] = {}
        #: Bots, matches and boards of which bots were told that the match has ended there.
        self._ended: set[tuple[str, int, str]] = set()
        self._questions: defaultdict[tuple[str, int, str], dict[int, bytes]] = defaultdict(dict)
        #: By match and attempt, entries by number: those that were confirmed, and all, as they were written last.
        self._confirmed: defaultdict[tuple[int, int], dict[int, bytes]] = defaultdict(dict)
        self._written: defaultdict[tuple[int, int], dict[int, bytes]] = defaultdict(dict)
        #: By the same three what the bot has answered, by question; how the bot was told of the end.
        self._answers: defaultdict[tuple[str, int, str], defaultdict[int, set[int]]]
        self._answers = defaultdict(lambda: defaultdict(set))
        self._outcomes: dict[tuple[str, int, str], record_pb2.MatchOutcome] = {}
        #: Matches whose journal has lost something that its table, in this process, has not written again; those whose
        #: table is gone meanwhile, which may be void for it; and of these the ones that may go on a few cards earlier,
        #: since the beginning of their journal is still there.
        self.wounded: dict[int, ServerProcess] = {}
        self.excused: set[int] = set()
        self.back: set[int] = set()
        #: Matches whose journal has lost its end only.
        self._shortened: set[int] = set()
        #: Whether Redis has lost everything, and with it who is alive: a frozen table may wake up and not be told that
        #: others have played its match to the end. It asks its last question again, whose answer changes nothing.
        self.emptied = False

    # -- what happens ----------------------------------------------------------------------

    def lost(self, matches: set[int], *, everything: bool) -> None:
        """Note that Redis has lost everything of these matches, or their newest writes."""
        tables = self._world.tables()
        self.wounded.update((match, tables[match]) for match in matches & tables.keys())
        self._shortened = self._shortened - matches if everything else self._shortened | matches
        self._excuse(matches - tables.keys())

    def set_back(self, matches: set[int]) -> None:
        """Note that the store has lost its newest commits about these matches: they may be played again."""
        self.excused |= matches

    def crashed(self, process: ServerProcess) -> None:
        """Note that the tables of a process are gone: what they have not written again is lost."""
        gone = {match for match, table in self.wounded.items() if table is process}
        for match in gone:
            del self.wounded[match]
        self._excuse(gone)

    def _excuse(self, matches: set[int]) -> None:
        self.excused |= matches
        self.back |= matches & self._shortened

    def written(self, match: int, attempt: int, number: int, payload: bytes) -> None:
        """Note that an entry is in the journal."""
        self.wounded.pop(match, None)
        self._written[match, attempt][number] = payload
        self._world.note(f"journal {match}/{attempt} has entry {number}")

    def confirmed(self, match: int, attempt: int, number: int, payload: bytes) -> None:
        """Note that a table was told that its entry is in the journal."""
        before = self._confirmed[match, attempt].setdefault(number, payload)
        if before != payload and match not in self.back:
            self._world.complain(f"entry {number} of match {match} was confirmed, and is another one now")
        self._confirmed[match, attempt][number] = payload

    def seated(self, bot: str, seated: play_pb2.Seated) -> None:
        """Note that a bot has a seat."""
        key = bot, seated.match
        board = _board(seated.board, seated.commitment)
        if self._boards.get(key) != board:
            self._world.note(f"{bot} has a seat at {seated.match}, board {board}")
            self._boards[key] = board

    def asked(self, bot: str, question: play_pb2.Question, *, honest: bool) -> None:
        """Note that a bot was asked."""
        key = bot, question.match, self._boards[bot, question.match]
        before = self._questions[key]
        number, newest = question.number, max(before, default=0)
        if honest and (question.clock.strikes or question.clock.bank_ms != self._world.scenario.control.bank_ms):
            self._world.complain(f"{bot} has {question.clock.strikes} strikes and {question.clock.bank_ms} ms left")
        asked = play_pb2.Question()
        asked.CopyFrom(question)
        asked.ClearField("clock")
        payload = asked.SerializeToString(deterministic=True)
        if key in self._ended and not self._is_asked_after_the_end(question.match, before, payload):
            self._world.complain(f"{bot} is asked {question.match}/{number} on a board of which it was told the end")
        if question.match not in self.back and not self._is_asked_after_the_end(question.match, before, payload):
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
        self._answers[bot, question.match, self._boards[bot, question.match]][question.number].add(action)

    def finished(self, bot: str, finished: play_pb2.Finished, *, honest: bool) -> None:
        """Note that a bot was told how a match ended; one that was away may never have heard of its seat."""
        if not honest and (bot, finished.match) not in self._boards:
            return
        board = self._boards[bot, finished.match]
        self._ended.add((bot, finished.match, board))
        if not finished.HasField("outcome"):
            return
        before = self._outcomes.setdefault((bot, finished.match, board), finished.outcome)
        if before != finished.outcome:
            self._world.complain(f"{bot} is told of two ends of match {finished.match}")

    # -- the end ---------------------------------------------------------------------------

    def check(self) -> None:
        """Look at how everything ended."""
        for match in self._world.store.all():
            self._check_match(match.id)
        self._check_ratings()

    def _may_be_abandoned(self, number: int) -> bool:
        """Return whether too few are left in a match when those are away for long who do that."""
        return sum(bot is None or bot.stays for bot in self._world.seated[number]) < 2

    def _check_match(self, number: int) -> None:
        world, match = self._world, self._world.store.get(number)
        if match.state is not MatchState.FINISHED and not (number in self.excused and match.state is MatchState.VOID):
            world.complain(f"match {number} is {match.state}")
            return
        if match.attempt != 1 and number not in self.excused and not self._may_be_abandoned(number):
            world.complain(f"match {number} was played {match.attempt} times: {match.note}")
        record = world.store.records.get(number)
        if record is None:
            return
        verdict = verify(codec.from_message(record))
        if not verdict.holds:
            world.complain(f"the record of match {number} does not hold: {verdict.violations}")
        if number not in self.back:
            entries = self._written[number, match.attempt]
            journalled = record_pb2.Record.FromString(b"".join(entries[at] for at in sorted(entries)))
            if record.actions != journalled.actions:
                world.complain(f"the record of match {number} is not what was journalled")
        for seat, bot in enumerate(world.seated[number]):
            if bot is not None and bot.honest:
                self._check_honest(number, seat, record)
                self._check_seen(number, seat, bot.name, record)

    def _check_ratings(self) -> None:
        """Each finished match is rated once, as it would be again from all results."""
        store, again = self._world.store, LadderRatings(rating_system(DEFAULT_SYSTEM))
        rated = store.ratings.order
        if sorted(one.match.id for one in rated) != sorted(store.records):
            self._world.complain(f"of the matches {sorted(store.records)} {[one.match.id for one in rated]} are rated")
        for place, one in enumerate(rated, 1):
            match = store.get(one.match.id)
            house = {seat.bot_id for seat in match.seats if is_house(seat.name)}
            if one.seq != place or one.changes != again.apply(match, place, house).changes:
                self._world.complain(f"match {one.match.id} is rated {one.seq}. with {one.changes}")
        if sorted(again.changed(), key=repr) != sorted(store.ratings.all(), key=repr):
            self._world.complain("the ratings do not follow from the results")

    def _check_seen(self, number: int, seat: int, bot: str, record: record_pb2.Record) -> None:
        outcome = self._outcomes.get((bot, number, _board(record.source.board, record.source.commitment)))
        if outcome is not None and outcome != record.outcome:
            self._world.complain(f"{bot} was told of another end of match {number} than is recorded")
        answers = self._answers[bot, number, _board(record.source.board, record.source.commitment)]
        decided = [one for one in record.actions if one.seat == seat and one.cause == record_pb2.CAUSE_BOT]
        for question, action in enumerate(decided, 1):
            if action.action not in answers[question] and number not in self.back:
                self._world.complain(f"match {number} has {action.action} for {bot}/{question}: {answers[question]}")

    def _check_honest(self, number: int, seat: int, record: record_pb2.Record) -> None:
        for incident in record.incidents:
            if incident.seat == seat:
                self._world.complain(f"honest seat {seat} of match {number}: {Cause(incident.cause)} {incident.text}")
        most = max((action.took_ms for action in record.actions if action.seat == seat), default=0)
        if most > self._world.scenario.control.limit_ms:
            self._world.complain(f"honest seat {seat} of match {number} was charged {most} ms for a decision")


def _board(name: str, commitment: bytes) -> str:
    """A board of a secret: a match that the store has lost may be wanted again, under its number, with others."""
    return f"{name} of {commitment.hex()[:8]}"
