"""How often any two entrants meet, as a value and as a sentence."""

from dataclasses import dataclass, replace
from enum import StrEnum

from farfalia_tournaments.schedules.knockout_size import KnockoutSize
from farfalia_tournaments.schedules.span import Span


class BalanceKind(StrEnum):
    """What is known of how often any two entrants meet."""

    #: Equally often.
    BALANCED_DESIGN = "balanced-design"
    #: Equally often within one, which is the best possible with this number of matches.
    WITHIN_ONE = "within-one"
    #: As evenly as this number of matches allows.
    BEST_POSSIBLE = "best-possible"
    #: As evenly as the search found.
    BEST_FOUND = "best-found"
    #: The same, where a design in which all meet equally often is possible by counting and not known to exist.
    NOT_KNOWN = "not-known"
    #: It depends on the scores of a Swiss; the numbers are those of a trial.
    TRIAL = "trial"
    #: It depends on the results of a knock-out; the rounds are known.
    KNOCKOUT = "knockout"


@dataclass(frozen=True, slots=True)
class BalanceSummary:
    """How often any two entrants meet, or, where `meetings` is None, the rounds of a knock-out.

    `shorter` is the number of tables of the short design, if fewer are enough for everybody to meet everybody; `finals`
    says that after the first whole rounds tables go to those who can still be among the first.
    """

    kind: BalanceKind
    meetings: Span | None
    rounds: tuple[KnockoutSize, ...] = ()
    shorter: int | None = None
    finals: bool = False

    @property
    def sentence(self) -> str:
        """The same for people."""
        if self.finals:
            whole = replace(self, finals=False).sentence
            return f"{whole} That is so in whole rounds: later tables go to those who can still be among the first."
        if self.kind is BalanceKind.KNOCKOUT:
            return f"{'; then '.join(map(str, self.rounds))}."
        if self.shorter is not None:
            even = replace(self, shorter=None).sentence
            return f"{even} For everybody to meet everybody, {self.shorter} tables are enough: design=short."
        if self.kind is BalanceKind.BALANCED_DESIGN:
            times = "time" if str(self.meetings) == "1" else "times"
            return f"Everybody meets everybody else exactly {self.meetings} {times}: a balanced design."
        return _SENTENCES[self.kind].format(self.meetings)


_SENTENCES = {
    BalanceKind.WITHIN_ONE: "Any two entrants meet {} times: even within one, the best possible with this number of"
    " matches.",
    BalanceKind.BEST_POSSIBLE: "Any two entrants meet {} times: the best possible with this number of matches.",
    BalanceKind.BEST_FOUND: "Any two entrants meet {} times: the best that the search found.",
    BalanceKind.NOT_KNOWN: "Any two entrants meet {} times: the best that the search found. A design in which everybody"
    " meets everybody equally often is not known to exist.",
    BalanceKind.TRIAL: "Paired by score; in a trial, any two met {} times.",
}
