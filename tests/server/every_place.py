"""Every place where a server shows anything: calls, pages, streams, downloads, its log; each is asked, by everybody."""

from __future__ import annotations

import io
import os
import zipfile
from collections import defaultdict
from collections.abc import Callable, Container, Iterator, Mapping
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import Any, cast

import grpc
import httpx
from google.protobuf.json_format import MessageToJson
from google.protobuf.message import Message
from starlette.routing import Mount, Route
from tests.cli import forked
from tests.server.held_board import CLUMSY, FEATURES, GAME, IDLE, SPARE, Scene
from tests.server.live import PATIENCE
from tests.server.rawbot import RawBot

from farfalia.v1 import (
    accounts_pb2,
    acts_pb2,
    analysis_pb2,
    arena_pb2,
    bots_pb2,
    daily_boards_pb2,
    drafts_pb2,
    events_pb2,
    gatherings_pb2,
    ladders_pb2,
    matches_pb2,
    nodes_pb2,
    play_pb2,
    programs_pb2,
    ratings_pb2,
    tournaments_pb2,
    webhooks_pb2,
)
from farfalia.v1.arena_pb2_grpc import ArenaServiceStub
from farfalia_server.arena.reading import Reader
from farfalia_server.contract.archive_proof import archive_proof
from farfalia_server.web import create_web
from farfalia_server.web.documents import documents

OWNER = "olga"
SERVICE = arena_pb2.DESCRIPTOR.services_by_name["ArenaService"]


class Everywhere:
    """Every place that there is."""

    def __contains__(self, place: object) -> bool:
        return True


EVERYWHERE = Everywhere()


#: A request of every call; several where what is asked for has a number or a name.
REQUESTS: dict[str, Callable[[Scene], list[Message]]] = {
    "CreateAccount": lambda scene: [accounts_pb2.CreateAccountRequest(name="new")],
    "GetAccount": lambda scene: [accounts_pb2.GetAccountRequest(), accounts_pb2.GetAccountRequest(name=OWNER)],
    "ListAccounts": lambda scene: [accounts_pb2.ListAccountsRequest()],
    "SignIn": lambda scene: [accounts_pb2.SignInRequest(name="nobody", password="a good password")],
    "BeginOidc": lambda scene: [accounts_pb2.BeginOidcRequest(), accounts_pb2.BeginOidcRequest(connect=True)],
    "FinishOidc": lambda scene: [accounts_pb2.FinishOidcRequest(state="x", code="y")],
    "ConnectIdentity": lambda scene: [accounts_pb2.ConnectIdentityRequest(identity="x")],
    "DisconnectIdentity": lambda scene: [accounts_pb2.DisconnectIdentityRequest(id=1)],
    "SignOut": lambda scene: [accounts_pb2.SignOutRequest()],
    "SetPassword": lambda scene: [accounts_pb2.SetPasswordRequest(name="nobody", password="a good password")],
    "RotateAccountToken": lambda scene: [accounts_pb2.RotateAccountTokenRequest(name="nobody")],
    "RevokeAccount": lambda scene: [accounts_pb2.RevokeAccountRequest(name="new")],
    "CreateInvitation": lambda scene: [accounts_pb2.CreateInvitationRequest()],
    "ListInvitations": lambda scene: [accounts_pb2.ListInvitationsRequest()],
    "RevokeInvitation": lambda scene: [accounts_pb2.RevokeInvitationRequest(id=1)],
    "RequestPasswordLink": lambda scene: [accounts_pb2.RequestPasswordLinkRequest(name="nobody")],
    "SetEmail": lambda scene: [accounts_pb2.SetEmailRequest(name="nobody")],
    "CreatePasswordLink": lambda scene: [accounts_pb2.CreatePasswordLinkRequest(name="nobody")],
    "ModerateAccount": lambda scene: [accounts_pb2.ModerateAccountRequest(name="nobody", suspended=True)],
    "RenameAccount": lambda scene: [accounts_pb2.RenameAccountRequest(name="nobody", new_name="somebody")],
    "RemoveAccount": lambda scene: [accounts_pb2.RemoveAccountRequest(name="nobody")],
    "CreateApiToken": lambda scene: [
        accounts_pb2.CreateApiTokenRequest(name="CI", scope=accounts_pb2.TOKEN_SCOPE_BOTS)
    ],
    "ListApiTokens": lambda scene: [accounts_pb2.ListApiTokensRequest()],
    "RevokeApiToken": lambda scene: [accounts_pb2.RevokeApiTokenRequest(id=1)],
    "CreateEvent": lambda scene: [events_pb2.CreateEventRequest(event=events_pb2.Event(name="course"))],
    "ChangeEvent": lambda scene: [events_pb2.ChangeEventRequest(event=events_pb2.Event(name="course"), publish=True)],
    "CloseEvent": lambda scene: [events_pb2.CloseEventRequest(name="course")],
    "GetEvent": lambda scene: [events_pb2.GetEventRequest(), events_pb2.GetEventRequest(name="course")],
    "ListEvents": lambda scene: [events_pb2.ListEventsRequest()],
    "JoinEvent": lambda scene: [events_pb2.JoinEventRequest(event="course")],
    "SetEventMember": lambda scene: [events_pb2.SetEventMemberRequest(event="course", account=OWNER)],
    "RemoveEventMember": lambda scene: [events_pb2.RemoveEventMemberRequest(event="course", account=OWNER)],
    "Announce": lambda scene: [events_pb2.AnnounceRequest(event="course", text="hello")],
    "RetractAnnouncement": lambda scene: [events_pb2.RetractAnnouncementRequest(id=1)],
    "RevokeToken": lambda scene: [bots_pb2.RevokeTokenRequest(name=IDLE)],
    "ModerateBot": lambda scene: [bots_pb2.ModerateBotRequest(name=SPARE, hidden=True)],
    "RenameBot": lambda scene: [bots_pb2.RenameBotRequest(name=SPARE, new_name=SPARE)],
    "RemoveBot": lambda scene: [bots_pb2.RemoveBotRequest(name="nobody")],
    "SetChallengers": lambda scene: [
        bots_pb2.SetChallengersRequest(name=SPARE, challengers=bots_pb2.CHALLENGERS_OWNER)
    ],
    "SetWebhook": lambda scene: [webhooks_pb2.SetWebhookRequest(bot=SPARE, url="https://ci.example/")],
    "GetWebhook": lambda scene: [webhooks_pb2.GetWebhookRequest(bot=SPARE)],
    "TestWebhook": lambda scene: [webhooks_pb2.TestWebhookRequest(bot=SPARE)],
    "CreateChallenge": lambda scene: [matches_pb2.CreateChallengeRequest(seats=[matches_pb2.ChallengeSeat(bot=SPARE)])],
    "CancelChallenge": lambda scene: [matches_pb2.CancelChallengeRequest(match=scene.over)],
    "GetDailyBoard": lambda scene: [daily_boards_pb2.GetDailyBoardRequest(ruleset=GAME)],
    "OpenGathering": lambda scene: [gatherings_pb2.OpenGatheringRequest(ruleset="two")],
    "GetGathering": lambda scene: [
        gatherings_pb2.GetGatheringRequest(),
        gatherings_pb2.GetGatheringRequest(key="nothing"),
    ],
    "JoinGathering": lambda scene: [gatherings_pb2.JoinGatheringRequest(key="nothing")],
    "LeaveGathering": lambda scene: [gatherings_pb2.LeaveGatheringRequest(key="nothing")],
    "BeginGathering": lambda scene: [gatherings_pb2.BeginGatheringRequest(key="nothing")],
    "RegisterBot": lambda scene: [bots_pb2.RegisterBotRequest(name="new")],
    "RotateToken": lambda scene: [bots_pb2.RotateTokenRequest(name=SPARE)],
    "ListBots": lambda scene: [bots_pb2.ListBotsRequest()],
    "GetBot": lambda scene: [
        bots_pb2.GetBotRequest(name=name, match=match)
        for name in scene.entrants
        for match in (0, scene.over, scene.held)
    ],
    "OpenLadder": lambda scene: [ladders_pb2.OpenLadderRequest(ladder=ladders_pb2.Ladder(ruleset="basic"))],
    "CloseLadder": lambda scene: [ladders_pb2.CloseLadderRequest(ladder="basic")],
    "ListLadders": lambda scene: [ladders_pb2.ListLaddersRequest()],
    "ListRatings": lambda scene: [ratings_pb2.ListRatingsRequest(ladder=GAME, all_versions=True)],
    "ListRatingChain": lambda scene: [ratings_pb2.ListRatingChainRequest(ladder=GAME)],
    "RebuildRatings": lambda scene: [ratings_pb2.RebuildRatingsRequest()],
    "FitLadder": lambda scene: [ratings_pb2.FitLadderRequest(ladder=GAME)],
    "ReportCollusion": lambda scene: [
        ratings_pb2.ReportCollusionRequest(ladder=GAME),
        ratings_pb2.ReportCollusionRequest(tournament=scene.tournament),
    ],
    "CreateTournament": lambda scene: [tournaments_pb2.CreateTournamentRequest(name="new", bots=[SPARE])],
    "SaveTournamentDraft": lambda scene: [
        drafts_pb2.SaveTournamentDraftRequest(
            draft=drafts_pb2.TournamentDraft(plan=tournaments_pb2.CreateTournamentRequest(name="new", bots=[SPARE]))
        )
    ],
    "GetTournamentDraft": lambda scene: [drafts_pb2.GetTournamentDraftRequest(id=1)],
    "ListTournamentDrafts": lambda scene: [drafts_pb2.ListTournamentDraftsRequest()],
    "DropTournamentDraft": lambda scene: [drafts_pb2.DropTournamentDraftRequest(id=1)],
    "StartTournament": lambda scene: [tournaments_pb2.StartTournamentRequest(id=scene.planned[0])],
    "CancelTournament": lambda scene: [tournaments_pb2.CancelTournamentRequest(id=scene.planned[1])],
    "PauseTournament": lambda scene: [tournaments_pb2.PauseTournamentRequest(id=scene.tournament)],
    "ResumeTournament": lambda scene: [tournaments_pb2.ResumeTournamentRequest(id=scene.tournament)],
    "VoidMatches": lambda scene: [tournaments_pb2.VoidMatchesRequest(id=scene.planned[1], round=1, reason="why")],
    "ListActs": lambda scene: [acts_pb2.ListActsRequest(tournament=scene.tournament)],
    "EnterTournament": lambda scene: [tournaments_pb2.EnterTournamentRequest(id=scene.tournament, bot=SPARE)],
    "WithdrawFromTournament": lambda scene: [
        tournaments_pb2.WithdrawFromTournamentRequest(id=scene.tournament, bot=SPARE)
    ],
    "GetTournament": lambda scene: [tournaments_pb2.GetTournamentRequest(id=scene.tournament)],
    "ListTournaments": lambda scene: [tournaments_pb2.ListTournamentsRequest()],
    "WatchTournament": lambda scene: [tournaments_pb2.WatchTournamentRequest(id=scene.tournament)],
    "ListVoidAttempts": lambda scene: [
        matches_pb2.ListVoidAttemptsRequest(),
        matches_pb2.ListVoidAttemptsRequest(tournament=scene.tournament),
    ],
    "ListMatches": lambda scene: [matches_pb2.ListMatchesRequest(limit=100)],
    "GetRecord": lambda scene: [matches_pb2.GetRecordRequest(match=match) for match in (scene.over, scene.held)],
    "GetAnalysis": lambda scene: [analysis_pb2.GetAnalysisRequest(match=match) for match in (scene.over, scene.held)],
    "RequestAnalysis": lambda scene: [analysis_pb2.RequestAnalysisRequest(match=scene.over)],
    "GetQueue": lambda scene: [nodes_pb2.GetQueueRequest()],
    "ListNodes": lambda scene: [nodes_pb2.ListNodesRequest()],
    "UploadProgram": lambda scene: [
        programs_pb2.UploadProgramRequest(bot=SPARE, hash=sha256(b"part").digest(), part=b"part")
    ],
    "HandIn": lambda scene: [
        programs_pb2.HandInRequest(
            bot=SPARE,
            hash=sha256(b"part").digest(),
            proof=archive_proof(SPARE, b"part").digest(),
            check_only=True,
        )
    ],
    "ListPrograms": lambda scene: [programs_pb2.ListProgramsRequest(bot=SPARE)],
    "GetProgram": lambda scene: [programs_pb2.GetProgramRequest(bot=SPARE)],
    "GetProgramArchive": lambda scene: [programs_pb2.GetProgramArchiveRequest(bot=SPARE)],
    "ActivateProgram": lambda scene: [programs_pb2.ActivateProgramRequest(bot=SPARE, number=1)],
    "WorkAsHost": lambda scene: [
        programs_pb2.WorkAsHostRequest(host=programs_pb2.HostReport(name="host", instance=b"1", takes_check=True))
    ],
    "FetchProgram": lambda scene: [programs_pb2.FetchProgramRequest(hash=sha256(b"part").digest())],
    "ReportProgramCheck": lambda scene: [programs_pb2.ReportProgramCheckRequest(bot=SPARE, number=1, lease=1)],
    "ListHosts": lambda scene: [programs_pb2.ListHostsRequest()],
}


def leaks(scene: Scene, callers: Mapping[str, str], places: Container[str] = EVERYWHERE) -> dict[str, set[str]]:
    """Where these callers can see anything of the board, and what."""
    leaking: defaultdict[str, set[str]] = defaultdict(set)
    for source in (_calls, _pages, _events, _tournament_events, _downloads, _streams, _prints):
        for place, data, text in source(scene, callers, places):
            leaking[place] |= scene.traces.found_in(data, text)
    return {place: found for place, found in leaking.items() if found}


def _calls(scene: Scene, callers: Mapping[str, str], places: Container[str]) -> Iterator[tuple[str, bytes, str]]:
    """Every call of the service, as everybody."""
    with grpc.insecure_channel(scene.server.grpc_address) as channel:
        stub: Any = ArenaServiceStub(channel)  # type: ignore[no-untyped-call]
        for who, token in callers.items():
            metadata = (("authorization", f"Bearer {token}"),) if token else ()
            for method in SERVICE.methods:
                place = f"{method.name} by {who}"
                for request in REQUESTS[method.name](scene) if place in places else ():
                    try:
                        answer = getattr(stub, method.name)(request, metadata=metadata, timeout=PATIENCE)
                        for message in _some(answer) if method.server_streaming else [answer]:
                            yield place, message.SerializeToString(), _json(message)
                    except grpc.RpcError as error:
                        refusal: Any = error
                        yield place, repr(refusal.trailing_metadata()).encode(), refusal.details()


def _json(message: Message) -> str:
    return MessageToJson(message, always_print_fields_with_no_presence=True)


def _some(stream: Any) -> Iterator[Message]:
    """What comes on a stream, to its end or until the tournament that is watched has been shown."""
    for message in stream:
        yield message
        if isinstance(message, tournaments_pb2.WatchTournamentResponse):
            stream.cancel()
            return


def _routes() -> list[str]:
    """Every address that the server has pages or JSON at; its style sheet, pictures and downloads are files."""
    app = create_web(cast("Reader", None), cast("Any", None), server_name="", server_version="")
    routes = [route for route in app.routes if not isinstance(route, Mount)]
    assert all(isinstance(route, Route) for route in routes)
    return [route.path for route in routes if isinstance(route, Route)]


def _pages(scene: Scene, callers: Mapping[str, str], places: Container[str]) -> Iterator[tuple[str, bytes, str]]:
    """Every address, with every number and name that can stand in it. Pages are not told who asks for them."""
    values: dict[str, list[Any]] = {
        "{id}": sorted({scene.tournament, scene.over, scene.held}),
        "{name}": scene.entrants,
        "{game}": [GAME],
        "{ladder}": [GAME],
        "{event}": ["arena"],
        "{document:path}": [one.address.removeprefix("/docs/") for one in documents().listed],
        "": [""],
    }
    with httpx.Client(base_url=f"http://{scene.server.http_address}", timeout=PATIENCE) as client:
        for path in _routes():
            hole = next(hole for hole in values if hole in path)
            for value in values[hole] if path in places else ():
                address = path.replace(hole, str(value)) if hole else path
                address = address.replace("{deal}", "1").replace("{card}", "1.1").replace("{board}", scene.traces.board)
                address = address.replace("{index}", "0").replace("{other}", CLUMSY[1]).replace("{ladder}", GAME)
                address = address.replace("{day}", f"{datetime.now(UTC):%Y-%m-%d}")
                assert "{" not in address, f"say what stands in {path}"
                answer = client.get(address)
                assert answer.status_code != 500, address
                # The deal that teaches a game is the same on every server: it may have cards, but not those of a board.
                yield path, b"", answer.text.replace('class="card ', "") if path == "/rules/{game}" else answer.text


def _events(scene: Scene, callers: Mapping[str, str], places: Container[str]) -> Iterator[tuple[str, bytes, str]]:
    """What those who watch a match are sent, up to where it says that it runs behind, or that it is over."""
    address = "/api/matches/{id}/events"
    with httpx.Client(base_url=f"http://{scene.server.http_address}", timeout=PATIENCE) as client:
        for match in (scene.over, scene.held) if address in places else ():
            for accept in ("text/event-stream", "application/x-ndjson"):
                path = address.replace("{id}", str(match))
                with client.stream("GET", path, headers={"accept": accept}) as answer:
                    assert answer.headers["content-type"] == accept
                    for line in answer.iter_lines():
                        yield address, b"", line
                        if '"type":"behind"' in line or '"type":"end"' in line:
                            break


def _tournament_events(
    scene: Scene, callers: Mapping[str, str], places: Container[str]
) -> Iterator[tuple[str, bytes, str]]:
    """What those who watch a tournament are sent at once: how it stands, with all results, or all to the end; and its
    results in the stream of the arena, where results of other boards may be seen.
    """
    streams = {"/api/tournaments/{id}/events": ("started", "end"), "/api/matches/events": ("result",)}
    some = {"/api/matches/events": f"?tournaments={scene.tournament}"}
    with httpx.Client(base_url=f"http://{scene.server.http_address}", timeout=PATIENCE) as client:
        for address, last in streams.items():
            for accept in ("text/event-stream", "application/x-ndjson") if address in places else ():
                path = address.replace("{id}", str(scene.tournament)) + some.get(address, "")
                with client.stream("GET", path, headers={"accept": accept, "last-event-id": "0.0"}) as answer:
                    assert answer.headers["content-type"] == accept
                    told = ""
                    for part in answer.iter_text():
                        told += part
                        silent = part in (":\n\n", "\n")
                        if told.endswith("\n") and (silent or any(f'"type":"{kind}"' in told for kind in last)):
                            break
                    yield address, b"", told


def _downloads(scene: Scene, callers: Mapping[str, str], places: Container[str]) -> Iterator[tuple[str, bytes, str]]:
    """All records of the tournament in one, those of the ladder, and its chain."""
    server = f"http://{scene.server.http_address}"
    for address in (f"/api/records?tournament={scene.tournament}", f"/api/records?ladder={GAME}"):
        if "/api/records" in places:
            yield "/api/records", b"", httpx.get(server + address, timeout=PATIENCE).raise_for_status().text
    if "/events/{event}/archive.zip" in places:
        archive = httpx.get(f"{server}/events/arena/archive.zip", timeout=PATIENCE).raise_for_status().content
        with zipfile.ZipFile(io.BytesIO(archive)) as files:
            numbers = {f"/matches/{match}/" for match in (scene.over, scene.held)}
            for name in files.namelist():
                text = files.read(name).decode(errors="replace")
                # Matches of other boards, which are over, may show cards: theirs.
                own = any(number in name for number in numbers) or f"/tournaments/{scene.tournament}/" in name
                yield "/events/{event}/archive.zip", b"", text if own else text.replace('class="card ', "")
    if "/api/ladders/{ladder}/chain" in places:
        answer = httpx.get(f"{server}/api/ladders/{GAME}/chain", timeout=PATIENCE).raise_for_status()
        yield "/api/ladders/{ladder}/chain", b"", answer.text


def _streams(scene: Scene, callers: Mapping[str, str], places: Container[str]) -> Iterator[tuple[str, bytes, str]]:
    """What bots were told besides their own questions and results, and what one is told that comes back."""
    for name, bot in scene.bots.items():
        for message in list(bot.messages):
            rest = play_pb2.PlayResponse()
            rest.CopyFrom(message)
            rest.ClearField("questions")
            rest.ClearField("results")
            yield f"Play of {name}", rest.SerializeToString(), _json(rest)
    with RawBot(
        scene.server.grpc_address, scene.tokens[CLUMSY[0]], take_over=True, instance=b"again", features=FEATURES
    ) as again:
        again.until(lambda: again.messages)
        for message in list(again.messages):
            yield f"Play of {CLUMSY[0]} that comes back", message.SerializeToString(), _json(message)


def _prints(scene: Scene, callers: Mapping[str, str], places: Container[str]) -> Iterator[tuple[str, bytes, str]]:
    """What the server logs, and what the command fetches."""
    yield "the log", b"", scene.server.log()
    if "records fetch" in places:
        folder = scene.server.folder / "fetched"
        yield "records fetch", b"", fetch(scene, folder)
        for file in folder.glob("*"):
            yield "records fetch", b"", file.read_text()


def fetch(scene: Scene, folder: Path) -> str:
    """What `farfalia records fetch` says of it."""
    words = ["records", "fetch", str(scene.tournament), str(folder), "--server", scene.server.grpc_address]
    done = forked.run(words, scene.server.folder, os.environ, PATIENCE)
    assert done.returncode == 0, done.stderr
    return done.stdout
