"""Commands for tournaments: from registration to records, in stages, with entrants that come and go."""

import base64
import json
from pathlib import Path

from tests.cli.asked_server import admin, numbered, sample, server, until_connected
from tests.cli.command import Command
from tests.server.live import LiveServer

__all__ = ["admin", "server"]

BEACON = ("--beacon-source", "the weather", "--beacon-round", "Friday")


def test_a_tournament_from_registration_to_records(
    server: LiveServer, admin: Command, farfalia: Command, tmp_path: Path
) -> None:
    with sample(server, "ada", tmp_path), sample(server, "ben", tmp_path):
        until_connected(admin, "ada", "ben")
        made = json.loads(admin.told("tournament", "create", "Friday", "ada", "ben", "--rounds", 2, *BEACON, "--json"))
        tournament = made["id"]
        admin.told("tournament", "start", tournament, "--beacon-value", "rain until noon")
        watched = farfalia("tournament", "watch", tournament, "--server", server.grpc_address)
    assert f"Friday (tournament {tournament}): chinkway, 2 rounds, 2 of 2 matches, finished." in watched.stdout
    assert "2 of 2" in watched.stderr
    assert f"  commitment  {base64.b64decode(made['commitment']).hex()}\n" in watched.stdout
    assert "  beacon      the weather, Friday: 'rain until noon'\n" in watched.stdout
    assert "  secret      " in watched.stdout
    shown = json.loads(admin.told("tournament", "show", tournament, "--json"))
    assert sorted(row["entrant"] for row in shown["standings"] if not row["house"]) == ["ada", "ben"]
    assert "Friday" in admin.told("tournament", "list")
    assert "2 records are in" in admin.told("records", "fetch", tournament, tmp_path / "records")
    verified = admin.told("verify", tmp_path / "records")
    assert verified.count("holds.") == verified.count("from the secret that was committed to") == 2
    assert verified.count("one the beacon") == 2
    match = next((tmp_path / "records").glob("match-*.json")).stem.removeprefix("match-")
    assert "Deal 11:" in admin.told("replay", match)
    assert "ada" in admin.told("ratings")
    assert admin.told("queue").startswith("0 matches are queued, 0 are running.")
    assert "not connected" in admin.told("bot", "show", "ada")
    assert len(json.loads(admin.told("nodes", "--json"))["nodes"]) == 1


def test_a_tournament_can_be_cancelled(admin: Command) -> None:
    admin.told("bot", "register", "dan")
    tournament = numbered(admin.told("tournament", "create", "Friday", "dan", "--rounds", 1))
    assert "planned" in admin.told("tournament", "show", tournament)
    assert "running" in admin.told("tournament", "start", tournament)
    assert "cancelled" in admin.told("tournament", "cancel", tournament)


def test_a_tournament_with_stages_is_created_watched_and_shown(admin: Command) -> None:
    bots = [f"house-random-{number}" for number in range(1, 5)]
    stages = "swiss:rounds=1,qualifiers=2 knockout:advance=1"
    made = admin.told("tournament", "create", "Cup", *bots, "--game", "two", "--stages", stages)
    assert "2 rounds, 0 of 3 matches, planned." in made
    assert "Stage 2: Knock-out, 1 of each table advances, datum boards. It has not started." in made
    tournament = numbered(made)
    admin.told("tournament", "start", tournament)
    watched = admin.told("tournament", "watch", tournament)
    assert "3 of 3 matches, finished." in watched
    assert "Stage 1: Swiss, 1 round, datum boards, 2 qualify. 1 round drawn." in watched
    assert "reached round" in watched
    shown = json.loads(admin.told("tournament", "show", tournament, "--json"))
    assert [stage["roundsDrawn"] for stage in shown["stages"]] == [1, 1]


def test_a_tournament_can_stop_once_the_first_are_known(admin: Command) -> None:
    rule = ("--until", "first 1 at 50 %", "--rounds", 9)
    made = admin.told("tournament", "create", "Short", "house-greedy-1", "house-random-1", "--game", "two", *rule)
    assert "9 rounds, 0 of 9 matches, planned." in made
    assert "Stage 1: Round robin, 9 rounds, datum boards, over once the first is known with 50 %." in made
    tournament = numbered(made)
    admin.told("tournament", "start", tournament)
    # Of two, one is the stronger with 50 % at least, whatever the first result is.
    assert "1 of 1 matches, finished." in admin.told("tournament", "watch", tournament)
    assert "over once the first is known with 50 %. 1 round drawn." in admin.told("tournament", "show", tournament)


def test_bots_are_entered_and_taken_out(admin: Command) -> None:
    two = ("house-random-1", "house-random-2")
    tournament = numbered(admin.told("tournament", "create", "Cup", *two, "--game", "two", "--rounds", 2))
    assert "house-random-3 (house)" in admin.told("tournament", "enter", tournament, "house-random-3")
    swapped = admin.told("tournament", "enter", tournament, "house-greedy-3", "--instead-of", "house-random-2")
    assert ("house-greedy-3 (house)" in swapped, "house-random-2" in swapped) == (True, False)
    assert "entered: house-greedy-3 (instead of house-random-2)" in admin.told("tournament", "log", tournament)
    assert "house-random-1" not in admin.told("tournament", "withdraw", tournament, "house-random-1")
    refused = admin.refused("tournament", "withdraw", tournament, "house-random-1")
    assert refused.strip().endswith(f"house-random-1 has not entered tournament {tournament}")


def test_entrants_come_from_a_file_whose_errors_are_reported_line_by_line(admin: Command, tmp_path: Path) -> None:
    admin.told("bot", "register", "ant")
    field = tmp_path / "field.txt"
    field.write_text("# seeded\nant\n\nhouse-random-1  # a house bot\n")
    made = admin.told("tournament", "create", "Cup", "house-greedy-1", "--entrants", field, "--game", "three", "--json")
    rows = json.loads(made)["standings"]
    assert [row["entrant"] for row in rows] == ["house-greedy-1", "ant", "house-random-1"]
    for text, words in (
        ("ant\nno name\nant\n", "line 2: 'no name' is not a valid bot name; line 3: ant is already named in line 1."),
        ("\nbee\nant\ncat # new\n", "line 2: there is no bot bee; line 4: there is no bot cat."),
        ("# nobody\n", "contains no names; expected one per line."),
    ):
        field.write_text(text)
        assert words in admin.refused("tournament", "create", "Bad", "--entrants", field, code=2)
    missing = admin.refused("tournament", "create", "Bad", "--entrants", tmp_path / "none.txt", code=2)
    assert "cannot be read: No such file or directory." in missing
    assert "no entrants are given" in admin.refused("tournament", "create", "Bad", code=2)
    names = {tournament["name"] for tournament in json.loads(admin.told("tournament", "list", "--json"))["tournaments"]}
    assert "Bad" not in names
