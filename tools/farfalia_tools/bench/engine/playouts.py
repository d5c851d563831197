"""Random play to the end of a deal inside the engine: our plain Python beside rollouts in OpenSpiel's C++ core."""

from collections.abc import Iterator
from functools import partial
from typing import Final

from farfalia_engine import rollouts
from farfalia_tools.bench.engine import openspiel
from farfalia_tools.bench.engine.contest import Contestant
from farfalia_tools.bench.engine.setting import OURS, Setting, play

_ROLLOUTS: Final = 20
#: Deals that are played step by step, to learn how many decisions a playout takes.
_TRIED: Final = 200


def inside(setting: Setting) -> Iterator[Contestant]:
    """Measure playing to the end of a dealt state in one call; what is counted is decisions."""
    random, dealt = setting.random, setting.dealt
    decisions = sum(play(dealt.clone, random.random) for _ in range(_TRIED)) / _TRIED

    def playouts() -> float:
        dealt.playout(random)
        return decisions

    def means() -> float:
        rollouts(dealt, _ROLLOUTS, random.getrandbits(32))
        return _ROLLOUTS * decisions

    for loop, ours in (("playouts", playouts), ("rollouts", means)):
        yield Contestant(loop, OURS, ours)
        for peer in setting.peers:
            yield Contestant(loop, peer.name, partial(openspiel.rollouts, peer, random))
