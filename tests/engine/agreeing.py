"""A match at random, held beside a second opinion of the rules at every decision."""

from collections.abc import Callable, Generator
from random import Random

from tests.engine.opinion import Done, PendingQuestion, Scores

from farfalia_engine import Deals, Ruleset, ruleset

Opinion = Callable[[Deals], Generator[PendingQuestion, Done, Scores]]


def play_beside(game: tuple[str, dict[str, str]], opinion: Opinion, seed: int) -> None:
    """Assert that both ask the same seats for the same actions, deal by deal to the same points."""
    random = Random(seed)
    deals = Deals(random.randbytes(32))
    rules: Ruleset = ruleset(*game)
    state, other = rules.new_match(deals), opinion(deals)
    asked, position = next(other)
    try:
        while state.pending:
            assert (state.pending.seats, state.pending.position) == (tuple(asked), position)
            seat = random.choice(state.pending.seats)
            assert list(state.legal_actions(seat)) == sorted(map(rules.parse, asked[seat]))
            action = random.choice(state.legal_actions(seat))
            state.apply(action, seat)
            asked, position = other.send((seat, rules.text(action)))
    except StopIteration as end:
        scores = end.value
    assert state.outcome
    assert [list(points) for points in state.outcome.deals] == scores
    assert list(state.outcome.points) == [sum(points[seat] for points in scores) for seat in range(rules.seats)]
