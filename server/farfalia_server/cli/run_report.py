"""What `farfalia run` and `farfalia demo` say about a tournament that is over."""

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from farfalia_server.cli.output import as_json, print_json_text, prose, say
from farfalia_server.cli.standings import print_conduct, print_deals, print_tournament
from farfalia_server.contract.errors import FarfaliaServerError
from farfalia_server.local.tournament import IncidentReport, RunReport

#: Incidents shown of one bot; the records have all of them.
SHOWN = 10
#: Lines shown of what a bot printed that had no trouble.
PRINTED = 5


def print_report(
    outcome: RunReport,
    kept: bool,
    *,
    conduct_only: bool = False,
    crosstable: bool = False,
    command: str = "",
    verdict: Sequence[str],
    proofs: bool = False,
) -> None:
    """Print the verdict; the standings; then, bot by bot, what went wrong and why; with `proofs`, what the deals are
    from.

    `kept` if the programs' output will still be there. `conduct_only` leaves out all scores, for whoever has said what
    they come to: those of a tournament hold only if its end was fixed in advance.
    """
    if verdict:
        prose(*verdict)
        say("")
    if conduct_only:
        print_conduct(outcome.tournament)
    else:
        print_tournament(outcome.tournament, crosstable=crosstable, command=command)
    if outcome.void:
        say("")
        prose(
            f"{outcome.void} of {outcome.tournament.matches} matches are void: the server failed at every attempt to "
            "play them, and they count for no rating. The log above says why.",
        )
    for row in outcome.tournament.standings:
        incidents = outcome.incidents[row.entrant]
        if incidents:
            say("", f"Incidents of {row.entrant}, as the server measured them:")
            prose(*(f"  {_sentence(incident)}" for incident in incidents[:SHOWN]), indent="    ")
            if len(incidents) > SHOWN:
                say(f"  … and {len(incidents) - SHOWN} more; the records have all of them")
        _print_program(outcome, row.entrant, bool(incidents), kept)
    if proofs:
        print_deals(outcome.tournament)


def write_json(outcome: RunReport, target: str, **more: Any) -> None:
    """Write everything about it as JSON, and what else there is to say, to a file or, for `-`, to standard output."""
    text = as_json(
        {
            "tournament": outcome.tournament,
            "incidents": {name: [asdict(one) for one in incidents] for name, incidents in outcome.incidents.items()},
            "died": {one.name: one.ending for one in outcome.died},
            **more,
        }
    )
    if target == "-":
        print_json_text(text + "\n")
        return
    try:
        Path(target).write_text(text + "\n", encoding="utf-8")
    except OSError as error:
        raise FarfaliaServerError(f"{target} cannot be written: {error.strerror}") from error


def _print_program(outcome: RunReport, name: str, struck: bool, kept: bool) -> None:
    """Print the end of what a program printed: a little, and more if there is reason to read it."""
    died = {one.name: one for one in outcome.died}.get(name)
    if died:
        say("", f"{name} {died.ending}.")
    program = outcome.programs.get(name)
    if not program:
        return
    tail = died.tail if died else program.tail() if struck else _distinct(program.tail(100 * PRINTED))
    if tail and not died and not struck:
        say("", f"{name} printed, at the end:")
    elif died or struck:
        say("The end of its output:" if tail else "It printed nothing.")
    say(*(f"  | {line}" for line in tail))
    if tail:
        say(f"All of it is in {program.output}." if kept else "--keep DIRECTORY keeps all of it.")


def _distinct(lines: list[str]) -> list[str]:
    """Return the last few of these lines, without those that come again: a process for each match prints the same."""
    return list(dict.fromkeys(line for line in reversed(lines) if line.strip()))[:PRINTED][::-1]


def _sentence(incident: IncidentReport) -> str:
    lost = "; a house bot took the seat" if incident.lost_seat else ""
    place = f"match {incident.match}, deal {incident.deal}, action {incident.action}"
    return f"{place}: {incident.text} ({incident.cause}, strike {incident.strikes}{lost})"
