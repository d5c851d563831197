"""`farfalia ratings`: the ladder, and the work that is done on ratings."""

import asyncio
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from farfalia.settings import DEFAULT_SERVER
from farfalia.v1 import arena_pb2, play_pb2
from farfalia_server.cli.output import Bar, note, print_json, say, table
from farfalia_server.cli.remote import AdminOption, JsonOption, ServerOption, ask
from farfalia_server.running.arena import Arena


class _Ratings(TyperGroup):
    """Shows the ladder unless another of its commands is named."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Puts `show` before whatever is no command."""
        if "--help" not in args and (not args or args[0] not in self.commands):
            args = ["show", *args]
        parsed: list[str] = super().parse_args(ctx, args)
        return parsed


ratings = typer.Typer(
    cls=_Ratings,
    help="The ladder of a game: `farfalia ratings [LADDER]`; and rebuild, which proves it.",
)


def add_to(app: typer.Typer) -> None:
    """Put the commands of this module into an app."""
    app.add_typer(ratings, name="ratings")


@ratings.command()
def show(
    ladder: Annotated[str, typer.Argument(help="Name of the ladder, which is the game's.")] = "chinkway",
    versions: Annotated[bool, typer.Option("--versions", help="Every version that was rated.")] = False,
    server: ServerOption = DEFAULT_SERVER,
    json: JsonOption = False,
) -> None:
    """The ladder, best first.

    mu is the estimated skill and sigma its standard deviation; the ladder is sorted by mu − 3 sigma.
    """
    answer = ask(server, "ListRatings", arena_pb2.ListRatingsRequest(ladder=ladder, all_versions=versions))
    if json:
        print_json(answer)
    elif not answer.bots:
        say(f"Nobody has a rating for {ladder} yet.")
    else:
        rows = [
            (
                row.place,
                row.bot,
                row.rating.version,
                f"{row.rating.mu:.2f}",
                f"{row.rating.sigma:.2f}",
                f"{row.rating.exposed:.2f}",
                row.rating.matches,
            )
            for row in answer.bots
        ]
        table(["#", "<bot", "<version", "mu", "sigma", "rating", "matches"], rows)


@ratings.command()
def rebuild(
    replace: Annotated[bool, typer.Option("--replace", help="Put right what differs, if every record holds.")] = False,
    server: ServerOption = DEFAULT_SERVER,
    admin_token: AdminOption = "",
    json: JsonOption = False,
) -> None:
    """Work all ratings out again from the records alone, and say what differs.

    Every rated match is played again from its record, which has to give the result that is kept. Exits with 0
    only if all records hold and no rating differs, or what differed was put right.
    """
    found = asyncio.run(_rebuild(server, admin_token, replace=replace))
    if json:
        print_json(found)
    elif found.problem_count:
        say(*found.problems)
        if found.problem_count > len(found.problems):
            say(f"… and {found.problem_count - len(found.problems)} more.")
        note(f"{found.problem_count} of {found.checked} records do not hold, so nothing was compared or changed.")
    else:
        for one in found.differences:
            rating = one.kept if one.HasField("kept") else one.rebuilt
            say(f"{rating.ladder}, {one.bot} version {rating.version}: {_differing(one)}")
        note(_verdict(found))
    if found.problem_count or (found.differences and not found.replaced):
        raise typer.Exit(1)


async def _rebuild(server: str, token: str, *, replace: bool) -> arena_pb2.RebuildRatingsResponse:
    found = arena_pb2.RebuildRatingsResponse()
    async with Arena(server, token) as arena:
        with Bar("records") as bar:
            async for found in arena.rebuild(replace=replace):
                bar.update(found.checked, found.total)
    return found


def _verdict(found: arena_pb2.RebuildRatingsResponse) -> str:
    if not found.differences:
        return f"{found.checked} matches give the ratings that are shown."
    what = f"{len(found.differences)} ratings were not what {found.checked} matches give"
    return f"{what}, and have been put right." if found.replaced else f"{what}; --replace puts them right."


def _differing(one: arena_pb2.RatingDifference) -> str:
    kept = _said(one.kept) if one.HasField("kept") else "no rating"
    rebuilt = _said(one.rebuilt) if one.HasField("rebuilt") else "none"
    return f"{kept} is kept, the records give {rebuilt}"


def _said(rating: play_pb2.Rating) -> str:
    return f"mu {rating.mu:.4f}, sigma {rating.sigma:.4f} after {rating.matches} matches"
