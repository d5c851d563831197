"""How fast the engine is, beside OpenSpiel where it is installed.

A topic is a function that yields contestants for one loop or a few, ours and peers', all
of which start from the same setting.
"""

import argparse
from collections.abc import Callable, Iterator
from functools import partial
from random import Random
from typing import Final

from farfalia_tools.bench.engine import openspiel
from farfalia_tools.bench.engine.contest import Contestant, ContestReport, compare, measure, repeat, table
from farfalia_tools.bench.engine.determinizations import sampling
from farfalia_tools.bench.engine.lockstep import by_a_network, in_lock_step
from farfalia_tools.bench.engine.playouts import inside
from farfalia_tools.bench.engine.searching import searching
from farfalia_tools.bench.engine.setting import OURS, Setting, asked, play, setting

_UNITS: Final = "Decisions or calls a second of CPU time, median of interleaved rounds; ratios count, rates move."
_ALONE: Final = "OpenSpiel is not installed, so there is no ratio; pip install open_spiel adds it."


def playing(setting: Setting) -> Iterator[Contestant]:
    """Measure one decision at a time, as bots do it."""
    random = setting.random.random
    yield Contestant("play, deals included", OURS, partial(play, setting.new_match, random))
    yield Contestant("play from a dealt state", OURS, partial(play, setting.dealt.clone, random))
    for peer in setting.peers:
        deal_and_play = partial(openspiel.play, peer.game.new_initial_state, random)
        yield Contestant("play, deals included", peer.name, deal_and_play)
        yield Contestant("play from a dealt state", peer.name, partial(openspiel.play, peer.dealt.clone, random))


def looking(setting: Setting) -> Iterator[Contestant]:
    """Measure copying a state, and showing it to one who has to decide."""
    state = setting.midway
    yield Contestant("clone", OURS, partial(repeat, state.clone))
    yield Contestant("observation", OURS, partial(repeat, partial(state.observation, asked(state))))
    for peer in setting.peers:
        show = partial(peer.midway.information_state_string, peer.midway.current_player())
        yield Contestant("clone", peer.name, partial(repeat, peer.midway.clone))
        yield Contestant("observation", peer.name, partial(repeat, show))


#: In the order of the table.
TOPICS: Final[tuple[Callable[[Setting], Iterator[Contestant]], ...]] = (
    playing,
    inside,
    in_lock_step,
    by_a_network,
    looking,
    sampling,
    searching,
)


def run(seconds: float, seed: int) -> ContestReport:
    """Measure for about `seconds` of CPU time; the seed decides deals, plays and the order of the turns."""
    random = Random(seed)
    start = setting(random)
    contestants = [contestant for topic in TOPICS for contestant in topic(start)]
    rates = measure(contestants, seconds, random)
    notes = [_UNITS, *(contestant.note() for contestant in contestants if contestant.note)]
    if not start.peers:
        notes.append(_ALONE)
    return ContestReport(compare(rates, openspiel.REFERENCE), tuple(notes))


def main() -> None:
    """Measure and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=20, help="CPU seconds to spend (default 20)")
    parser.add_argument("--seed", type=int, default=1, help="decides deals, plays and the order of the turns")
    arguments = parser.parse_args()
    print(table(run(arguments.seconds, arguments.seed)))


if __name__ == "__main__":
    main()
