"""Ladders are rebuilt from published files alone, to the last bit; whatever was changed in them is named."""

from __future__ import annotations

import json
import math
import re
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.cli.command import Command
from tests.server.live import ADMIN, PATIENCE, LiveServer, live_server, until
from tests.server.rawbot import RawBot, first_legal

from farfalia.v1 import bots_pb2, play_pb2, ratings_pb2, record_pb2, tournaments_pb2
from farfalia_server.records import files
from farfalia_server.records.chain_checking import LadderVerdict, verify_ladders
from farfalia_server.records.codec import seal
from farfalia_server.records.published_files import read_all
from farfalia_tournaments import ChainEntry, Rating, read_entry

CHAIN = "basic-chain.ndjson"
CONTROL = record_pb2.TimeControl(limit_ms=60_000, bank_ms=0, grace=0)
#: Nobody waits for ten seconds to see whether an outage explains a strike.
NO_PAUSES = tournaments_pb2.NetworkRule(percent=0, seconds=30)


def wrong(bot: RawBot, message: play_pb2.PlayResponse) -> None:
    """Answer with what is never legal."""
    for question in message.questions:
        bot.act(question.match, question.number, 9999)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    """A server with four matches, one after another; a bot loses its seat in two, and then has a new version. Another
    one misses them all.
    """
    with live_server(tmp_path_factory.mktemp("chain"), fit_hour=-1, absence_ms=500) as up:
        for name in ("ada", "ben"):
            up.register(name, "greedy")
        token = up.register("cleo")
        up.register("eve")
        terms: dict[str, Any] = {"rounds": 1, "ruleset": "basic", "control": CONTROL, "network_rule": NO_PAUSES}
        for react in (wrong, first_legal):
            if react is first_legal:
                up.call("RegisterBot", bots_pb2.RegisterBotRequest(name="cleo", version="2"))
            with RawBot(up.grpc_address, token, rulesets=("basic",), react=react):
                for _ in range(2):
                    up.wait_for(up.tournament(["ada", "ben", "cleo", "eve"], **terms))
        chain = ratings_pb2.ListRatingChainRequest(ladder="basic")
        until(lambda: len(up.call("ListRatingChain", chain).entries) == 4)
        yield up


@pytest.fixture(scope="module")
def fetched(server: LiveServer, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What the command has fetched of the ladder."""
    folder = tmp_path_factory.mktemp("files") / "basic"
    said = Command(folder.parent).told("ratings", "fetch", "basic", folder, "--server", server.grpc_address)
    assert said == f"4 entries of the chain of basic are in {folder}, and 4 records are new.\n"
    return folder


@pytest.mark.slow
def test_what_ratings_said_is_compared_with_what_happened(folder: Path, farfalia: Command) -> None:
    """Of three bots that are rated in four matches there are twelve pairs; of the first match nothing was known."""
    bins = verdict(folder).reliability
    assert sum(one.pairs for one in bins) == 12
    assert bins[0].low == 0.5
    assert bins[0].pairs >= 3
    assert all(one.low <= one.said <= one.high and 0 <= one.happened <= 1 for one in bins)
    shown = farfalia.told("verify", "--ratings", folder, "--calibration")
    assert re.search(r"^50% to 55% +\d+ +5\d\.\d% +\d+\.\d%$", shown.strip(), re.MULTILINE), shown


@pytest.fixture
def folder(fetched: Path, tmp_path: Path) -> Path:
    """A copy of that."""
    return Path(shutil.copytree(fetched, tmp_path / "copy"))


def entries(folder: Path) -> list[ChainEntry]:
    return [read_entry(line).entry for line in (folder / CHAIN).read_text().splitlines()]


def forge(folder: Path, chain: list[ChainEntry]) -> None:
    """Write a chain as somebody would who makes all numbers and hashes fit again."""
    before, lines = "", []
    for number, entry in enumerate(chain, start=1):
        linked = replace(entry, number=number, before=before)
        before = linked.hash
        lines.append(linked.line())
    files.write_lines(folder / CHAIN, lines)


def verdict(folder: Path) -> LadderVerdict:
    found = read_all(folder)
    assert found.problems == ()
    (one,) = verify_ladders(found.entries, found.records)
    return one


def test_a_ladder_follows_from_its_files_to_the_last_bit(server: LiveServer, folder: Path, farfalia: Command) -> None:
    held = verdict(folder)
    assert held == LadderVerdict("basic", 4, entries(folder)[-1].hash, (), ())
    done = farfalia("verify", "--ratings", folder)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == f"basic: 4 entries hold; the hash of the last one is {held.head}.\n"

    shown = server.call("ListRatings", ratings_pb2.ListRatingsRequest(ladder="basic", all_versions=True)).bots
    last = {(seat.bot, seat.version): seat.rating for entry in entries(folder) for seat in entry.seats if seat.rating}
    assert {(row.bot, row.rating.version): Rating(row.rating.mu, row.rating.sigma) for row in shown} == last
    assert {bot for bot, _ in last} == {"ada", "ben", "cleo"}, "who only fills a table, or has missed it, is not rated"
    records = [server.record(entry.match) for entry in entries(folder)]
    lost = [{record.seats[seat].name for seat in record.outcome.forfeits} for record in records]
    assert lost == [{"cleo", "eve"}, {"cleo", "eve"}, {"eve"}, {"eve"}]


def test_the_order_of_files_and_lines_and_what_is_there_twice_do_not_matter(folder: Path) -> None:
    held = verdict(folder)
    lines = (folder / CHAIN).read_text().splitlines()
    records = [path.read_text() for path in folder.glob("match-*.json")]
    other = folder / "other"
    files.write_lines(other / "everything.ndjson", [json.dumps(json.loads(text)) for text in records] + lines[::-1])
    files.write_lines(other / "again.ndjson", lines[1:3])
    assert verdict(other) == held


def test_records_that_are_there_are_not_fetched_again(server: LiveServer, folder: Path, farfalia: Command) -> None:
    (folder / "match-2.json").unlink()
    done = farfalia("ratings", "fetch", "basic", folder, "--server", server.grpc_address)
    assert done.stdout.endswith("and 1 records are new.\n")
    assert verdict(folder).holds


def test_the_report_on_collusion_comes_from_the_same_files(folder: Path, farfalia: Command) -> None:
    """Four matches are too few to say anything of a pair."""
    done = farfalia("verify", "--ratings", folder, "--collusion")
    assert done.returncode == 0
    assert done.stderr == "basic: 0 of 0 pairs with enough matches are flagged.\n"
    found = json.loads(farfalia("verify", "--ratings", folder, "--collusion", "--json").stdout)
    assert [ladder["effects"] for ladder in found["ladders"]] == [[]]


def test_a_missing_record_is_named_and_the_rest_is_checked(folder: Path, farfalia: Command) -> None:
    (folder / "match-3.json").unlink()
    done = farfalia("verify", "--ratings", folder)
    assert done.returncode == 1
    assert done.stdout.splitlines() == [
        "basic: entry 3 (match 3): its record is missing, so its ratings could not be computed",
        "basic: of 4 entries, one could not be checked.",
    ]


def edited_rating(entry: ChainEntry, name: str, value: Callable[[float], float]) -> ChainEntry:
    """The same with another mu or sigma of the first seat that is rated."""
    index = next(index for index, seat in enumerate(entry.seats) if seat.rating)
    seat = entry.seats[index]
    assert seat.rating is not None
    rating = replace(seat.rating, **{name: value(getattr(seat.rating, name))})
    seats = (*entry.seats[:index], replace(seat, rating=rating), *entry.seats[index + 1 :])
    return replace(entry, seats=seats)


@pytest.mark.parametrize("name", ["mu", "sigma"])
def test_the_last_bit_of_a_rating_is_found(folder: Path, name: str) -> None:
    chain = entries(folder)
    changed = edited_rating(chain[2], name, lambda value: math.nextafter(value, math.inf))
    forge(folder, [*chain[:2], changed, *chain[3:]])
    found = verdict(folder).violations
    bot = next(seat.bot for seat in chain[2].seats if seat.rating)
    assert re.match(rf"entry 3 \(match 3\): {name} of {bot} is [\d.]+, expected [\d.]+$", found[0])
    assert all(sentence.startswith("entry 4 (match 4): ") for sentence in found[1:]), (
        "what follows from it differs, too"
    )


@pytest.mark.parametrize(("name", "value"), [("mu", 1e308), ("mu", -1e200), ("sigma", 1e-200), ("sigma", 1e200)])
def test_a_rating_beyond_the_arithmetic_is_a_sentence(folder: Path, name: str, value: float) -> None:
    chain = entries(folder)
    forge(folder, [edited_rating(chain[0], name, lambda _: value), *chain[1:]])
    found = verdict(folder).violations
    assert found[0].startswith(f"entry 1 (match 1): {name} of ")
    assert any(sentence.startswith("entry 2 (match 2): ") for sentence in found)


def test_luck_and_noise_are_those_of_the_records(folder: Path) -> None:
    chain = entries(folder)
    assert {entry.beta for entry in chain} == {18.75}
    first, *others = chain[0].seats
    forge(folder, [replace(chain[0], seats=(replace(first, luck=first.luck + 1), *others)), *chain[1:]])
    assert verdict(folder).violations[0] == (
        f"entry 1 (match 1): the luck of {first.bot} is {first.luck + 1} thousandths of a point, expected {first.luck}"
    )
    forge(folder, [*chain[:3], replace(chain[3], beta=20.0)])
    assert "entry 4 (match 4): beta is 20.0, expected 18.75" in verdict(folder).violations


def test_a_match_that_says_that_it_was_rated_with_luck_has_other_ratings(folder: Path) -> None:
    chain = entries(folder)
    seats = tuple(replace(seat, luck=0) for seat in chain[3].seats)
    forge(folder, [*chain[:3], replace(chain[3], seats=seats, beta=None)])
    assert all(re.match(r"entry 4 \(match 4\): (mu|sigma) of ", one) for one in verdict(folder).violations)
    assert not verdict(folder).holds


def test_a_rating_that_was_changed_without_its_hash_is_found(folder: Path) -> None:
    text = (folder / CHAIN).read_text()
    first = text.splitlines()[0]
    digits = re.findall(r'"mu":"([\d.]+)"', first)[0]
    changed = f'"mu":"{math.nextafter(float(digits), 99)!r}"'
    (folder / CHAIN).write_text(text.replace(first, first.replace(f'"mu":"{digits}"', changed, 1)))
    assert re.match(
        r"entry 1 \(match 1\): its hash is \w+…, but what it says has the hash ", verdict(folder).violations[0]
    )


def test_an_order_that_was_exchanged_is_found(folder: Path) -> None:
    chain = entries(folder)
    forge(folder, [chain[0], chain[2], chain[1], chain[3]])
    assert any(re.match(r"entry 2 \(match 3\): mu of \w+ is", sentence) for sentence in verdict(folder).violations)


def test_an_entry_that_was_left_out_is_found_however_the_rest_was_mended(folder: Path) -> None:
    lines = (folder / CHAIN).read_text().splitlines()
    chain = entries(folder)
    files.write_lines(folder / CHAIN, [*lines[:1], *lines[2:]])
    assert "entry 3 (match 3): entry 2 is missing before it" in verdict(folder).violations
    forge(folder, [*chain[:1], *chain[2:]])
    found = verdict(folder).violations
    assert any(sentence.startswith("entry 2 (match 3): mu of ") for sentence in found)
    assert found[-1].startswith("match 2 has a record and no entry: it was left out, or rated after")


def test_a_digest_of_another_record_is_found(folder: Path) -> None:
    chain = entries(folder)
    forge(folder, [replace(chain[0], digest=chain[1].digest), *chain[1:]])
    (found,) = verdict(folder).violations
    assert re.match(r"entry 1 \(match 1\): the digest of the record is \w{16}…, but the record has \w{16}…$", found)


def test_a_record_that_was_changed_is_found(folder: Path) -> None:
    file = folder / "match-4.json"
    record = files.read(file)
    record.outcome.places[0] = record.outcome.places[0] % 3 + 1
    files.write(file, seal(record))
    found = verdict(folder).violations
    assert re.match(r"entry 4 \(match 4\): the digest of the record is ", found[0])
    assert any("its record does not hold: the places are" in sentence for sentence in found)


def test_a_bot_that_was_not_rated_although_it_played_is_found(folder: Path) -> None:
    chain = entries(folder)
    seats = tuple(replace(seat, rating=None) if seat.bot == "cleo" else seat for seat in chain[0].seats)
    forge(folder, [replace(chain[0], seats=seats), *chain[1:]])
    assert verdict(folder).violations[0].startswith("entry 1 (match 1): cleo has no rating, expected mu ")


def test_a_chain_is_kept_by_its_last_hash(folder: Path) -> None:
    chain = entries(folder)
    head = verdict(folder).head
    seats = tuple(replace(seat, number=seat.number + 100) for seat in chain[0].seats)
    forge(folder, [replace(chain[0], seats=seats), *chain[1:]])
    found = verdict(folder)
    assert found.head != head
    assert any(re.search(r"bot \d+ is \w+, expected", sentence) or "mu of" in sentence for sentence in found.violations)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ('{"before":"","entry":1}', "line 5: entry 1: digest is missing or of the wrong type, expected a text"),
        ('{"before"', "line 5 is not JSON"),
    ],
)
def test_what_is_no_entry_gets_a_sentence(folder: Path, farfalia: Command, line: str, said: str) -> None:
    with (folder / CHAIN).open("a") as chain:
        chain.write(line + "\n")
    done = farfalia("verify", "--ratings", folder)
    assert done.returncode == 1
    assert said in done.stdout
    assert "basic: 4 entries hold" in done.stdout
    assert "Traceback" not in done.stderr


def test_decimals_that_are_not_the_shortest_are_refused(folder: Path) -> None:
    text = (folder / CHAIN).read_text()
    (folder / CHAIN).write_text(re.sub(r'"mu":"([\d.]+)"', r'"mu":"\g<1>0"', text, count=1))
    (said,) = read_all(folder).problems
    assert "is not the shortest decimal form of a double" in said


def test_ratings_and_records_are_not_verified_at_once_nor_is_nothing(folder: Path, farfalia: Command) -> None:
    both = farfalia("verify", folder / "match-1.json", "--ratings", folder)
    assert both.returncode == 2
    assert "Records and --ratings are both given" in both.stderr
    assert farfalia("verify").returncode == 2
    (folder / "empty").mkdir()
    assert "There are no chain entries" in farfalia("verify", "--ratings", folder / "empty").stderr


def change(server: LiveServer, line: str) -> None:
    """Change a rating in an entry behind the server's back."""
    forged = re.sub(r'("bot":"ada","id":\d+,"luck":-?\d+,"mu":)"[\d.]+"', r'\1"31.5"', line)
    assert forged != line
    with sqlite3.connect(server.folder / "data/farfalia.db", timeout=PATIENCE) as connection:
        connection.execute("UPDATE rating_chain SET line = ? WHERE entry = 2", (forged,))
    connection.close()


def test_a_chain_that_was_changed_in_the_database_is_named_and_made_again(
    server: LiveServer, folder: Path, tmp_path: Path
) -> None:
    kept = (folder / CHAIN).read_text()
    admin = Command(tmp_path, FARFALIA_SERVER=server.grpc_address, FARFALIA_ADMIN_TOKEN=ADMIN)
    admin.told("ratings", "rebuild")
    change(server, kept.splitlines()[1])
    done = admin("ratings", "rebuild")
    assert done.returncode == 1
    assert re.search(r"^basic: entry 2 \(match 2\): mu of ada is [\d.]+, expected [\d.]+$", done.stdout, re.MULTILINE)
    assert "1 chains were not what 4 matches give; --replace repairs them." in done.stderr
    admin.told("ratings", "rebuild", "--replace")
    admin.told("ratings", "rebuild")
    admin.told("ratings", "fetch", "basic", folder)
    assert (folder / CHAIN).read_text() == kept
