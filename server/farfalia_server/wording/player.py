"""What the player of a table says, drawn by the pages' scripts: its buttons and choices, and what lies on the table."""

from __future__ import annotations

from typing import Final

from farfalia_engine.farfalia.wording import FAMILY_WORDS
from farfalia_server.wording.amounts import UNITS
from farfalia_server.wording.figures import in_figures
from farfalia_server.wording.language import gettext
from farfalia_server.wording.table import TABLE_WORDS

#: Names with several parts belong together: `key_…` are rows of the help, `speed_…` and `hands_…` choices.
_PLAYER: Final = {
    "start": "To the start",
    "back_trick": "Back one trick",
    "back_card": "Back one card",
    "play": "Play",
    "stop": "Stop",
    "forward_card": "Forward one card",
    "forward_trick": "Forward one trick",
    "to_now": "To the card in play",
    "to_end": "To the end",
    "cards_played": "Cards played",
    "speed": "Speed",
    "speed_slow": "slow",
    "speed_normal": "normal",
    "speed_fast": "fast",
    "speed_fastest": "very fast",
    "hands": "Hands",
    "hands_all": "all hands",
    "hands_one": "the one at the bottom",
    "hands_none": "no hands",
    "bottom": "At the bottom",
    "go_to": "Go to trick.card",
    "no_card": "There is no card {asked}; expected a trick and a card in it, such as 4.2.",
    "strikes": "Strikes at",
    "keys": "Keys",
    "close": "Close",
    "settings": "Settings",
    "full_screen": "Full screen",
    "key_card": "← and →",
    "does_card": "back and forward one card",
    "key_trick": "Shift with ← or →",
    "does_trick": "back and forward one trick",
    "key_end": "Home and End",
    "does_end": "to the beginning and to the end",
    "key_play": "Space",
    "does_play": "play or stop",
    "key_turn": "n and p",
    "does_turn": "next and previous deal, or table in play",
    "key_screen": "f",
    "does_screen": "full screen, and back",
    "key_goto": "Enter in the field “Go to”",
    "does_goto": "go to a trick and card, such as 4.2",
    "key_help": "?",
    "does_help": "show this help",
}
_LYING: Final = {
    "trumps_sign": "Trumps",
    "dealer": "dealer",
    "doubles": "doubles",
    "side": "side {letter}",
    "points": "{points} points",
    "worth": "worth {points}",
    "tricks": "Tricks: {number}",
    "slot_taken": "{family}: {card}",
    "slot_open": "{family}: open",
    "fate_kept": "collected",
    "fate_open": "not taken",
    "fate_burned": "burned",
    "face_down": "a card face down",
    "under_it": "a card face down beneath it",
    "lies_down": "{card}, face down",
    "mark_cards": "Mark the cards, then confirm",
}
_POINTS: Final = {
    "deal_of": "Deal {deal} of {deals}",
    "deal_number": "Deal {deal}",
    "ahead": "{names} ahead by {points}",
    "all_level": "all level",
    "points_of_deal": "Points of deal {number}",
    "final": "Final result",
    "next_table": "Next table in {seconds} s: match {match}",
    "stay": "Stay here",
}

_WORDS: Final = {
    **TABLE_WORDS,
    **UNITS,
    **_PLAYER,
    **_LYING,
    **_POINTS,
    **{f"subject_{letter}": word for letter, word in FAMILY_WORDS.items()},
}


def player_words() -> dict[str, str]:
    """Return all texts that a page with a table hands to its script, and the sign before decimals as `point`."""
    return {name: gettext(text) for name, text in _WORDS.items()} | {"point": in_figures(".")}
