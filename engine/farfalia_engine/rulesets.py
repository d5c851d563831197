"""A game with its options: what a match is played by."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from farfalia_engine.deals import Deals
from farfalia_engine.errors import RulesetError, UnknownRuleset
from farfalia_engine.game import Game
from farfalia_engine.games import GAMES
from farfalia_engine.hints import did_you_mean
from farfalia_engine.outcome import Teams
from farfalia_engine.state import State


@dataclass(frozen=True, slots=True)
class Ruleset:
    """A game and its options; `ruleset` makes one.

    >>> rules = ruleset("four", {"target": "50"})
    >>> rules.seats, rules.options, rules.text(rules.parse("S10"))
    (4, {'target': '50'}, 'S10')
    """

    game: Game = field(repr=False, compare=False)
    name: str
    #: Options that differ from their defaults.
    options: dict[str, str] = field(hash=False)

    @property
    def seats(self) -> int:
        """How many play."""
        return self.game.seats

    @property
    def teams(self) -> Teams | None:
        """Seats that are one side all match, None if there are no such sides."""
        return self.game.teams

    @property
    def last_deal(self) -> int:
        """The number of the last deal that a match can have."""
        return self.game.deals or self.game.most_deals

    def deal_number(self, deal: int) -> int:
        """Return the number of a deal that a match can have; RulesetError for another value."""
        if not isinstance(deal, int) or not 1 <= deal <= self.last_deal:
            raise RulesetError(f"{self.name} has no deal {deal!r}, expected 1 to {self.last_deal}")
        return deal

    def new_match(self, deals: Deals, deal: int = 1) -> State:
        """Return the first deal, with its first decision pending; or deal number `deal`, nobody having points yet.

        Who sits where, and in Farrago which types are left, is as it would be then. RulesetError if there is none.
        """
        return self.game.new_match(self, deals, self.deal_number(deal))

    def places(self, points: Sequence[int], forfeits: Sequence[int] = ()) -> tuple[int, ...]:
        """Places by seat; seats that a house bot took over are last, those that went first behind the others."""
        return self.game.places(points, forfeits)

    def winners(self, points: Sequence[int]) -> tuple[int, ...]:
        """Return the seats that win with these points at the end (F7, F18)."""
        return self.game.winners(points)

    def card_text(self, card: int) -> str:
        """Return the name of a card; BadCard if the number is none."""
        return self.game.notation.card_text(card)

    def text(self, action: int) -> str:
        """Return the text of an action; BadAction if no action has this number."""
        return self.game.notation.action_text(action)

    def parse(self, text: str) -> int:
        """Return the action of this text; BadAction if it is none. Whether it is legal is for the state to say."""
        return self.game.notation.parse_action(text)


def ruleset(name: str, options: Mapping[str, str] | None = None) -> Ruleset:
    """Return the ruleset of this name; UnknownRuleset or BadOption, naming what there is.

    >>> ruleset("four", {"hands": "8"})
    Ruleset(name='four', options={'hands': '8'})
    """
    return _ruleset(name, tuple(sorted(options.items())) if options else ())


# Observations ask for their ruleset again and again; numbers in options are anyone's choice, so not all are kept.
@lru_cache(maxsize=256)
def _ruleset(name: str, given: tuple[tuple[str, str], ...]) -> Ruleset:
    kind = GAMES.get(name)
    if kind is None:
        raise UnknownRuleset(
            f"there is no game {name!r}{did_you_mean(name, GAMES)}, expected one of: {', '.join(sorted(GAMES))}"
        )
    game = kind(dict(given))
    changed = {option: value for option, value in game.chosen.items() if value != kind.options[option].default}
    return Ruleset(game, name, changed)
