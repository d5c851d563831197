"""The training example does what its page says: it trains, and what it has learned plays on a server."""

import json
import os
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
from tests.server.live import PATIENCE, live_server

from farfalia.testing import check

ROOT = Path(__file__).parents[2]
PROGRAM = ROOT / "clients" / "python" / "examples" / "train.py"
BUDGET = ("--steps", "2", "--deals", "4", "--every", "1", "--test-deals", "2", "--hidden", "8")


@pytest.fixture(scope="module")
def example() -> ModuleType:
    module = ModuleType("train")
    exec(compile(PROGRAM.read_text(), PROGRAM, "exec"), module.__dict__)
    return module


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[dict[str, object]]]:
    """A network that has hardly learned, and what was measured meanwhile."""
    path = tmp_path_factory.mktemp("training") / "two.npz"
    done = subprocess.run([sys.executable, PROGRAM, path, *BUDGET], capture_output=True, text=True, check=True)
    return path, [json.loads(line) for line in done.stdout.splitlines()]


def test_training_measures_and_keeps_a_network(trained: tuple[Path, list[dict[str, object]]]) -> None:
    path, lines = trained
    assert [(line["deals"], line["against"]) for line in lines] == [
        (deals, opponent) for deals in (0, 4, 8) for opponent in ("random", "cautious")
    ]
    assert str(np.load(path)["game"]) == "two"


def test_the_same_seed_trains_the_same_network(trained: tuple[Path, list[dict[str, object]]], tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, PROGRAM, tmp_path / "two.npz", *BUDGET], capture_output=True, text=True, check=True
    )
    assert [json.loads(line) for line in done.stdout.splitlines()] == trained[1]


def test_the_gradient_is_that_of_the_objective(example: ModuleType) -> None:
    """One full step of plain descent: what PPO and the value's error say, by finite differences."""
    random = np.random.default_rng(1)
    rows, inputs, actions = 6, 5, 4
    network = example.Network.new(inputs, actions, 3, random)
    network.weights = [random.normal(0, 1, each.shape) for each in network.weights]
    tensors = random.normal(0, 1, (rows, inputs))
    masks = np.ones((rows, actions), bool)
    masks[:, 0] = random.random(rows) < 0.5
    chosen = random.integers(1, actions, rows)
    index = np.arange(rows)
    before = network.forward(tensors, masks)[1][index, chosen] * random.uniform(0.7, 1.4, rows)
    returns, values = random.normal(0, 10, rows), random.normal(0, 1, rows)
    gain = returns / 10 - values
    gain = gain / (gain.std() + 1e-8)

    def loss() -> float:
        _, chances, expected = network.forward(tensors, masks)
        ratio = chances[index, chosen] / before
        policy = np.minimum(ratio * gain, np.clip(ratio, 0.8, 1.2) * gain)
        entropy = -(chances * np.log(np.maximum(chances, 1e-9))).sum(1)
        return float((-policy - 0.01 * entropy + (expected - returns / 10) ** 2 / 2).mean())

    found: list[np.ndarray] = []
    network.update = lambda gradients, rate: found.extend(gradients)
    example.learn(network, (tensors, masks, chosen, before, values, returns), random, epochs=1, batch=rows)
    for weight, gradient in zip(network.weights, found, strict=True):
        for place in np.ndindex(weight.shape):
            kept = weight[place]
            weight[place] = kept + 1e-6
            above = loss()
            weight[place] = kept - 1e-6
            below = loss()
            weight[place] = kept
            assert gradient[place] == pytest.approx((above - below) / 2e-6, abs=1e-4)


def test_a_trained_network_is_a_bot_that_answers_legally(
    trained: tuple[Path, list[dict[str, object]]], example: ModuleType
) -> None:
    report = check(example.TrainedBot(trained[0]), matches=2, name="two")
    assert report.ok, report


def test_a_trained_network_plays_a_rated_match(trained: tuple[Path, list[dict[str, object]]], tmp_path: Path) -> None:
    with live_server(tmp_path) as server:
        token = server.register("net")
        server.register("anna", house="greedy")
        settings = os.environ | {"FARFALIA_SERVER": server.grpc_address, "FARFALIA_TOKEN": token}
        bot = subprocess.Popen([sys.executable, PROGRAM, trained[0]], env=settings)
        try:
            tournament = server.tournament(["net", "anna"], rounds=2, ruleset="two")
            matches = server.wait_for_matches(tournament)
            standings = {row.entrant: row for row in server.show(tournament).standings}
        finally:
            bot.kill()
            bot.wait(PATIENCE)
        assert matches
        assert all(server.verify(server.record(match.id)) == [] for match in matches)
        assert standings["net"].strikes == standings["net"].forfeits == 0
        assert standings["net"].rating.mu != standings["anna"].rating.mu


def test_the_bot_on_the_page_is_the_one_of_the_program() -> None:
    page = (ROOT / "docs" / "training.md").read_text()
    (shown,) = (block for block in page.split("```python\n")[1:] if block.startswith("class"))
    method = shown.partition("\n```")[0].partition("\n")[2]
    assert method in PROGRAM.read_text()
