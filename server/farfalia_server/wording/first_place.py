"""What is known of the first place of a tournament, and about how many more rounds it takes, in a sentence."""

from __future__ import annotations

from farfalia.v1 import tournaments_pb2
from farfalia_server.wording.amounts import grouped
from farfalia_server.wording.crosstable import percent
from farfalia_server.wording.language import gettext, ngettext
from farfalia_tournaments import MOST_MORE


def first_place_words(tournament: tournaments_pb2.Tournament) -> str:
    """Return it; empty while nothing is known."""
    if not tournament.HasField("first_place"):
        return ""
    found = tournament.first_place
    if found.known:
        return gettext("The first place is known with 95 %: {entrant}.").format(entrant=found.entrant)
    said = [gettext("{entrant} is first with {percent} %.")]
    if not found.HasField("rounds"):
        said.append(
            gettext("These entrants are too close to know the first place: it takes more than {most} more rounds.")
        )
    else:
        said.append(
            ngettext(
                "About {rounds} more round until it is known with 95 %.",
                "About {rounds} more rounds until it is known with 95 %.",
                found.rounds,
            )
        )
    if found.HasField("high"):
        said.append(gettext("In 8 of 10 fields that these results allow it takes {low} to {high}."))
    elif found.HasField("low"):
        said.append(gettext("In 9 of 10 fields that these results allow it takes {low} or more."))
    if found.planned:
        said.append(ngettext("{planned} more is planned.", "{planned} more are planned.", found.planned))
    return " ".join(said).format(
        entrant=found.entrant,
        percent=percent(found.probability),
        rounds=grouped(found.rounds),
        low=grouped(found.low),
        high=grouped(found.high),
        most=grouped(MOST_MORE),
        planned=grouped(found.planned),
    )
