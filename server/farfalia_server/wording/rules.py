"""The games in short, as the pages teach them; docs/rules.md has every detail, and a number for each ruling."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class ShortRules:
    """A game: who plays, in one line, and its rules, each with the words that name it."""

    line: str
    rules: tuple[tuple[str, str], ...]


_CARDS = (
    "Cards",
    "There are 52: strawberries, leaves, fishes and seashells, from 1, the lowest, to 13. Each "
    "belongs to a family too: the 8, 10 and 12 of every suit are butterflies, every other card is "
    "of the family of its suit.",
)
_TRICKS = (
    "Tricks",
    "Position 1, on the dealer's left, leads. Follow the suit that was led; without a card of it, "
    "play any. The highest trump wins, or else the highest card of the suit that was led. The "
    "winner leads next.",
)
_COLLECT = (
    "Collecting",
    "The winner may take one card of the trick for its side if the card's family is still missing "
    "there, or decline. Nobody gets the other cards.",
)
_LATER = ("The first three tricks", "They are only played: nothing may be collected from them.")
_POINTS = (
    "Points",
    "Cards collected by a side make 0, 1, 3, 6, 10 or 15 points, for none up to five. Partners get all of them, each.",
)
_DECLARE = (
    "The dealer",
    "It gets twelve cards, the others ten. It lays two away, face down, and names a suit as trumps, "
    "or none. It plays alone.",
)
_PROPOSAL = (
    "Proposal",
    "Five subjects are turned up, such as a leaf, a fish and three butterflies: what every side tries to collect.",
)
_FIRST_SUBJECT = (
    "Trumps",
    "Five subjects are turned up, the proposal: what both sides try to collect. The first of them "
    "makes trumps; a butterfly means no trumps.",
)
_DUMMY = (
    "The dummy",
    "Seven of its cards lie face up, and six of them cover another one. Its partner plays it, from "
    "the cards that lie open. When a card is played that covered another one, that is turned up "
    "before the next lead.",
)

_DUMMY_DECLARE = (
    "Trumps",
    "The dealer sees its hand and the dummy's open cards and names a suit, or none. Then the "
    "proposal is turned up: five subjects that both sides try to collect.",
)

RULES: Final = {
    "chinkway": ShortRules(
        "Five players, eleven deals, in each of them one alone against two pairs",
        (
            _CARDS,
            (
                "Sides",
                "Partners change: in ten deals any two players are partners twice. For the last one they sit by "
                "standing.",
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
                "The dealer is alone; positions 1 and 3 are partners, and so are 2 and 4. Who has fewest points "
                "deals next.",
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
        "Four players, two against two all match, four deals",
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
            ("Sides", "Three deals are played by the dealer with a dummy against the two others."),
            _DUMMY,
            _DUMMY_DECLARE,
            _TRICKS,
            _LATER,
            _COLLECT,
            _POINTS,
            (
                "The last deal",
                "The player with fewest points deals eighteen cards to itself and seventeen to the others, "
                "names trumps, and lays one card away. Everyone plays alone.",
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
            ("majority", "everyone shows a card at once, the suit shown most is trumps"),
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
#: What two options add to every game of Farfalia.
WILD_CARDS: Final = (
    (
        "double_you=on",
        "Everyone has two wild cards for the match. Before a deal, whoever is not in the lead may spend one, "
        "and its points of that deal count double.",
    ),
    (
        "burnin=on",
        "Everyone gets a wild card in each deal. It never wins a trick, but burns: cards of its family "
        "in this trick cannot be collected.",
    ),
)
