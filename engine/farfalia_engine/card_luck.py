"""How much of what a seat made came from its cards: taken out of its score, the score says more about skill.

At each chance event the value that was expected before it is taken from the value after it, as AIVAT does without the
players' part: N. Burch, M. Schmid, M. Moravčík, D. Morrill, M. Bowling, "AIVAT: A New Variance Reduction Technique for
Agent Evaluation in Imperfect Information Games", AAAI 2018. The value function is fixed and public, and the expectation
exact, so the luck of a match is 0 on average, no matter who plays or how: a score less luck has the same mean.
"""

from collections.abc import Sequence
from fractions import Fraction

from farfalia_engine.deals import Deals
from farfalia_engine.interfaces import Ruleset
from farfalia_engine.record import Record
from farfalia_engine.rulesets import ruleset


def luck(record: Record) -> tuple[Fraction, ...] | None:
    """Return by seat how many points more than average the cards of a match were worth, by the game's value function.

    None if the game has none, if the record does not name the one that this engine has, or if the match was not
    finished. Raises BadKey, or RulesetError, if the record is damaged.

    >>> function = ruleset("five-hand").value_function
    >>> source = DealSource(bytes(32), (), "board-1", board_key=bytes(32), value_function=function)
    >>> record = Record(
    ...     engine="1.0.0",
    ...     match=1,
    ...     ruleset="five-hand",
    ...     seats=(),
    ...     source=source,
    ...     time_control=TimeControl(limit_ms=1_000, bank_ms=0, grace=0),
    ...     actions=(),
    ...     outcome=Outcome((0,) * 5, (1,) * 5, ((0,) * 5,) * 5),
    ...     started_ms=1,
    ...     finished_ms=2,
    ... )
    >>> [round(float(points), 1) for points in luck(record)]
    [4.7, -3.3, 2.9, -6.6, 4.1]
    """
    rules = ruleset(record.ruleset, record.options)
    if record.outcome is None or record.source.value_function != rules.value_function:
        return None
    return match_luck(rules, Deals(record.source.board_key), record.outcome.deals)


def match_luck(rules: Ruleset, deals: Deals, points: Sequence[Sequence[int]]) -> tuple[Fraction, ...] | None:
    """Return the luck of a match with these deals, in which seats made these points, deal by deal.

    The points only say who sat where in a deal that comes after them: a deal's own play changes nothing in its luck.
    None if the game has no value function.

    >>> match_luck(ruleset("farrago"), Deals(bytes(32)), [(1, 0, 1, 0)] * 10) is None
    True
    """
    if not rules.value_function:
        return None
    totals = [Fraction(0)] * rules.seats
    scores: list[int] = []
    for deal, made in enumerate(points, 1):
        totals = [total + own for total, own in zip(totals, rules.game.deal_luck(deals, deal, scores), strict=True)]
        scores += made
    return tuple(totals)
