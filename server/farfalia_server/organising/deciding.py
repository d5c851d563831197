"""What an organiser decides about matches that were drawn: which are meant, and which rounds follow from them."""

from __future__ import annotations

from farfalia.v1 import tournaments_pb2
from farfalia_server.contract.errors import InvalidArgument, NotFound
from farfalia_server.contract.said import said
from farfalia_server.contract.untrusted import clean
from farfalia_server.organising.stage_messages import following_stages
from farfalia_server.store import Store, Voided

#: Most characters of the reason.
_REASON = 200


async def void_matches(store: Store, request: tournaments_pb2.VoidMatchesRequest, who: str) -> Voided:
    """Make matches void, and have them played again if that is asked for; errors as `Voiding.void` raises them.

    InvalidArgument if neither matches nor a round are named, or both, or no reason; NotFound for a round that was not
    drawn.
    """
    reason = clean(request.reason, _REASON).strip()
    if not reason:
        raise InvalidArgument(
            "reason", said("reason is empty; expected why the matches are void, for everyone to read")
        )
    if bool(request.matches) == bool(request.round):
        raise InvalidArgument("matches", said("expected either numbers of matches or a round"))
    tournament = await store.tournaments.get(request.id)
    matches = list(request.matches)
    if request.round:
        matches = [
            match.id
            for match in await store.matches.of_tournament(tournament.id)
            if (match.stage, match.round) == (request.stage, request.round) and match.replaced_by is None
        ]
        if not matches:
            text = said(
                "tournament %(tournament)s has no round %(round)s; expected one that has been drawn, with its stage if "
                "there are stages",
                tournament=tournament.id,
                round=request.round,
            )
            if request.stage:
                text = said(
                    "tournament %(tournament)s has no stage %(stage)s, round %(round)s; expected one that has been "
                    "drawn, with its stage if there are stages",
                    tournament=tournament.id,
                    stage=request.stage,
                    round=request.round,
                )
            raise NotFound(text, "ROUND_UNKNOWN")
    follow = following_stages(tournament.stages)
    return await store.voiding.void(tournament.id, matches, text=reason, who=who, replay=request.replay, follow=follow)
