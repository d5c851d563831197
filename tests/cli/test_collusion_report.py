"""What a terminal shows of a report on collusion: each figure of each pair, once."""

from __future__ import annotations

import re

from tests.cli.screen import shown

from farfalia.v1 import ratings_pb2
from farfalia_server.cli.collusion_report import about_cards, flagged_pairs, print_effects


def test_a_report_on_collusion_has_all_figures_and_counts_each_pair_once() -> None:
    def effect(bot: str, other: str, flagged: bool) -> ratings_pb2.TableEffect:
        return ratings_pb2.TableEffect(
            bot=bot,
            other=other,
            made=3.5,
            expected=-0.5,
            difference=4.0,
            standard_error=1.0,
            by_styles=0.25 if flagged else 0.0,
            together=120,
            apart=480,
            p_value=0.0004,
            adjusted_p_value=0.018,
            favour=0.8,
            favour_error=0.2,
            favour_matches=120 if bot == "ada" else 0,
            favour_p_value=0.00003,
            flagged=flagged,
            probability=0.9,
        )

    pairs = [("ada", "ben", True), ("ben", "ada", True), ("cleo", "dan", False), ("dan", "cleo", False)]
    effects = [effect(*pair) for pair in pairs]
    assert flagged_pairs(effects) == "1 of 2 pairs with enough matches are flagged."
    heads, _, *rows = shown(lambda: print_effects(effects[:2]), 200)
    assert (
        re.sub(" +", " ", heads).strip()
        == "bot with made expected more from to by styles together apart p favours p of that adjusted p %"
    )
    assert (
        re.sub(" +", " ", rows[0]) == "ada ben +3.5 -0.5 +4.0 +2.0 +6.0 +0.2 120 480 0.0004 +0.8 3e-05 0.018 90 flagged"
    )
    assert re.sub(" +", " ", rows[1]) == "ben ada +3.5 -0.5 +4.0 +2.0 +6.0 +0.2 120 480 0.0004 0.018 90 flagged"
    report = ratings_pb2.ReportCollusionResponse(effects=effects, matches=7, read=3)
    assert [line.split(":")[0] for line in about_cards(report)] == [
        "favours",
        "The cards of 3 of 7 matches have been read; ask again for more.",
    ]
    assert about_cards(ratings_pb2.ReportCollusionResponse(effects=effects[2:], matches=7, read=7)) == []
    assert "by styles" not in shown(lambda: print_effects(effects[2:]), 200)[0]
