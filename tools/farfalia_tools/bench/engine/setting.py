"""Where all loops of the engine's benchmark start from."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from os import environ
from random import Random
from typing import Final

from farfalia_engine import Deals, Ruleset, State, ruleset
from farfalia_tools.bench.engine.openspiel import Peer, peers

OURS: Final = "chinkway"
_LAST_DEAL: Final = 11


@dataclass(frozen=True, slots=True)
class Setting:
    """The last deal of a match, so that playing to the end is playing one deal, and peers' deals."""

    random: Random
    rules: Ruleset
    #: The cards are dealt, nothing is decided.
    dealt: State
    #: At each decision of this deal.
    states: tuple[State, ...]
    peers: tuple[Peer, ...]

    def new_match(self) -> State:
        """Return another match, its first deal dealt."""
        return self.rules.new_match(Deals(self.random.randbytes(32)))

    @property
    def midway(self) -> State:
        """The middle of the deal."""
        return self.states[len(self.states) // 2]


def setting(random: Random, *, alone: bool = False) -> Setting:
    """Return the setting that this randomness decides; without peers if they are not installed,
    or if it is to be `alone`.
    """
    # CPU time is what counts, so linear algebra may use one thread, where NumPy is not yet imported.
    environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    rules = ruleset(OURS)
    dealt = rules.new_match(Deals(random.randbytes(32)))
    while dealt.deal < _LAST_DEAL:
        dealt.apply(random.choice(dealt.legal_actions()))
    return Setting(random, rules, dealt, tuple(decisions(dealt.clone(), random)), () if alone else peers(random))


def asked(state: State) -> int:
    """Return the seat to act; only valid before the match is over."""
    if state.pending is None:
        raise ValueError("the match is over, no seat is to decide")
    return state.pending.seats[0]


def play(begin: Callable[[], State], random: Callable[[], float]) -> int:
    """Play to the end at random, one decision at a time, and say in how many decisions."""
    state = begin()
    decisions = 0
    while state.pending:
        actions = state.legal_actions()
        state.apply(actions[int(random() * len(actions))])
        decisions += 1
    return decisions


def decisions(state: State, random: Random) -> Iterator[State]:
    """Yield the state at each decision of its deal, which is played at random; the state moves on."""
    deal = state.deal
    while state.pending and state.deal == deal:
        yield state.clone()
        state.apply(random.choice(state.legal_actions()))
