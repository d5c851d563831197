"""Sampling what a player cannot see, and whether the determinizations agree with what it has seen."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Final

from farfalia_engine import CARDS, SUIT, Observation, State
from farfalia_tools.bench.engine import openspiel
from farfalia_tools.bench.engine.contest import Contestant, each
from farfalia_tools.bench.engine.setting import OURS, Setting, asked, decisions

_LOOP: Final = "sample"
#: Deals of which each decision is looked at once for determinizations that contradict the play.
_DEALS: Final = 8


def sampling(setting: Setting) -> Iterator[Contestant]:
    """Yield a determinization for each decision of a deal, seen by who decides;
    those of other deals are checked later.
    """
    random = setting.random
    ours = [partial(observation.sample, random) for observation in map(_observation, setting.states)]
    yield Contestant(_LOOP, OURS, partial(each, ours), partial(_note, OURS, partial(_our_faults, setting)))
    for peer in setting.peers:
        calls = [openspiel.sampler(state, random.random) for state in peer.states]
        faults = partial(openspiel.faults, peer, _DEALS, random)
        yield Contestant(_LOOP, peer.name, partial(each, calls), partial(_note, peer.name, faults))


def contradicts(observation: Observation, determinization: State) -> bool:
    """Return whether a sampled match of Chinkway is not one that this seat can be in:
    replays the play from the hands.
    """
    if determinization.observation(observation.seat) != observation:
        return True
    views = [determinization.observation(seat) for seat in observation.seats]
    hands = [[*view.hand, *view.discarded] for view in views]
    places = [(observation.leaders[index // 5] + index % 5) % 5 for index in range(len(observation.plays))]
    for position, card in zip(places, observation.plays, strict=True):
        hands[position].append(card)
    if sorted(card for hand in hands for card in hand) != list(range(CARDS)):
        return True
    for card in views[0].discarded:
        hands[0].remove(card)
    return any(_revokes(hands[position], observation.plays, index) for index, position in enumerate(places))


def _revokes(hand: list[int], plays: Sequence[int], index: int) -> bool:
    """Play this card from the hand, and say whether it should have followed suit."""
    card, led = plays[index], SUIT[plays[index - index % 5]]
    hand.remove(card)
    return SUIT[card] != led and any(SUIT[other] == led for other in hand)


def _observation(state: State) -> Observation:
    return state.observation(asked(state))


def _our_faults(setting: Setting) -> tuple[int, int]:
    """Return how many determinizations contradict the play, and of how many."""
    random = setting.random
    observations = [_observation(state) for _ in range(_DEALS) for state in decisions(setting.new_match(), random)]
    return sum(contradicts(view, view.sample(random)) for view in observations), len(observations)


def _note(name: str, count: Callable[[], tuple[int, int]]) -> str:
    faults, determinizations = count()
    return f"{_LOOP}: of {determinizations:,} determinizations that {name} sampled {faults:,} contradict the play."
