"""Why a trick is won, in words, in the games and types of deal."""

from dataclasses import replace

import pytest

from farfalia_engine import Deals, Observation, ruleset
from farfalia_engine.actions import PICK_TYPE


def on_table(game: str, cards: str, trumps: int) -> Observation:
    """What is seen with these cards as the first trick of a deal."""
    rules = ruleset(game)
    observation = rules.new_match(Deals(bytes(32))).observation(0)
    return replace(observation, plays=bytes(map(rules.parse, cards.split())), leaders=b"\1", trumps=trumps)


@pytest.mark.parametrize(
    ("trumps", "cards", "why"),
    [
        ("S", "L2 L9 S1 L13", "the only trump"),
        ("S", "L2 S9 S1 L13", "the highest of 2 trumps"),
        ("L", "L2 L9 S1 L13", "the highest of leaves, which are trumps"),
        ("L", "L2 F9 S1 O13", "nobody followed suit"),
        ("O", "L2 L9 S1 F13", "the highest of leaves"),
        ("", "L2 F9 S1 O13", "nobody followed suit"),
        ("", "L2 L3 S1 O13", "the highest of leaves"),
    ],
)
def test_a_trick_of_farfalia_is_won_by_a_trump_or_in_the_suit_led(trumps: str, cards: str, why: str) -> None:
    observation = on_table("four", cards, "SLFO".find(trumps) + 1 if trumps else 5)
    assert observation.rules.game.wording.why_won(observation) == why


@pytest.mark.parametrize(
    ("kind", "trumps", "cards", "why"),
    [
        ("skint", "D", "9H KH 2D AH", "the only trump"),
        ("barred", "S", "5C AC KC 9D", "the highest of clubs"),
        ("red-black", "", "AS 2H KS 3D", "the only trump"),
        ("top-suit", "", "AC 2H 3D KC", "the highest of hearts, the highest suit"),
        ("top-rank", "", "9C TH 4D TS", "the last of equal highest ranks"),
        ("top-rank", "", "9C TH 4D KS", "the highest rank of all"),
        ("seconds", "", "KD 9D AD 3S", "the second-highest of diamonds"),
        ("seconds", "", "5C AH AS 4D", "nobody followed: the second rank of all"),
        ("ups-downs", "", "TH 2H QH 8S", "the highest of hearts, after a high lead"),
        ("ups-downs", "", "7C 9C KC 4C", "the lowest of clubs, after a low lead"),
        ("ups-downs", "", "7C 9C AC 4C", "the ace of the suit led"),
        ("snap", "", "9C TC 9D AC", "snap: the rank that was led, in another suit"),
        ("snap", "", "9C TC 8D AC", "the highest of clubs"),
    ],
)
def test_a_trick_of_farrago_is_won_as_its_type_says(kind: str, trumps: str, cards: str, why: str) -> None:
    observation = on_table("farrago", cards, "SHDC".find(trumps) + 1 if trumps else 5)
    observation = replace(observation, types=bytes((observation.rules.parse(f"type={kind}") - PICK_TYPE + 1,)))
    assert observation.rules.game.wording.why_won(observation) == why
