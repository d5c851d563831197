"""A match whose chance is explicit, as one value: it can be copied, and serialised by its history."""

from copy import deepcopy
from itertools import chain
from random import Random
from typing import Any, Self

from farfalia.learning.chance import Decks, Drawing
from farfalia.learning.observation_text import cards_text, observation_text
from farfalia.learning.tensor_layout import tensor_layout
from farfalia_engine import Ruleset, State, ruleset


class Episode:
    """A match, or one deal. Where the engine would shuffle, cards are drawn one by one.

    Decisions that offer one answer only are made, and are no part of the history (F19). States are never changed
    once they are here, so copies share them.
    """

    def __init__(self, rules: Ruleset, horizon: str, deal: int) -> None:
        self.rules = rules
        self.horizon = horizon
        #: The number of the deal that the episode begins with.
        self.deal = deal
        #: What was drawn and what was done so far.
        self.history: list[int] = []
        #: What anyone may look at: while a deck is drawn, the state before that; None before the first one.
        self.state: State | None = None
        #: The deck to draw from next, None if somebody is to decide or the episode is over.
        self.chance: Drawing | None = None
        # The finished deals at their ends; and what dummies turned up, as text, and in this deal as cards.
        self._ends: tuple[State, ...] = ()
        self._turned: tuple[str, ...] = ()
        self._up: frozenset[int] = frozenset()
        # Decks that were drawn for what comes next, those that will be after this one, and what comes next then.
        self._drawn: dict[str, bytes] = {}
        self._waiting: tuple[Drawing, ...] = ()
        self._next: tuple[State, int] | None = None
        self._has_dummies = tensor_layout(rules).sizes.dummies > 0
        #: Whether its cards come from `sampled` and not from draws: the history is empty, then.
        self.resampled = False
        self._go_on(None)

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        other = object.__new__(type(self))
        other.__dict__.update(self.__dict__)
        other.history = self.history[:]
        return other

    def __reduce__(self) -> tuple[Any, ...]:
        if self.resampled:
            raise ValueError(
                "a resampled episode cannot be stored, because it has no draws; expected one that was drawn"
            )
        return _replayed, (self.rules.name, self.rules.options, self.horizon, self.deal, tuple(self.history))

    @property
    def asked(self) -> int | None:
        """The seat that is to decide, the first of them if there are several; None if nobody is."""
        if self.chance or self.state is None or self.state.pending is None:
            return None
        return self.state.pending.seats[0]

    @property
    def over(self) -> bool:
        """Whether the episode is over."""
        return self.chance is None and self.state is not None and self.state.pending is None

    def apply(self, action: int) -> None:
        """Draw this, or do it for the seat that is asked; ValueError or IllegalAction if it is not possible."""
        if self.chance is None:
            assert self.state is not None
            self._go_on((self.state, action))
        else:
            self._draw(self.chance.after(action))
        self.history.append(action)

    def sampled(self, seat: int, random: Random) -> Self:
        """Return an episode that looks like this to the seat, each equally likely; ValueError while a deck is drawn.

        The same seat is asked as here. Of those who have decided already where several do at once, what they chose is
        as random as their cards.
        """
        if self.chance or self.state is None:
            raise ValueError("a deck is being drawn, expected an episode in which a seat is to decide")
        determinization = self.state.observation(seat).sample(random)
        if self.horizon == "deal":
            determinization.end_with_deal()
        if self.state.pending and determinization.pending:
            for other in determinization.pending.seats:
                if other not in self.state.pending.seats:
                    determinization.apply(random.choice(determinization.legal_actions(other)), other)
        episode = deepcopy(self)
        episode.state = determinization
        episode.history = []
        episode.resampled = True
        return episode

    def text(self, seat: int) -> str:
        """Return everything that this seat has seen in this episode."""
        if self.state is None:
            return ""
        states = self._ends if self.state in self._ends else (*self._ends, self.state)
        return "\n".join((*(observation_text(state.observation(seat)) for state in states), *self._turned))

    def _draw(self, drawing: Drawing) -> None:
        if not drawing.done:
            self.chance = drawing
            return
        self._drawn = {**self._drawn, drawing.label: drawing.top}
        if self._waiting:
            self.chance, *waiting = self._waiting
            self._waiting = tuple(waiting)
        else:
            self.chance = None
            self._go_on(self._next)

    def _go_on(self, step: tuple[State, int] | None) -> None:
        """Do this, or begin, and then what has one answer only, until decks are wanted or somebody is to decide."""
        while True:
            decks = Decks(self._drawn)
            after = self._begun(decks) if step is None else _done(step[0].with_deals(decks), step[1])
            if step and len(self._ends) < after.deal - self.deal:
                self._end_deal(*step)
            if decks.wanted:
                self._ask_for(decks.wanted, step)
                return
            self._drawn = {}
            self.state = after
            self._watch_dummies(after)
            legal = after.legal_actions()
            if len(legal) != 1:
                return
            step = after, legal[0]

    def _begun(self, decks: Decks) -> State:
        state = self.rules.new_match(decks, self.deal)
        if self.horizon == "deal":
            state.end_with_deal()
        return state

    def _ask_for(self, wanted: dict[str, int], step: tuple[State, int] | None) -> None:
        self._next = step
        seats = self.rules.seats
        self.chance, *waiting = [Drawing.of(label, size, seats) for label, size in wanted.items()]
        self._waiting = tuple(waiting)

    def _end_deal(self, before: State, action: int) -> None:
        """Keep the end of a deal, which the engine leaves behind for the next one."""
        end = before.clone()
        end.end_with_deal()
        self.state = _done(end, action)
        self._ends += (self.state,)
        self._up = frozenset()

    def _watch_dummies(self, state: State) -> None:
        """Note what is turned up: later on nothing on the table tells it from what was open before."""
        if not self._has_dummies:
            return
        observation = state.observation(0)
        new = frozenset(chain.from_iterable(observation.face_up)) - self._up
        if new:
            self._up |= new
            covering = sorted(chain.from_iterable(observation.covering))
            up, over = cards_text(observation, sorted(new)), cards_text(observation, covering)
            text = f"deal {observation.deal} up {up} on others {over}"
            self._turned += (text,)


def _done(state: State, action: int) -> State:
    """Return the state, which it changes, once this was done."""
    state.apply(action)
    return state


def _replayed(name: str, options: dict[str, str], horizon: str, deal: int, history: tuple[int, ...]) -> Episode:
    episode = Episode(ruleset(name, options), horizon, deal)
    for action in history:
        episode.apply(action)
    return episode
