"""`farfalia replay`, `verify` and `records`: matches after they were played."""

import asyncio
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Annotated, Any

import typer

import farfalia_engine as engine
from farfalia.settings import DEFAULT_SERVER
from farfalia.v1 import record_pb2
from farfalia_server.cli.match_text import print_match
from farfalia_server.cli.output import Bar, print_json, print_json_text, say
from farfalia_server.cli.remote import JsonOption, ServerOption
from farfalia_server.errors import FarfaliaServerError, RecordError
from farfalia_server.local.client import Arena
from farfalia_server.records import codec, files, verifying
from farfalia_server.records.deal_views import deals_of
from farfalia_server.untrusted import quoted

records = typer.Typer(help="Records of a server's matches: fetch.", no_args_is_help=True)

#: Digits of the number of a match, at most.
_DIGITS = 19
RECORD_HELP = "A record's file, or the number of a match on the server."


def add_to(app: typer.Typer) -> None:
    """Put the commands of this module into an app."""
    app.command()(replay)
    app.command()(verify)
    app.add_typer(records, name="records")


def replay(
    record: Annotated[str, typer.Argument(help=RECORD_HELP)],
    deal: Annotated[int | None, typer.Option(min=1, help="Only this deal, counted from 1.")] = None,
    server: ServerOption = DEFAULT_SERVER,
    json: JsonOption = False,
) -> None:
    """Show a match deal by deal.

    The engine replays it from its record: hands, tricks, collections and points of every deal.
    """
    message = _load(record, server)
    if json:
        print_json_text(files.dumps(message))
        return
    played = codec.from_message(message)
    try:
        deals = deals_of(played)
    except engine.EngineError as error:
        raise RecordError(f"{record} cannot be replayed: {error}") from error
    verdict = verifying.verify(played)
    if not verdict.holds:
        raise RecordError(f"{record} does not hold: {verdict.violations[0]}")
    if deal is not None and deal > len(deals):
        raise typer.BadParameter(f"There is no deal {deal}; the match has {len(deals)}.")
    print_match(played, deals if deal is None else deals[deal - 1 : deal])


def verify(
    record: Annotated[list[str], typer.Argument(help=RECORD_HELP + " A directory stands for all records in it.")],
    server: ServerOption = DEFAULT_SERVER,
    json: JsonOption = False,
) -> None:
    """Check that records hold.

    Deals, plays, points, places and the digest must be what follows from rules, seed and actions, and nothing may
    contradict the rest. Exits with 0 only if that is so for all records; otherwise the first thing that does not
    hold is named for each.
    Below each record stands what was checked and what could not be: the secret of the deals is public once
    the tournament is over, and a bot that gave no nonce has no proof of its own that the deals were not chosen.
    """
    verdicts = [_verdict(name, server) for name in _names(record)]
    if json:
        print_json({"records": verdicts})
    else:
        for verdict in verdicts:
            say(_sentence(verdict))
            say(*(f"  checked: {what}" for what in verdict["checked"]))
            say(*(f"  not checked: {what}" for what in verdict["unchecked"]))
    if not all(verdict["holds"] for verdict in verdicts):
        raise typer.Exit(1)


@records.command()
def fetch(
    tournament: Annotated[int, typer.Argument(min=1, help="Number of the tournament.")],
    directory: Annotated[Path, typer.Argument(file_okay=False, help="Where the files go; made if missing.")],
    server: ServerOption = DEFAULT_SERVER,
) -> None:
    """Write the records of a tournament into a directory.

    They are those of its finished matches. While it is played, records of matches whose cards are still in play
    elsewhere are left out: fetch again later.
    """
    written, closed = asyncio.run(_fetch(server, tournament, directory))
    say(f"{written} records are in {directory}.")
    if closed:
        say(f"{closed} more follow when their boards are no longer played; run the command again then.")


def write_into(directory: Path, message: record_pb2.Record) -> None:
    """Write a record as `match-N.json`; the directory is made if it is missing."""
    directory.mkdir(parents=True, exist_ok=True)
    files.write(directory / f"match-{message.match}.json", message)


async def _fetch(server: str, tournament: int, directory: Path) -> tuple[int, int]:
    """Return how many records were written, and how many are not open yet."""
    async with Arena(server) as arena:
        finished = await arena.finished(tournament)
        matches = [match for match in finished if match.record_open]
        with Bar("records") as bar:
            for done, match in enumerate(matches, 1):
                write_into(directory, await arena.record(match.id))
                bar.update(done, len(matches))
    return len(matches), len(finished) - len(matches)


def _load(name: str, server: str) -> record_pb2.Record:
    if name.isascii() and name.isdigit() and len(name) > _DIGITS:
        raise RecordError(f"there is no match {quoted(name)}: the number is too large")
    if name.isascii() and name.isdigit() and not Path(name).exists():
        return asyncio.run(_download(server, int(name)))
    return files.read(Path(name))


async def _download(server: str, match: int) -> record_pb2.Record:
    async with Arena(server) as arena:
        return await arena.record(match)


def _names(given: Iterable[str]) -> Iterator[str]:
    for name in given:
        if Path(name).is_dir():
            found = sorted(str(path) for path in Path(name).glob("*.json"))
            if not found:
                raise typer.BadParameter(f"There is no record in {name}.")
            yield from found
        else:
            yield name


def _verdict(name: str, server: str) -> dict[str, Any]:
    try:
        verdict = verifying.verify(codec.from_message(_load(name, server)))
    except FarfaliaServerError as error:
        verdict = engine.Verdict((str(error),), ("everything: it could not be read",))
    return {"record": name, "holds": verdict.holds} | {
        "violations": list(verdict.violations),
        "checked": list(verdict.checked),
        "unchecked": list(verdict.unchecked),
    }


def _sentence(verdict: dict[str, Any]) -> str:
    if verdict["holds"]:
        return f"{verdict['record']}: holds."
    more = len(verdict["violations"]) - 1
    return f"{verdict['record']}: does not hold: {verdict['violations'][0]}" + (f" (and {more} more)" if more else "")
