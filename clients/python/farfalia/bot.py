"""What the author of a bot writes: one method for each kind of decision."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Sequence
from secrets import token_bytes

from farfalia import report
from farfalia.answers import (
    bar_action,
    collect_action,
    declare_action,
    discard_action,
    discarded_cards,
    double_action,
    name_trumps_action,
    pick_type_action,
    play_action,
    show_action,
)
from farfalia.v1 import play_pb2 as pb
from farfalia_engine import Kind, Observation
from farfalia_engine.actions import (
    BAR_SUIT,
    COLLECT_CARD,
    COLLECT_NONE,
    DECLARE_NONE,
    DECLARE_SUIT,
    DOUBLE_YES,
    NAME_SUIT,
    PICK_TYPE,
    SHOW_CARD,
)


class Bot:
    """Subclass it and override what your bot should decide; every default takes the first legal answer.

    Methods are called one at a time, for all matches of the bot, in no particular order: all that there is to
    know stands in the `view`. An exception is reported to you and costs one strike in that match, nothing more.

    >>> class Miser(Bot):
    ...     def play(self, view):
    ...         return min(view.legal)
    >>> from farfalia.testing import check
    >>> check(Miser(), matches=1, name="two").ok
    True
    """

    #: Rulesets that the bot plays; empty means all.
    rulesets: Sequence[str] = ()
    #: Optional behaviour to ask of the server: "results" (of accepted answers too), "records".
    features: Sequence[str] = ()
    #: Compare each answer with the legal ones before it is sent, so that a mistake is explained on this side.
    check: bool = True

    def discard(self, view: Observation) -> Iterable[int]:
        """Return the two cards of `view.hand` that the dealer discards, face down; one card in three-short."""
        return discarded_cards(view.legal[0])

    def declare(self, view: Observation) -> int | None:
        """Return the suit that is to be trumps, 0 to 3 for S L F O, or None for no trumps."""
        first = view.legal[0]
        return None if first == DECLARE_NONE else first - DECLARE_SUIT

    def play(self, view: Observation) -> int:
        """Return the card to play, one of `view.legal`; it may be a dummy's, see `view.acting`."""
        return view.legal[0]

    def collect(self, view: Observation) -> int | None:
        """Return the card of the won trick to collect, or None to decline."""
        first = view.legal[0]
        return None if first == COLLECT_NONE else first - COLLECT_CARD

    def double(self, view: Observation) -> bool:
        """Return whether to spend a wild card and have this deal's points doubled."""
        return view.legal[0] == DOUBLE_YES

    def pick_type(self, view: Observation) -> int:
        """Return the type that this deal of Farrago is to have, 1 to 10; see `DealType`."""
        return view.legal[0] - PICK_TYPE + 1

    def bar(self, view: Observation) -> int:
        """Return the suit that is not to be trumps in this deal of Farrago, 0 to 3 for S H D C."""
        return view.legal[0] - BAR_SUIT

    def name_trumps(self, view: Observation) -> int:
        """Return the suit that is to be trumps in this deal of Farrago, 0 to 3 for S H D C."""
        return view.legal[0] - NAME_SUIT

    def show(self, view: Observation) -> int:
        """Return the card of `view.hand` to show, of the suit that you propose as trumps in this deal of Farrago."""
        return view.legal[0] - SHOW_CARD

    def decide(self, view: Observation) -> int:
        """Return the action that answers the question of `view`, by way of the method for its kind.

        Raises BadAnswer if that method returned something that is not an action of that kind.
        """
        match view.kind:
            case Kind.PLAY:
                return play_action(view, self.play(view))
            case Kind.COLLECT:
                return collect_action(view, self.collect(view))
            case Kind.DECLARE:
                return declare_action(view, self.declare(view))
            case Kind.DISCARD:
                return discard_action(view, self.discard(view))
            case Kind.DOUBLE:
                return double_action(self.double(view))
            case Kind.PICK_TYPE:
                return pick_type_action(view, self.pick_type(view))
            case Kind.BAR:
                return bar_action(view, self.bar(view))
            case Kind.NAME_TRUMPS:
                return name_trumps_action(view, self.name_trumps(view))
            case Kind.SHOW:
                return show_action(view, self.show(view))
            case _:
                return view.legal[0]

    def decide_batch(self, views: Sequence[Observation]) -> Sequence[int]:
        """Return the actions for all questions that came together; override it to decide them in one go.

        A bot that overrides it has no answer of a batch on its way before all are known.
        """
        return [self.decide(view) for view in views]

    def log(self, text: str, match: int = 0) -> None:
        """Write a line for the bot's owner into the server's log; to stderr while the bot is not connected."""
        self._log(match, text)

    def nonce(self, entered: pb.Entered) -> bytes:
        """Return what to add to the secret of a tournament or match, so that the server alone cannot choose deals.

        8 to 64 random bytes; none, b"", forfeits that assurance. Nothing is to be had by choosing them well.
        """
        return token_bytes(16)

    def on_seated(self, seated: pb.Seated) -> None:
        """Hear that the bot has a seat at a match, or has it still after a reconnect."""

    def on_result(self, result: pb.Result) -> None:
        """Hear what became of an answer; only of those not accepted, unless the bot has the feature "results"."""
        report.result(result)

    def on_finished(self, finished: pb.Finished) -> None:
        """Hear how a match ended."""

    def on_notice(self, notice: pb.Notice) -> None:
        """Hear a sentence that the server has for the bot's author."""
        report.notice(notice)

    def on_rating(self, change: pb.RatingChange) -> None:
        """Hear of a new rating."""

    #: Where `log` writes; the client points it at its stream.
    _log: Callable[[int, str], None] = staticmethod(lambda match, text: print(text, file=sys.stderr))
