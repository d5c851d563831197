"""`farfalia ratings`: the ladder, and the work that is done on ratings."""

from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from farfalia.arena import BoardInPlay, SyncArena
from farfalia.settings import DEFAULT_SERVER
from farfalia.v1 import play_pb2, ratings_pb2
from farfalia_server.cli.collusion_report import about_cards, flagged_pairs, print_effects
from farfalia_server.cli.games import LadderArgument
from farfalia_server.cli.output import Bar, note, print_json, prose, say, table
from farfalia_server.cli.records import file_of, write_into
from farfalia_server.cli.remote import AdminOption, JsonOption, ServerOption, ask, ask_all
from farfalia_server.records import files
from farfalia_server.wording.phrases import decimal, level, signed
from farfalia_server.wording.points import no_points
from farfalia_tournaments import SETTLED, read_entry

#: Exit code of a rebuild that left matches out.
LEFT_OUT = 7


class _Ratings(TyperGroup):
    """A group that shows the ladder unless another of its commands is named."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Put `show` before whatever is not a command."""
        if "--help" not in args and (not args or args[0] not in self.commands):
            args = ["show", *args]
        parsed: list[str] = super().parse_args(ctx, args)
        return parsed


ratings = typer.Typer(
    cls=_Ratings,
    help="Print the ladder of a game; fit, fetch or rebuild its ratings.\n\n`farfalia ratings [LADDER]` is `show`.",
)


def add_to(app: typer.Typer) -> None:
    """Put the commands of this module into an app."""
    app.add_typer(ratings, name="ratings")


@ratings.command()
def show(
    ladder: LadderArgument = "chinkway",
    versions: Annotated[bool, typer.Option("--versions", help="Every version that was rated.")] = False,
    server: ServerOption = DEFAULT_SERVER,
    json: JsonOption = False,
) -> None:
    """Print the ladder, best first.

    mu is the estimated skill, from low to high its 95 % interval, and sigma its standard deviation; rating is the
    conservative rating mu − 3 sigma, by which the ladder is sorted. The intervals of two bots overlap if, and only if,
    they share a letter of level: results do not tell yet which of them is better. fit is mu by the whole-history fit,
    with its 95 % credible interval. points is mu in points per match more than a newcomer's, and ± half of its 95 %
    interval.
    """
    answer = ask_all(server, "ListRatings", ratings_pb2.ListRatingsRequest(ladder=ladder, all_versions=versions))
    if json:
        print_json(answer)
    elif not answer.bots:
        say(f"No bot has a rating for {ladder} yet.")
    else:
        print_ladder(answer, versions=versions)


@ratings.command()
def fit(
    ladder: LadderArgument = "chinkway",
    server: ServerOption = DEFAULT_SERVER,
    admin_token: AdminOption = "",
    json: JsonOption = False,
) -> None:
    """Fit a ladder from all its results together.

    This is TrueSkill Through Time; the server does it every night. The result does not depend on the order of the
    matches. A fit takes some milliseconds per match.
    """
    note(f"Fitting the ladder of {ladder} from all its results; with thousands of matches that takes a while …")
    request = ratings_pb2.FitLadderRequest(ladder=ladder)
    answer = ask(server, "FitLadder", request, admin_token, None)
    if json:
        print_json(answer)
    else:
        say(f"The ladder of {ladder} is fitted from {answer.matches} matches.")


@ratings.command()
def collusion(
    ladder: Annotated[str, typer.Argument(help="Name of the ladder; chinkway if left out.")] = "",
    tournament: Annotated[
        int, typer.Option(min=0, metavar="NUMBER", help="Instead of a ladder, one tournament.", show_default=False)
    ] = 0,
    every: Annotated[bool, typer.Option("--all", help="Every pair, not only those that are flagged.")] = False,
    server: ServerOption = DEFAULT_SERVER,
    admin_token: AdminOption = "",
    json: JsonOption = False,
) -> None:
    """Print how each bot does with each other bot at its table.

    made is what it made there, in points per match less the mean of the table and less the luck of the cards; expected
    what the model expected of it; more the difference, with its 95 % interval. p is the p-value of the pair, and
    adjusted p that times the number of pairs, since chance has as many tries; up to 0.05 a pair is flagged. % is the
    probability that the two collude.

    favours is by how many points per match the cards that the bot played favoured the other one, more than they favour
    others. In games where it is known each pair is tested by that, too, and adjusted p counts both tests.

    On ladders where nobody colludes, about one report in twenty flags a pair. A flag is a reason to look at the matches
    of the two, not proof.

    Everybody can compute this report from published files: `farfalia verify --ratings DIRECTORY --collusion`.
    """
    if tournament and ladder:
        raise typer.BadParameter("A ladder and --tournament are both given; expected one of them.")
    whose = f"tournament {tournament}" if tournament else f"the ladder of {ladder or 'chinkway'}"
    note(f"Looking through all matches of {whose} …")
    request = ratings_pb2.ReportCollusionRequest(ladder=ladder, tournament=tournament)
    answer = ask(server, "ReportCollusion", request, admin_token, None)
    if json:
        print_json(answer)
        return
    print_effects([effect for effect in answer.effects if every or effect.flagged])
    note(flagged_pairs(answer.effects))
    for said in about_cards(answer):
        note(said)


@ratings.command()
def fetch(
    ladder: Annotated[str, typer.Argument(help="Name of the ladder.")],
    directory: Annotated[Path, typer.Argument(file_okay=False, help="Where the files go; made if missing.")],
    server: ServerOption = DEFAULT_SERVER,
) -> None:
    """Fetch the files from which a ladder can be rebuilt.

    They are its chain and the records of its matches. `farfalia verify --ratings DIRECTORY` then rebuilds the ladder
    without the server. Records that are there already are not fetched again. Records of matches whose cards are still
    in play elsewhere are left out: fetch again later.
    """
    entries, written, closed = fetch_ladder(server, ladder, directory)
    say(f"{entries} entries of the chain of {ladder} are in {directory}, and {written} records are new.")
    if closed:
        say(f"{closed} more follow when their boards are no longer played; run the command again then.")


@ratings.command()
def rebuild(
    replace: Annotated[bool, typer.Option("--replace", help="Repair what differs.")] = False,
    server: ServerOption = DEFAULT_SERVER,
    admin_token: AdminOption = "",
    json: JsonOption = False,
) -> None:
    """Recompute ratings from the records and print what differs.

    Every rated match is replayed from its record and must give the stored result. A match whose record does not is
    named, and the ratings follow from the others. Exits with 1 if anything differs and was not repaired; otherwise with
    7 if matches were left out, and with 0 if all records hold.
    """
    found = _rebuild(server, admin_token, replace=replace)
    if json:
        print_json(found)
    else:
        say(*(problem.text for problem in found.problems))
        if found.problem_count > len(found.problems):
            say(f"… and {found.problem_count - len(found.problems)} more.")
        for one in found.differences:
            rating = one.kept if one.HasField("kept") else one.rebuilt
            say(f"{rating.ladder}, {one.bot} version {rating.version}: {_differing(one)}")
        say(*(one.text for one in found.chain_differences))
        if found.problem_count:
            note(f"{found.problem_count} of {found.checked} records do not hold; their matches are left out.")
        note(_verdict(found))
    if (found.differences or found.chain_differences) and not found.replaced:
        raise typer.Exit(1)
    if found.problem_count:
        raise typer.Exit(LEFT_OUT)


def print_ladder(ladder: ratings_pb2.ListRatingsResponse, *, versions: bool = False) -> None:
    """Print who stands where, and what stands nowhere; on a narrow terminal without the columns that say least."""
    bots = ladder.bots
    fitted = any(row.HasField("fit") for row in bots)
    scaled = any(row.HasField("points") for row in bots)
    heads = [
        "place",
        "<bot",
        "<version",
        "mu",
        "sigma",
        "rating",
        "low",
        "high",
        "<level",
        "matches",
        *(["points", "±"] if scaled else []),
        *(["fit", "from", "to"] if fitted else []),
    ]
    version = [] if versions else ["version"]
    gives_way = ["sigma", "mu", "from", "to", *version, "matches", "fit", "level", "low", "high", "±", "points"]
    rows = [[*_columns(row), *(_points(row) if scaled else []), *(_fit(row) if fitted else [])] for row in bots]
    table(heads, rows, gives_way=gives_way)
    if not all(row.settled for row in bots if row.place):
        prose(
            f"–: still being found, with fewer than {SETTLED} matches that count: those with settled bots. "
            "These learn nothing from it."
        )
    if told := no_points(bots):
        prose(told)
    if house := [row.bot for row in bots if not row.place]:
        prose(f"–: {', '.join(house)}: house bots, which have no place.")
    if ladder.fixed:
        names, counts = ", ".join(one.bot for one in ladder.fixed), ladder.fixed[0]
        prose(
            f"Not rated: {names}. In every match that it fills, each counts as mu {counts.mu:.2f}, "
            f"sigma {counts.sigma:.2f}."
        )


def _columns(row: ratings_pb2.RatedBot) -> list[object]:
    rating = row.rating
    shown = [f"{number:.2f}" for number in (rating.mu, rating.sigma, rating.conservative)]
    interval = [f"{row.low:.2f}", f"{row.high:.2f}", level(row) or "–"]
    return [row.place if row.place and row.settled else "–", row.bot, rating.version, *shown, *interval, rating.matches]


def _fit(row: ratings_pb2.RatedBot) -> list[str]:
    if not row.HasField("fit"):
        return ["", "", ""]
    return [f"{number:.2f}" for number in (row.fit.mu, row.fit.low, row.fit.high)]


def _points(row: ratings_pb2.RatedBot) -> list[str]:
    return [signed(row.points, 1), decimal(row.points_margin, 1)]


def fetch_ladder(server: str, ladder: str, directory: Path) -> tuple[int, int, int]:
    """Return how many entries there are, how many records were written, and how many are not open yet."""
    written = closed = 0
    with SyncArena(server) as arena:
        lines = [entry.line for entry in arena.all_rating_chain(ladder=ladder)]
        files.write_lines(directory / f"{ladder}-chain.ndjson", lines)
        with Bar("records") as bar:
            for done, line in enumerate(lines, 1):
                match = read_entry(line).entry.match
                if not file_of(directory, match).exists():
                    try:
                        write_into(directory, arena.get_record(match=match).record)
                        written += 1
                    except BoardInPlay:
                        closed += 1
                bar.update(done, len(lines))
    return len(lines), written, closed


def _rebuild(server: str, token: str, *, replace: bool) -> ratings_pb2.RebuildRatingsResponse:
    found = ratings_pb2.RebuildRatingsResponse()
    with SyncArena(server, token) as arena, Bar("records") as bar:
        for found in arena.rebuild_ratings(replace=replace):
            bar.update(found.checked, found.total)
    return found


def _verdict(found: ratings_pb2.RebuildRatingsResponse) -> str:
    whose = "the other matches" if found.problem_count else f"{found.checked} matches"
    if not found.differences and not found.chain_differences:
        return f"{whose[0].upper()}{whose[1:]} give the ratings that are shown."
    counted = [(len(found.differences), "ratings"), (len(found.chain_differences), "chains")]
    what = " and ".join(f"{count} {noun}" for count, noun in counted if count)
    what += f" were not what {whose} give"
    return f"{what}, and have been repaired." if found.replaced else f"{what}; --replace repairs them."


def _differing(one: ratings_pb2.RatingDifference) -> str:
    kept = _said(one.kept) if one.HasField("kept") else "no rating"
    rebuilt = _said(one.rebuilt) if one.HasField("rebuilt") else "none"
    return f"{kept} is kept, the records give {rebuilt}"


def _said(rating: play_pb2.Rating) -> str:
    return f"mu {rating.mu:.4f}, sigma {rating.sigma:.4f} after {rating.matches} matches"
