"""Matches of random bots in one library, as fast as they go: `python -m farfalia_tools.bench.peers.loops NAME SECONDS`.

The last line says decisions, seconds, CPU seconds of this process and all that it has started, and the version of the
library. It runs where that is installed and nothing of ours but the tools is; the loop of our engine needs the engine.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping
from functools import partial
from importlib import import_module
from importlib.metadata import version
from os import environ
from random import Random
from resource import RUSAGE_CHILDREN, RUSAGE_SELF, getrusage
from time import perf_counter
from typing import Any, Final

#: Plays to the end of a match or deal and says how many decisions the bots have made.
Play = Callable[[], int]


def _farfalia() -> Play:
    setting: Any = import_module("farfalia_tools.bench.engine.setting")
    random = Random(1)
    return partial(setting.play, setting.setting(random, alone=True).new_match, random.random)


def _open_spiel(game: str) -> Play:
    spiel, loops = import_module("pyspiel"), import_module("farfalia_tools.bench.engine.openspiel")
    return partial(loops.play, spiel.load_game(game).new_initial_state, Random(1).random)


def _rl_environment() -> Play:
    agents = import_module("open_spiel.python.algorithms.random_agent")
    made = import_module("open_spiel.python.rl_environment").Environment("oh_hell", players=5)
    bots = [agents.RandomAgent(player, made.action_spec()["num_actions"]) for player in range(5)]

    def play() -> int:
        step, decisions = made.reset(), 0
        while not step.last():
            answer = bots[step.observations["current_player"]].step(step)
            step = made.step([answer.action])
            decisions += 1
        return decisions

    return play


class _CardBot:
    """A random bot as RLCard wants it, which counts its decisions."""

    use_raw = False

    def __init__(self, random: Random) -> None:
        self.random, self.decisions = random, 0

    def eval_step(self, state: Mapping[str, Any]) -> tuple[int, dict[str, Any]]:
        self.decisions += 1
        return self.random.choice(list(state["legal_actions"])), {}


def _rlcard(game: str, **config: int) -> Play:
    made = import_module("rlcard").make(game, config=config)
    bot = _CardBot(Random(1))
    made.set_agents([bot] * made.num_players)

    def play() -> int:
        before = bot.decisions
        made.run(is_training=False)
        return bot.decisions - before

    return play


def _pettingzoo() -> Play:
    holdem = import_module("pettingzoo.classic.texas_holdem_no_limit_v6")
    made, random = holdem.env(num_players=5), Random(1)

    def play() -> int:
        made.reset(seed=random.getrandbits(31))
        decisions = 0
        for _ in made.agent_iter():
            seen, _, ended, cut, _ = made.last()
            over = ended or cut
            made.step(None if over else random.choice([int(action) for action in seen["action_mask"].nonzero()[0]]))
            decisions += not over
        return decisions

    return play


def _kaggle(url: str = "") -> Play:
    arena, random = import_module("kaggle_environments"), Random(1)

    def choose(observation: Any) -> dict[str, int]:
        # Before the first decision all are asked once, and what they say then does not count.
        return {"submission": random.choice(observation.get("legalActions") or [-1])}

    def play() -> int:
        made = arena.make("open_spiel_hearts", configuration={"includeLegalActions": True})
        made.run([url or choose] * 4)
        if made.pool is not None:  # its processes count once they have ended
            made.pool.close()
            made.pool.join()
        if any(state.status != "DONE" for state in made.state):
            raise RuntimeError(f"a deal ended with {[state.status for state in made.state]}, expected DONE")
        return len(made.info["moveDurations"])

    return play


#: By name: the distribution that it measures, and what makes it; over HTTP it is told the address of the bots.
LOOPS: Final[Mapping[str, tuple[str, Callable[..., Play]]]] = {
    "farfalia": ("farfalia", _farfalia),
    "openspiel-hearts": ("open_spiel", partial(_open_spiel, "hearts")),
    "openspiel-oh-hell": ("open_spiel", partial(_open_spiel, "oh_hell(players=5)")),
    "openspiel-rl": ("open_spiel", _rl_environment),
    "rlcard-holdem": ("rlcard", partial(_rlcard, "limit-holdem", game_num_players=5)),
    "rlcard-bridge": ("rlcard", partial(_rlcard, "bridge")),
    "pettingzoo": ("pettingzoo", _pettingzoo),
    "kaggle": ("kaggle-environments", _kaggle),
    "kaggle-http": ("kaggle-environments", _kaggle),
}


def _cpu_seconds() -> float:
    used = [getrusage(RUSAGE_SELF), getrusage(RUSAGE_CHILDREN)]
    return sum(each.ru_utime + each.ru_stime for each in used)


def main(name: str, seconds: float, *addresses: str) -> None:
    """Play once to warm up, then for this many seconds, and print what that took."""
    environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    distribution, make = LOOPS[name]
    play = make(*addresses)
    play()
    decisions, cpu, begin = 0, _cpu_seconds(), perf_counter()
    while (elapsed := perf_counter() - begin) < seconds or not decisions:
        decisions += play()
    found = {"decisions": decisions, "seconds": elapsed, "cpu": _cpu_seconds() - cpu, "version": version(distribution)}
    print(json.dumps(found), flush=True)


if __name__ == "__main__":
    main(sys.argv[1], float(sys.argv[2]), *sys.argv[3:])
