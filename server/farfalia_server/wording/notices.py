"""Notices in words: what browsers tell of matches and bots while a page is open."""

from __future__ import annotations

from collections.abc import Iterable

from farfalia.v1 import matches_pb2, record_pb2
from farfalia_server.wording.language import gettext, ngettext
from farfalia_server.wording.phrases import cause, game_name, ordinal


def begun_words(match: matches_pb2.Match) -> tuple[str, str]:
    """Return the title and the text of a notice that a match has begun."""
    title = gettext("Match {number} has begun").format(number=match.id)
    return title, f"{game_name(match.ruleset)}: {', '.join(match.entrants)}"


def over_words(match: matches_pb2.Match) -> tuple[str, str]:
    """Return the title and the text of a notice that a match is over, with places and points."""
    outcome = match.outcome
    rows = [
        ngettext("{place} {entrant}: {points} point", "{place} {entrant}: {points} points", points).format(
            place=ordinal(place), entrant=entrant, points=points
        )
        for place, entrant, points in sorted(zip(outcome.places, match.entrants, outcome.points, strict=True))
    ]
    return gettext("Match {number} is over").format(number=match.id), ", ".join(rows)


def incident_words(bot: str, match: int, incidents: Iterable[record_pb2.Incident]) -> tuple[str, str]:
    """Return the title and the text of a notice about the incidents of a bot in a match: causes, strikes, its seat."""
    found = list(incidents)
    said = list(dict.fromkeys(cause(one.cause) for one in found))
    if strikes := max(one.strikes for one in found):
        said.append(ngettext("{number} strike", "{number} strikes", strikes).format(number=strikes))
    if any(one.taken_over for one in found):
        said.append(gettext("seat lost"))
    return gettext("Incidents of {bot} in match {number}").format(bot=bot, number=match), ", ".join(said)


def suspended_words(bot: str, *, suspended: bool) -> tuple[str, str]:
    """Return the title and the text of a notice that a bot is suspended, or plays again."""
    if suspended:
        return gettext("{bot} is suspended").format(bot=bot), gettext("It plays no match until it is let back.")
    return gettext("{bot} is let back").format(bot=bot), gettext("It may play again.")
