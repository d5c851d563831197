"""Sends the rating changes of a match to connected bots and to the matchmaker, whichever node they are on."""

from __future__ import annotations

from farfalia.v1 import play_pb2
from farfalia_server.arena.messages import rating_values
from farfalia_server.nodes.membership import Cluster
from farfalia_server.organising.matchmaker import Matchmaker
from farfalia_server.play.lobby import Lobby
from farfalia_server.store import RatedMatch, RatingChange

#: The topic on the change bus.
_TOPIC = "rated"


class RatingNews:
    """Called by the rater for each rated match; in a cluster the other nodes' matchmakers receive it, too."""

    def __init__(self, lobby: Lobby, matchmaker: Matchmaker, cluster: Cluster | None = None) -> None:
        self._lobby = lobby
        self._matchmaker = matchmaker
        self._cluster = cluster
        if cluster is not None:
            cluster.bus.listen(_TOPIC, matchmaker.rated)

    def __call__(self, rated: RatedMatch) -> None:
        """Send the rating changes of a match."""
        bots = [change.bot_id for change in rated.changes]
        self._matchmaker.rated(bots)
        if self._cluster is not None and bots:
            self._cluster.bus.tell(_TOPIC, bots, of_match=True)
        for change in rated.changes:
            self._lobby.tell(change.bot_id, play_pb2.PlayResponse(ratings=[_message(change)]))


def _message(change: RatingChange) -> play_pb2.RatingChange:
    return play_pb2.RatingChange(
        match=change.match_id,
        before=rating_values(change.ladder, change.mu_before, change.sigma_before, 0),
        after=rating_values(change.ladder, change.mu_after, change.sigma_after, 0),
    )
