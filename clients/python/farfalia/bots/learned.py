"""Plays by small networks that have learned what cards come to among players like cautious. It needs NumPy."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from pathlib import Path

from farfalia.bots.cautious import CautiousBot
from farfalia.learning.learned_networks import FILE, network_for
from farfalia.learning.lockstep_views import moment_of, table_seen
from farfalia.learning.self_play import positions
from farfalia_engine import FarfaliaObservation, FarragoObservation, Kind, Observation


class LearnedBot(CautiousBot):
    """A bot that chooses among the cards that cautious finds good, by a network for each kind of game.

    Everything but the play of cards it decides as cautious does, and so it does where wild cards burn and in games from
    other packages. It remembers nothing, and its networks calculate with integers: the same view has the same answer on
    every machine, which lets a server play it as a house bot whose answers anyone can recompute. A file of your own,
    from `python -m farfalia.learning.train_learned`, takes the place of the package's networks.
    """

    def __init__(self, seed: int = 0, file: str | Path = FILE) -> None:
        super().__init__(seed)
        self._file = Path(file)

    def decide(self, view: Observation) -> int:
        """Return the card that the network likes best; what else is asked, cautious answers."""
        return self.decide_batch([view])[0]

    def decide_batch(self, views: Sequence[Observation]) -> Sequence[int]:
        """Return the actions for all questions; those of one moment of a game take one pass of a network."""
        actions = [0] * len(views)
        together: dict[Hashable, list[int]] = {}
        for number, view in enumerate(views):
            if _is_play(view) and network_for(view.ruleset, self._file):
                together.setdefault(moment_of(view), []).append(number)
            else:
                actions[number] = super().decide(view)
        for numbers in together.values():
            asked = [views[number] for number in numbers]
            network = network_for(asked[0].ruleset, self._file)
            assert network is not None
            for number, card in zip(numbers, network.choose(positions(table_seen(asked))).tolist(), strict=True):
                actions[number] = card
        return actions


def _is_play(view: Observation) -> bool:
    """Return whether a card is to be chosen in a game that is played in lock step."""
    return (
        view.kind is Kind.PLAY
        and len(view.legal) > 1
        and isinstance(view, FarfaliaObservation | FarragoObservation)
        and view.options.get("burnin") != "on"
    )
