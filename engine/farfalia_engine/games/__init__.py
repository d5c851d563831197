"""One file for each game: its rules and nothing else."""

from typing import Final

from ..game import Game
from .basic import Basic
from .chinkway import Chinkway
from .farrago import Farrago
from .five_hand import FiveHand
from .four import Four
from .three import Three
from .three_short import ThreeShort
from .two import Two

#: Every game by its name.
GAMES: Final[dict[str, type[Game]]] = {
    game.name: game for game in (Basic, Chinkway, Farrago, FiveHand, Four, Three, ThreeShort, Two)
}
