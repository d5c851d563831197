"""What decisions cost, in words."""

from __future__ import annotations

from typing import Final

from farfalia.analysis.prices import PlacePrice, PricedDecision
from farfalia.v1 import analysis_pb2
from farfalia_engine import Ruleset
from farfalia_server.wording.language import gettext
from farfalia_server.wording.phrases import decimal

#: What decisions are about, by aspect.
ASPECTS: Final = {
    "discard": "discarding",
    "declare": "declaring trumps",
    "pick_type": "picking the type",
    "bar": "barring a suit",
    "name_trumps": "naming trumps",
    "show": "showing a card",
    "lead": "leading",
    "follow": "following",
    "collect": "collecting",
}
_DONE: Final = {
    "discard": "{name} discarded {what}",
    "declare": "{name} declared {what}",
    "pick_type": "{name} picked {what}",
    "bar": "{name} barred {what}",
    "name_trumps": "{name} named {what}",
    "show": "{name} showed {what}",
    "lead": "{name} led {what}",
    "follow": "{name} played {what}",
    "collect": "{name} collected {what}",
}
#: What a seat has to decide, without what it did.
_DECIDES: Final = {
    "discard": "{name} discards",
    "declare": "{name} declares trumps",
    "pick_type": "{name} picks the type of the deal",
    "bar": "{name} bars a suit",
    "name_trumps": "{name} names trumps",
    "show": "{name} shows a card",
    "lead": "{name} leads",
    "follow": "{name} follows",
    "collect": "{name} collects, or not",
}
#: Of actions that have names of their own.
_NAMES: Final = {"none": "nothing", "NT": "no trumps"}


def price_words(decision: PricedDecision, rules: Ruleset, name: str) -> str:
    """Return where it was, what `name` did and what it cost: `Deal 3, trick 5: ada led L5, 4.2 ± 0.6 points …`."""
    place = gettext("Deal {deal}") if decision.trick is None else gettext("Deal {deal}, trick {trick}")
    done = gettext(_DONE[decision.aspect]).format(name=name, what=_what(decision.action, rules))
    said = gettext("{place}: {done}, {price} ± {error} points dearer than {best}.")
    return said.format(
        place=place.format(deal=decision.deal, trick=decision.trick),
        done=done,
        price=decimal(decision.price, 1),
        error=decimal(decision.error, 1),
        best=_what(decision.best, rules),
    )


def open_cards_words(decision: PricedDecision) -> str:
    """Return what somebody would say who sees all cards; empty if they are not known."""
    if decision.open_price is None:
        return ""
    if not decision.open_price:
        return gettext("As the cards lay, nothing was better.")
    return gettext("As the cards lay, it cost {price}.").format(price=decimal(decision.open_price, 1))


def place_price_words(places: PlacePrice | analysis_pb2.PlacePrice) -> str:
    """Return what a decision cost in places, rounded to hundredths."""
    price, error = decimal(places.price, 2), decimal(places.error, 2)
    if price == "0.00":
        return gettext("It cost no place.")
    return gettext("In places it cost {price} ± {error}.").format(price=price, error=error)


def _what(action: int, rules: Ruleset) -> str:
    """Return what an action is about: `L5` of `+L5`."""
    return choice_words(rules.text(action).split("=")[-1])


def choice_words(text: str) -> str:
    """Return what an action is about, given what follows the `=` of its notation: `L5` of `+L5`."""
    text = text.removeprefix("+").replace(",", " and ")
    return gettext(_NAMES.get(text, text))


def title(aspect: str) -> str:
    """Return what decisions are about as the title of a column; as it is if the game is from another package."""
    words = gettext(ASPECTS.get(aspect, aspect))
    return words[:1].upper() + words[1:]


def order_of(aspect: str) -> int:
    """Return the place of what decisions are about among all."""
    return list(ASPECTS).index(aspect) if aspect in ASPECTS else len(ASPECTS)


def done(aspect: str) -> str:
    """Return what somebody did, with places for `name` and `what`."""
    return gettext(_DONE.get(aspect, "{name}: {what}"))


def decides(aspect: str, name: str) -> str:
    """Return what somebody has to decide."""
    return gettext(_DECIDES.get(aspect, "{name}")).format(name=name)


def with_error(price: float, error: float) -> str:
    """Return a price with its standard error: `4.2 ± 0.6`, and more exactly if it is small."""
    places = 1 if abs(price) >= 1 else 2
    return f"{decimal(price, places)} ± {decimal(error, places)}"


def behind(value: float, error: float) -> str:
    """Return how far an action is behind the best one, with the standard error unless that is next to nothing."""
    around = decimal(error, 1)
    return decimal(value, 1) if around == "0.0" else f"{decimal(value, 1)} ± {around}"


#: What templates say of prices.
PRICE_FILTERS: Final = {
    "aspect": title,
    "behind": behind,
    "choice_words": choice_words,
    "decides": decides,
    "done_words": done,
    "in_places": place_price_words,
    "with_error": with_error,
}
