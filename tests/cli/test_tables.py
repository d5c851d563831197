"""Tables on terminals of 80, 100 and 120 columns: readable with many entrants and with the longest names."""

from __future__ import annotations

import re
from typing import Any

import pytest
from tests.cli.screen import fits, real, shown, written

from farfalia.v1 import ladders_pb2, play_pb2, ratings_pb2, record_pb2, stages_pb2, tournaments_pb2
from farfalia_engine import ruleset
from farfalia_server.cli import ladder, ratings, tournament, tournament_plan
from farfalia_server.cli.collusion_report import print_effects
from farfalia_server.cli.output import table
from farfalia_server.cli.standings import print_deals, print_tournament
from farfalia_server.organising.stage_messages import stage_message
from farfalia_tournaments import Pace, parse_stages
from farfalia_tournaments import plan as planned
from farfalia_tournaments.schedules import Boards

#: The longest names and versions that the server accepts.
LONGEST = 40

WIDTHS = pytest.mark.parametrize("width", [80, 100, 120])
FIELDS = pytest.mark.parametrize("entrants", [5, 12, 21, pytest.param(40, marks=pytest.mark.prove)])
NAMES = pytest.mark.parametrize("longest", [8, LONGEST], ids=["short names", "longest names"])


def names(entrants: int, longest: int = LONGEST) -> list[str]:
    return [f"bot{number:02}{'x' * longest}"[:longest] for number in range(1, entrants + 1)]


def a_tournament(entrants: int, longest: int = LONGEST, meetings: int = 1234) -> tournaments_pb2.Tournament:
    """One that is over, with figures as wide as they come."""
    fields: dict[str, Any] = {"ruleset": "chinkway", "rounds": 20, "matches": 800, "finished": 800}
    made = tournaments_pb2.Tournament(
        id=7, name="Hackathon Cup", state=tournaments_pb2.TOURNAMENT_STATE_FINISHED, **fields
    )
    made.balances.add(text="Everybody meets everybody else exactly 20 times: a balanced design.")
    made.boards = stages_pb2.BOARDS_DATUM
    made.commitment, made.secret = bytes(32), bytes(range(32))
    for place, name in enumerate(names(entrants, longest), start=1):
        row = made.standings.add(place=place, entrant=name, house=place % 3 == 0, withdrawn=place % 3 == 1)
        row.matches, row.points, row.relative, row.adjusted, row.margin = 1234, 123456, -27.44, -12.34, 10.25
        row.formerly.extend(["former-bot"] * (place % 4 == 0))
        row.strikes, row.forfeits, row.missed = 1234, 123, 12
        row.best_rank, row.worst_rank, row.brackets = max(1, place - 1), place + 1, "a b"
        row.rating.CopyFrom(play_pb2.Rating(mu=37.264, sigma=8.333, conservative=-27.441))
        made.nonces.add(entrant=name, nonce=b"n" * (place % 2))
    for row_at in range(entrants):
        for column in range(entrants):
            if row_at != column:
                stronger = 0.9999 if row_at < column else 0.0001
                made.pairs.add(row=row_at, column=column, meetings=meetings, better=meetings // 2, stronger=stronger)
    return made


@WIDTHS
@FIELDS
@NAMES
def test_standings_show_every_name_and_figure(width: int, entrants: int, longest: int) -> None:
    made = a_tournament(entrants, longest)
    lines = shown(lambda: print_tournament(made), width)
    fits(lines, width)
    for row in made.standings:
        (line,) = (line for line in lines if row.entrant in line and "-12.34" in line)
        assert "10.25" in line
        assert line.split()[0] == str(row.place)
        assert ("(house)" in line, "(withdrawn)" in line) == (row.house, row.withdrawn)
        assert (f"{row.entrant} plays instead of former-bot." in " ".join(" ".join(lines).split())) == bool(
            row.formerly
        )


@WIDTHS
@FIELDS
@NAMES
def test_a_crosstable_that_is_asked_for_shows_every_pair(width: int, entrants: int, longest: int) -> None:
    made = a_tournament(entrants, longest)
    lines = shown(lambda: print_tournament(made, crosstable=True), width)
    fits(lines, width)
    text = "\n".join(lines[1:])
    pairs, neighbours = entrants * (entrants - 1) // 2, entrants - 1
    assert (text.count(">99"), text.count("<1")) == (pairs + neighbours, pairs)
    assert text.count(made.standings[0].entrant) >= 2


def test_columns_of_standings_give_way_in_a_fixed_order() -> None:
    made = a_tournament(5, 10)
    order = [
        *("5th", "4th", "3rd", "2nd", "1st"),
        "relative",
        "points",
        "strikes",
        "missed",
        "forfeits",
        "matches",
        "level",
        "ranks",
    ]
    seen = []
    for width in range(200, 44, -4):
        lines = shown(lambda: print_tournament(made), width)
        (head,) = (line.split() for line in lines if line.split()[:2] == ["place", "entrant"])
        seen.append([column for column in order if column not in head])
        if seen[-1]:
            assert "Left out at this width: " + ", ".join(seen[-1]) + "." in " ".join(" ".join(lines).split())
    assert all(gone == order[: len(gone)] for gone in seen)
    assert (seen[0], seen[-1]) == ([], order)


def test_a_large_crosstable_is_left_out_with_the_command_that_shows_it() -> None:
    lines = shown(lambda: print_tournament(a_tournament(13)), 80)
    assert not any(">99" in line for line in lines)
    assert "  farfalia tournament show 7 --crosstable" in lines
    assert any(">99" in line for line in shown(lambda: print_tournament(a_tournament(12)), 80))


def test_counts_stand_beside_the_probability_where_there_is_room() -> None:
    made = a_tournament(5, 8, meetings=21)
    assert any(">99 10–11" in line for line in shown(lambda: print_tournament(made), 80))
    narrow = shown(lambda: print_tournament(made), 40)
    assert not any("10–11" in line or "better–worse" in line for line in narrow)


def test_each_is_compared_with_the_next_by_points_with_their_interval() -> None:
    made = a_tournament(3, 8, meetings=21)
    for pair in made.pairs:
        pair.difference, pair.difference_low, pair.difference_high = 3, 0.5, 5.7
        pair.doubtful = pair.row + pair.column == 1
    rows = [line.split() for line in shown(lambda: print_tournament(made), 80) if "±" in line][-2:]
    assert [row[2:] for row in rows] == [["?", "+3.0", "±", "2.6"], [">99", "+3.0", "±", "2.6"]]


def test_emphasis_in_a_crosstable_follows_the_probability_and_not_the_counts() -> None:
    made = a_tournament(2, 8, meetings=21)
    for pair in made.pairs:
        pair.better = 20 if pair.row == 1 else 1
    text = written(lambda: print_tournament(made), 100)
    first, _ = (part for part in text.split("\x1b") if ">99" in part)
    (second,) = (part for part in text.split("\x1b") if "<1" in part)
    assert first.startswith("[1;32m")
    assert second.startswith("[1;35m")


def test_a_pipe_has_all_columns_and_the_whole_crosstable(capsys: pytest.CaptureFixture[str]) -> None:
    print_tournament(a_tournament(40), crosstable=True)
    lines = capsys.readouterr().out.splitlines()
    heads = [line.split() for line in lines if line.split()[:1] == ["entrant"] or line.split()[:1] == ["place"]]
    assert heads == [
        [
            "place",
            "entrant",
            "ranks",
            "level",
            "adjusted",
            "±",
            "relative",
            "points",
            "matches",
            *("1st", "2nd", "3rd", "4th", "5th"),
            "strikes",
            "forfeits",
            "missed",
        ],
        ["entrant", *map(str, range(1, 41))],
    ]
    assert sum(names(40)[0] in line for line in lines) == 3


def test_commitment_and_secret_come_last_and_whole() -> None:
    made = a_tournament(5)

    def printed() -> None:
        print_tournament(made)
        print_deals(made)

    lines = shown(printed, 80)
    fits(lines, 80)
    assert lines[-1] == f"  secret      {made.secret.hex()}"
    assert f"  commitment  {made.commitment.hex()}" in lines
    assert not any(made.commitment.hex() in line for line in lines[:-8])


def test_a_tournament_without_nonces_blames_nobody(capsys: pytest.CaptureFixture[str]) -> None:
    made = a_tournament(5)
    for row in made.nonces:
        row.nonce = b""
    print_deals(made)
    said = capsys.readouterr().out
    assert "  nonces      none\n" in said
    assert "not" not in said
    made.nonces[0].nonce = b"n"
    print_deals(made)
    assert f"from 1 entrant, not from {names(5)[1]}" in capsys.readouterr().out


def test_the_legend_is_short() -> None:
    lines = shown(lambda: print_tournament(a_tournament(5, 8)), 80)
    at = next(number for number, line in enumerate(lines) if line.startswith("ranks: "))
    assert len(" ".join(lines[at : lines.index("", at)])) <= 240


@WIDTHS
@FIELDS
@pytest.mark.parametrize("kind", ["round-robin", "swiss:rounds=7,qualifiers=4", "knockout:advance=1"])
def test_stages_show_every_name(width: int, entrants: int, kind: str) -> None:
    made = a_tournament(entrants)
    stage = made.stages.add(stage=stage_message(*parse_stages(kind)), rounds_drawn=12)
    for place, name in enumerate(names(entrants), start=1):
        stage.standings.add(place=place, entrant=name, score=-12.34, reached_round=12, qualified=place < 5)
    lines = shown(lambda: print_tournament(made), width)
    fits(lines, width)
    assert sum(names(entrants)[0] in line for line in lines) >= 2


@WIDTHS
@pytest.mark.parametrize(
    "stages", ["round-robin:rounds=12", "swiss:rounds=7,qualifiers=10,boards=rotations knockout:advance=2,matches=3"]
)
def test_a_plan_shows_every_figure(width: int, stages: str) -> None:
    found = planned(parse_stages(stages, Boards.DATUM), 20, 5, seed="s", pace=Pace(0.1, 500, 4))
    lines = shown(lambda: tournament_plan.print_plan(found, 100, 4, ruleset("chinkway")), width)
    fits(lines, width)
    heads = ["entrants", "rounds", "matches", "each", "meetings", "byes", "min"]
    assert any(all(head in line for head in heads) for line in lines)
    assert all(str(one.stage) in " ".join(lines) for one in found.stages)


@WIDTHS
@FIELDS
@NAMES
@pytest.mark.parametrize("versions", [False, True], ids=["newest", "all versions"])
def test_a_ladder_shows_every_name(width: int, entrants: int, longest: int, versions: bool) -> None:
    rating = play_pb2.Rating(mu=37.264, sigma=8.333, conservative=-27.441, matches=123456, version="v" * longest)
    fitted = ratings_pb2.FittedRating(mu=37.264, low=-10.55, high=50.25)
    bots = [
        ratings_pb2.RatedBot(
            place=place,
            bot=name,
            rating=rating,
            fit=fitted,
            settled=True,
            group=1,
            last_group=3,
            points=-12.34,
            points_margin=10.25,
        )
        for place, name in enumerate(names(entrants, longest), start=1)
    ]
    made = ratings_pb2.ListRatingsResponse(bots=bots)
    lines = shown(lambda: ratings.print_ladder(made, versions=versions), width)
    fits(lines, width)
    text = "\n".join(lines)
    assert all(bot.bot in text for bot in bots)
    assert text.count("-27.44") == entrants
    if versions:
        assert text.count(rating.version) == entrants


@WIDTHS
def test_a_bot_without_a_place_has_none_on_a_terminal_and_words_say_why(width: int) -> None:
    rating = play_pb2.Rating(mu=30.0, sigma=2.0, conservative=24.0, matches=9, version="1")
    made = ratings_pb2.ListRatingsResponse(
        bots=[
            ratings_pb2.RatedBot(
                place=1, bot="ant", rating=rating, low=26.08, high=33.92, settled=True, group=1, last_group=2
            ),
            ratings_pb2.RatedBot(place=2, bot="bee", rating=rating, low=26.08, high=33.92),
        ],
        fixed=[ratings_pb2.FixedBot(bot="house-greedy-1", mu=25, sigma=8.333)],
    )
    lines = shown(lambda: ratings.print_ladder(made), width)
    fits(lines, width)
    assert lines[0].split()[:2] == ["place", "bot"]
    rows = {line.split()[1]: line.split() for line in lines if line.split()[1:2] in (["ant"], ["bee"])}
    assert [rows[bot][0] for bot in ("ant", "bee")] == ["1", "–"]
    assert [rows[bot][-4:-1] for bot in ("ant", "bee")] == [["26.08", "33.92", "a–b"], ["26.08", "33.92", "–"]]
    text = " ".join(" ".join(lines).split())
    assert "–: still being found, with fewer than 10 matches that count: those with settled bots. These" in text
    assert "Not rated: house-greedy-1. In every match that it fills, each counts as mu 25.00, sigma 8.33." in text


@WIDTHS
@FIELDS
@NAMES
def test_a_report_on_collusion_shows_both_names(width: int, entrants: int, longest: int) -> None:
    both = [(one, other) for one in names(entrants, longest)[:6] for other in names(entrants, longest)]
    effects = [
        ratings_pb2.TableEffect(
            bot=one,
            other=other,
            made=-23.45,
            expected=-11.11,
            difference=-12.34,
            standard_error=10.25,
            by_styles=-1.23,
            together=1234,
            apart=12345,
            p_value=1e-12,
            adjusted_p_value=1e-9,
            favour=-23.4,
            favour_matches=1234,
            favour_p_value=1e-12,
            flagged=True,
        )
        for one, other in both
    ]
    lines = shown(lambda: print_effects(effects), width)
    fits(lines, width)
    text = "\n".join(lines)
    assert (text.count("-12.3"), text.count("flagged")) == (len(both), len(both))
    assert all(text.count(name) >= 6 for name in names(entrants, longest))


@WIDTHS
def test_open_ladders_are_told_in_lines_that_break_between_words(width: int) -> None:
    made = ladders_pb2.Ladder(
        ruleset="farrago",
        options={"order": "random", "players": "3"},
        tables=1000,
        siblings=True,
        fill=True,
        as_played=True,
    )
    made.time_control.CopyFrom(record_pb2.TimeControl(limit_ms=1000, bank_ms=30_000, grace=3))
    lines = shown(lambda: ladder.print_ladders([made]), width)
    fits(lines, width)
    assert " ".join(line.strip() for line in lines).endswith("bots of one owner may meet, rated with luck.")


@WIDTHS
def test_a_list_of_tournaments_shows_long_names_and_reasons(width: int) -> None:
    many = [
        tournaments_pb2.Tournament(
            id=1234,
            name="n" * 80,
            ruleset="chinkway",
            state=tournaments_pb2.TOURNAMENT_STATE_CANCELLED,
            cancel_reason="why " * 50,
        )
    ]
    lines = shown(lambda: tournament.print_list(many), width)
    fits(lines, width)
    assert "n" * 80 in "".join(lines).replace(" ", "")
    assert "\n".join(lines).count("why") == 50


def test_a_table_that_is_too_wide_is_written_row_by_row() -> None:
    rows = [("1", "a" * 40, "b" * 40, 3.5, ""), ("2", "c" * 40, "d" * 40, 4.5, "yes")]
    lines = shown(lambda: table(["#", "<bot", "<with", "points", "<flag"], rows), 80)
    assert lines == [
        f"1  {'a' * 40}",
        f"  with {'b' * 40}, points 3.5",
        f"2  {'c' * 40}",
        f"  with {'d' * 40}, points 4.5, flag yes",
    ]


def test_a_run_on_a_real_terminal_shows_whole_names() -> None:
    long = names(1)[0]
    command = ("run", "--bot", f"{long}=greedy", "--bot", "random", "--game", "three", "--rounds", "1", "--seed", "4")
    lines = real(*command, "--boards", "fresh", "--proofs", width=80)
    fits(lines, 80)
    assert sum(f"{long} (house)" in line and "±" not in line for line in lines) == 1
    assert "  nonces      none" in lines
    assert re.fullmatch("  secret      [0-9a-f]{64}", lines[-1])
