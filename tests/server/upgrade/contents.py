"""What a server shows of its database, as a text that has to stay the same when a newer version has upgraded it."""

import json
from typing import Any

from google.protobuf.json_format import MessageToDict
from tests.server.live import LiveServer

from farfalia.v1 import accounts_pb2, bots_pb2, ratings_pb2, tournaments_pb2

#: What a newer version may estimate better from the same results.
ESTIMATES = {"adjusted", "margin", "stronger", "bestRank", "worstRank", "strengthModel"} | {
    "difference",
    "differenceLow",
    "differenceHigh",
}


def contents(server: LiveServer) -> str:
    """Bots, accounts, invitations, tournaments with their standings, matches, and ratings with their history."""
    tournaments = server.call("ListTournaments", tournaments_pb2.ListTournamentsRequest()).tournaments
    shown: dict[str, Any] = {
        "bots": server.call("ListBots", bots_pb2.ListBotsRequest()),
        "accounts": server.call("ListAccounts", accounts_pb2.ListAccountsRequest()),
        "invitations": server.call("ListInvitations", accounts_pb2.ListInvitationsRequest()),
        "ratings": server.call("ListRatings", ratings_pb2.ListRatingsRequest()),
    }
    for number in sorted(tournament.id for tournament in tournaments):
        shown[f"tournament {number}"] = server.show(number)
        for match in server.matches(number):
            shown[f"match {match.id}"] = match
    texts = {name: MessageToDict(message) for name, message in shown.items()}
    return json.dumps(texts, indent=1, sort_keys=True) + "\n"


def what_newer_versions_leave(before: Any, after: Any) -> Any:
    """`after` without what `before` does not have, a newer version may show more; estimates are those of `before`."""
    if isinstance(before, dict) and isinstance(after, dict):
        return {
            key: before[key] if key in ESTIMATES else what_newer_versions_leave(before[key], value)
            for key, value in after.items()
            if key in before
        }
    if isinstance(before, list) and isinstance(after, list) and len(before) == len(after):
        return [what_newer_versions_leave(old, new) for old, new in zip(before, after, strict=True)]
    return after
