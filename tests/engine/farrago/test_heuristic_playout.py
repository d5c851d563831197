"""The heuristic rollout policy of Farrago: it knows the rules of each type, and goes for tricks or avoids them."""

from random import Random

import pytest
from tests.engine.conftest import Walk

from farfalia_engine import Deals, DealType, State, ruleset
from farfalia_engine.farrago.deal_types import trick_winner
from farfalia_engine.farrago.heuristic_playout import winning_cards
from farfalia_engine.farrago.packs import DUPLICATES, FIVE_HUNDRED, FULL, SHORT, Pack

LISTED = "listed:" + ",".join(kind.text for kind in DealType)


def of_type(kind: DealType, key: int) -> State:
    """A deal of this type, before its first card."""
    others = ",".join(other.text for other in DealType if other is not kind)
    state = ruleset("farrago", {"order": f"listed:{kind.text},{others}"}).new_match(Deals(bytes((key,)) * 32))
    assert kind is DealType.SKINT or state.types[-1] == kind  # type: ignore[attr-defined]
    return state


@pytest.mark.parametrize("pack", [SHORT, FULL, DUPLICATES, FIVE_HUNDRED], ids=["short", "full", "twins", "500"])
@pytest.mark.parametrize("kind", DealType, ids=lambda kind: kind.text)
def test_it_knows_which_cards_win_a_trick(kind: DealType, pack: Pack) -> None:
    random = Random(kind)
    for _ in range(500):
        *trick, card = random.sample(range(pack.size), random.randint(2, 5))
        trumps = random.choice((1, 2, 3, 4)) if kind.rules.trumps.chosen else 0
        if kind is DealType.SURPRISE:
            strange = [one for one in trick if pack.suit[one] != pack.suit[trick[0]]]
            trumps = pack.suit[strange[0]] + 1 if strange else 0
        after = trumps
        if kind is DealType.SURPRISE and not trumps and pack.suit[card] != pack.suit[trick[0]]:
            after = pack.suit[card] + 1
        wins = trick_winner(kind, pack, [*trick, card], after) == len(trick)
        assert list(winning_cards(pack, kind, trumps, trick, [card])) == [card] * wins


@pytest.mark.parametrize("players", ["3", "4", "5"])
def test_it_may_be_asked_for_at_any_decision_and_changes_nothing(walk: Walk, players: str) -> None:
    random = Random(1)
    for state in walk(1, "farrago", {"players": players, "order": LISTED}):
        if state.pending and random.random() < 0.2:
            before = [state.observation(seat) for seat in range(state.rules.seats)]
            assert state.heuristic_playout(Random(2)) == state.heuristic_playout(Random(2))
            assert [state.observation(seat) for seat in range(state.rules.seats)] == before


@pytest.mark.parametrize("kind", [kind for kind in DealType if kind is not DealType.SKINT], ids=lambda kind: kind.text)
def test_its_players_make_more_points_than_random_ones(kind: DealType) -> None:
    random = Random(kind)
    states = [of_type(kind, key) for key in range(60)]
    plain = sum(sum(state.playout(random)) for state in states)
    heuristic = sum(sum(state.heuristic_playout(random)) for state in states)
    assert heuristic > plain
