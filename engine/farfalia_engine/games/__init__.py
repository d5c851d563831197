"""One file for each game: its rules and nothing else. Other packages bring more by entry points in `farfalia.games`."""

from collections.abc import MutableMapping
from typing import Final

from farfalia_engine.games.basic import Basic
from farfalia_engine.games.chinkway import Chinkway
from farfalia_engine.games.farrago import Farrago
from farfalia_engine.games.five_hand import FiveHand
from farfalia_engine.games.four import Four
from farfalia_engine.games.three import Three
from farfalia_engine.games.three_short import ThreeShort
from farfalia_engine.games.two import Two
from farfalia_engine.installed import Installed
from farfalia_engine.interfaces import Game

_OWN: Final = {game.name: game for game in (Basic, Chinkway, Farrago, FiveHand, Four, Three, ThreeShort, Two)}

#: Every game by its name.
GAMES: Final[MutableMapping[str, type[Game]]] = Installed("farfalia.games", Game, _OWN)
