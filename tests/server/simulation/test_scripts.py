"""The scripts of simulated nodes answer as the real ones do, whatever is asked, and leave the same behind."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from typing import Any

import pytest
from redis import Redis
from tests.server.shared_redis import emptied_redis
from tests.server.simulation.keys import Keys
from tests.server.simulation.scripts import SCRIPTS

NODES = ["nodes", "nodes:heard", "nodes:registry", "nodes:processes"]
SEATS = ["seats:matches", "seats:taken"]
#: What the real scripts ask instead of Redis' clock.
CLOCK = "cjson.decode(redis.call('GET', 'clock'))"


class Both:
    """A real Redis and a simulated one, which get the same calls at the same time."""

    def __init__(self, redis: Redis) -> None:
        self.redis: Any = redis  # its types are those of several kinds of clients
        self.milliseconds = 1_700_000_000_000
        self.keys = Keys(lambda: self.milliseconds / 1000, SCRIPTS)
        self.scripts = {
            function.__name__: (redis.register_script(text.replace("redis.call('TIME')", CLOCK)), function)
            for text, function in SCRIPTS.items()
        }

    def call(self, name: str, keys: list[str], args: list[object]) -> tuple[Any, Any]:
        """Return what both answer."""
        seconds, rest = divmod(self.milliseconds, 1000)
        self.redis.set("clock", json.dumps([str(seconds), str(rest * 1000)]))
        real, simulated = self.scripts[name]
        texts = [str(arg) for arg in args]
        return real(keys=keys, args=texts), simulated(self.keys, keys, texts)

    def left(self) -> tuple[dict[str, Any], dict[str, Any]]:
        """Return what is in the keys of both."""
        real: dict[str, Any] = {}
        for key in (name.decode() for name in self.redis.scan_iter()):
            if key == "clock":
                continue
            kind = self.redis.type(key)
            if kind == b"hash":
                real[key] = {name.decode(): value for name, value in self.redis.hgetall(key).items()}
            elif kind == b"zset":
                real[key] = {name.decode(): score for name, score in self.redis.zrange(key, 0, -1, withscores=True)}
            elif kind == b"stream":
                real[key] = [fields for _, fields in self.redis.xrange(key)]
            else:
                real[key] = self.redis.get(key)
        simulated = {
            key: [fields for _, fields in value.entries] if hasattr(value, "entries") else value
            for key, value in self.keys.values.items()
        }
        return real, simulated


@pytest.fixture
def both() -> Iterator[Both]:
    with Redis.from_url(emptied_redis()) as redis:
        yield Both(redis)


def some_call(rng: random.Random) -> tuple[str, list[str], list[object]]:
    """Return a call that nodes could make, with few names, so that calls meet."""
    name = rng.choice("ABC")
    instance, other = (f"{rng.choice(name + 'xy')}".rjust(16, "0") for _ in range(2))
    token, match, bots = rng.randint(1, 5), rng.randint(1, 6), rng.sample(range(1, 5), 2)
    role, epoch = rng.choice(["seater", "rater"]), rng.randint(1, 3)
    limits = [number for bot in bots for number in (bot, rng.choice([1, 2, 1 << 30]))]
    told = f'1 said\n{{"pid": {token}}}'
    heard = [name, instance, told, 3000, 2000, rng.choice(["run-1", "run-2", ""]), rng.choice(["", other])]
    calls: list[tuple[str, list[str], list[object]]] = [
        ("hear", NODES, [*heard, rng.choice(["run-1", "run-2"]), f"process {token}"]),
        ("hear", NODES, [*heard, "run-1", f"process {token}"]),
        ("leave", NODES, [name, instance]),
        ("take", ["nodes", "roles"], [name, instance, rng.choice("011"), "seater", "rater"]),
        ("go_on", ["roles"], [role, instance, token, rng.choice("01")]),
        (
            "write_gateway",
            ["gateways", "gateways:news"],
            [bots[0], epoch, json.dumps({"epoch": epoch, "of": name, "connected": True})],
        ),
        (
            "write_capped_gateway",
            ["gateways", "gateways:news"],
            [
                bots[0],
                epoch,
                json.dumps({"epoch": epoch, "of": name, "connected": rng.random() < 0.7}),
                json.dumps([[rng.randint(1, 2), [str(bot) for bot in (*bots[1:], 5)]], [1, ["6"]]]),
                json.dumps({str(bots[1]): rng.randint(1, 3)}),
                json.dumps({str(bot): True for bot in rng.sample(range(1, 7), rng.randint(0, 3))}),
            ],
        ),
        ("raise_fence", ["seats:fence", "roles"], [token, role]),
        ("reserve", [*SEATS, "seats:fence"], [token, match, name, *limits]),
        ("release", [*SEATS, "seats:news"], [match, rng.choice("01")]),
        ("replace_name", ["server"], [rng.choice(["", "one", "two"]), rng.choice(["", "one", "two"])]),
    ]
    return rng.choice(calls)


@pytest.mark.parametrize("seed", range(3))
def test_simulated_scripts_answer_as_those_of_redis_do(both: Both, seed: int) -> None:
    rng, seen = random.Random(seed), set[tuple[str, str]]()
    for step in range(500):
        both.milliseconds += rng.choice([0, 1, 300, 300, 1000, 2500])
        if rng.random() < 0.01:
            both.redis.flushall()
            both.keys.flush_all()
        call = some_call(rng)
        real, simulated = both.call(*call)
        assert real == simulated, (step, call)
        seen.add((call[0], str(real[:1] if isinstance(real, list) else type(real))))
        real, simulated = both.left()
        assert real == simulated, (step, call)
    assert {name for name, _ in seen} == {function.__name__ for function in SCRIPTS.values()}
    assert {str([status]) for status in (b"heard", b"taken", b"lost")} <= {
        what for name, what in seen if name == "hear"
    }
