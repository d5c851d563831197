"""Which cards a game has on a day, and what house bots make of them."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from tests.server.daily_world import DAY, GAME, begin, person
from tests.server.store_world import SECRET

from farfalia_server.net.worker_process import WorkerProcess
from farfalia_server.organising.baseliner import Baseliner
from farfalia_server.organising.daily_boards import DailyMatch, daily_entrants, daily_seat, daily_secret
from farfalia_server.play.house_search import Found, HouseSearch, Searching
from farfalia_server.records.house_bot import Search
from farfalia_server.store import Store


class Here(HouseSearch):
    """Searches in this process."""

    async def decide(self, search: Searching[Found]) -> Found:
        return search.answer()


async def test_two_servers_of_one_store_deal_the_same_and_another_day_or_game_has_other_cards(
    store_url: str,
) -> None:
    async with await Store.open(store_url) as one:
        key = await one.meta.sealing_key()
    async with await Store.open(store_url) as other:
        assert await other.meta.sealing_key() == key
    secret = daily_secret(key, DAY, GAME)
    assert len(secret) == 32
    others = {daily_secret(key, "2026-11-29", GAME), daily_secret(key, DAY, "four"), daily_secret(bytes(32), DAY, GAME)}
    assert len({secret, *others}) == 4


async def test_a_board_names_the_days_before_and_after_it_that_were_played(store: Store) -> None:
    for name, day in (("ada", "2026-01-05"), ("ben", "2026-01-01"), ("cem", "2026-01-02")):
        await begin(store, await person(store, name), day)
    found = [await store.daily_boards.neighbours(day, GAME) for day in ("2026-01-01", "2026-01-03", "2026-01-05")]
    assert found == [("", "2026-01-02"), ("2026-01-02", "2026-01-05"), ("2026-01-02", "")]
    assert await store.daily_boards.neighbours("2026-01-03", "four") == ("", "")


def test_everyone_has_the_same_seat_which_changes_from_day_to_day() -> None:
    assert daily_entrants(DAY, "two").count("") == 1
    assert {daily_seat(f"2026-11-{day}", "five-hand") for day in range(20, 25)} == {0, 1, 2, 3, 4}


@pytest.mark.parametrize("house", ["random", "greedy", "cautious"])
def test_what_a_house_bot_makes_of_a_board_follows_from_its_cards(house: str) -> None:
    match = DailyMatch(GAME, DAY, house, SECRET)
    assert match.answer() == match.answer()
    assert match.answer()[1] in (1, 2)


async def test_a_house_bot_that_searches_is_asked_decision_by_decision() -> None:
    searches: list[Search] = []

    async def search(wanted: Search) -> int:
        searches.append(wanted)
        return wanted.view.legal[0]

    async def whole(match: DailyMatch) -> tuple[int, int]:
        raise AssertionError(match)

    found = await DailyMatch(GAME, DAY, "flat-monte-carlo", SECRET).played(whole, search)
    assert found[1] in (1, 2)
    assert len(searches) > 20
    assert len({one.seed for one in searches}) == len(searches)


async def test_house_bots_play_the_board_of_a_day_as_soon_as_a_person_does(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("farfalia_server.organising.baseliner.daily_players", lambda: ["random", "greedy"])
    day = datetime.now(UTC).date().isoformat()
    await begin(store, await person(store, "ada"), day)
    await store.daily_boards.keep(day, GAME, "greedy", 99, 1)
    await Baseliner(store, WorkerProcess(), lambda: False, Here()).work_off()
    found = DailyMatch(GAME, day, "random", SECRET).answer()
    assert await store.daily_boards.house_results(day, GAME) == {"random": found, "greedy": (99, 1)}
