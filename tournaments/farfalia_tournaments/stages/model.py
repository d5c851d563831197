"""Stages of a tournament, who plays in them, and what was played: plain values."""

from dataclasses import dataclass
from enum import StrEnum

from farfalia_tournaments.results import MatchResult
from farfalia_tournaments.schedules.boards import Boards, Match
from farfalia_tournaments.stages.stopping import Until


class StageKind(StrEnum):
    """How the rounds of a stage are drawn."""

    #: Everybody meets everybody about equally often; all rounds are known when the stage begins.
    ROUND_ROBIN = "round-robin"
    #: Tables are paired by score, hardly anybody meets twice; a round is drawn when the one before is over.
    SWISS = "swiss"
    #: The best of each table advance to the next round, until one table is left.
    KNOCKOUT = "knockout"


@dataclass(frozen=True, slots=True)
class Stage:
    """One stage; as text, `swiss:rounds=7,boards=datum,qualifiers=25`.

    `rounds` may be left out for a round robin, which then has as many as let everybody meet everybody. `advance` is
    how many of a table advance in a knock-out, half if it is left out. `matches` are those of one table in one round,
    one board if that is left out. With `short`, as text `design=short`, a round robin without rounds has as few tables
    as are known for everybody to meet everybody. `qualifiers` is how many, the best by the stage's standings, play in
    the next stage, all if it is left out. With `carry` the scores of the stage before count as well. With
    `until` it is over, if not before, as soon as it is known who the first ones are. With `opposed` the first two of
    its members, in the order of seeding, never share a team, in games that have such.
    """

    kind: StageKind
    rounds: int | None = None
    advance: int | None = None
    matches: int | None = None
    boards: Boards = Boards.FRESH
    qualifiers: int | None = None
    carry: bool = False
    until: Until | None = None
    short: bool = False
    opposed: bool = False

    @property
    def follows_results(self) -> bool:
        """Whether a round can be drawn only when all matches before it are over."""
        return self.kind is not StageKind.ROUND_ROBIN or self.until is not None

    def settings(self) -> dict[str, str | int]:
        """Return the stage as a mapping that `stages_of` reads, without what is left out."""
        settings: dict[str, str | int | None] = {
            "kind": self.kind.value,
            "rounds": self.rounds,
            "advance": self.advance,
            "matches": self.matches,
            "boards": None if self.boards is Boards.FRESH else self.boards.value,
            "qualifiers": self.qualifiers,
            "carry": "yes" if self.carry else None,
            "until-first": None if self.until is None else self.until.first,
            "until-percent": None if self.until is None else self.until.percent,
            "design": "short" if self.short else None,
            "opposed": "yes" if self.opposed else None,
        }
        return {name: value for name, value in settings.items() if value is not None}

    def __str__(self) -> str:
        """Write the stage as `parse_stages` reads it."""
        given = ",".join(f"{name}={value}" for name, value in self.settings().items() if name != "kind")
        return f"{self.kind}:{given}" if given else str(self.kind)


@dataclass(frozen=True, slots=True)
class Entry:
    """An entrant, and how many rounds had been drawn, of all stages together, when it came and when it left.

    `family` is what it has in common with those that are nearly like it, as `fit_strengths` takes it; empty if nothing.
    """

    entrant: int
    came: int = 0
    left: int | None = None
    family: str = ""

    def present(self, drawn: int) -> bool:
        """Return whether it is there for the round that is drawn after this number of rounds."""
        return self.came <= drawn and (self.left is None or drawn < self.left)


@dataclass(frozen=True, slots=True)
class DrawnMatch:
    """A match that was drawn, with its result if there is one, or `void` if there will be none.

    In the result, house bots have numbers that no entrant has, the same in all matches of one table and round.
    """

    match: Match
    result: MatchResult[int] | None = None
    void: bool = False


@dataclass(frozen=True, slots=True)
class NextRound:
    """A round to be played, and who has a bye; in a knock-out these advance.

    Rounds of a stage are counted from 1; a round of which everybody has left is left out.
    """

    stage: int
    round: int
    matches: tuple[Match, ...]
    byes: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class AwaitedResults:
    """No round can be drawn before this number of matches has results."""

    matches: int


@dataclass(frozen=True, slots=True)
class TournamentOver:
    """All rounds have been drawn, and all results are there."""


@dataclass(frozen=True, slots=True)
class FinalStanding:
    """A row of the final standing: the last stage that the entrant played in, and its score there.

    The score is in points per match less the mean of the table, luck taken out as `units` does it: of the whole stage,
    or in a knock-out of the last round that it played; None if it has no result there.
    """

    place: int
    entrant: int
    stage: int
    score: float | None
