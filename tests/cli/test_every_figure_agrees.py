"""Page, JSON, table for spreadsheets and terminal show the same figures, and those that add up follow from records."""

from __future__ import annotations

import asyncio
import json
import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from tests.cli.figures_of_an_arena import Arena, Sums, added_up, finished, missed, same_table, settle
from tests.server.every_kind import KINDS, play_every_kind
from tests.server.live import live_server
from tests.server.tables_shown import printed, table_with, tables_of

from farfalia_engine import GAMES, ruleset
from farfalia_server.wording.columns import lower
from farfalia_server.wording.phrases import decimal, ordinal, signed
from farfalia_tournaments import letter

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def arena(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Arena]:
    folder = tmp_path_factory.mktemp("arena")
    (folder / "data").mkdir()
    numbers = asyncio.run(play_every_kind(folder / "data"))
    with live_server(folder, absence_ms=200) as server:
        house = [f"house-{name}-1" for name in ("greedy", "cautious", "random")]
        numbers["lost seat"] = server.tournament(("lynx", *house, "house-greedy-2"), rounds=2)
        server.wait_for(numbers["lost seat"])
        with httpx.Client(base_url=f"http://{server.http_address}", timeout=60) as client:
            there = Arena(server, client, numbers, folder)
            settle(there)
            yield there


def ranks(row: dict[str, Any]) -> str:
    best, worst = row["bestRank"], row["worstRank"]
    return "" if not best else str(best) if best == worst else f"{best}–{worst}"


@pytest.mark.parametrize("kind", [*KINDS, "lost seat"])
def test_the_standings_of_a_tournament_agree_wherever_they_are_shown(arena: Arena, kind: str) -> None:
    number = arena.numbers[kind]
    told = arena.json(f"/api/tournaments/{number}")
    standings = told["standings"]
    same_table(standings, arena.csv(f"/api/tournaments/{number}?format=csv"))
    own = added_up(arena, number)
    assert {row["entrant"] for row in standings if row["matches"]} == {name for name in own if own[name].matches}
    assert {name for name in own if own[name].forfeits} == ({"lynx"} if kind == "lost seat" else set())
    assert own["lynx"].missed == own["lynx"].forfeits
    page = arena.page(f"/tournaments/{number}?columns=all")
    output = arena.terminal("tournament", "show", number, "--crosstable")
    if kind == "planned":
        by_seed = re.search('<ol class="entrants".*?</ol>', page, re.DOTALL)
        assert by_seed is not None
        names = [row["entrant"] for row in standings]
        assert re.findall('href="/bots/(.*?)"', by_seed[0]) == names
        assert all(name in output for name in names)
        assert not [rows for rows in tables_of(page) if rows and "Adjusted" in rows[0]], "nothing has been played"
        return
    shown = table_with(page, "Place", "Adjusted")
    five = table_with(arena.page(f"/tournaments/{number}"), "Place", "Strength, 95 % interval")
    for name in shown[0].keys() & five[0].keys():
        assert [cells[name] for cells in five] == [cells[name] for cells in shown]
    lines = printed(output, heads_on_terminal(shown[0]))
    assert len(standings) == len(shown) == len(lines)
    ranked = [row for stage in told.get("stages", []) for row in stage["standings"]]
    scores = {row["entrant"]: row["score"] for row in ranked if "score" in row}
    for row, cells, line in zip(standings, shown, lines, strict=True):
        sums = own.get(row["entrant"], Sums())
        assert [row[name] for name in ("matches", "points", "strikes", "forfeits", "missed")] == [
            sums.matches,
            sums.points,
            sums.strikes,
            sums.forfeits,
            sums.missed,
        ]
        played = row["matches"] > 0
        if played:
            assert row["relative"] == pytest.approx(float(sums.relative / sums.matches))
            assert row["places"] == [sums.places[place] for place in range(1, len(row["places"]) + 1)]
        marks = [" house"] * row["house"] + [" withdrawn"] * row["withdrawn"]
        assert cells["Entrant, and why it has its place"].startswith(row["entrant"] + "".join(marks))
        expected = {
            "Place": row["place"],
            "Ranks": ranks(row) or "–",
            "Level": row["brackets"] or "–",
            "Score": signed(scores[row["entrant"]], 2) if row["entrant"] in scores else "–",
            "Adjusted": signed(row["adjusted"], 2) if played else "–",
            "±": decimal(row["margin"], 2) if row["margin"] else "–",
            "Relative": signed(row["relative"], 2) if played else "–",
            "Points": row["points"],
            "Matches": row["matches"],
            "Strikes": row["strikes"],
            "Forfeits": row["forfeits"],
            "Missed": row["missed"],
            **{ordinal(place): 0 for place in range(1, 6)},
            **{ordinal(place): times for place, times in enumerate(row["places"], start=1)},
        }
        columns = cells.keys() - {"Entrant, and why it has its place"}
        assert {name: cells[name] for name in columns} == {name: str(expected[name]) for name in columns}
        for name in {"Ranks", "Level", "±", "Strikes", "Forfeits", "Missed"} - columns:
            assert expected[name] in ("–", 0), "what is left out says nothing"
        assert line == {
            "entrant": row["entrant"] + "".join(f" ({mark.strip()})" for mark in marks),
            **{lower(name): ascii_minus(cells[name]) for name in columns},
        }
    stages(arena, told, page, output)
    crosstable(arena, number, told, page)
    same_table(
        arena.json(f"/api/matches?tournament={number}&limit=1000")["matches"],
        arena.csv(f"/api/matches?tournament={number}&limit=1000&format=csv"),
    )


def ascii_minus(text: str) -> str:
    """A figure as commands print it, for those who copy it into a program."""
    return text.replace("−", "-")


def heads_on_terminal(cells: dict[str, str]) -> list[str]:
    """The heads of the columns that a terminal has where the page has these."""
    return ["<entrant" if name.startswith("Entrant") else f"{'<' * (name == 'Level')}{lower(name)}" for name in cells]


def stages(arena: Arena, told: dict[str, Any], page: str, output: str) -> None:
    """The stages of a tournament on its page and on a terminal, and the tables of a knock-out from records."""
    tables = [rows for rows in tables_of(page) if rows and "Qualified" in rows[0]]
    parts = re.split(r"\nStage \d+: ", output)[1:]
    assert len(told.get("stages", [])) == len(tables) == len(parts)
    boxes = iter(
        [rows for rows in tables_of(page) if rows and rows[0].keys() == {"Place", "Entrant", "Points", "Score"}]
    )
    for stage, shown, part in zip(told.get("stages", []), tables, parts, strict=True):
        knockout = stage["stage"]["kind"] == "STAGE_KIND_KNOCKOUT"
        heads = ["place", "<entrant", "score", *["reached round"] * knockout, "<qualified"]
        lines = printed(part, heads)
        for row, cells, line in zip(stage["standings"], shown, lines, strict=True):
            score = row.get("score")
            expected = {
                "Place": str(row["place"]),
                "Entrant": row["entrant"],
                "Score": "–" if score is None else signed(score, 2),
                "Qualified": "yes" if row["qualified"] else "–",
            }
            assert cells == expected | {"Reached round": str(row["reachedRound"] or "–")} if knockout else expected
            assert line == {lower(name): ascii_minus(text) for name, text in cells.items()}
        assert bool(stage["tables"]) == knockout
        said = " ".join(part.split())
        for table in stage["tables"]:
            made = Counter[str]()
            for match in table["matches"]:
                record = arena.server.record(int(match))
                made.update({who.name: record.outcome.points[seat] for seat, who in enumerate(record.seats)})
            assert {row["entrant"]: row["points"] for row in table["results"]} == made
            scores = [row["score"] for row in table["results"]]
            assert scores == sorted(scores, reverse=True)
            assert [row["place"] for row in table["results"]] == [1 + sum(map(own.__lt__, scores)) for own in scores]
            assert sorted(row["entrant"] for row in table["results"] if row["advanced"]) == table["advanced"]
            box = next(boxes)
            assert [cell["Points"] for cell in box] == [str(row["points"]) for row in table["results"]]
            assert [cell["Place"] for cell in box] == [str(row["place"]) for row in table["results"]]
            assert [cell["Score"] for cell in box] == [signed(row["score"], 1) for row in table["results"]]
            rows = "; ".join(
                f"{row['place']} {row['entrant']} {row['points']} ({row['score']:+.1f}){' →' * row['advanced']}"
                for row in table["results"]
            )
            assert rows in said
        for bye in stage["byes"]:
            assert f'<li class="bye"><a href="/bots/{bye["entrant"]}">' in page
            assert re.search(rf"Round {bye['round']}, bye: [^.]*\b{bye['entrant']}\b", said)
        if knockout:
            seated = Counter(
                row["entrant"] for table in stage["tables"] for row in table["results"] if not row["house"]
            )
            excused = Counter(bye["entrant"] for bye in stage["byes"])
            for row in stage["standings"]:
                assert seated[row["entrant"]] + excused[row["entrant"]] == row["reachedRound"], "no round is missing"
    assert next(boxes, None) is None


def crosstable(arena: Arena, number: int, told: dict[str, Any], page: str) -> None:
    """Who finished ahead of whom how often, on the page, in the JSON, and in records."""
    ahead: Counter[tuple[str, str]] = Counter()
    met: Counter[tuple[str, str]] = Counter()
    for _, record in finished(arena, number):
        seats = [seat for seat in range(len(record.seats)) if not missed(record, seat)]
        teams = ruleset(record.ruleset, dict(record.options)).teams or [[seat] for seat in seats]
        for seat in seats:
            (partners,) = (team for team in teams if seat in team)
            for other in set(seats) - set(partners):
                pair = record.seats[seat].name, record.seats[other].name
                ahead[pair] += record.outcome.places[seat] < record.outcome.places[other]
                met[pair] += 1
    names = [row["entrant"] for row in told["standings"]]
    pairs = {(names[pair["row"]], names[pair["column"]]): pair for pair in told["pairs"]}
    for (one, other), pair in pairs.items():
        assert (pair["meetings"], pair["better"]) == (met[one, other], ahead[one, other])
    assert {pair for pair, times in met.items() if times} == {pair for pair, row in pairs.items() if row["meetings"]}
    rows = [rows for rows in tables_of(page) if rows and {"Entrant", "1", "2"} <= rows[0].keys()]
    assert bool(rows) == bool(pairs)
    for cells, one in zip(rows[0], names, strict=True) if rows else ():
        for at, other in enumerate(names, start=1):
            counts = re.fullmatch(r"(?:[<>]?\d+ %|\?) ([+−]?\d+\.\d) ± \d+\.\d (\d+)–(\d+)", cells[str(at)])
            assert bool(counts) == bool(met[one, other]), cells[str(at)]
            if counts:
                assert counts[1] == signed(pairs[one, other]["difference"], 1)
                assert (int(counts[2]), int(counts[3])) == (ahead[one, other], ahead[other, one])


@pytest.mark.parametrize("ladder", ["chinkway", "two", "three", "four", "farrago"])
def test_the_rows_of_a_ladder_agree_wherever_they_are_shown(arena: Arena, ladder: str) -> None:
    told = arena.json(f"/api/ratings?ladder={ladder}&limit=1000")
    same_table(told["bots"], arena.csv(f"/api/ratings?ladder={ladder}&limit=1000&format=csv"))
    page = arena.page(f"/ladders/{ladder}")
    shown = [row for row in table_with(page, "Place", "Bot", "Skill") if "fixed" not in row["Bot"]]
    heads = ["place", "<bot", "<version", "mu", "sigma", "rating", "low", "high", "<level", "matches"]
    output = arena.terminal("ratings", ladder)
    lines = printed(output, heads)
    chain = [json.loads(line) for line in arena.page(f"/api/ladders/{ladder}/chain").splitlines()]
    rated = {(seat["bot"], seat["version"]): seat for entry in chain for seat in entry["seats"] if "mu" in seat}
    counted = Counter((seat["bot"], seat["version"]) for entry in chain for seat in entry["seats"] if "mu" in seat)
    assert len(told["bots"]) == len(shown) == len(lines) == told["total"] > 0
    for row, cells, line in zip(told["bots"], shown, lines, strict=True):
        rating, settled = row["rating"], row["settled"]
        key = row["bot"], rating["version"]
        assert rating["matches"] == counted[key]
        if counted[key]:
            assert (rating["mu"], rating["sigma"]) == (float(rated[key]["mu"]), float(rated[key]["sigma"]))
        assert settled == (rating["matches"] >= 10)
        place = str(row["place"]) if settled and row["place"] else "–"
        assert (row["place"] == 0) == bool(row["info"]["house"])
        level = f"{letter(row['group'] - 1)}–{letter(row['lastGroup'] - 1)}" if settled else "–"
        level = level[0] if settled and row["group"] == row["lastGroup"] else level
        assert ("still being found" in cells["Bot"]) == (not settled)
        assert cells["Bot"].split()[0] == row["bot"]
        assert cells["Place"] == line["place"] == place
        assert cells["Level"] == line["level"] == level
        assert cells["Rating"] == decimal(rating["conservative"], 1)
        assert cells["Matches"] == line["matches"] == str(rating["matches"])
        values = (rating["mu"], rating["sigma"], rating["conservative"], row["low"], row["high"])
        assert [line[name] for name in ("mu", "sigma", "rating", "low", "high")] == [f"{one:.2f}" for one in values]
        assert (line["bot"], line["version"]) == key
        words = [decimal(one, 1) for one in (rating["mu"], row["low"], row["high"])]
        assert 'aria-label="skill {}, between {} and {}"'.format(*words) in page
    places = [row["place"] for row in told["bots"] if row["place"]]
    assert places == sorted(places)
    assert ("still being found" in output) == (not all(row["settled"] for row in told["bots"] if row["place"]))
    assert ("house bots, which have no place" in output) == (len(places) < len(shown))
    fixed = [one["bot"] for one in told["fixed"]]
    assert [row["Bot"].split()[0] for row in fixed_rows(page)] == fixed
    assert all(name in output for name in fixed)


@pytest.mark.parametrize("name", ["ant", "house-greedy-1"])
def test_the_profile_of_a_bot_agrees_wherever_it_is_shown(arena: Arena, name: str) -> None:
    every = arena.json(f"/api/bots/{name}/profile")["parts"]
    assert every == arena.json(f"/api/bots/{name}")["profile"]
    same_table(every, arena.csv(f"/api/bots/{name}/profile?format=csv"))
    lines = printed(arena.terminal("bot", "show", name), ["<game", "<deals", "<which", "number", "points"])
    for part, line in zip(every, lines, strict=True):
        half = f" ± {decimal(part['high'] - part['points'], 1)}" if "high" in part else ""
        assert (line["game"], line["number"]) == (part["ruleset"], str(part["deals"]))
        assert line["points"] == f"{decimal(part['points'], 1)}{half}"
    for game in {part["ruleset"] for part in every}:
        shown = table_with(arena.page(f"/bots/{name}?game={game}"), "Which deals")
        own = [line for line in lines if line["game"] == game]
        assert [[row["Which deals"], row["Deals"], row["Points per deal"]] for row in shown] == [
            [line["which"], line["number"], line["points"]] for line in own
        ]


def test_a_bot_that_has_missed_all_its_matches_is_in_no_figure_but_its_forfeits(arena: Arena) -> None:
    number = arena.numbers["lost seat"]
    told = arena.json(f"/api/tournaments/{number}")
    at = [row["entrant"] for row in told["standings"]].index("lynx")
    assert [told["standings"][at][name] for name in ("matches", "forfeits", "missed", "brackets")] == [0, 2, 2, ""]
    assert not any(at in (pair["row"], pair["column"]) for pair in told["pairs"])
    bot = arena.json("/api/bots/lynx")
    assert not any(bot.get(name) for name in ("opponents", "places", "roles", "profile", "times", "histories"))
    assert not arena.json("/api/ratings?ladder=chinkway&limit=100&search=lynx")["bots"]
    assert not arena.json("/api/matches?bot=lynx&state=finished")["matches"]
    assert not arena.json("/api/matches?bot=house-greedy-2&against=lynx&state=finished")["matches"]
    for match in arena.json(f"/api/matches?tournament={number}")["matches"]:
        assert match["missed"] == match["outcome"]["forfeits"] == [match["entrants"].index("lynx")]
        row = next(row for row in table_with(arena.page(f"/matches/{match['id']}"), "Seat") if "lynx" in row["Entrant"])
        assert row["Entrant"] == "lynx missed"
    against = arena.json("/api/bots/house-greedy-2")["opponents"]
    assert against
    assert "lynx" not in {row["bot"] for row in against}


def fixed_rows(page: str) -> list[dict[str, str]]:
    body = re.findall(r'<tbody[^>]*class="fixed">.*?</tbody>', page, re.S)
    return [{"Bot": " ".join(re.findall(r'/bots/([^"]+)"', row))} for part in body for row in part.split("<tr ")[1:]]


def test_every_ladder_was_looked_at(arena: Arena) -> None:
    assert set(arena.json("/api/ladders")["rated"]) == {"chinkway", "two", "three", "four", "farrago"} <= set(GAMES)
