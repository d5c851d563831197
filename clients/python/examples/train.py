"""Train a small network by playing against itself, and play with it.

    python train.py two.npz --game two --steps 60     # train: some minutes
    python train.py two.npz                           # play with what was learned, for the server that started it

Needs farfalia[rl]. The network has one hidden layer and is trained with PPO, both written out in NumPy. One network
plays all seats: a tensor always shows the table from the seat that looks.
"""

import argparse
import json
import sys

import numpy as np

import farfalia
from farfalia.bots import create
from farfalia.learning.pettingzoo_env import env
from farfalia.learning.tensors import action_mask, observation_tensor


class Network:
    """A network from tensors to the probabilities of actions, and to the points that are expected."""

    def __init__(self, weights):
        self.weights = weights
        self.moments = [(np.zeros_like(each), np.zeros_like(each)) for each in weights]
        self.updates = 0

    @classmethod
    def new(cls, inputs, actions, hidden, random):
        first = random.normal(0, 1 / np.sqrt(50), (inputs, hidden))  # some fifty of the inputs are ones
        second = random.normal(0, 0.01, (hidden, actions + 1))  # the last output is the value
        return cls([first.astype("f4"), np.zeros(hidden, "f4"), second.astype("f4"), np.zeros(actions + 1, "f4")])

    def forward(self, tensors, masks):
        first, first_bias, second, second_bias = self.weights
        hidden = np.maximum(tensors @ first + first_bias, 0)
        outputs = hidden @ second + second_bias
        logits = np.where(masks, outputs[:, :-1], -np.inf)  # what is illegal is never chosen
        chances = np.exp(logits - logits.max(1, keepdims=True))
        return hidden, chances / chances.sum(1, keepdims=True), outputs[:, -1]

    def update(self, gradients, rate):
        """Take one step of Adam."""
        self.updates += 1
        for weight, (mean, square), gradient in zip(self.weights, self.moments, gradients, strict=True):
            mean += 0.1 * (gradient - mean)
            square += 0.001 * (gradient**2 - square)
            unbiased = square / (1 - 0.999**self.updates)
            weight -= rate * mean / (1 - 0.9**self.updates) / (np.sqrt(unbiased) + 1e-8)


def play_deals(table, network, deals, random):
    """Play deals in which the network has all seats: tensors, masks, actions, their chances, values and returns."""
    rows, returns = [], []
    for _ in range(deals):
        table.reset()
        gained = dict.fromkeys(table.possible_agents, 0.0)
        players = []
        for agent in table.agent_iter():
            observation, reward, finished, _, _ = table.last()
            gained[agent] += reward
            if finished:  # its mask is all zeros: nothing is asked any more
                table.step(None)
                continue
            _, chances, values = network.forward(observation["observation"][None], observation["action_mask"][None])
            action = pick(chances[0], random)
            rows.append((observation["observation"], observation["action_mask"], action, chances[0, action], values[0]))
            players.append(agent)
            table.step(action)
        returns += [gained[agent] for agent in players]
    return [*(np.array(column) for column in zip(*rows, strict=True)), np.array(returns, "f4")]


def pick(chances, random):
    return min(int(np.searchsorted(np.cumsum(chances), random.random())), int(np.flatnonzero(chances)[-1]))


def learn(network, data, random, epochs=4, batch=256, clip=0.2, entropy=0.01, rate=1e-3, scale=10):
    """Make actions likelier that did better than expected, in small steps (PPO)."""
    returns, values = data[5] / scale, data[4]
    advantages = returns - values
    advantages /= advantages.std() + 1e-8
    for _ in range(epochs):
        order = random.permutation(len(returns))
        for rows in np.array_split(order, max(1, len(order) // batch)):
            tensors, masks, actions, before = (column[rows] for column in data[:4])
            hidden, chances, values = network.forward(tensors, masks)
            index = np.arange(len(rows))
            ratio = chances[index, actions] / before
            gain = advantages[rows]
            moving = np.where(gain > 0, ratio < 1 + clip, ratio > 1 - clip)
            logs = np.log(np.maximum(chances, 1e-9))
            surprise = -(chances * logs).sum(1, keepdims=True)
            chosen = -chances
            chosen[index, actions] += 1
            outputs = np.empty((len(rows), chances.shape[1] + 1), "f4")
            outputs[:, :-1] = -(moving * ratio * gain)[:, None] * chosen + entropy * chances * (logs + surprise)
            outputs[:, -1] = values - returns[rows]
            outputs /= len(rows)
            inner = (outputs @ network.weights[2].T) * (hidden > 0)
            network.update([tensors.T @ inner, inner.sum(0), hidden.T @ outputs, outputs.sum(0)], rate)


def measure(table, network, opponent, deals, random):
    """Return the points per deal above the mean against house bots in all other seats, and the standard error."""
    bot, seats, points = create(opponent, seed=1), len(table.possible_agents), []
    for number in range(deals):
        table.reset(seed=1_000_000 + number)
        ours = f"seat_{number % seats}"
        for agent in table.agent_iter():
            observation, reward, finished, _, _ = table.last()
            if finished:
                if agent == ours:
                    points.append(reward)
                table.step(None)
            elif agent == ours:
                _, chances, _ = network.forward(observation["observation"][None], observation["action_mask"][None])
                table.step(pick(chances[0], random))
            else:  # a house bot looks at the engine's observation instead of the tensor
                table.step(bot.decide(table.unwrapped.match.observation(int(agent.removeprefix("seat_")))))
    return np.mean(points), np.std(points) / np.sqrt(deals)


class TrainedBot(farfalia.Bot):
    """A bot that plays the likeliest action."""

    def __init__(self, path):
        stored = np.load(path)
        self.rulesets = [str(stored["game"])]
        self.network = Network([stored[f"w{number}"] for number in range(4)])

    def decide_batch(self, views):
        tensors = np.stack([observation_tensor(view) for view in views])
        masks = np.stack([action_mask(view) for view in views])
        return self.network.forward(tensors, masks)[1].argmax(1).tolist()

    def decide(self, view):
        return self.decide_batch([view])[0]


def train(options):
    random = np.random.default_rng(options.seed)
    table = env(options.game, horizon="deal", deal="random")
    table.reset(seed=options.seed)
    space = table.observation_space("seat_0")
    inputs, actions = space["observation"].shape[0], space["action_mask"].shape[0]
    network = Network.new(inputs, actions, options.hidden, random)
    test = env(options.game, horizon="deal", deal="random")
    for step in range(options.steps + 1):
        if step % options.every == 0 or step == options.steps:
            for opponent in ("random", "cautious"):
                mean, error = measure(test, network, opponent, options.test_deals, random)
                print(
                    json.dumps(
                        {
                            "deals": step * options.deals,
                            "against": opponent,
                            "points": round(float(mean), 2),
                            "error": round(float(error), 2),
                        }
                    ),
                    flush=True,
                )
        if step < options.steps:
            learn(network, play_deals(table, network, options.deals, random), random)
    weights = {f"w{number}": weight for number, weight in enumerate(network.weights)}
    np.savez(options.file, game=options.game, **weights)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Train a network, or play with it (without --steps).")
    parser.add_argument("file", help="where the network is kept, such as two.npz")
    parser.add_argument("--game", default="two")
    parser.add_argument("--steps", type=int, default=0, help="updates of the network")
    parser.add_argument("--deals", type=int, default=64, help="deals that are played for each update")
    parser.add_argument("--hidden", type=int, default=64, help="units of the hidden layer")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--every", type=int, default=20, help="updates between two measurements")
    parser.add_argument("--test-deals", type=int, default=400, help="deals of each measurement")
    given = parser.parse_args(sys.argv[1:])
    if given.steps:
        train(given)
    else:
        farfalia.run(TrainedBot(given.file))
