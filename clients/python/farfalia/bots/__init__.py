"""Bots that come with the package: opponents to try a bot against, the server's house bots, and code to read."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from difflib import get_close_matches
from math import inf

from farfalia.bot import Bot
from farfalia.bots import farfalia_estimates, farfalia_tactics, farrago_estimates, farrago_tactics  # noqa: F401  # register their tactics
from farfalia.bots.cautious import CautiousBot
from farfalia.bots.flat_monte_carlo import FlatMonteCarloBot
from farfalia.bots.greedy import GreedyBot
from farfalia.bots.random import RandomBot
from farfalia.errors import BadSetting
from farfalia_engine.installed import Installed
from farfalia_engine.integers import whole


def _expert(seed: int, iterations: int = 1000, seconds: float | None = None) -> Bot:
    try:
        from farfalia.bots.expert import ExpertBot  # NumPy takes a while, and is an extra
    except ImportError:
        raise BadSetting("The sample bot expert needs NumPy: pip install 'numpy>=2'.") from None
    return ExpertBot(seed, iterations, seconds)


_SEARCHING: dict[str, Callable[..., Bot]] = {"flat-monte-carlo": FlatMonteCarloBot, "expert": _expert}
_OWN: dict[str, Callable[[int], Bot]] = {
    "random": RandomBot,
    "greedy": GreedyBot,
    "cautious": CautiousBot,
    **_SEARCHING,
}
_BOTS: Mapping[str, Callable[[int], Bot]] = Installed("farfalia.bots", Bot, _OWN)

#: Names of the sample bots, the simplest first; docs/bots.md says how strong each is.
#: Those of other packages, by entry points in `farfalia.bots`, come last.
NAMES = tuple(_BOTS)

#: Those that search: a server plays them in processes of their own.
SEARCHING = tuple(_SEARCHING)

#: Those that decide in well under a millisecond: a server can play them inside itself.
HOUSE = tuple(name for name in NAMES if name not in SEARCHING)


def create(name: str, seed: int = 0, *, iterations: int | None = None, seconds: float | None = None) -> Bot:
    """Make the sample bot of this name; the same seed and the same questions give the same answers.

    `flat-monte-carlo` and `expert` search for this number of iterations per decision, 1000 by default, or for a number
    of seconds: then their answers depend on the machine. Raises BadSetting if there is no such bot, for a bad budget,
    and for `expert` without NumPy.
    """
    if name not in _BOTS:
        close = get_close_matches(name.lower(), NAMES, 1)
        hint = f"; did you mean {close[0]}?" if close else "."
        raise BadSetting(f"There is no sample bot {name!r}; expected one of {', '.join(NAMES)}{hint}")
    if iterations is None and seconds is None:
        return _BOTS[name](seed)
    if name not in _SEARCHING:
        raise BadSetting(
            f"{name} does not search; expected iterations and seconds for {' and '.join(_SEARCHING)} only."
        )
    if iterations is not None and seconds is not None:
        raise BadSetting("Both iterations and seconds are given; expected one of the two.")
    try:
        whole("iterations", 1 if iterations is None else iterations)
    except TypeError as error:
        raise BadSetting(f"{error}.") from None
    if isinstance(seconds, bool):
        raise BadSetting(f"seconds is {seconds}, expected a number.")
    if (iterations is not None and iterations < 1) or (seconds is not None and not 0 < seconds < inf):
        given = f"{iterations} iterations" if iterations is not None else f"{seconds} seconds"
        raise BadSetting(f"A search of {given} finds nothing; expected more than 0.")
    return _SEARCHING[name](seed, iterations or 1, seconds)


__all__ = ["HOUSE", "NAMES", "SEARCHING", "create"]
