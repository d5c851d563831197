"""What a tournament on one machine has shown of one's own programs, in sentences."""

from collections.abc import Mapping, Sequence
from itertools import combinations
from pathlib import Path
from shlex import quote

from farfalia.v1 import standings_pb2
from farfalia_server.cli.run_losses import loss_lines
from farfalia_server.local.bot_specs import BotSpec
from farfalia_server.local.losses import Losses
from farfalia_server.local.tournament import RunReport

#: Opponents that are named one by one; of more on one side, their number and the nearest one.
_NAMED = 3


def run_verdict(
    outcome: RunReport,
    entrants: Sequence[BotSpec],
    command: str = "farfalia",
    records: Path | None = None,
    losses: Mapping[str, Losses] | None = None,
) -> list[str]:
    """Return a line on each program of one's own, or, if there is none, on the first of the table; then what is next.

    A program is compared with the other bots that were named, or, if there were none, with those that fill the table.
    Who may be level by the table, where entrants have a common letter, is not told apart here either. `records` is
    where the records of the matches were written, if they were, and `losses` says where programs lose their points.
    """
    standings = outcome.tournament.standings
    specs = {spec.name: spec for spec in entrants}
    own = _own(outcome, specs)
    lines: list[str] = []
    steps: list[str] = []
    pairs: set[frozenset[str]] = set()
    for row in own or standings[:1]:
        you = "you" if len(own) == 1 else row.entrant
        rivals = _rivals(row, outcome, specs)
        lines.append(_line(row, rivals, you))
        steps += _cause(outcome, row, you)
        if row in own and _loses(row, rivals):
            if losses and row.entrant in losses:
                lines += loss_lines(losses[row.entrant], row.entrant, you, command, records)
            steps.append(_why(row, command, records))
        pairs |= {frozenset((row.entrant, one.entrant)) for one in rivals if row.matches and _level(row, one)}
    written = [spec for spec in specs.values() if spec.text]  # those of a demo were not
    undecided = [pair for pair in combinations(written, 2) if {spec.name for spec in pair} in pairs]
    if undecided:
        names = " ".join(quote(spec.text) for spec in undecided[0])
        steps.append(f"`{command} compare {names}` plays on until it knows which one is better.")
    elif pairs:
        steps.append(f"--rounds {4 * outcome.tournament.rounds} would halve what is due to chance.")
    return lines + steps


def below_others(outcome: RunReport, entrants: Sequence[BotSpec]) -> list[str]:
    """Return the programs of one's own that are below another bot for certain: of these one asks why."""
    specs = {spec.name: spec for spec in entrants}
    return [row.entrant for row in _own(outcome, specs) if _loses(row, _rivals(row, outcome, specs))]


def _own(outcome: RunReport, specs: Mapping[str, BotSpec]) -> list[standings_pb2.Standing]:
    return [row for row in outcome.tournament.standings if row.entrant in specs and specs[row.entrant].own]


def _rivals(
    row: standings_pb2.Standing, outcome: RunReport, specs: Mapping[str, BotSpec]
) -> list[standings_pb2.Standing]:
    """Return those with whom it is compared."""
    others = [one for one in outcome.tournament.standings if one.entrant != row.entrant and one.matches]
    return [one for one in others if one.entrant in specs] or others


def _loses(row: standings_pb2.Standing, rivals: Sequence[standings_pb2.Standing]) -> bool:
    return bool(row.matches) and any(_is_below(row, one) for one in rivals)


def _line(row: standings_pb2.Standing, rivals: Sequence[standings_pb2.Standing], you: str) -> str:
    """Return how it stands against these, in points per match."""
    if not row.matches:
        return f"Nothing can be said about {you}: no match was finished."
    played = "1 match" if row.matches == 1 else f"{row.matches} matches"
    conduct = _conduct(row)
    apart = [one for one in rivals if not _level(row, one)]
    below = sorted((one for one in apart if _is_below(row, one)), key=lambda one: one.adjusted)
    above = sorted((one for one in apart if not _is_below(row, one)), key=lambda one: -one.adjusted)
    sides = [*_side(row, below, "below"), *_side(row, above, "above")]
    level = [one for one in rivals if _level(row, one)]
    if not sides and not level:
        return f"{_is(you)} alone at the table ({played}, {conduct})."
    cannot = f"cannot tell {you} from {_names([one.entrant for one in level])}"
    if not sides:
        return f"{played} {cannot}{_within_chance(row, level)} ({conduct})."
    told = f"{_is(you)} {' and '.join(sides)} ({played}, {conduct})."
    return f"{told} {'It' if row.matches == 1 else 'They'} {cannot}{_within_chance(row, level)}." if level else told


def _within_chance(row: standings_pb2.Standing, level: Sequence[standings_pb2.Standing]) -> str:
    """Return how far it is from the only one that may be level."""
    if len(level) > 1:
        return ""
    difference = row.adjusted - level[0].adjusted
    return f": {_points(difference)} points a match {'above' if difference > 0 else 'below'} may be chance"


def _side(row: standings_pb2.Standing, rivals: Sequence[standings_pb2.Standing], where: str) -> list[str]:
    """Return how far it is below or above these, the nearest first."""
    if not rivals:
        return []
    gaps = [_points(one.adjusted - row.adjusted) for one in rivals]
    if len(rivals) > _NAMED:
        nearest = rivals[0].entrant
        return [f"{gaps[0]} points a match or more {where} {len(rivals)} others, of which {nearest} is nearest"]
    first, *others = zip(gaps, rivals, strict=True)
    return [
        f"{first[0]} points a match {where} {first[1].entrant}",
        *(f"{gap} {where} {one.entrant}" for gap, one in others),
    ]


def _cause(outcome: RunReport, row: standings_pb2.Standing, you: str) -> list[str]:
    """Return what went wrong first, if anything did, and where its program's output is."""
    incidents = outcome.incidents[row.entrant]
    if not incidents:
        return []
    first = incidents[0]
    whose = "Your" if you == "you" else f"{row.entrant}'s"
    return [
        f"{whose} first strike, in match {first.match}: {first.text}. All are below, with what the program printed."
    ]


def _why(row: standings_pb2.Standing, command: str, records: Path | None) -> str:
    """Return what says why it is below another."""
    says = f"--seat {row.entrant}` says what each decision of a match cost"
    if records is not None:
        return f"`{command} analyse {quote(str(records / 'match-N.json'))} {says}."
    return f"--records DIR keeps the matches; then `{command} analyse DIR/match-N.json {says}."


def _is_below(row: standings_pb2.Standing, other: standings_pb2.Standing) -> bool:
    """Return whether the other one is stronger for certain."""
    return not _level(row, other) and other.adjusted > row.adjusted


def _conduct(row: standings_pb2.Standing) -> str:
    strikes = {0: "no strikes", 1: "1 strike"}.get(row.strikes, f"{row.strikes} strikes")
    if not row.forfeits:
        return strikes
    return f"{strikes}, the seat lost in {'1 match' if row.forfeits == 1 else f'{row.forfeits} matches'}"


def _level(row: standings_pb2.Standing, other: standings_pb2.Standing) -> bool:
    """Return whether nobody can tell which of the two is stronger."""
    return not row.brackets or not set(row.brackets.split()).isdisjoint(other.brackets.split())


def _points(difference: float) -> str:
    size = abs(difference)
    return f"{size:.0f}" if size >= 10 else f"{size:.1f}"


def _is(name: str) -> str:
    return "You are" if name == "you" else f"{name} is"


def _names(names: Sequence[str]) -> str:
    if len(names) > _NAMED:
        return f"{len(names)} others"
    *others, last = names or [""]
    return f"{', '.join(others)} and {last}" if others else last
