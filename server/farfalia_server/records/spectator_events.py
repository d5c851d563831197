"""A match as spectators follow it: a list of events, the same while it is played and when it is over.

Everything in an event comes from what everybody may know (`State.public_observation`), from a card that was put down
or collected, or from a deal that is over. So no event holds a card before its time at this table, and none says whether
a card was forced (F19). Whether another table still has to play the same cards is for the caller to ask, by the deal
that each event is of.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from farfalia_engine import COLLECT_CARD, COLLECT_NONE, FAMILIES, Kind, PublicObservation, RecordedAction, State

#: What becomes known while a deal is opened or played, as it is called in an event.
_LATER = ("trumps", "subjects", "doubled", "types", "bars", "shown", "wilds", "face_up", "covering")


@dataclass(frozen=True, slots=True)
class SpectatorEvent:
    """Something that happened at the table, in a deal."""

    deal: int
    values: dict[str, Any]


class SpectatorEvents:
    """The events of one attempt of a match, which grow with its actions; a state is followed from its first deal."""

    def __init__(self, state: State, **described: Any) -> None:
        self.events: list[SpectatorEvent] = []
        #: Actions that were followed.
        self.actions = 0
        self._state = state
        self._seen = state.public_observation()
        self._hands: list[list[str]] = []
        self._add(0, "match", **described)
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
        state, before, pending = self._state, self._seen, self._state.pending
        looker = state.observation(0)
        if not self._hands and any(before.held) and pending is not None and pending.kind is Kind.PLAY:
            self._hands = self._dealt(before)
        state.apply(done.action, done.seat)
        self.actions += 1
        self._seen = after = state.public_observation()
        assert pending is not None, "an action after the end is illegal"
        if pending.kind is Kind.PLAY:
            card = state.rules.card_text(done.action)
            self._add(before.deal, "play", position=pending.position, seat=done.seat, card=card)
            on_table = looker.with_card(done.action)
            if len(on_table.trick) == len(before.seats):
                self._add(before.deal, "trick", position=on_table.best_position, number=len(before.winners) + 1)
        elif pending.kind is Kind.COLLECT:
            taken = None if done.action == COLLECT_NONE else state.rules.card_text(done.action - COLLECT_CARD)
            self._add(before.deal, "collect", position=pending.position, seat=done.seat, card=taken)
        if self.deals_over >= before.deal:
            self._end_deal(before, after)
        else:
            self._tell_news(before, after)

    def follow_all(self, actions: Iterable[RecordedAction]) -> None:
        """Take in some actions."""
        for action in actions:
            self.follow(action)

    def _dealt(self, seen: PublicObservation) -> list[list[str]]:
        """Return what each position holds before the first card, empty for a dummy."""
        state = self._state
        return [
            [] if position in seen.dummies else self._texts(state.observation(seat).hand)
            for position, seat in enumerate(seen.seats)
        ]

    def _begin_deal(self) -> None:
        seen = self._seen
        self._hands = []
        # What follows from the deals before it: it may be seen when they may.
        self._add(
            seen.deal - 1,
            "deal",
            number=seen.deal,
            seats=list(seen.seats),
            sides=list(seen.sides),
            dummies=list(seen.dummies),
            held=list(seen.held),
            totals=list(seen.totals),
        )
        news = {name: value for name in _LATER if (value := self._plain(name, seen))}
        if news:
            self._add(seen.deal, "known", **news)

    def _end_deal(self, before: PublicObservation, after: PublicObservation) -> None:
        """Tell what a deal brought and, now that it is played, who held what."""
        points = after.scores[len(before.scores) :][: self._state.rules.seats]
        self._add(before.deal, "score", number=before.deal, points=list(points), totals=list(after.totals))
        self._add(before.deal, "hands", number=before.deal, hands=self._hands)
        if self._state.pending is None:
            self._add(before.deal, "over", totals=list(after.totals))
        else:
            self._begin_deal()

    def _tell_news(self, before: PublicObservation, after: PublicObservation) -> None:
        news = {name: self._plain(name, after) for name in _LATER if getattr(before, name) != getattr(after, name)}
        if before.held != after.held and not any(before.held):
            news["held"] = list(after.held)
        if news:
            self._add(after.deal, "known", **news)

    def _plain(self, name: str, seen: PublicObservation) -> Any:
        """Return a public field as JSON has it; cards as texts."""
        value = getattr(seen, name)
        if name == "trumps":
            return self._state.rules.game.wording.trumps(value)[0]
        if name == "subjects":
            return "".join(FAMILIES[family] for family in value)
        if name in ("face_up", "covering"):
            return [self._texts(cards) for cards in value]
        return self._texts(value) if name == "shown" else list(value)

    def _texts(self, cards: Sequence[int]) -> list[str]:
        return [self._state.rules.card_text(card) for card in cards]

    def _add(self, deal: int, kind: str, **values: Any) -> None:
        self.events.append(SpectatorEvent(deal, {"type": kind, **values}))
