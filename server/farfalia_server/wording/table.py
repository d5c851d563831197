"""What is said at a table: by the pages' script, which is given these texts, and by the terminal."""

from __future__ import annotations

from typing import Final

#: Texts with their places to fill in. `{name}` is who acts, a dummy being called after its partner.
TABLE_WORDS: Final = {
    "dummy": "{name}'s dummy",
    "dealt": "{name} deals deal {number}.",
    "trumps": "Trumps: {trumps}.",
    "how": "Trumps: {trumps} ({how}).",
    "kind": "Type of deal: {kind}.",
    "proposal": "Proposal: {subjects}.",
    "discards": "{name} discards {cards}.",
    "decides": "{name} decides: {text}.",
    "leads": "{name} leads {card}.",
    "plays": "{name} plays {card}.",
    "wins": "{name} wins trick {number}: {why}.",
    "collects": "{name} collects {card}.",
    "instead_of": "{name} collects {card}; open were also {cards}.",
    "declines": "{name} declines; open were {cards}.",
    "only_played": "Nothing is collected from the first tricks.",
    "nothing": "Nothing can be collected.",
    "burned": "Burned: {cards}.",
    "scored": "Points of deal {number}: {points}.",
    "over": "The match is over.",
    "took": "{time}",
    "bank": "{time} left in the bank",
    "forced": "no other card was legal",
    "house": "a house bot decided: {why}",
    "strike": "strike {number}",
    "behind": "Other tables have the same cards to play: a deal is shown when the last of them has played it.",
    "away": "The server does not answer; the page tries again.",
    "ended": "The match is over. Its page has all deals once its cards are shown.",
    "place": "Trick {trick}, card {card}",
}
