"""Random play of very many deals: ours in lock step, beside rollouts that stay inside OpenSpiel's C++ core."""

from collections.abc import Iterator
from functools import partial
from typing import Final

from farfalia_tools.bench.engine import openspiel
from farfalia_tools.bench.engine.contest import Contestant
from farfalia_tools.bench.engine.setting import OURS, Setting

_LOOP: Final = "play in lock step"
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
