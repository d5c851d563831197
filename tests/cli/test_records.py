"""`farfalia replay` and `farfalia verify`, on files."""

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest
from tests.cli.command import Command, played, write

from farfalia_engine import luck, ruleset
from farfalia_server.contract.errors import RecordError
from farfalia_server.records import files

NO_SERVER = ("--server", "127.0.0.1:1")


def test_a_record_is_shown_deal_by_deal(farfalia: Command, tmp_path: Path) -> None:
    done = farfalia("replay", write(tmp_path / "one.json", played()))
    assert (done.returncode, done.stderr) == (0, "")
    assert [int(number) for number in re.findall(r"^Deal (\d+):", done.stdout, re.MULTILINE)] == list(range(1, 12))
    assert "Match 7: chinkway on board-1, between ada, ben, cleo, dan, eve." in done.stdout
    assert "\x1b" not in done.stdout


def test_one_deal_can_be_picked(farfalia: Command, tmp_path: Path) -> None:
    done = farfalia("replay", write(tmp_path / "one.json", played()), "--deal", 3)
    assert re.findall(r"^Deal (\d+): (\w+) deals", done.stdout, re.MULTILINE) == [("3", "cleo")]


def test_a_deal_shows_a_line_for_each_trick_with_leader_and_winner(farfalia: Command, tmp_path: Path) -> None:
    done = farfalia("replay", write(tmp_path / "one.json", played()), "--deal", 1)
    tricks = re.findall(r"^ +\d+ .*$", done.stdout, re.MULTILINE)
    tricks = [line for line in tricks if ">" in line]
    assert len(tricks) == 10
    assert all(line.count(">") == 1 and line.count("*") == 1 for line in tricks)


def test_other_games_are_shown_with_their_options(farfalia: Command, tmp_path: Path) -> None:
    options = {"players": "3", "order": "random"}
    done = farfalia("replay", write(tmp_path / "one.json", played(game="farrago", options=options)))
    assert (done.returncode, done.stderr) == (0, "")
    assert "Match 7: farrago order=random players=3 on board-1, between ada, ben, cleo." in done.stdout
    assert re.search(r"^Deal \d+: \w+ deals, barred, trumps [SHDC] \(\w+ barred", done.stdout, re.MULTILINE)


def test_all_who_win_are_shown_in_first_place(farfalia: Command, tmp_path: Path) -> None:
    record = played(seed=10, game="basic")  # a match in which the first three have different points
    assert record.outcome is not None
    done = farfalia("replay", write(tmp_path / "one.json", record))
    best = sorted(zip(record.outcome.points, ("ada", "ben", "cleo", "dan", "eve"), strict=True), reverse=True)[:3]
    assert len({points for points, _ in best}) == 3
    shown = re.findall(r"^ *(\d) +(\w+) +\d+ *$", done.stdout, re.MULTILINE)
    assert {name for place, name in shown if place == "1"} == {name for _, name in best[:2]}


def test_the_luck_of_the_cards_is_computed_from_the_record(farfalia: Command, tmp_path: Path) -> None:
    record = played()
    record = replace(record, source=replace(record.source, value_function=ruleset("chinkway").value_function))
    expected = luck(record)
    assert expected is not None
    path = write(tmp_path / "one.json", replace(record, digest=record.computed_digest()))
    shown = farfalia("replay", path).stdout
    assert all(f" {points:+.1f}" in shown for points in map(float, expected))
    checked = farfalia("verify", path).stdout
    assert "checked: the luck of the cards in points, by value function" in checked
    assert f"ada {float(expected[0]):+.1f}" in checked
    assert "luck" not in farfalia("replay", write(tmp_path / "two.json", played())).stdout


def test_records_of_a_tournament_name_one_value_function(farfalia: Command, tmp_path: Path) -> None:
    def of(match: int, function: bytes, tournament: int = 3) -> None:
        # An older engine's functions are not known here.
        one = replace(record, engine="0.0.9", match=match, tournament=tournament)
        one = replace(one, source=replace(one.source, value_function=function), digest=b"")
        write(folder / f"{match}.json", replace(one, digest=one.computed_digest()))

    record, folder = played(), tmp_path / "cup"
    folder.mkdir()
    ours, others = ruleset("chinkway").value_function, bytes(32)
    of(1, ours)
    of(2, ours)
    of(3, others, tournament=4)
    assert farfalia("verify", folder).returncode == 0
    of(4, b"")
    done = farfalia("verify", folder)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.count("no value function is named, but") == 1
    of(5, others)
    done = farfalia("verify", folder)
    assert done.returncode == 1
    (refused,) = re.findall(r"^.*5\.json: does not hold.*$", done.stdout, re.MULTILINE)
    assert f"is {others.hex()}, but that of match 1 of the same tournament is {ours.hex()}" in refused


def test_what_a_game_does_not_have_is_not_shown(farfalia: Command, tmp_path: Path) -> None:
    four = farfalia("replay", write(tmp_path / "one.json", played(game="four"))).stdout
    assert "discarded" not in four
    assert len(re.findall(r"^Deal \d: \w+ deals, trumps \w+ \(the first subject\)", four, re.MULTILINE)) == 4
    farrago = farfalia("replay", write(tmp_path / "two.json", played(game="farrago"))).stdout
    assert "red-black, trumps none (spades and hearts trump each other, diamonds and clubs too)" in farrago


def test_a_deal_that_is_not_there_is_wrong_usage(farfalia: Command, tmp_path: Path) -> None:
    said = farfalia.refused("replay", write(tmp_path / "one.json", played()), "--deal", 12, code=2)
    assert "There is no deal 12; the match has 11." in said


def test_butterflies_are_marked(farfalia: Command, tmp_path: Path) -> None:
    done = farfalia("replay", write(tmp_path / "one.json", played()), "--deal", 1)
    cards = set(re.findall(r"\b[SLFO](\d+)(°?)", done.stdout))
    assert cards == {(str(rank), "°" if rank in (8, 10, 12) else "") for rank in range(1, 14)}
    assert "° marks a butterfly" in done.stdout
    farrago = farfalia("replay", write(tmp_path / "two.json", played(game="farrago")), "--deal", 1).stdout
    assert "°" not in farrago.replace("° marks a butterfly", "")


def test_a_trick_is_told_in_words_from_a_card_of_it_on(farfalia: Command, tmp_path: Path) -> None:
    path = write(tmp_path / "one.json", played())
    whole = farfalia("replay", path, "--deal", 2, "--trick", 3).stdout.splitlines()
    assert [line.partition(":")[0] for line in whole] == [f"Trick 3, card {card}" for card in range(1, 6)]
    assert " leads " in whole[0]
    assert re.search(r" wins trick 3: (nobody followed suit|the highest of \w+)\. ", whole[-1])
    assert farfalia("replay", path, "--deal", 2, "--trick", "3.4").stdout.splitlines() == whole[3:]


@pytest.mark.parametrize(
    ("options", "why"),
    [
        (("--trick", "3"), "--trick 3 needs --deal"),
        (("--deal", "2", "--trick", "11"), "Deal 2 has no card 11.1; it has 10 tricks of 5 cards."),
        (("--deal", "2", "--trick", "1.6"), "Deal 2 has no card 1.6; it has 10 tricks of 5 cards."),
        (("--deal", "2", "--trick", "four"), "There is no card 'four'; expected its trick and its place in it"),
        (("--step",), "--step waits for keys, and this is not a terminal"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
def test_a_card_that_is_not_there_and_steps_without_a_terminal_are_wrong_usage(
    farfalia: Command, tmp_path: Path, options: tuple[str, ...], why: str
) -> None:
    said = farfalia.refused("replay", write(tmp_path / "one.json", played()), *options, code=2)
    assert why in " ".join(re.sub("[│╭╮╰╯─]", "", said).split())


def test_replay_as_json_is_the_record(farfalia: Command, tmp_path: Path) -> None:
    path = write(tmp_path / "one.json", played())
    assert farfalia("replay", path, "--json").stdout == path.read_text()


def test_what_is_no_record_gets_a_sentence(farfalia: Command, tmp_path: Path) -> None:
    (tmp_path / "no.json").write_text("[]")
    for arguments in (("replay", "no.json"), ("replay", "nowhere.json"), ("replay", "5", *NO_SERVER)):
        (line,) = farfalia.refused(*arguments).splitlines()
        assert line.startswith("farfalia: ")


def test_records_that_hold_are_verified(farfalia: Command, tmp_path: Path) -> None:
    write(tmp_path / "all/one.json", played(1))
    write(tmp_path / "all/two.json", played(2))
    done = farfalia("verify", "all")
    assert (done.returncode, done.stderr) == (0, "")
    sentences = [line for line in done.stdout.splitlines() if not line.startswith("  ")]
    assert sentences == ["all/one.json: holds.", "all/two.json: holds."]
    assert done.stdout.count("  checked: every card follows from the secret that was committed to and 5 nonces") == 2
    assert "not checked" not in done.stdout


def test_a_record_that_was_changed_does_not_hold(farfalia: Command, tmp_path: Path) -> None:
    good = write(tmp_path / "good.json", played())
    seats = [{"name": name, "bot": name} for name in ("eve", "ben", "cleo", "dan", "ada")]
    bad = write(tmp_path / "bad.json", played(), seats=seats)
    done = farfalia("verify", good, bad)
    assert done.returncode == 1
    holds, broken = (line for line in done.stdout.splitlines() if not line.startswith("  "))
    assert holds.endswith("good.json: holds.")
    assert "bad.json: does not hold: the digest is" in broken


def test_a_record_that_was_changed_is_not_shown_as_if_it_held(farfalia: Command, tmp_path: Path) -> None:
    file = write(tmp_path / "one.json", played())
    document = json.loads(file.read_text())
    document["outcome"]["places"] = [7, *document["outcome"]["places"]]
    file.write_text(json.dumps(document))
    assert "does not hold: the places are [7," in farfalia("replay", file).stderr
    assert farfalia("replay", file).returncode == 1


def test_a_silent_server_keeps_no_other_record_from_being_verified(farfalia: Command, tmp_path: Path) -> None:
    good = write(tmp_path / "good.json", played())
    done = farfalia("verify", "5", good, *NO_SERVER)
    assert done.returncode == 1
    lost, holds = (line for line in done.stdout.splitlines() if not line.startswith("  "))
    assert lost.startswith("5: does not hold: ")
    assert holds.endswith("good.json: holds.")


def test_verify_says_what_it_could_not_check(farfalia: Command, tmp_path: Path) -> None:
    record = json.loads(write(tmp_path / "one.json", played()).read_text())
    record["source"]["secret"] = ""
    (tmp_path / "one.json").write_text(json.dumps(record))
    assert "not checked: the secret is not public yet" in farfalia.told("verify", "one.json")


def test_verify_names_who_gave_no_nonce(farfalia: Command, tmp_path: Path) -> None:
    record = played()
    seats = tuple(replace(seat, nonce=b"") if seat.name == "eve" else seat for seat in record.seats)
    write(tmp_path / "one.json", replace(record, seats=seats))
    assert "not checked: no nonce was given by eve: " in farfalia.told("verify", "one.json")


def test_verify_as_json_lists_everything(farfalia: Command, tmp_path: Path) -> None:
    write(tmp_path / "one.json", played())
    done = farfalia("verify", "one.json", "nowhere.json", "--json")
    one, nowhere = json.loads(done.stdout)["records"]
    assert done.returncode == 1
    assert (one["record"], one["holds"], one["violations"], one["unchecked"]) == ("one.json", True, [], [])
    assert one["checked"][-1] == "the digest"
    assert (nowhere["holds"], nowhere["violations"]) == (
        False,
        ["nowhere.json cannot be read: No such file or directory"],
    )


def test_a_directory_is_told_from_the_records_in_it(tmp_path: Path) -> None:
    with pytest.raises(RecordError, match=r"expected one record, such as match-1\.json in it"):
        files.read(tmp_path)
