"""A record as people look at it: deal by deal, trick by trick.

Which cards may be shown, and when, is decided in `store.matches.boards`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace

from farfalia_engine import (
    COLLECT_CARD,
    COLLECT_NONE,
    FAMILIES,
    CardFace,
    Deals,
    Kind,
    Observation,
    Pending,
    Record,
    State,
    replay,
)
from farfalia_engine.record import RecordedAction
from farfalia_engine.wording import TrumpsStory


@dataclass(frozen=True, slots=True)
class PlayView:
    """A card put down; `index` is the place of the action in the record."""

    position: int
    card: CardFace
    index: int


@dataclass(frozen=True, slots=True)
class TrickView:
    """A trick in the order in which it was played; `winner` is None as long as it is not complete."""

    number: int
    plays: tuple[PlayView, ...]
    winner: int | None
    collected: CardFace | None = None
    declined: bool = False
    burned: tuple[CardFace, ...] = ()  #: what wild cards in it keep from being collected
    why: str = ""  #: why the card of the winner won, in words
    may: tuple[CardFace, ...] = ()  #: what its winner could collect

    @property
    def leader(self) -> int:
        """The position that led."""
        return self.plays[0].position

    @property
    def by_position(self) -> tuple[PlayView, ...]:
        """The same cards, from the dealer round."""
        return tuple(sorted(self.plays, key=lambda play: play.position))


@dataclass(frozen=True, slots=True)
class DealView:
    """One deal with everything open; `hands` as dealt, by position, `scores` by seat once the deal is over.

    The hands are empty as long as seats decide on doubling: the cards are dealt after that.
    """

    number: int
    seats: tuple[int, ...]
    sides: tuple[int, ...]
    hands: tuple[tuple[CardFace, ...], ...]
    discarded: tuple[CardFace, ...] = ()
    trumps: str = ""  #: suit letter, `NT`, or empty as long as they are not known
    trumps_words: str = ""
    trumps_how: str = ""  #: how they came about, where it was not by the dealer's declaration
    subjects: str = ""  #: letters of the proposal, as they were turned up
    tricks: tuple[TrickView, ...] = ()
    scores: tuple[int, ...] = ()
    dummies: tuple[int, ...] = ()  #: positions; their partners' seats stand in `seats`
    covered: tuple[tuple[CardFace, CardFace], ...] = ()  #: of dummies, cards on top of others and those under them
    doubled: tuple[int, ...] = ()  #: seats that double their points of this deal
    wilds: tuple[int, ...] = ()  #: by seat, wild cards left to double with in later deals
    collecting: bool = True  #: whether cards are collected; in Farrago tricks are counted
    barren: int = 0  #: how many tricks at the start nothing may be collected from
    type: str = ""  #: Farrago's type of deal

    @property
    def dealer(self) -> int:
        """The seat that deals."""
        return self.seats[0]

    @property
    def face_down(self) -> tuple[CardFace, ...]:
        """The cards of dummies that lie under others at first."""
        return tuple(below for _, below in self.covered)

    def collected(self, side: int) -> tuple[CardFace, ...]:
        """Return what a side has collected, in the order in which it came."""
        return tuple(
            trick.collected
            for trick in self.tricks
            if trick.collected is not None and trick.winner is not None and self.sides[trick.winner] == side
        )

    def won(self, position: int) -> int:
        """Return how many tricks this position has won."""
        return Counter(trick.winner for trick in self.tricks)[position]

    def who(self, position: int, names: Iterable[str]) -> str:
        """Return who plays at a position, given the names by seat; a dummy is called after its partner."""
        name = tuple(names)[self.seats[position]]
        return f"{name}'s dummy" if position in self.dummies else name


def deals_of(record: Record) -> list[DealView]:
    """Return all deals of a record, as the engine plays them again; the last may be unfinished.

    UnreplayableRecord if the actions do not follow from one another.
    """
    states = replay(record)
    state = next(states)
    stories: list[_Story] = []
    for index, done in enumerate(record.actions):
        if state.deal > len(stories):
            stories.append(_Story(record, state))
        observation, pending = state.observation(0), state.pending
        next(states)  # the same state, one action further
        assert pending is not None, "an action after the end is illegal"
        stories[-1].follow(observation, pending, done, index)
        stories[-1].look(state)
    return [story.view(state.scores) for story in stories]


class _Story:
    """What is gathered of one deal while it is played again."""

    def __init__(self, record: Record, state: State) -> None:
        self._names = [seat.name for seat in record.seats]
        self._deals = Deals(record.source.board_key)
        self._rules = state.rules
        self._wording = state.rules.game.wording
        self._cards = self._wording.faces
        self._number = state.deal
        self._observation = state.observation(0)
        self._hands: tuple[tuple[CardFace, ...], ...] = ((),) * len(self._observation.seats)
        self._covered: tuple[tuple[CardFace, CardFace], ...] = ()
        self._tricks: list[TrickView] = []
        self._trumps = 0
        # Where trumps showed themselves by a card that did not follow.
        self._found_in = 0
        # Who decided what about trumps, in order.
        self._deciders: list[str] = []
        self.look(state)

    def look(self, state: State) -> None:
        """Take in what is open, unless the match has gone on to the next deal."""
        if state.deal != self._number:
            return
        self._observation = observation = state.observation(
            self._observation.seats[0]
        )  # only the dealer sees what was discarded
        self._trumps = observation.trumps
        if any(observation.held) and not any(self._hands):
            self._pick_up(state)
        if state.pending is not None and state.pending.kind is Kind.COLLECT:
            cards = [action - COLLECT_CARD for action in state.legal_actions() if action != COLLECT_NONE]
            self._tricks[-1] = replace(self._tricks[-1], may=self._views(cards))

    def follow(self, observation: Observation, pending: Pending, done: RecordedAction, index: int) -> None:
        """Take in an action, given what was seen before it."""
        if pending.kind is Kind.PLAY:
            self._play(observation.with_card(done.action), PlayView(pending.position, self._cards[done.action], index))
        elif pending.kind is Kind.COLLECT:
            declined = done.action == COLLECT_NONE
            card = None if declined else self._cards[done.action - COLLECT_CARD]
            self._tricks[-1] = replace(self._tricks[-1], collected=card, declined=declined)
        elif pending.kind in (Kind.DECLARE, Kind.NAME_TRUMPS, Kind.BAR):
            self._deciders.append(self._names[done.seat])

    def view(self, scores: tuple[int, ...]) -> DealView:
        """Return the deal, given the points of all deals that are over, by seat, deal after deal."""
        observation, seats, game = self._observation, self._rules.seats, self._rules.game
        trumps, words = self._wording.trumps(self._trumps)
        return DealView(
            self._number,
            tuple(observation.seats),
            tuple(observation.sides),
            self._hands,
            self._views(observation.discarded),
            trumps,
            words,
            self._wording.trumps_origin(TrumpsStory(observation, self._names, self._deciders, self._found_in)),
            "".join(FAMILIES[family] for family in observation.subjects),
            tuple(self._tricks),
            scores[(self._number - 1) * seats : self._number * seats],
            tuple(observation.dummies),
            self._covered,
            tuple(observation.doubled),
            tuple(observation.wilds),
            game.collecting,
            game.barren,
            self._wording.deal_type(observation),
        )

    def _pick_up(self, state: State) -> None:
        """Take the hands as soon as they are dealt; the deck says what lies face down before a dummy."""
        observation = self._observation
        hands = [state.observation(seat).hand for seat in observation.seats]
        if observation.dummies:
            covered = self._rules.game.face_down(self._deals, observation)
            for dummy, face_up in zip(observation.dummies, observation.face_up, strict=True):
                hands[dummy] = bytes(sorted((*face_up, *(below for at, _, below in covered if at == dummy))))
            self._covered = tuple((self._cards[above], self._cards[below]) for _, above, below in covered)
        self._hands = tuple(map(self._views, hands))

    def _play(self, observation: Observation, play: PlayView) -> None:
        """Add one more card, given what is seen with it on the table."""
        number, trick = len(observation.winners) + 1, observation.trick
        if observation.trumps != self._trumps:
            self._trumps, self._found_in = observation.trumps, number
        if len(trick) == 1:
            self._tricks.append(TrickView(number, (play,), None))
            return
        whole = len(trick) == len(observation.seats)
        burned = self._views(observation.burned) if whole else ()
        plays, winner = (*self._tricks[-1].plays, play), observation.best_position if whole else None
        why = self._wording.why_won(observation) if whole else ""
        self._tricks[-1] = replace(self._tricks[-1], plays=plays, winner=winner, burned=burned, why=why)

    def _views(self, cards: Iterable[int]) -> tuple[CardFace, ...]:
        return tuple(self._cards[card] for card in cards)
