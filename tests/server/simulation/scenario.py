"""What a seed stands for: who plays what, and what goes wrong how often."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from farfalia_engine import TimeControl

#: Short games, with their numbers of seats.
GAMES: tuple[tuple[str, Mapping[str, str], int], ...] = (
    ("basic", {}, 5),
    ("basic", {"burnin": "on"}, 5),
    ("four", {"target": "40"}, 4),
    ("three-short", {}, 3),
    ("two", {}, 2),
    ("two", {"double_you": "on"}, 2),
)


@dataclass(frozen=True)
class Faults:
    """What goes wrong. Seconds on average from one to the next, 0 for never; shares of calls; seconds at most."""

    crash: float = 0.0
    #: Share of the calls to store and journal in which the server is killed, after the call has happened.
    crash_in_call: float = 0.0
    down: float = 5.0
    stall: float = 0.0
    longest_stall: float = 5.0
    #: Connections of bots are lost.
    drop: float = 0.0
    store_delay: float = 0.01
    #: Shares of calls that the store does not answer, before or after they have happened, and that fail otherwise.
    store_unavailable: float = 0.0
    store_fails: float = 0.0
    #: Neither answers for a while.
    store_outage: float = 0.0
    redis_outage: float = 0.0
    longest_outage: float = 10.0
    redis_delay: float = 0.005
    redis_unreachable: float = 0.0
    #: Redis loses its newest writes; Redis loses everything.
    fail_over: float = 0.0
    flush_all: float = 0.0
    #: The store goes away and comes back as it was some seconds ago.
    store_fail_over: float = 0.0
    longest_lag: float = 0.0
    #: Shares of jobs that are lost, delivered twice at the same time, or again when they are done.
    job_lost: float = 0.0
    delivered_twice: float = 0.0
    delivered_late: float = 0.0
    #: Of nodes: one is frozen, cut off from Redis or the database, or stopped by a signal.
    freeze: float = 0.0
    cut_redis: float = 0.0
    cut_store: float = 0.0
    longest_cut: float = 10.0
    stop: float = 0.0


@dataclass(frozen=True)
class Scenario:
    """A world before its first moment."""

    seed: int
    faults: Faults
    #: By match: the game, its options, and who sits there: indexes of bots, or -1 for a house bot.
    matches: tuple[tuple[str, Mapping[str, str], tuple[int, ...]], ...]
    #: By bot: "honest", "garbage" or "flaky".
    bots: tuple[str, ...]
    control: TimeControl
    #: Seconds that bots think at most, that messages travel, that bots stay away, and that the server waits for them.
    think: float
    latency: float
    away: float
    grace: float
    #: Seconds that a match waits for a bot that is not connected.
    absence: float = field(default=3600.0, kw_only=True)
    #: Matches that the server plays at once.
    tables: int
    #: Seconds after which nothing goes wrong any more.
    calm_after: float
    #: Seconds without a message after which a bot gives a connection up.
    silence: float = 3600.0
    #: How many nodes there are; 0 for a server that is alone.
    nodes: int = 0
    #: Seconds in which the matches come, one after the other.
    coming: float = 0.0
    names: tuple[str, ...] = field(init=False, default=())

    def __post_init__(self) -> None:
        object.__setattr__(self, "names", tuple(f"{kind}-{number}" for number, kind in enumerate(self.bots)))


def scenario(seed: int) -> Scenario:
    """Draw a world: each fault is there or not, so that some worlds have few of them and those often."""
    rng = random.Random(seed)

    def maybe(low: float, high: float, share: float = 0.5) -> float:
        return rng.uniform(low, high) if rng.random() < share else 0.0

    bots = rng.choices(("honest", "garbage", "flaky"), (6, 1, 1), k=rng.randint(2, 6))
    bots[0] = "honest"
    matches = []
    for _ in range(rng.randint(1, 5)):
        game, options, seats = rng.choice(GAMES)
        seated = rng.sample(range(len(bots)), min(seats, len(bots)))
        seated += [-1] * (seats - len(seated))
        rng.shuffle(seated)
        matches.append((game, options, tuple(seated)))
    # A bot whose own network fails has to have time for that; one whose network works may be in a hurry.
    drop = maybe(5, 60)
    limit = 60_000 if drop else rng.choice((1500, 5000, 20_000))
    faults = Faults(
        crash=maybe(5, 60, 0.7),
        crash_in_call=maybe(0.0005, 0.01, 0.3),
        down=rng.choice((0.5, 5.0, 120.0)),
        stall=maybe(2, 60),
        longest_stall=rng.choice((0.5, 5.0, 60.0)),
        drop=drop,
        store_delay=rng.choice((0.0, 0.01, 0.5)),
        store_unavailable=maybe(0.01, 0.2),
        store_fails=maybe(0.01, 0.3),
        store_outage=maybe(20, 120, 0.3),
        redis_outage=maybe(20, 120, 0.3),
        longest_outage=rng.choice((1.0, 10.0, 90.0)),
        redis_delay=rng.choice((0.0, 0.002, 0.05)),
        redis_unreachable=maybe(0.005, 0.1),
        fail_over=maybe(10, 90, 0.3),
        flush_all=maybe(20, 120, 0.3),
        job_lost=maybe(0.05, 0.3, 0.3),
        delivered_twice=maybe(0.1, 0.9, 0.3),
        delivered_late=maybe(0.1, 0.9, 0.3),
    )
    return Scenario(
        seed=seed,
        faults=faults,
        matches=tuple(matches),
        bots=tuple(bots),
        control=TimeControl(limit_ms=limit, bank_ms=rng.choice((0, 10_000)), grace=rng.choice((0, 2))),
        think=rng.choice((0.02, 0.3)),
        latency=rng.choice((0.0, 0.01, 0.05)),
        away=2.0,
        grace=60.0,
        tables=rng.choice((1, 3, 64)),
        calm_after=rng.uniform(60, 900),
    )


def cluster_scenario(seed: int) -> Scenario:
    """Draw a world of several nodes in the same way."""
    rng = random.Random(f"{seed}/nodes")

    def maybe(low: float, high: float, share: float = 0.4) -> float:
        return rng.uniform(low, high) if rng.random() < share else 0.0

    bots = rng.choices(("honest", "garbage", "flaky"), (8, 1, 1), k=rng.randint(2, 6))
    bots[0] = "honest"
    matches = []
    for _ in range(rng.randint(2, 6)):
        (game, options, seats), *_ = rng.choices(GAMES, (1, 1, 1, 3, 3, 3))
        seated = rng.sample(range(len(bots)), min(seats, len(bots)))
        seated += [-1] * (seats - len(seated))
        rng.shuffle(seated)
        matches.append((game, options, tuple(seated)))
    drop = maybe(5, 60)
    faults = Faults(
        crash=maybe(10, 90, 0.6),
        crash_in_call=maybe(0.0005, 0.005, 0.2),
        down=rng.choice((0.5, 5.0, 60.0)),
        stall=maybe(5, 60, 0.2),
        longest_stall=rng.choice((1.0, 5.0, 30.0)),
        drop=drop,
        store_delay=rng.choice((0.0, 0.01, 0.2)),
        store_unavailable=maybe(0.01, 0.1, 0.3),
        store_fails=maybe(0.01, 0.2, 0.3),
        store_outage=maybe(20, 120, 0.2),
        redis_outage=maybe(20, 120, 0.3),
        longest_outage=rng.choice((1.0, 10.0, 60.0)),
        redis_delay=rng.choice((0.0, 0.002, 0.05)),
        redis_unreachable=maybe(0.005, 0.05, 0.3),
        fail_over=maybe(10, 90, 0.25),
        flush_all=maybe(20, 120, 0.2),
        job_lost=maybe(0.05, 0.3, 0.2),
        delivered_twice=maybe(0.1, 0.9, 0.2),
        delivered_late=maybe(0.1, 0.9, 0.2),
        freeze=maybe(5, 60, 0.5),
        cut_redis=maybe(5, 60),
        cut_store=maybe(5, 60),
        longest_cut=rng.choice((1.0, 5.0, 30.0)),
        stop=maybe(10, 90),
    )
    return Scenario(
        seed=seed,
        faults=faults,
        matches=tuple(matches),
        bots=tuple(bots),
        control=TimeControl(limit_ms=60_000, bank_ms=rng.choice((0, 10_000)), grace=rng.choice((0, 2))),
        think=rng.choice((0.1, 0.5)),
        latency=rng.choice((0.0, 0.01, 0.05)),
        away=2.0,
        grace=60.0,
        tables=rng.choice((1, 3, 16)),
        calm_after=rng.uniform(60, 200),
        silence=10.0,
        nodes=rng.choice((2, 3, 3, 5)),
        coming=rng.choice((0.0, 60.0)),
    )


def losing_commits(world: Scenario) -> Scenario:
    """Let the store of a world lose its newest commits now and then, and its Redis lose nothing.

    If both lose what they know of the same match, nothing can tell any more that bots have seen its cards.
    """
    rng = random.Random(f"{world.seed}/commits")
    lag = rng.choice((1.0, 10.0, 60.0))
    faults = replace(world.faults, fail_over=0.0, flush_all=0.0, store_fail_over=rng.uniform(10, 90), longest_lag=lag)
    return replace(world, faults=faults)
