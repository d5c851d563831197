"""What `tournament plan` promises is what standings then show."""

from statistics import fmean

import pytest
from tests.figures import measured
from tests.figures.__main__ import DOCUMENTS
from tests.figures.marks import blocks
from tests.figures.noise_of_games import FIELD, ROUNDS, held, margin

from farfalia_engine import GAMES, ruleset
from farfalia_tournaments import NOISES, Boards, parse_stages, plan


@pytest.mark.slow
@pytest.mark.parametrize("boards", Boards)
def test_a_plan_says_within_15_percent_what_standings_show(boards: Boards) -> None:
    # Seeds of which the figures are not made.
    seen = fmean(margin(held("chinkway", boards, seed))[0] for seed in (11, 12))
    stages = parse_stages(f"round-robin:rounds={ROUNDS[boards]}", boards)
    (stage,) = plan(stages, len(FIELD), ruleset("chinkway").seats, noise=NOISES["chinkway"]).stages
    assert 0.85 < seen / (1.96 * stage.standard_error) < 1.15


def test_the_documents_have_the_noise_that_plans_count_on() -> None:
    assert sorted(NOISES) == sorted(GAMES)
    (documented,) = (found["noise"] for page in DOCUMENTS if "noise" in (found := blocks(page.read_text("utf-8"))))
    assert measured.noise(NOISES)["noise"] == documented
