"""A match as spectators follow it: a list of events, the same while it is played and when it is over.

Everything in an event comes from what everybody may know (`State.public_observation`), from a card that was put down
or collected, or from a deal that is over. So no event holds a card before its time at this table, and none says whether
a card was forced (F19). Whether another table still has to play the same cards is for the caller to ask, by the deal
that each event is of.

A match that is over can be told with everything open: with the hands at the beginning of each deal, and with what its
record knows of the decisions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from farfalia_engine import (
    COLLECT_CARD,
    COLLECT_NONE,
    FAMILIES,
    Deals,
    Kind,
    Observation,
    Pending,
    PublicObservation,
    RecordedAction,
    State,
)
from farfalia_engine.wording import TrumpsStory

#: What becomes known while a deal is opened or played, as it is called in an event.
_LATER: Final = ("trumps", "subjects", "doubled", "types", "bars", "shown", "wilds", "face_up", "covering")
#: Decisions about trumps, whose makers are named.
_ABOUT_TRUMPS: Final = (Kind.DECLARE, Kind.NAME_TRUMPS, Kind.BAR)


@dataclass(frozen=True, slots=True)
class SpectatorEvent:
    """Something that happened at the table, in a deal."""

    deal: int
    values: dict[str, Any]


@dataclass(frozen=True, slots=True)
class OpenBook:
    """What is known of a match that is over: its cards, and by the place of an action what its event says of it."""

    deals: Deals
    decided: Callable[[int], dict[str, Any]]


class SpectatorEvents:
    """The events of one attempt of a match, which grow with its actions; a state is followed from its first deal.

    With a `book` everything is told at its time, as those see it who play the match again.
    """

    def __init__(self, state: State, entrants: Sequence[str], book: OpenBook | None = None, **described: Any) -> None:
        self.events: list[SpectatorEvent] = []
        #: Actions that were followed.
        self.actions = 0
        self._state = state
        self._entrants = list(entrants)
        self._book = book
        self._public = state.public_observation()
        self._hands: list[list[str]] = []
        # Who decided something about trumps in this deal, and the trick in which a card made them.
        self._deciders: list[str] = []
        self._found_in = 0
        self._asked: Kind | None = None
        deals = {"deals": state.rules.game.deals} if state.rules.game.deals else {}
        self._add(0, "match", entrants=self._entrants, **described, **deals, faces=self._faces())
        self._begin_deal()

    @property
    def deal(self) -> int:
        """The number of the deal that is played, or was the last."""
        return self._state.deal

    @property
    def deals_over(self) -> int:
        """How many deals have been played to their end."""
        state = self._state
        return state.deal if state.pending is None else state.deal - 1

    def follow(self, done: RecordedAction) -> None:
        """Take in one action; EngineError if it does not follow."""
        state, before, pending = self._state, self._public, self._state.pending
        looker = state.observation(0)
        if not self._hands and any(before.held) and pending is not None and pending.kind is Kind.PLAY:
            self._hands = self._dealt(before)
        state.apply(done.action, done.seat)
        self._public = after = state.public_observation()
        assert pending is not None, "an action after the end is illegal"
        self._tell_decision(before, pending, done)
        self.actions += 1
        if pending.kind is Kind.PLAY:
            on_table = looker.with_card(done.action)
            if on_table.trumps != before.trumps:
                self._found_in = len(before.winners) + 1
            if len(on_table.trick) == len(before.seats):
                self._tell_trick(before, on_table)
        if self.deals_over >= before.deal:
            self._end_deal(before, after)
        else:
            self._tell_news(before, after)

    def follow_all(self, actions: Iterable[RecordedAction]) -> None:
        """Take in some actions."""
        for action in actions:
            self.follow(action)

    def _tell_decision(self, before: PublicObservation, pending: Pending, done: RecordedAction) -> None:
        more = self._book.decided(self.actions) if self._book else {}
        rules, deal, who = self._state.rules, before.deal, {"position": pending.position, "seat": done.seat}
        if pending.kind is Kind.PLAY:
            self._add(deal, "play", **who, card=rules.card_text(done.action), **more)
        elif pending.kind is Kind.COLLECT:
            taken = None if done.action == COLLECT_NONE else rules.card_text(done.action - COLLECT_CARD)
            self._add(deal, "collect", **who, card=taken, **more, **self._worth(deal))
        elif self._book:
            if pending.kind is Kind.DISCARD:
                more["cards"] = self._texts(self._state.observation(done.seat).discarded)
            # Where seats choose at the same time, the position is that of the first of them.
            who["position"] = before.seats.index(done.seat)
            self._add(deal, "decide", **who, kind=pending.kind.name.lower(), text=rules.text(done.action), **more)
        if pending.kind in _ABOUT_TRUMPS:
            self._deciders.append(self._entrants[done.seat])

    def _tell_trick(self, before: PublicObservation, on_table: Observation) -> None:
        """Tell who wins a trick and why, what its winner may collect, and what cannot be."""
        game, pending, number = self._state.rules.game, self._state.pending, len(before.winners) + 1
        open_cards: Sequence[int] = ()
        if pending is not None and pending.kind is Kind.COLLECT:
            open_cards = [action - COLLECT_CARD for action in self._state.legal_actions() if action != COLLECT_NONE]
        self._add(
            before.deal,
            "trick",
            position=on_table.best_position,
            number=number,
            why=game.wording.why_won(on_table),
            may=self._texts(open_cards),
            burned=self._texts(on_table.burned),
            only_played=game.collecting and number <= game.barren,
            **self._worth(before.deal),
        )

    def _worth(self, deal: int) -> dict[str, list[int]]:
        """Return what each side would get if the deal ended now; nothing once it has, when its points are told."""
        if self._state.deal != deal or self._state.pending is None:
            return {}
        observation = self._state.observation(0)
        return {"worth": [observation.points(side) for side in range(max(observation.sides) + 1)]}

    def _faces(self) -> dict[str, dict[str, Any]]:
        """Return by the short name of each card what it shows, and its name in words."""
        return {
            face.text: {"suit": face.suit, "words": face.words} | ({"butterfly": True} if face.butterfly else {})
            for face in self._state.rules.game.wording.faces
        }

    def _dealt(self, observation: PublicObservation) -> list[list[str]]:
        """Return what each position holds, empty for a dummy."""
        state = self._state
        return [
            [] if position in observation.dummies else self._texts(state.observation(seat).hand)
            for position, seat in enumerate(observation.seats)
        ]

    def _stacks(self) -> list[list[list[str]]]:
        """Return the cards of each dummy, those that lie on another one together with it."""
        assert self._book is not None
        observation, rules = self._state.observation(0), self._state.rules
        under = {above: below for _, above, below in rules.game.face_down(self._book.deals, observation)}
        return [
            [self._texts([card, under[card]] if card in under else [card]) for card in face_up]
            for face_up in observation.face_up
        ]

    def _begin_deal(self) -> None:
        observation = self._public
        self._hands, self._deciders, self._found_in, self._asked = [], [], 0, None
        # What follows from the deals before it: it may be seen when they may.
        self._add(
            observation.deal - 1,
            "deal",
            number=observation.deal,
            seats=list(observation.seats),
            sides=list(observation.sides),
            dummies=list(observation.dummies),
            held=list(observation.held),
            totals=list(observation.totals),
            collecting=self._state.rules.game.collecting,
        )
        self._tell({name: value for name in _LATER if (value := self._plain(name, observation))})
        if any(observation.held):
            self._open_hands()
        self._tell_asked()

    def _end_deal(self, before: PublicObservation, after: PublicObservation) -> None:
        """Tell what a deal brought and, now that it is played, who held what."""
        points = after.scores[len(before.scores) :][: self._state.rules.seats]
        self._add(before.deal, "score", number=before.deal, points=list(points), totals=list(after.totals))
        if not self._book:
            self._add(before.deal, "hands", number=before.deal, hands=self._hands)
        if self._state.pending is None:
            places = self._state.rules.places(after.totals)
            self._add(before.deal, "over", totals=list(after.totals), places=list(places))
        else:
            self._begin_deal()

    def _tell_news(self, before: PublicObservation, after: PublicObservation) -> None:
        news = {name: self._plain(name, after) for name in _LATER if getattr(before, name) != getattr(after, name)}
        dealt = not any(before.held) and any(after.held)
        if before.held != after.held and before.kind is not Kind.PLAY:
            news["held"] = list(after.held)
        self._tell(news)
        if dealt:
            self._open_hands()
        self._tell_asked()

    def _tell(self, news: dict[str, Any]) -> None:
        """Tell what is known now that was not, the words for it included."""
        if not news:
            return
        wording, observation = self._state.rules.game.wording, self._state.observation(self._public.seats[0])
        if "trumps" in news:
            news["trumps_words"] = wording.trumps(self._public.trumps)[1]
        if "types" in news and (kind := wording.deal_type(observation)):
            news["kind"] = kind
        story = TrumpsStory(observation, self._entrants, self._deciders, self._found_in)
        if how := wording.trumps_origin(story):
            news["how"] = how
        self._add(self._public.deal, "known", **news)

    def _open_hands(self) -> None:
        """Tell what was dealt, to those who may see it."""
        if self._book:
            observation = self._public
            self._add(
                observation.deal,
                "hands",
                number=observation.deal,
                hands=self._dealt(observation),
                stacks=self._stacks(),
            )

    def _tell_asked(self) -> None:
        """Tell who is asked, where that does not follow from the cards on the table."""
        observation = self._public
        if observation.kind in (self._asked, Kind.COLLECT, None):
            return
        self._asked = observation.kind
        assert observation.kind is not None
        self._add(observation.deal, "asked", seats=list(observation.asked), kind=observation.kind.name.lower())

    def _plain(self, name: str, observation: PublicObservation) -> Any:
        """Return a public field as JSON has it; cards as texts."""
        value = getattr(observation, name)
        if name == "trumps":
            return self._state.rules.game.wording.trumps(value)[0]
        if name == "subjects":
            return "".join(FAMILIES[family] for family in value)
        if name in ("face_up", "covering"):
            return [self._texts(cards) for cards in value]
        return self._texts(value) if name == "shown" else list(value)

    def _texts(self, cards: Iterable[int]) -> list[str]:
        return [self._state.rules.card_text(card) for card in cards]

    def _add(self, deal: int, type: str, **values: Any) -> None:
        self.events.append(SpectatorEvent(deal, {"type": type, **values}))
