"""The kinds of decisions and their prices as pages word them."""

from __future__ import annotations

from typing import Final

from farfalia_server.wording.language import gettext
from farfalia_server.wording.phrases import decimal

#: Kinds of decisions, in the order in which a deal has them.
ASPECTS: Final = {
    "pick_type": "Picking the type",
    "bar": "Barring a suit",
    "show": "Showing a card",
    "name_trumps": "Naming trumps",
    "discard": "Discarding",
    "declare": "Declaring trumps",
    "lead": "Leading",
    "follow": "Following",
    "collect": "Collecting",
}
#: What somebody decides, after a name.
DECIDES: Final = {
    "pick_type": "picks the type of the deal",
    "bar": "bars a suit",
    "show": "shows a card",
    "name_trumps": "names trumps",
    "discard": "discards",
    "declare": "declares trumps",
    "lead": "leads",
    "follow": "follows",
    "collect": "collects",
}
#: What somebody has done, after a name and before what it was.
DID: Final = {
    "pick_type": "picked",
    "bar": "barred",
    "show": "showed",
    "name_trumps": "named",
    "discard": "discarded",
    "declare": "declared",
    "lead": "led",
    "follow": "played",
    "collect": "collected",
}
_ORDER: Final = {name: place for place, name in enumerate(ASPECTS)}
#: Standard errors in a margin: it holds 19 times in 20.
_MARGIN: Final = 2


def aspect(name: str) -> str:
    """Return a kind of decision; a game from another package may have its own."""
    return gettext(ASPECTS.get(name, name))


def decides(name: str) -> str:
    """Return what somebody decides, to follow a name."""
    return gettext(DECIDES.get(name, name))


def did(name: str) -> str:
    """Return what somebody has done, to stand between a name and what it was."""
    return gettext(DID.get(name, name))


def order_of(name: str) -> int:
    """Return the place of a kind of decision among all."""
    return _ORDER.get(name, len(_ORDER))


def with_margin(value: float, error: float) -> str:
    """Return a number of points with its margin: `4.2 ± 1.3`, and more exactly if it is small."""
    places = 1 if abs(value) >= 1 else 2
    return f"{decimal(value, places)} ± {decimal(_MARGIN * error, places)}"


def behind(value: float, error: float) -> str:
    """Return how far a choice is behind the best one, with the margin unless that is next to nothing."""
    margin = decimal(_MARGIN * error, 1)
    return decimal(value, 1) if margin == "0.0" else f"{decimal(value, 1)} ± {margin}"


PRICE_FILTERS: Final = {"aspect": aspect, "decides": decides, "did": did, "behind": behind, "with_margin": with_margin}
