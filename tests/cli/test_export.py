"""`farfalia export`: tables of what was played, from a folder of records and from a server."""

import asyncio
import re
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq
import pytest
from tests.cli import forked
from tests.cli.command import LIMIT, Command, environment, played, write
from tests.engine.games import PAIRWISE
from tests.server.invented_prices import give_prices_in
from tests.server.live import ADMIN, LiveServer, live_server, until

from farfalia.analysis.pricing import price_decisions
from farfalia.arena import SyncArena
from farfalia.learning.tensors import observation_tensor
from farfalia.v1 import cards_pb2, play_pb2, tournaments_pb2
from farfalia.view import from_message
from farfalia_engine import Cause, replay, ruleset
from farfalia_server.export import parquet
from farfalia_server.export.columns import SCHEMA, TABLES
from farfalia_server.export.prices import Prices
from farfalia_server.export.rows import rows_of
from farfalia_server.records.codec import from_message as from_record
from farfalia_server.records.codec import to_message

#: Columns that have values with --prices only.
POINTS = {"best", "price", "price_error", "open_price", "values"}
PLACES = {"place_best", "place_price", "place_price_error", "expected_places", "first_chances"}
PRICED = POINTS | PLACES
ROOT = Path(__file__).resolve().parents[2]


def last_line(said: str) -> str:
    """What a command says after its progress."""
    return said.splitlines()[-1]


def rows(path: Path) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = pq.read_table(path).to_pylist()
    return found


def test_the_tables_of_a_folder_say_what_its_records_say(farfalia: Command, tmp_path: Path) -> None:
    record = played(game="chinkway")
    write(tmp_path / "records" / "match-7.json", record)
    said = farfalia.told("export", "tables", "--records", "records")
    found = {table: rows(tmp_path / "tables" / f"{table}.parquet") for table in TABLES}
    counts = ", ".join(f"{len(found[table])} rows of {table}" for table in TABLES)
    assert said == f"1 matches are written: {counts}.\n"
    assert record.outcome is not None
    assert [one["points"] for one in found["matches"]] == list(record.outcome.points)
    assert [one["entrant"] for one in found["matches"]] == [seat.name for seat in record.seats]
    assert {one["started"] for one in found["matches"]} == {datetime.fromtimestamp(record.started_ms / 1000, UTC)}
    for number, points in enumerate(record.outcome.deals, 1):
        deal = [one for one in found["deals"] if one["deal"] == number]
        assert {one["seat"]: one["points"] for one in deal} == dict(enumerate(points))
        assert sorted(card for one in deal for card in one["hand"]) == list(range(52))
        assert sum(one["tricks"] for one in deal) == 10
    chosen = [(at, one) for at, one in enumerate(record.actions) if one.cause is not Cause.FORCED]
    assert [(one["action_index"], one["seat"], one["action"]) for one in found["decisions"]] == [
        (at, one.seat, one.action) for at, one in chosen
    ]
    assert all(one["action"] in one["legal"] for one in found["decisions"])
    for one in found["decisions"]:
        points = record.outcome.deals[one["deal"] - 1]
        assert one["deal_margin"] == pytest.approx(points[one["seat"]] - sum(points) / 5)


@pytest.mark.parametrize(("game", "options"), PAIRWISE)
def test_what_a_seat_knew_is_there_as_a_message_and_as_a_tensor(game: str, options: dict[str, str]) -> None:
    record = played(game=game, options=options)
    names = [column.name for column in TABLES["decisions"]]
    decisions = [dict(zip(names, row, strict=True)) for row in rows_of(to_message(record))["decisions"]]
    by_index = {one["action_index"]: one for one in decisions}
    state = next(states := replay(record))
    for index, action in enumerate(record.actions):
        if index in by_index:
            one, observation = by_index[index], state.observation(action.seat)
            assert np.array_equal(one["observation"], observation_tensor(observation))
            assert tuple(one["legal"]) == state.legal_actions(action.seat)
            question = play_pb2.Question(view=cards_pb2.View.FromString(one["view"]), legal=one["legal"])
            assert state.pending is not None
            question.kind = int(state.pending.kind)  # type: ignore[assignment]
            assert np.array_equal(observation_tensor(from_message(question)), one["observation"])
        next(states)


@pytest.mark.parametrize(("game", "options"), PAIRWISE)
def test_every_row_has_a_value_for_every_column(tmp_path: Path, game: str, options: dict[str, str]) -> None:
    made = rows_of(to_message(played(game=game, options=options)))
    with parquet.ParquetFiles({table: tmp_path / f"{table}.parquet" for table in TABLES}) as files:
        files.add(made)
    for table, columns in TABLES.items():
        found = rows(tmp_path / f"{table}.parquet")
        assert len(found) == len(made[table])
        assert [list(one) for one in found] == [[column.name for column in columns]] * len(found)
        empty = {name for one in found for name, value in one.items() if value is None}
        assert empty == (PRICED if table == "decisions" else set())


def test_the_document_describes_every_column_as_the_files_do() -> None:
    text = (ROOT / "docs/export.md").read_text()
    described = {
        name: re.findall(r"^\| `(\w+)` \| `(.+?)` \| (.+) \|$", section, re.MULTILINE)
        for name, section in re.findall(r"^### `(\w+)`\n(.*?)(?=^#|\Z)", text, re.MULTILINE | re.DOTALL)
    }
    assert described == {table: list(map(tuple, columns)) for table, columns in TABLES.items()}
    assert f"now {SCHEMA}," in text
    for table, columns in TABLES.items():
        schema = parquet.schema_of(table)
        assert [(field.name, str(field.type)) for field in schema] == [
            (column.name, shown(column.type)) for column in columns
        ]
        assert schema.metadata[b"farfalia.schema"] == str(SCHEMA).encode()


def shown(kind: str) -> str:
    """How Arrow writes a type of ours."""
    return {"float32": "float"}.get(
        kind, kind.replace("list<float32>", "list<item: float>").replace("list<u", "list<item: u")
    )


def test_decisions_are_priced_as_their_analysis_prices_them(farfalia: Command, tmp_path: Path) -> None:
    record = played(game="two", options={"double_you": "on"})
    write(tmp_path / "records" / "match-7.json", record)
    farfalia.told("export", "priced.parquet", "--records", "records", "--prices", "--worlds", "8")
    priced = {one.number: one for one in price_decisions(record, worlds=8)}
    found = rows(tmp_path / "priced.parquet")
    assert {one["action_index"] for one in found if one["price"] is not None} == priced.keys()
    assert {one["kind"] for one in found if one["price"] is None} == {"double"}
    for one in found:
        if (price := priced.get(one["action_index"])) is not None:
            assert (one["best"], one["legal"]) == (price.best, [value.action for value in price.values])
            assert np.allclose(one["values"], [value.value for value in price.values])
            assert (one["price"], one["open_price"]) == pytest.approx((price.price, price.open_price), rel=1e-6)
            agree_in_places(one, price.places, price.values)
    assert any(one["place_price"] is not None for one in found)
    assert pq.read_schema(tmp_path / "priced.parquet").metadata[b"farfalia.worlds"] == b"8"


def agree_in_places(row: Mapping[str, Any], places: Any, values: Sequence[Any]) -> None:
    """The columns say what the prices say; before the last deal there are none."""
    if row["deal"] < ruleset(row["game"]).last_deal:
        assert all(row[column] is None for column in PLACES)
        return
    assert row["place_best"] == places.best
    assert (row["place_price"], row["place_price_error"]) == pytest.approx((places.price, places.error), abs=1e-6)
    assert np.allclose(row["expected_places"], [value.place for value in values])
    assert np.allclose(row["first_chances"], [value.first for value in values])


def test_a_game_that_cannot_be_priced_has_no_prices() -> None:
    record = to_message(played(game="two", options={"burnin": "on"}))
    assert all(row[-len(PRICED) :] == (None,) * len(PRICED) for row in rows_of(record, Prices(8))["decisions"])


def test_rows_are_written_in_groups(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parquet, "ROWS", 100)
    made = rows_of(to_message(played(game="two")))
    path = tmp_path / "decisions.parquet"
    with parquet.ParquetFiles({"decisions": path}) as files:
        for _ in range(3):
            files.add(made)
    groups = pq.ParquetFile(path).metadata
    number = 3 * len(made["decisions"])
    assert [groups.row_group(at).num_rows for at in range(groups.num_row_groups)] == [100] * (number // 100) + [
        number % 100
    ]


def test_a_folder_is_filtered_and_has_each_match_once(farfalia: Command, tmp_path: Path) -> None:
    for number, game in enumerate(("two", "two", "three"), 1):
        write(tmp_path / "records" / f"match-{number}.json", played(number, match=number, game=game))
    write(tmp_path / "records" / "copy.json", played(1, match=1, game="two"))

    def exported(*filters: str) -> Counter[int]:
        farfalia.told("export", "some.parquet", "--records", "records", *filters)
        return Counter(one["match"] for one in rows(tmp_path / "some.parquet"))

    assert exported().keys() == {1, 2, 3}
    two = exported("--game", "two")
    assert two.keys() == {1, 2}
    assert two[1] == len(rows_of(to_message(played(1, match=1, game="two")))["decisions"])
    assert exported("--bot", "cleo").keys() == {3}
    assert exported("--tournament", "4").keys() == set()
    assert exported("--since", "2023-11-14").keys() == {1, 2, 3}
    assert exported("--since", "2023-11-14 22:14:21").keys() == set()


def of_event(name: str) -> tournaments_pb2.ListTournamentsRequest:
    """What asks for the tournaments of an event."""
    return tournaments_pb2.ListTournamentsRequest(event=name)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    with live_server(tmp_path_factory.mktemp("server")) as up:
        for game in ("two", "three"):
            up.wait_for(up.tournament(["house-greedy-1", "house-random-1", "house-random-2"], rounds=1, ruleset=game))
        yield up


def test_the_open_records_of_a_server_are_exported(server: LiveServer, tmp_path: Path) -> None:
    command = Command(tmp_path, FARFALIA_SERVER=server.grpc_address, FARFALIA_ADMIN_TOKEN=ADMIN)
    command.told("export", "all")
    for tournament in (1, 2):
        command.told("records", "fetch", tournament, "records")
    command.told("export", "fetched", "--records", "records")
    for table in TABLES:
        ours, theirs = (pq.read_table(tmp_path / name / f"{table}.parquet") for name in ("all", "fetched"))
        keys = [(name, "ascending") for name in ("match", "seat", "action_index", "deal", "position")]
        order = [key for key in keys if key[0] in ours.column_names]
        assert ours.sort_by(order).equals(theirs.sort_by(order))
    command.told("export", "two", "--game", "two")
    games = {one["game"] for one in rows(tmp_path / "two" / "matches.parquet")}
    command.told("export", "second", "--tournament", "2", "--bot", "house-random-2")
    second = rows(tmp_path / "second" / "matches.parquet")
    assert (games, {one["tournament"] for one in second}) == ({"two"}, {2})
    command.told("export", "none", "--since", "2100-01-01")
    assert rows(tmp_path / "none" / "matches.parquet") == []


def test_prices_that_a_server_has_are_taken_and_the_others_computed(server: LiveServer, tmp_path: Path) -> None:
    command = Command(tmp_path, FARFALIA_SERVER=server.grpc_address, FARFALIA_ADMIN_TOKEN=ADMIN)
    first, *others = sorted(one.id for one in server.matches(1))
    asyncio.run(give_prices_in(server.folder / "data" / "farfalia.db", first))
    told = command.told("export", "priced", "--tournament", 1, "--prices")
    assert told.endswith(f" The server had the prices of 1; those of {len(others)} were computed here.\n")
    with SyncArena(server.grpc_address, ADMIN) as arena:
        stored = {one.number: one for one in arena.get_analysis(match=first).analysis.decisions}
        records = {number: from_record(arena.get_record(match=number).record) for number in others}
    found = rows(tmp_path / "priced" / "decisions.parquet")
    of_server = [one for one in found if one["match"] == first and one["price"] is not None]
    assert {one["action_index"] for one in of_server} == stored.keys()
    for one in of_server:
        price = stored[one["action_index"]]
        assert (one["price"], one["price_error"]) == pytest.approx((price.price, price.error), rel=1e-6)
        assert np.allclose(one["values"], [value.value for value in price.values])
        agree_in_places(one, price.places, price.values)
    for number, record in records.items():
        computed = next(iter(price_decisions(record)))
        (one,) = (one for one in found if (one["match"], one["action_index"]) == (number, computed.number))
        assert one["price"] == pytest.approx(computed.price, rel=1e-6)


def test_matches_of_an_event_and_those_of_its_ladder_are_exported(server: LiveServer, tmp_path: Path) -> None:
    command = Command(tmp_path, FARFALIA_SERVER=server.grpc_address, FARFALIA_ADMIN_TOKEN=ADMIN)
    command.told("event", "create", "friday", "--rated-on", "own")
    command.told("event", "publish", "friday")
    create = ("tournament", "create", "--event", "friday", "--game", "two", "--rounds", 1, "--start")
    bots = ("house-greedy-1", "house-random-1")
    command.told(*create, "rated", *bots)
    command.told(*create, "trial", *bots, "--unrated")
    rated, trial = sorted(one.id for one in server.call("ListTournaments", of_event("friday")).tournaments)
    for number in (rated, trial):
        server.wait_for(number)

    def exported(name: str, *chosen: object) -> set[int]:
        command.told("export", name, *chosen)
        return {one["tournament"] for one in rows(tmp_path / name / "matches.parquet")}

    assert exported("event", "--event", "friday") == {rated, trial}
    assert exported("both", "--event", "friday", "--tournament", rated) == {rated}
    assert exported("other", "--event", "friday", "--tournament", 1) == set()
    assert exported("ladder", "--ladder", "friday-two") == {rated}
    assert exported("game's", "--ladder", "two") == {1}


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("t", "--records", "nowhere"), "dir 'nowhere' does not exist"),
        (("t", "--records", "records", "--ladder", "two"), "--ladder is nothing that a record says"),
        (("t", "--records", "records", "--event", "x"), "--event is nothing that a record says"),
        (("t", "--records", "records", "--since", "noon"), "--since is 'noon'; expected a time such as"),
        (("t", "--records", "records", "--game", "tow"), "there is no game 'tow' (did you mean two?)"),
        (("file", "--records", "records"), "file is a file; expected a directory"),
        (("dir.parquet", "--records", "records"), "dir.parquet is a directory; expected a file"),
    ],
)
def test_wrong_words_are_told(farfalia: Command, tmp_path: Path, words: tuple[str, ...], sentence: str) -> None:
    (tmp_path / "records").mkdir()
    (tmp_path / "file").write_text("")
    (tmp_path / "dir.parquet").mkdir()
    assert sentence in farfalia.refused("export", *words, code=2)


def test_a_record_that_cannot_be_read_leaves_the_files_as_they_were(farfalia: Command, tmp_path: Path) -> None:
    write(tmp_path / "records" / "match-1.json", played(game="two"))
    farfalia.told("export", "tables", "--records", "records")
    before = {path.name: path.read_bytes() for path in (tmp_path / "tables").iterdir()}
    (tmp_path / "records" / "match-2.json").write_text("{")
    said = last_line(farfalia.refused("export", "tables", "--records", "records"))
    assert said.startswith("farfalia: records/match-2.json is not JSON")
    assert {path.name: path.read_bytes() for path in (tmp_path / "tables").iterdir()} == before
    wrong: list[dict[str, Any]] = [{"options": {"hands": "8"}}, {"outcome": None}, {"seats": []}, {"ruleset": "x"}]
    for changes in wrong:
        write(tmp_path / "records" / "match-2.json", played(match=2, game="two"), **changes)
        said = last_line(farfalia.refused("export", "tables", "--records", "records"))
        assert said.startswith("farfalia: the record of match 2 does not hold: ")


@pytest.mark.parametrize(
    ("target", "sentence"),
    [
        ("file/tables", "file/tables/matches.parquet cannot be written: not a directory"),
        ("tables", "tables/deals.parquet cannot be written: is a directory"),
    ],
)
def test_files_that_cannot_be_written_are_told_and_nothing_is_left(
    farfalia: Command, tmp_path: Path, target: str, sentence: str
) -> None:
    write(tmp_path / "records" / "match-1.json", played(game="two"))
    (tmp_path / "file").write_text("")
    (tmp_path / "tables" / "deals.parquet").mkdir(parents=True)
    assert farfalia.refused("export", target, "--records", "records") == f"farfalia: {sentence}\n"
    assert [path.name for path in (tmp_path / "tables").iterdir() if path.name.endswith(".part")] == []


@pytest.mark.skipif(sys.platform != "linux", reason="limits the size of files")
def test_a_disk_that_is_full_is_told(farfalia: Command, tmp_path: Path) -> None:
    for number in range(1, 20):
        write(tmp_path / "records" / f"match-{number}.json", played(number, match=number, game="three"))
    call = f"ulimit -f 40; exec {sys.executable} -m farfalia_server export tables --records records"
    done = subprocess.run(["bash", "-c", call], cwd=tmp_path, env=environment(), capture_output=True, text=True)
    assert done.returncode == 1
    assert last_line(done.stderr) == "farfalia: tables/decisions.parquet cannot be written: file too large"
    assert list((tmp_path / "tables").iterdir()) == []


def test_without_pyarrow_it_says_what_to_install(farfalia: Command, tmp_path: Path) -> None:
    write(tmp_path / "records" / "match-1.json", played(game="two"))
    (tmp_path / "without").mkdir()
    (tmp_path / "without" / "sitecustomize.py").write_text("import sys\nsys.modules['pyarrow'] = None\n")
    done = subprocess.run(
        [sys.executable, "-m", "farfalia_server", "export", "tables", "--records", "records"],
        cwd=tmp_path,
        env=environment(PYTHONPATH=str(tmp_path / "without")),
        capture_output=True,
        text=True,
    )
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == (
        "farfalia: farfalia export needs PyArrow and NumPy, which the extra 'export' brings: "
        f"{sys.executable} -m pip install 'farfalia[export]'\n"
    )


def test_a_command_that_is_stopped_leaves_no_file(tmp_path: Path) -> None:
    folder = tmp_path / "records"
    for number in range(1, 400):
        write(folder / f"match-{number}.json", played(1, match=number, game="three"))
    process, told = forked.watched(
        ("export", "tables", "--records", "records"), environment(), tmp_path, tmp_path / "out"
    )
    with told:
        until(lambda: (tmp_path / "tables" / ".decisions.parquet.part").exists())
        process.send_signal(signal.SIGTERM)
        assert process.wait(LIMIT) == 128 + signal.SIGTERM
    assert list((tmp_path / "tables").iterdir()) == []
