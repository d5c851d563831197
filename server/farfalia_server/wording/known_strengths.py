"""What the probabilities of a tournament start from, in a sentence."""

from __future__ import annotations

from farfalia.v1 import tournaments_pb2
from farfalia_server.wording.amounts import grouped
from farfalia_server.wording.language import gettext


def known_words(tournament: tournaments_pb2.Tournament) -> str:
    """Return it; empty before the first result."""
    if not tournament.HasField("strength_model"):
        return ""
    known = tournament.pair_model.known
    if not known:
        return gettext("Places, strengths and probabilities come from this tournament alone.")
    return gettext(
        "Probabilities start from what the ladder {ladder} knew of {known} of these {entrants} entrants when the"
        " tournament started; places and strengths come from this tournament alone."
    ).format(ladder=known[0].ladder, known=grouped(len(known)), entrants=grouped(len(tournament.standings)))
