"""Where the noise that a plan counts on is from, in a sentence."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from farfalia_server.wording.amounts import grouped
from farfalia_server.wording.language import gettext, ngettext
from farfalia_tournaments.schedules import Boards


def noise_words(matches: Mapping[Boards, int], kinds: Iterable[Boards]) -> str:
    """Return for each kind of boards of a plan whether it is measured on this server, and from how many `matches`."""
    said = []
    for kind in dict.fromkeys(kinds):
        if number := matches.get(kind, 0):
            text = ngettext(
                "Luck with {boards} boards is as measured on this server, from {number} match.",
                "Luck with {boards} boards is as measured on this server, from {number} matches.",
                number,
            )
        else:
            text = gettext("Luck with {boards} boards is the built-in figure: too few matches on this server.")
        said.append(text.format(boards=kind.value, number=grouped(number)))
    return " ".join(said)
