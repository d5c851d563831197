"""The pages that are measured: each address is one that the server has, however small the arena."""

import re

import pytest

from farfalia_tools.bench.web.large_arena import Size
from farfalia_tools.bench.web.pages import lists


@pytest.mark.parametrize("size", [Size(bots=10, tournaments=1, matches=100), Size()], ids=["smallest", "full"])
def test_every_round_asks_for_what_is_there(size: Size) -> None:
    most = {"tournaments": size.tournaments, "bots/bot-": size.bots}
    for page, path in lists(size, match=size.matches).items():
        for number in range(2 * size.tournaments + 20):
            address = path(number)
            for kind, number_there in re.findall(r"(tournaments|bots/bot-)/?(\d+)", address):
                assert 1 <= int(number_there) <= most[kind], (page, address)
            for before in re.findall(r"before=(-?\d+)", address):
                assert int(before) >= 1, (page, address)
