"""Very many deals in lock step: at random, beside rollouts that stay inside OpenSpiel's C++ core, and by a network."""

from collections.abc import Iterator
from functools import partial
from typing import Final

from farfalia_tools.bench.engine import openspiel
from farfalia_tools.bench.engine.contest import Contestant
from farfalia_tools.bench.engine.setting import OURS, Setting

_LOOP: Final = "play in lock step"
_SELF_PLAY: Final = "self-play of a network"
#: Neurons of its hidden layers: with the inputs some 64,000 weights.
_HIDDEN: Final = (256, 96)
_ROWS: Final = 2048
#: As many as are played side by side.
_DEALS: Final = 8192
_NOTE: Final = f"{_LOOP}: ours is dealt and played by NumPy, OpenSpiel's are rollouts of one dealt state in C++."


def in_lock_step(setting: Setting) -> Iterator[Contestant]:
    """Measure playing at random with nobody looking on; nothing where NumPy is not installed."""
    try:
        from farfalia.learning.lockstep import simulate
    except ImportError:
        return

    def ours() -> int:
        return simulate(_DEALS, setting.random.getrandbits(32), OURS).decisions

    yield Contestant(_LOOP, OURS, ours, (lambda: _NOTE) if setting.peers else None)
    for peer in setting.peers:
        yield Contestant(_LOOP, peer.name, partial(openspiel.rollouts, peer, setting.random))


def by_a_network(setting: Setting) -> Iterator[Contestant]:
    """Measure deals in which a network plays all seats; nothing where NumPy is not installed."""
    try:
        import numpy as np

        from farfalia.learning.network_training import NetworkTraining
        from farfalia.learning.self_play import SelfPlay, positions
    except ImportError:
        return
    game, source = SelfPlay(OURS), np.random.PCG64(setting.random.getrandbits(32))
    inputs = len(positions(game.dealt(source, 2)).inputs)
    training = NetworkTraining((inputs, *_HIDDEN, 1), 0.06, np.random.default_rng(setting.random.getrandbits(32)))
    network = training.network()

    def ours() -> int:
        table, decisions = game.dealt(source, _ROWS), 0
        while table.left:
            table.play(network.choose(positions(table)))
            decisions += _ROWS
        return decisions

    yield Contestant(_SELF_PLAY, OURS, ours)
