"""What decisions cost, in words."""

from __future__ import annotations

from typing import Final

from farfalia.analysis.prices import PricedDecision
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


def _what(action: int, rules: Ruleset) -> str:
    """Return what an action is about: `L5` of `+L5`."""
    text = rules.text(action).split("=")[-1].removeprefix("+").replace(",", " and ")
    return gettext(_NAMES.get(text, text))
