"""Try a bot without a server: the same rules and the same views, in this process."""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from time import perf_counter

from farfalia.answers import checked
from farfalia.bot import Bot
from farfalia.bots import create
from farfalia.errors import BadAnswer, BadSetting
from farfalia.failures import own_trace
from farfalia.mistakes import check_bot
from farfalia.view import View
from farfalia_engine import Deals, Outcome, Ruleset, ruleset
from farfalia_engine.integers import whole

_FAULTS_SHOWN = 3


@dataclass(frozen=True, slots=True)
class PlayedMatch:
    """A match that was played: its outcome, and all actions with the seats that took them."""

    outcome: Outcome
    actions: tuple[tuple[int, int], ...]


def play_match(
    bots: Sequence[Bot], seed: int = 0, name: str = "chinkway", options: Mapping[str, str] | None = None
) -> PlayedMatch:
    """Play a match between these bots, one for each seat; the same seed gives the same deals.

    Raises BadAnswer for an illegal answer, and whatever else a bot raises; BadSetting if the number of bots is wrong,
    or for a bot that cannot work.
    """
    for bot in bots:
        check_bot(bot)
    rules = ruleset(name, options)
    if len(bots) != rules.seats:
        raise BadSetting(f"{name} is played by {rules.seats} bots, not by {len(bots)}.")
    match = _match(rules, seed)
    view = next(match)
    while True:
        try:
            view = match.send(checked(view, bots[view.seat].decide(view)))
        except StopIteration as over:
            played: PlayedMatch = over.value
            return played


@dataclass(slots=True)
class Report:
    """What came out of `check`; printed, it says it in words."""

    matches: int = 0
    decisions: int = 0
    #: Seconds that all decisions took, and the longest one.
    seconds: float = 0.0
    longest: float = 0.0
    #: Points of the bot in each match.
    points: list[int] = field(default_factory=list)
    #: What went wrong, one text for each time.
    faults: list[str] = field(default_factory=list)

    @property
    def ok(self) -> bool:
        """Whether every answer was a legal one."""
        return not self.faults

    def __str__(self) -> str:
        points = sum(self.points) / max(1, self.matches)
        mean = 1000 * self.seconds / max(1, self.decisions)
        lines = [
            f"{self.matches} matches, {self.decisions} decisions, {points:.1f} points per match",
            f"{mean:.2f} ms per decision, the longest {1000 * self.longest:.1f} ms",
        ]
        if self.faults:
            shown = self.faults[:_FAULTS_SHOWN]
            more = len(self.faults) - len(shown)
            lines += [f"wrong answers: {len(self.faults)}", *shown, *([f"… and {more} more"] if more else [])]
        else:
            lines.append("every answer was legal")
        return "\n".join(lines)


def check(
    bot: Bot,
    matches: int = 20,
    seed: int = 0,
    opponents: str = "random",
    name: str = "chinkway",
    options: Mapping[str, str] | None = None,
) -> Report:
    """Play matches against sample bots, all at once as on a server, and report wrong answers and thinking time.

    A wrong answer is replaced by the first legal one, so that one mistake does not hide the others. Raises BadSetting
    for a bot that cannot work, TypeError if `matches` is no integer.
    """
    check_bot(bot)
    rules = ruleset(name, options)
    report = Report(whole("matches", matches))
    seats = [
        _seat(_match(rules, seed + number), number % rules.seats, create(opponents, seed + number))
        for number in range(matches)
    ]
    asked = [(seat, next(seat)) for seat in seats]
    while asked:
        actions = _answers(report, bot, [view for _, view in asked])
        waiting, asked = asked, []
        for (seat, _), action in zip(waiting, actions, strict=True):
            try:
                asked.append((seat, seat.send(action)))
            except StopIteration as over:
                report.points.append(over.value)
    return report


def _match(rules: Ruleset, seed: int) -> Generator[View, int, PlayedMatch]:
    """Yield a match that asks for one decision after the other, where there is anything to decide."""
    state = rules.new_match(Deals(sha256(b"farfalia.testing %d" % seed).digest()))
    actions: list[tuple[int, int]] = []
    asked = [0] * rules.seats
    while (pending := state.pending) is not None:
        (seat, *_), (action, *others) = pending.seats, state.legal_actions()
        if others:
            asked[seat] += 1
            action = yield View.of(state.observation(seat), seed, asked[seat])
        state.apply(action, seat)
        actions.append((seat, action))
    assert state.outcome is not None
    return PlayedMatch(state.outcome, tuple(actions))


def _seat(match: Generator[View, int, PlayedMatch], seat: int, opponent: Bot) -> Generator[View, int, int]:
    """Play one seat of a match, the others being held by a sample bot; returns the seat's points."""
    view = next(match)
    while True:
        action = (yield view) if view.seat == seat else opponent.decide(view)
        try:
            view = match.send(action)
        except StopIteration as over:
            return int(over.value.outcome.points[seat])


def _answers(report: Report, bot: Bot, views: list[View]) -> list[int]:
    if type(bot).decide_batch is not Bot.decide_batch:
        return _timed(report, bot, views)
    return [action for view in views for action in _timed(report, bot, [view])]


def _timed(report: Report, bot: Bot, views: list[View]) -> list[int]:
    started = perf_counter()
    try:
        actions = [checked(view, action) for view, action in zip(views, bot.decide_batch(views), strict=True)]
    except BadAnswer as fault:
        report.faults.append(str(fault))
        actions = [view.legal[0] for view in views]
    except Exception as error:  # whatever the author's code raises
        report.faults.append(own_trace(error))
        actions = [view.legal[0] for view in views]
    took = perf_counter() - started
    report.decisions += len(views)
    report.seconds += took
    report.longest = max(report.longest, took)
    return actions
