"""Cards, trumps and types of deal of Farrago in words."""

from functools import cache, cached_property
from typing import Final, cast

from farfalia_engine.farrago.deal_types import DealType, TrumpsSource
from farfalia_engine.farrago.observation import FarragoObservation
from farfalia_engine.farrago.packs import ACE, SUITS, Pack
from farfalia_engine.knowledge import SeatKnowledge
from farfalia_engine.wording import CardFace, TrumpsStory, by_trump_or_suit

#: The suits, in the order of the packs.
SUIT_WORDS: Final = ("spades", "hearts", "diamonds", "clubs")
_RANK_WORDS: Final = {"T": "10", "J": "jack", "Q": "queen", "K": "king", "A": "ace"}


class FarragoWording:
    """The wording of Farrago with one pack; `farrago_wording` makes one."""

    def __init__(self, pack: Pack) -> None:
        self._pack = pack

    @cached_property
    def faces(self) -> tuple[CardFace, ...]:
        """All cards of the pack, by number."""
        return tuple(_face(self._pack, card) for card in self._pack.all)

    def trumps(self, trumps: int, /) -> tuple[str, str]:
        """Return trumps as a letter, or `NT`, and in words; the letter is empty as long as they are not known."""
        if not trumps:
            return "", "not known yet"
        if trumps > len(SUITS):
            return "NT", "no trumps"
        return SUITS[trumps - 1], SUIT_WORDS[trumps - 1]

    def trumps_origin(self, story: TrumpsStory, /) -> str:
        """Return what the type of deal says of it, who named, barred or showed what, or where a card made trumps."""
        observation = cast(FarragoObservation, story.observation)
        if observation.type is None:
            return ""
        rules = observation.type.rules
        if rules.trumps_words and (story.deciders or story.found_in or rules.trumps is TrumpsSource.NONE):
            return rules.trumps_words.format(named_by="".join(story.deciders), trick=story.found_in)
        barred = zip(story.deciders, observation.bars, strict=False)
        said = [f"{name} barred {SUIT_WORDS[suit]}" for name, suit in barred]
        shown = zip(observation.seats, observation.shown, strict=False)
        return ", ".join(said + [f"{story.names[seat]} showed {self.faces[card].text}" for seat, card in shown])

    def why_won(self, observation: SeatKnowledge, /) -> str:
        """Return why the best card of the trick on the table wins it, in its type of deal."""
        observation = cast(FarragoObservation, observation)
        best = observation.best
        assert best is not None, "a trick lies on the table"
        return _why_won(self._pack, observation.type, observation.trick, best, observation.trumps)

    def deal_type(self, observation: SeatKnowledge, /) -> str:
        """Return the name of the type, once it is known."""
        kind = cast(FarragoObservation, observation).type
        return kind.text if kind else ""


def _why_won(pack: Pack, kind: DealType | None, trick: bytes, best: int, trumps: int) -> str:
    suits, ranks = [pack.suit[card] for card in trick], [pack.rank[card] for card in trick]
    led, suit, rank = suits[0], pack.suit[best], pack.rank[best]
    match kind:
        case DealType.RED_BLACK:
            trumps = (led ^ 1) + 1
        case DealType.TOP_SUIT:
            return f"the highest of {SUIT_WORDS[suit]}, the highest suit"
        case DealType.TOP_RANK:
            return "the last of equal highest ranks" if ranks.count(rank) > 1 else "the highest rank of all"
        case DealType.SECONDS:
            followed = suits.count(led) > 1
            return f"the second-highest of {SUIT_WORDS[led]}" if followed else "nobody followed: the second rank of all"
        case DealType.UPS_DOWNS:
            if rank == ACE:
                return "the ace of the suit led"
            high = ranks[0] >= pack.low
            return (
                f"the {'highest' if high else 'lowest'} of {SUIT_WORDS[led]}, after a {'high' if high else 'low'} lead"
            )
        case DealType.SNAP if suit != led:
            return "snap: the rank that was led, in another suit"
    has_trumps = 0 < trumps <= len(SUITS)
    return by_trump_or_suit([SUIT_WORDS[own] for own in suits], SUIT_WORDS[trumps - 1] if has_trumps else "no trumps")


@cache
def farrago_wording(pack: Pack) -> FarragoWording:
    """Return the wording of Farrago with this pack."""
    return FarragoWording(pack)


def _face(pack: Pack, card: int) -> CardFace:
    text, suit = pack.names[card], SUIT_WORDS[pack.suit[card]]
    rank = text.removesuffix("'")[:-1]
    words = f"{_RANK_WORDS.get(rank, rank)} of {suit}" + (", the second one" if text.endswith("'") else "")
    return CardFace(text, suit, pack.rank[card], "", words)
