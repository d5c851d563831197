"""Where programs of one's own lose their points, after `farfalia run`: in sentences, and as JSON."""

from dataclasses import asdict
from pathlib import Path
from shlex import quote
from typing import Any

from farfalia_engine import ruleset
from farfalia_server.cli.analyse import plain
from farfalia_server.cli.records import file_of
from farfalia_server.local.losses import Losses
from farfalia_server.wording.prices import ASPECTS, price_words, with_error


def loss_lines(found: Losses, name: str, you: str, command: str, records: Path | None) -> list[str]:
    """Return what kind of decision costs most, if one stands out, and which decision cost most of all.

    `you` is what the program is called in sentences, and `records` where the records of the matches are, if anywhere.
    """
    if found.problem:
        whose = "your" if you == "you" else f"{name}'s"
        return [f"What {whose} decisions cost is not known: {found.problem}."]
    compared = f"{found.decisions} decisions in {'1 match' if found.matches == 1 else f'{found.matches} matches'}"
    if found.worst is None:
        lines = [f"No kind of decision stands out against what cautious would do ({compared})."]
    else:
        worst, who = found.worst, "You lose" if you == "you" else f"{name} loses"
        lines = [
            f"{who} most by {ASPECTS[worst.aspect]}: {with_error(worst.points, worst.error)} points a match, "
            f"against what cautious would do in the same places ({compared})."
        ]
    if found.dearest is not None:
        said = price_words(found.dearest, ruleset(found.ruleset, found.options), you)
        shown = ""
        if records is not None:
            trick = "" if found.dearest.trick is None else f" --trick {found.dearest.trick}"
            file = quote(str(file_of(records, found.match)))
            shown = f" `{command} replay {file} --deal {found.dearest.deal}{trick}` shows it."
        lines.append(f"The dearest, in match {found.match}: {said[:1].lower()}{said[1:]}{shown}")
    return lines


def plain_losses(found: Losses) -> dict[str, Any]:
    """Return the same as JSON has it."""
    dearest = found.dearest
    return {
        "decisions": found.decisions,
        "matches": found.matches,
        "kinds": [asdict(kind) | {"stands_out": kind.stands_out} for kind in found.kinds],
        "dearest": None
        if dearest is None
        else {"match": found.match} | plain(dearest, ruleset(found.ruleset, found.options)),
        "problem": found.problem,
    }
