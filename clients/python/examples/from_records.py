# %% [markdown]
# # A first bot from records
#
# From what others have played to a bot that plays like them: matches become records, records become tables, and a
# network learns from the tables what `cautious` does. It then plays `random` and `greedy`.
#
# This file is a notebook: VS Code, PyCharm and Spyder run its cells one by one, and `jupytext --to ipynb
# from_records.py` makes one for Jupyter of it. `python from_records.py` runs all of it, which takes less than a minute.
# It needs `pip install 'farfalia[server,export]'`.

# %%
import subprocess
import sys
from pathlib import Path

import numpy as np
import pyarrow.parquet as parquet

import farfalia
from farfalia.bots import create
from farfalia.learning.tensors import action_mask, observation_tensor
from farfalia.testing import play_match

folder = Path("from-records")  # everything goes there
folder.mkdir(exist_ok=True)
random = np.random.default_rng(1)

# %% [markdown]
# ## Matches
#
# Sample bots play a tournament on this machine, which the seed determines. Leave this out if you have records of your
# own, or a server: then `farfalia export tables --server … --game two` fetches them.


# %%
def run(*words):
    """Run a command of Farfalia in the folder."""
    subprocess.run([sys.executable, "-m", "farfalia_server", *words], cwd=folder, check=True, stdout=subprocess.DEVNULL)


terms = ("--game", "two", "--rounds", "80", "--seed", "1", "--records", "records")
run("run", "--bot", "cautious", "--bot", "greedy", *terms)
run("export", "tables", "--records", "records")

# %% [markdown]
# ## Tables
#
# A row of `decisions` has what the seat knew as `observation`, what it could do as `legal` and what it did as
# `action`. We learn from one bot, and keep every fifth match to see whether the network has learned what it was not
# shown.

# %%
columns = ["match", "observation", "legal", "action"]
rows = parquet.read_table(folder / "tables" / "decisions.parquet", columns=columns, filters=[("bot", "=", "cautious")])
observations = np.stack(rows["observation"].to_numpy())
actions = rows["action"].to_numpy().astype(int)
masks = np.zeros((len(rows), 117), bool)  # as many actions as `two` has
for mask, legal in zip(masks, rows["legal"].to_numpy(), strict=True):
    mask[legal] = True
kept = rows["match"].to_numpy() % 5 == 0
print(f"{len(rows)} decisions of cautious, each of {observations.shape[1]} numbers")

# %% [markdown]
# ## A network
#
# One hidden layer; what is illegal gets no probability. It is trained to find likely what the bot did, by gradients of
# the logarithm of its probability, with Adam.


# %%
class Network:
    """A network from tensors to the probabilities of legal actions."""

    def __init__(self, inputs, actions, hidden=128):
        first = random.normal(0, 1 / np.sqrt(50), (inputs, hidden))  # some fifty of the inputs are ones
        self.weights = [first.astype("f4"), np.zeros(hidden, "f4"), np.zeros((hidden, actions), "f4")]
        self.moments = [(np.zeros_like(each), np.zeros_like(each)) for each in self.weights]
        self.updates = 0

    def forward(self, tensors, masks):
        hidden = np.maximum(tensors @ self.weights[0] + self.weights[1], 0)
        outputs = np.where(masks, hidden @ self.weights[2], -np.inf)
        chances = np.exp(outputs - outputs.max(1, keepdims=True))
        return hidden, chances / chances.sum(1, keepdims=True)

    def learn(self, tensors, masks, actions, rate=1e-3):
        hidden, chances = self.forward(tensors, masks)
        chances[np.arange(len(actions)), actions] -= 1  # the gradient of the outputs
        chances /= len(actions)
        inner = (chances @ self.weights[2].T) * (hidden > 0)
        self.updates += 1
        gradients = tensors.T @ inner, inner.sum(0), hidden.T @ chances
        for weight, (mean, square), gradient in zip(self.weights, self.moments, gradients, strict=True):
            mean += 0.1 * (gradient - mean)
            square += 0.001 * (gradient**2 - square)
            unbiased = square / (1 - 0.999**self.updates)
            weight -= rate * mean / (1 - 0.9**self.updates) / (np.sqrt(unbiased) + 1e-8)


network = Network(observations.shape[1], masks.shape[1])
shown = np.flatnonzero(~kept)
for epoch in range(6):
    for batch in np.array_split(random.permutation(shown), len(shown) // 128):
        network.learn(observations[batch], masks[batch], actions[batch])
    same = network.forward(observations[kept], masks[kept])[1].argmax(1) == actions[kept]
    print(f"epoch {epoch + 1}: it does what cautious did in {same.mean():.1%} of the matches that it was not shown")


# %% [markdown]
# ## A bot
#
# The view of a question becomes the same tensor, so what was learned can play. `farfalia.run(Imitator())` connects it
# to a server.


# %%
class Imitator(farfalia.Bot):
    """Does what the network finds likeliest."""

    rulesets = ("two",)

    def decide_batch(self, views):
        tensors = np.stack([observation_tensor(view) for view in views])
        legal = np.stack([action_mask(view) for view in views]) > 0
        return network.forward(tensors, legal)[1].argmax(1).tolist()

    def decide(self, view):
        return self.decide_batch([view])[0]


# %% [markdown]
# ## What it is worth
#
# Points per match above the mean of both players, with the standard error. The same deals are played from both seats;
# beside the imitator, its model plays them as well.


# %%
def margin(bot, opponent, matches=100):
    """Return how many points per match a bot makes above the mean, and the standard error."""
    margins = []
    for number in range(matches):
        seat = number % 2
        players = [create(opponent, number), create(opponent, number)]
        players[seat] = bot
        points = play_match(players, name="two", seed=1_000_000 + number // 2).outcome.points
        margins.append(points[seat] - np.mean(points))
    return np.mean(margins), np.std(margins) / np.sqrt(matches)


for opponent in ("random", "greedy"):
    for name, bot in (("the imitator", Imitator()), ("cautious", create("cautious", 1))):
        mean, error = margin(bot, opponent)
        print(f"against {opponent}, {name} makes {mean:+.1f} ± {error:.1f} points per match above the mean")
