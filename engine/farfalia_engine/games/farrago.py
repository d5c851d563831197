"""Farrago: ten deals, everyone alone, and each deal has its own way to win a trick."""

from collections.abc import Callable
from random import Random

from farfalia_engine.deals import Deals
from farfalia_engine.farrago.endgame import FarragoEndgame
from farfalia_engine.farrago.heuristic_playout import play_heuristically
from farfalia_engine.farrago.observation import FarragoObservation
from farfalia_engine.farrago.playout import play_out
from farfalia_engine.farrago.sampling import FarragoDeterminizations
from farfalia_engine.farrago.state import FarragoState
from farfalia_engine.farrago.terms import FarragoTerms
from farfalia_engine.farrago.wording import farrago_wording
from farfalia_engine.interfaces import Game, Observation, Ruleset, State
from farfalia_engine.search.endgame import Objective
from farfalia_engine.wording import Wording


class Farrago(FarragoTerms, Game):
    """Three, four or five players; to win many tricks is good, and to win few is better."""

    observation_type = FarragoObservation

    def new_match(self, rules: Ruleset, deals: Deals, deal: int) -> FarragoState:
        """Return this deal with its first decision pending; nobody made points in those before it."""
        return FarragoState(rules, self, deals, deal)

    def determinizations(self, rules: Ruleset, observation: Observation) -> Callable[[Random], FarragoState]:
        """Return what draws a match that looks like this to the seat that looks."""
        return FarragoDeterminizations(rules, self, observation).draw

    def play_out(self, state: State, random: Callable[[], float]) -> tuple[int, ...]:
        """Return the points of this deal by seat after decisions that are drawn from `random`."""
        assert isinstance(state, FarragoState)
        return play_out(state, random)

    def play_out_by_heuristic(self, state: State, random: Callable[[], float]) -> tuple[int, ...]:
        """Return the same after decisions of the heuristic rollout policy."""
        assert isinstance(state, FarragoState)
        return play_heuristically(state, random)

    def endgame(self, state: State, objective: Objective) -> FarragoEndgame:
        """Return the endgame of tricks, and of how many everyone has won."""
        assert isinstance(state, FarragoState)
        return FarragoEndgame(state, objective)

    @property
    def wording(self) -> Wording:
        """The names of this pack's cards in words, and how trumps come about."""
        return farrago_wording(self.pack)
