"""The games in short, as the pages teach them; docs/rules.md has every detail, and a number for each ruling."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from farfalia_server.wording.language import gettext


@dataclass(frozen=True, slots=True)
class ShortRules:
    """A game: who plays, in one line, and its rules, each with the words that name it."""

    line: str
    rules: tuple[tuple[str, str], ...]


_CARDS = (
    "Cards",
    "There are 52: strawberries, leaves, fishes and seashells, from 1, the lowest, to 13. Each "
    "also belongs to a family: the 8, 10 and 12 of every suit are butterflies, and every other card "
    "belongs to the family of its suit.",
)
_TRICKS = (
    "Tricks",
    "Position 1, on the dealer's left, leads first. Follow suit if you can; otherwise play any card. "
    "The highest trump wins, or else the highest card of the suit led. The winner leads next.",
)
_COLLECT = (
    "Collecting",
    "The winner of a trick may collect one of its cards if its side still needs a card of that "
    "family, or decline. Nobody gets the other cards.",
)
_LATER = ("The first three tricks", "Nobody may collect from these.")
_POINTS = (
    "Points",
    "A side that has collected none to five cards makes 0, 1, 3, 6, 10 or 15 points. Partners make all of them, each.",
)
_DECLARE = (
    "The dealer",
    "It gets twelve cards, the others ten. It discards two, face down, and declares a trump suit or "
    "no trumps. It plays alone.",
)
_PROPOSAL = (
    "Proposal",
    "Five subjects are turned up, such as a leaf, a fish and three butterflies. Every side tries to collect them.",
)
_FIRST_SUBJECT = (
    "Trumps",
    "Five subjects are turned up, the proposal, which both sides try to collect. The first of them "
    "makes its suit trumps; a butterfly means no trumps.",
)
_DUMMY = (
    "The dummy",
    "Seven of its cards lie face up, and six of these cover another card. Its partner plays it, from "
    "the cards that lie face up. A card that was covered is turned up before the next lead.",
)

_DUMMY_DECLARE = (
    "Trumps",
    "The dealer sees its hand and the dummy's open cards, and declares a trump suit or no trumps. "
    "Then the proposal is turned up: five subjects that both sides try to collect.",
)

RULES: Final = {
    "chinkway": ShortRules(
        "Five players, eleven deals, one player against two pairs in each deal",
        (
            _CARDS,
            (
                "Sides",
                "Partners change: in the first ten deals any two players are partners twice. The standings decide "
                "who sits where in the last deal.",
            ),
            _DECLARE,
            _PROPOSAL,
            _TRICKS,
            _COLLECT,
            _POINTS,
            ("The match", "Most points after eleven deals win."),
        ),
    ),
    "five-hand": ShortRules(
        "Five players, five deals, one for each dealer",
        (
            _CARDS,
            ("Sides", "The dealer is alone, its two neighbours are partners, and so are the two opposite."),
            _DECLARE,
            _PROPOSAL,
            _TRICKS,
            _COLLECT,
            _POINTS,
            ("The match", "Any two players are partners once. Most points win."),
        ),
    ),
    "basic": ShortRules(
        "Five players, three deals, the third counts double",
        (
            _CARDS,
            (
                "Sides",
                "The dealer is alone; positions 1 and 3 are partners, and so are 2 and 4. The player with fewest "
                "points deals next.",
            ),
            _DECLARE,
            _PROPOSAL,
            _TRICKS,
            _COLLECT,
            _POINTS,
            ("The match", "The points of the third deal count double. The two best totals win."),
        ),
    ),
    "four": ShortRules(
        "Four players, two against two throughout the match, four deals",
        (
            _CARDS,
            ("Sides", "Partners sit opposite. Each player gets thirteen cards; nobody discards or declares."),
            _FIRST_SUBJECT,
            _TRICKS,
            _LATER,
            _COLLECT,
            _POINTS,
            ("The match", "The side with more points wins."),
        ),
    ),
    "three": ShortRules(
        "Three players, six deals, the dealer with a dummy against the two others",
        (
            _CARDS,
            ("Sides", "The dummy sits opposite the dealer. Each of the four hands has thirteen cards."),
            _DUMMY,
            _DUMMY_DECLARE,
            _TRICKS,
            _LATER,
            _COLLECT,
            _POINTS,
            ("The match", "Most points win."),
        ),
    ),
    "three-short": ShortRules(
        "Three players, four deals, the last one without a dummy",
        (
            _CARDS,
            ("Sides", "In three deals the dealer plays with a dummy against the two others."),
            _DUMMY,
            _DUMMY_DECLARE,
            _TRICKS,
            _LATER,
            _COLLECT,
            _POINTS,
            (
                "The last deal",
                "The player with fewest points deals eighteen cards to itself and seventeen to the others, "
                "declares trumps, and discards one card. Everyone plays alone.",
            ),
            ("The match", "Most points win."),
        ),
    ),
    "two": ShortRules(
        "Two players, each with a dummy, four deals",
        (
            _CARDS,
            ("Sides", "Clockwise sit the dealer, the other player, the dealer's dummy and the other's dummy."),
            _DUMMY,
            _FIRST_SUBJECT,
            _TRICKS,
            _LATER,
            _COLLECT,
            _POINTS,
            ("The match", "Most points win."),
        ),
    ),
    "farrago": ShortRules(
        "Three, four or five players, everyone alone, ten deals of ten types",
        (
            (
                "Cards",
                "Spades, hearts, diamonds and clubs, the ace high; 36, 52 or 60 cards for three, four or five players.",
            ),
            (
                "Tricks",
                "Follow suit if you can. The highest trump wins, or the highest card led, unless the type says "
                "otherwise.",
            ),
            (
                "Points",
                "Par, 4, 3 or 2 tricks for three, four or five players, is worth nothing. Each trick above it "
                "counts 10 points, each below it 15: win many, or very few.",
            ),
            ("Types", "Each is played once; by default the dealer picks one that has not been played."),
            ("skint", "the player with fewest points names trumps"),
            ("barred", "three players bar a suit each, the fourth suit is trumps"),
            ("majority", "everyone shows a card at the same time, the suit shown most is trumps"),
            ("surprise", "the first card that does not follow suit makes its suit trumps"),
            ("red-black", "spades and hearts trump each other, and so do diamonds and clubs"),
            ("top-suit", "the highest suit in the trick wins: spades, hearts, diamonds, clubs"),
            ("top-rank", "the highest rank wins, whatever its suit, and of equals the last"),
            ("seconds", "the second-highest card of the suit led wins"),
            (
                "ups-downs",
                "after a high lead the highest card of the suit wins, after a low one the lowest; its ace always",
            ),
            ("snap", "the rank that was led, played in another suit, wins"),
            ("The match", "Most points after ten deals win."),
        ),
    ),
}
#: What an option adds to every game of Farfalia, and to `four`, where the sides' totals say who leads (ruling F12).
DOUBLE_YOU: Final = (
    "Everyone has two wild cards for the match. Before a deal, a player who is not in the lead may spend one, "
    "and its points of that deal count double."
)
DOUBLE_YOU_OF_SIDES: Final = (
    "Everyone has two wild cards for the match. Before a deal, a player whose side is not in the lead may spend one, "
    "and its points of that deal count double; its partner's do not, unless it spends one, too."
)
#: What another adds to every game of Farfalia.
BURNIN: Final = (
    "Everyone gets a wild card in each deal. It never wins a trick, but burns: cards of its family "
    "in this trick cannot be collected."
)


def short_rules() -> dict[str, ShortRules]:
    """Return all games in short, in the language of the reader."""
    return {name: ShortRules(gettext(game.line), _in_language(game.rules)) for name, game in RULES.items()}


def wild_card_rules(game: str) -> tuple[tuple[str, str], ...]:
    """Return what two options add to a game of Farfalia, in the language of the reader."""
    double_you = DOUBLE_YOU_OF_SIDES if game == "four" else DOUBLE_YOU
    return (("double_you=on", gettext(double_you)), ("burnin=on", gettext(BURNIN)))


def _in_language(rules: tuple[tuple[str, str], ...]) -> tuple[tuple[str, str], ...]:
    return tuple((gettext(name), gettext(text)) for name, text in rules)
