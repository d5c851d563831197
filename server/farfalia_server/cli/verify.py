"""`farfalia verify`: whether records hold."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import typer

import farfalia_engine as engine
from farfalia.arena import ArenaError
from farfalia.settings import DEFAULT_SERVER
from farfalia.v1 import ratings_pb2
from farfalia_server.cli.collusion_report import flagged_pairs, print_effects
from farfalia_server.cli.output import note, print_json, say, table
from farfalia_server.cli.record_argument import RECORD_HELP, load_record
from farfalia_server.cli.remote import JsonOption, ServerOption
from farfalia_server.contract.errors import FarfaliaServerError
from farfalia_server.rating.effect_messages import effect_message
from farfalia_server.records import codec, drand, published_files, published_results, verifying
from farfalia_server.records.chain_checking import LadderVerdict, verify_ladders
from farfalia_server.records.value_functions import ValueFunctions
from farfalia_tournaments import collusion as collusion_of


def add_to(app: typer.Typer) -> None:
    """Put the command into an app."""
    app.command()(verify)


def verify(
    record: Annotated[
        list[str] | None, typer.Argument(help=RECORD_HELP + " A directory stands for all records in it.")
    ] = None,
    ratings: Annotated[
        Path | None,
        typer.Option(
            "--ratings",
            metavar="DIRECTORY",
            exists=True,
            file_okay=False,
            help="Rebuild ladders from the chains and records in a directory, as `farfalia ratings fetch` writes them.",
        ),
    ] = None,
    calibration: Annotated[
        bool,
        typer.Option("--calibration", help="With --ratings: check whether ratings predicted the results of matches."),
    ] = False,
    collusion: Annotated[
        bool,
        typer.Option(
            "--collusion", help="With --ratings: compute the report on collusion, as `farfalia ratings collusion` does."
        ),
    ] = False,
    beacon: Annotated[
        list[Path] | None,
        typer.Option(
            "--beacon",
            metavar="FILE",
            help="The JSON that drand published for a round, to check a beacon's value and signature; may be repeated.",
        ),
    ] = None,
    server: ServerOption = DEFAULT_SERVER,
    json: JsonOption = False,
) -> None:
    """Check that records or ratings hold.

    Deals, plays, points, places and the digest must follow from rules, seed and actions, and nothing may contradict the
    rest. Exits with 0 only if all records hold, and names the first fault of each that does not.

    Below each record the command prints what it checked and what it could not: the secret of the deals is public once
    the tournament is over, and a bot that gave no nonce has no proof of its own that the deals were not chosen.

    With --ratings, every entry of each ladder's chain must follow from the entry before and from the record of its
    match, to the last bit of mu and sigma. Exits with 0 only if all entries do and no record is missing. With
    --collusion, the command prints every pair of each ladder that has met often enough, from the same files; the exit
    code does not depend on what it finds.
    """
    if ratings is not None:
        if record:
            raise typer.BadParameter("Records and --ratings are both given; expected one of them.")
        _verify_ratings(ratings, json=json, calibration=calibration, collusion=collusion)
        return
    if not record:
        raise typer.BadParameter("There is nothing to check; expected records, or --ratings with a directory.")
    rounds = {one.number: one for one in map(drand.read_round, beacon or ())}
    functions = ValueFunctions()
    verdicts = [_verdict(name, server, rounds, functions) for name in _names(record)]
    if json:
        print_json({"records": verdicts})
    else:
        for verdict in verdicts:
            say(_sentence(verdict))
            say(*(f"  checked: {what}" for what in verdict["checked"]))
            say(*(f"  not checked: {what}" for what in verdict["unchecked"]))
    if not all(verdict["holds"] for verdict in verdicts):
        raise typer.Exit(1)


def _verify_ratings(directory: Path, *, json: bool, calibration: bool, collusion: bool) -> None:
    found = published_files.read_all(directory)
    ladders = list(verify_ladders(found.entries, found.records))
    effects = _effects(found) if collusion else {}
    if not ladders and not found.problems:
        raise typer.BadParameter(f"There are no chain entries in {directory}.")
    if json:
        print_json(
            {
                "ladders": [
                    asdict(one) | {"holds": one.holds} | ({"effects": effects.get(one.ladder, [])} if collusion else {})
                    for one in ladders
                ],
                "unreadable": list(found.problems),
            }
        )
    else:
        say(*found.problems)
        for one in ladders:
            say(*(f"{one.ladder}: {what}" for what in (*one.violations, *one.unchecked)))
            say(f"{one.ladder}: {_ladder_sentence(one)}")
            if calibration:
                _say_calibration(one)
            if collusion:
                print_effects(effects.get(one.ladder, ()))
                note(f"{one.ladder}: {flagged_pairs(effects.get(one.ladder, ()))}")
    if found.problems or not all(one.holds for one in ladders):
        raise typer.Exit(1)


def _effects(found: published_files.PublishedFiles) -> dict[str, list[ratings_pb2.TableEffect]]:
    """Return the report on collusion of each ladder."""
    cards = published_results.ladder_favours(found.entries, found.records)
    return {
        ladder: [effect_message(effect) for effect in collusion_of(results, cards=cards.get(ladder, ()))]
        for ladder, results in published_results.ladder_results(found.entries, found.records).items()
    }


def _say_calibration(verdict: LadderVerdict) -> None:
    heads = ["favourite", "pairs", "said", "placed first"]
    rows = [
        (f"{one.low:.0%} to {one.high:.0%}", one.pairs, f"{one.said:.1%}", f"{one.happened:.1%}")
        for one in verdict.reliability
    ]
    table(heads, rows)


def _ladder_sentence(verdict: LadderVerdict) -> str:
    if verdict.holds:
        return f"{verdict.entries} entries hold; the hash of the last one is {verdict.head}."
    wrong, unchecked = len(verdict.violations), len(verdict.unchecked)
    said = [f"{wrong} things do not hold"] if wrong > 1 else ["one thing does not hold"] if wrong else []
    said += [f"{unchecked} could not be checked" if unchecked > 1 else "one could not be checked"] if unchecked else []
    return f"of {verdict.entries} entries, {' and '.join(said)}."


def _names(given: Iterable[str]) -> Iterator[str]:
    for name in given:
        if Path(name).is_dir():
            found = sorted(str(path) for path in Path(name).glob("*.json"))
            if not found:
                raise typer.BadParameter(f"There is no record in {name}.")
            yield from found
        else:
            yield name


def _verdict(
    name: str, server: str, rounds: Mapping[int, drand.SignedRound], functions: ValueFunctions
) -> dict[str, Any]:
    try:
        loaded = codec.from_message(load_record(name, server))
        verdict = functions.held_against(loaded, verifying.verify(loaded, rounds))
    except (FarfaliaServerError, ArenaError) as error:
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
