"""Asks a program the questions that a seat was asked in a match, and says where it decides otherwise now."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from farfalia.v1 import play_pb2, record_pb2
from farfalia_engine import Cause, Ruleset, ruleset
from farfalia_server.conformance.ground import Ground
from farfalia_server.contract.errors import ProgramError
from farfalia_server.hosting.examination import Broken, Seat
from farfalia_server.hosting.situations import Situation
from farfalia_server.local.programs import Programs
from farfalia_server.records.questions import AnsweredQuestion

#: Lines that are kept of what a program wrote.
_LINES = 20


class NotRerun(ProgramError):
    """Raised when a program stops answering; the sentence ends with what it wrote last."""


@dataclass(frozen=True, slots=True)
class Redecided:
    """A question, and what the program answers to it now; no action if it fails there, and `failure` says how."""

    question: AnsweredQuestion
    action: int | None
    failure: str = ""

    @property
    def same(self) -> bool:
        """Whether it is what was done then."""
        return self.action == self.question.action


async def rerun(
    command: Sequence[str],
    output: Path,
    record: record_pb2.Record,
    questions: Iterable[AnsweredQuestion],
    *,
    seconds: float,
    patience: float,
    tell: Callable[[Redecided], None],
) -> list[Redecided]:
    """Start a program, ask it these questions of one seat one after the other, and tell of each as soon as it is known.

    Whatever it answers, the next question is what the seat was asked then. The program has `seconds` for each answer
    and `patience` to connect; NotRerun if it does not, or ends. What it writes goes into a file.
    """
    asked, decided = list(questions), list[Redecided]()
    if not asked:
        return decided
    seat = asked[0].seat
    ground = Ground(seconds, patience, record.seats[seat].bot)
    async with Programs() as programs, ground.running(programs, command, output):
        try:
            await ground.next_stream(0, "its start")
            _check_game(ground, record.ruleset)
            rules, sits = ruleset(record.ruleset, dict(record.options)), ground.examination.give(seated(record, seat))
            for question in asked:
                decided.append(await _ask(ground, rules, sits, question))
                tell(decided[-1])
        except Broken as error:
            assert ground.program is not None
            wrote = "".join(f"\n  | {line}" for line in ground.program.tail(_LINES))
            raise NotRerun(f"{error}{'; it wrote last:' if wrote else ''}{wrote}") from error
        ground.examination.rise(sits, record.outcome)
        ground.relay.send(ground.pings.next())
        await ground.pings.all_answered()  # so that it has read how the match ended before it is ended itself
    return decided


def seated(record: record_pb2.Record, seat: int) -> play_pb2.Seated:
    """Return what the bot of a seat was told when it sat down, as far as the record has it."""
    return play_pb2.Seated(
        match=record.match,
        tournament=record.tournament,
        ruleset=record.ruleset,
        options=record.options,
        seat=seat,
        seats=len(record.seats),
        board=record.source.board,
        commitment=record.source.commitment,
        nonces=record.source.nonces,
        time_control=record.time_control,
    )


def of_seat(record: record_pb2.Record, seat: int, questions: Iterable[AnsweredQuestion]) -> list[AnsweredQuestion]:
    """Return the questions of a seat: of one that a house bot took over those before that, of a house bot's all."""
    house = record.seats[seat].house
    return [one for one in questions if one.seat == seat and (house or one.cause is not Cause.HOUSE)]


def _check_game(ground: Ground, game: str) -> None:
    if game not in ground.games:
        played = ", ".join(ground.games) or "no game that there is"
        raise NotRerun(f"it does not play {game}, as its hello says; it plays {played}")


async def _ask(ground: Ground, rules: Ruleset, sits: Seat, then: AnsweredQuestion) -> Redecided:
    situation = Situation(rules, sits.match, then.seat, then.kind, then.view, then.legal)
    question = sits.question(situation, number=then.number, bank_ms=then.bank_ms, strikes=then.strikes)
    asked = ground.examination.note(question, situation.text)
    ground.examination.send([asked])
    try:
        (action,) = await ground.examination.answers([asked])
    except Broken as error:
        if not asked.answers:
            raise
        return Redecided(then, None, str(error))
    return Redecided(then, action)
