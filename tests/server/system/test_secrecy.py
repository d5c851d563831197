"""No card of a board can be seen while a table plays it: every call, every address and both streams are tried."""

from __future__ import annotations

import os
import sqlite3
import time
from collections import defaultdict
from collections.abc import Callable, Container, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field, fields
from functools import partial
from pathlib import Path
from typing import Any, cast

import grpc
import httpx
import pytest
from google.protobuf.json_format import MessageToJson
from google.protobuf.message import Message
from starlette.routing import Mount, Route
from tests.cli import forked
from tests.server.card_traces import Traces
from tests.server.live import ADMIN, PATIENCE, LiveServer, live_server
from tests.server.rawbot import RawBot, first_legal

from farfalia.v1 import (
    accounts_pb2,
    arena_pb2,
    bots_pb2,
    ladders_pb2,
    matches_pb2,
    nodes_pb2,
    play_pb2,
    ratings_pb2,
    record_pb2,
    stages_pb2,
    tournaments_pb2,
)
from farfalia.v1.arena_pb2_grpc import ArenaServiceStub
from farfalia_server.arena.reading import Reader
from farfalia_server.store.archive import unpack
from farfalia_server.web import PageRequest, create_web

CLUMSY = ("ada", "ben", "cleo")
GAME, FEATURES = "three-short", ("results", "records")
SLOW, SPARE, IDLE, OWNER = "slow", "spare", "idle", "olga"
HOUSE = ("house-greedy-1", "house-greedy-2")
CONTROL = record_pb2.TimeControl(limit_ms=120_000, bank_ms=0, grace=3)
_SERVICE = arena_pb2.DESCRIPTOR.services_by_name["ArenaService"]


class Everywhere:
    """Every place that there is."""

    def __contains__(self, place: object) -> bool:
        return True


EVERYWHERE = Everywhere()


@dataclass
class Scene:
    """A tournament of one round: the match `over` has ended, `held` has the same board and waits for one bot."""

    server: LiveServer
    tournament: int
    over: int
    held: int
    slow: Slow
    tokens: Mapping[str, str]
    traces: Traces
    bots: Mapping[str, RawBot]
    planned: tuple[int, int]

    @property
    def entrants(self) -> list[str]:
        return [*self.tokens, *HOUSE]


@dataclass
class Slow:
    """Answers every question but those of one match, which it keeps; without a number, those of all its matches."""

    held: int | None
    kept: list[play_pb2.Question] = field(default_factory=list)
    free: bool = False

    def __call__(self, bot: RawBot, message: play_pb2.PlayResponse) -> None:
        if not self.free:
            self.kept += [question for question in message.questions if self.held in (None, question.match)]
        answered = [question for question in message.questions if self.free or self.held not in (None, question.match)]
        first_legal(bot, play_pb2.PlayResponse(questions=answered))

    def play_on(self, bot: RawBot) -> None:
        self.free = True
        first_legal(bot, play_pb2.PlayResponse(questions=self.kept))


def clumsy() -> Callable[[RawBot, play_pb2.PlayResponse], None]:
    """Answers with the first legal action, after one answer in each match that is not legal."""
    erred: set[int] = set()

    def react(bot: RawBot, message: play_pb2.PlayResponse) -> None:
        questions = []
        for question in message.questions:
            if question.match in erred:
                questions.append(question)
            else:
                erred.add(question.match)
                bot.act(question.match, question.number, 9999)
        first_legal(bot, play_pb2.PlayResponse(questions=questions))

    return react


@pytest.fixture(params=["datum", "rotations"])
def scene(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Scene]:
    rotations = request.param == "rotations"
    with live_server(tmp_path) as server, ExitStack() as streams:
        names = [SLOW, *CLUMSY[:1]] if rotations else [SLOW, *CLUMSY]
        tokens = {name: server.register(name) for name in (*names, SPARE)}
        server.register(IDLE)
        planned = tuple(server.tournament([HOUSE[0]], rounds=1, start=False) for _ in range(2))
        number = server.tournament(
            names if rotations else [*names, *HOUSE],
            rounds=1,
            start=False,
            control=CONTROL,
            ruleset=GAME,
            boards=stages_pb2.BOARDS_ROTATIONS if rotations else stages_pb2.BOARDS_DATUM,
        )
        matches = sorted(server.matches(number), key=lambda match: match.id)
        assert len(matches) == (3 if rotations else 2)
        slow = Slow(matches[-1].id if rotations else None)
        bots = {
            name: streams.enter_context(
                RawBot(
                    server.grpc_address,
                    token,
                    features=FEATURES,
                    rulesets=(GAME,),
                    react=slow if name == SLOW else clumsy(),
                )
            )
            for name, token in tokens.items()
        }
        for bot in bots.values():
            bot.until(partial(bool, bot.messages))
        server.call("StartTournament", tournaments_pb2.StartTournamentRequest(id=number))
        server.wait_for(number, finished=len(matches) - 1)
        bots[SLOW].until(lambda: slow.kept)
        matches = sorted(server.matches(number), key=lambda match: match.id)  # as drawn at the start
        held = slow.kept[0].match
        over = next(
            match.id for match in matches if match.id != held and any(name in match.entrants for name in CLUMSY)
        )
        record, secret = _kept(tmp_path / "data/farfalia.db", over)
        quote = next((one.text for one in record.incidents if "legal were" in one.text), "")
        assert quote, record.incidents
        _void(tmp_path / "data/farfalia.db", over, quote)
        yield Scene(
            server, number, over, held, slow, tokens, Traces(record, secret), bots, cast("tuple[int, int]", planned)
        )


def _kept(database: Path, match: int) -> tuple[record_pb2.Record, bytes]:
    """A record and the secret of its deals, as nobody but the server can read them."""
    connection = sqlite3.connect(database)
    (data,) = connection.execute("SELECT data FROM record WHERE match_id = ?", (match,)).fetchone()
    (secret,) = connection.execute(
        "SELECT t.secret FROM tournament t JOIN match m ON m.tournament_id = t.id WHERE m.id = ?", (match,)
    ).fetchone()
    connection.close()
    return unpack(match, data), secret


def _void(database: Path, match: int, text: str) -> None:
    """Says that an attempt on the match's board was void: no real server fails on demand and says what it was about."""
    connection = sqlite3.connect(database, timeout=PATIENCE)
    connection.execute(
        "INSERT INTO void_attempt (match_id, attempt, reason, text, voided)"
        " VALUES (?, 1, 'unplayable', ?, '2026-11-20 18:22:05.000000')",
        (match, text),
    )
    connection.commit()
    connection.close()


# Everything that can be asked ----------------------------------------------------------------------------------

#: A request of every call; several where what is asked for has a number or a name.
REQUESTS: dict[str, Callable[[Scene], list[Message]]] = {
    "CreateAccount": lambda scene: [accounts_pb2.CreateAccountRequest(name="new")],
    "GetAccount": lambda scene: [accounts_pb2.GetAccountRequest(), accounts_pb2.GetAccountRequest(name=OWNER)],
    "ListAccounts": lambda scene: [accounts_pb2.ListAccountsRequest()],
    "RotateAccountToken": lambda scene: [accounts_pb2.RotateAccountTokenRequest(name="nobody")],
    "RevokeAccount": lambda scene: [accounts_pb2.RevokeAccountRequest(name="new")],
    "CreateInvitation": lambda scene: [accounts_pb2.CreateInvitationRequest()],
    "ListInvitations": lambda scene: [accounts_pb2.ListInvitationsRequest()],
    "RevokeInvitation": lambda scene: [accounts_pb2.RevokeInvitationRequest(id=1)],
    "RevokeToken": lambda scene: [bots_pb2.RevokeTokenRequest(name=IDLE)],
    "RegisterBot": lambda scene: [bots_pb2.RegisterBotRequest(name="new")],
    "RotateToken": lambda scene: [bots_pb2.RotateTokenRequest(name=SPARE)],
    "ListBots": lambda scene: [bots_pb2.ListBotsRequest()],
    "GetBot": lambda scene: [
        bots_pb2.GetBotRequest(name=name, match=match)
        for name in scene.entrants
        for match in (0, scene.over, scene.held)
    ],
    "OpenLadder": lambda scene: [ladders_pb2.OpenLadderRequest(ladder=ladders_pb2.Ladder(ruleset="basic"))],
    "CloseLadder": lambda scene: [ladders_pb2.CloseLadderRequest(ruleset="basic")],
    "ListLadders": lambda scene: [ladders_pb2.ListLaddersRequest()],
    "ListRatings": lambda scene: [ratings_pb2.ListRatingsRequest(ladder=GAME, all_versions=True)],
    "ListRatingChain": lambda scene: [ratings_pb2.ListRatingChainRequest(ladder=GAME)],
    "RebuildRatings": lambda scene: [ratings_pb2.RebuildRatingsRequest()],
    "FitLadder": lambda scene: [ratings_pb2.FitLadderRequest(ladder=GAME)],
    "ReportCollusion": lambda scene: [ratings_pb2.ReportCollusionRequest(ladder=GAME)],
    "CreateTournament": lambda scene: [tournaments_pb2.CreateTournamentRequest(name="new", bots=[SPARE])],
    "StartTournament": lambda scene: [tournaments_pb2.StartTournamentRequest(id=scene.planned[0])],
    "CancelTournament": lambda scene: [tournaments_pb2.CancelTournamentRequest(id=scene.planned[1])],
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
    "ListMatches": lambda scene: [matches_pb2.ListMatchesRequest(limit=1000)],
    "GetRecord": lambda scene: [matches_pb2.GetRecordRequest(match=match) for match in (scene.over, scene.held)],
    "GetQueue": lambda scene: [nodes_pb2.GetQueueRequest()],
    "ListNodes": lambda scene: [nodes_pb2.ListNodesRequest()],
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
            for method in _SERVICE.methods:
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
        "": [""],
    }
    with httpx.Client(base_url=f"http://{scene.server.http_address}", timeout=PATIENCE) as client:
        for path in _routes():
            hole = next(hole for hole in values if hole in path)
            for value in values[hole] if path in places else ():
                address = path.replace(hole, str(value)) if hole else path
                address = address.replace("{deal}", "1").replace("{card}", "1.1").replace("{board}", scene.traces.board)
                address = address.replace("{index}", "0").replace("{other}", CLUMSY[1])
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
    """What those who watch a tournament are sent, with all results, up to what is being played now or the end."""
    address = "/api/tournaments/{id}/events"
    with httpx.Client(base_url=f"http://{scene.server.http_address}", timeout=PATIENCE) as client:
        for accept in ("text/event-stream", "application/x-ndjson") if address in places else ():
            path = address.replace("{id}", str(scene.tournament))
            with client.stream("GET", path, headers={"accept": accept, "last-event-id": "0.0"}) as answer:
                assert answer.headers["content-type"] == accept
                for line in answer.iter_lines():
                    yield address, b"", line
                    if '"type":"result"' in line or '"type":"end"' in line:
                        break


def _downloads(scene: Scene, callers: Mapping[str, str], places: Container[str]) -> Iterator[tuple[str, bytes, str]]:
    """All records of the tournament in one, those of the ladder, and its chain."""
    server = f"http://{scene.server.http_address}"
    for address in (f"/api/records?tournament={scene.tournament}", f"/api/records?ladder={GAME}"):
        if "/api/records" in places:
            yield "/api/records", b"", httpx.get(server + address, timeout=PATIENCE).raise_for_status().text
    if "/api/ladders/{game}/chain" in places:
        answer = httpx.get(f"{server}/api/ladders/{GAME}/chain", timeout=PATIENCE).raise_for_status()
        yield "/api/ladders/{game}/chain", b"", answer.text


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


def test_every_call_is_tried() -> None:
    assert set(REQUESTS) == {method.name for method in _SERVICE.methods}


def test_a_page_is_not_told_who_asks_for_it() -> None:
    known = {field.name for field in fields(PageRequest)}
    assert known == {"method", "path", "raw_path", "query", "gzip"}, "ask for pages as an entrant and as the admin, too"


def account(scene: Scene, name: str, role: accounts_pb2.Role) -> str:
    """The token of a new account; an owner's owns the bots of the table, as far as the server can tell."""
    request = accounts_pb2.CreateAccountRequest(name=name, role=role)
    token: str = scene.server.call("CreateAccount", request).token
    if role == accounts_pb2.ROLE_OWNER:
        with sqlite3.connect(scene.server.folder / "data/farfalia.db", timeout=PATIENCE) as connection:
            connection.execute("UPDATE bot SET account_id = (SELECT id FROM account WHERE name = ?)", (name,))
        connection.close()
    return token


@pytest.mark.slow
def test_nothing_shows_a_card_of_a_board_that_is_still_played(scene: Scene) -> None:
    everyone = {"nobody": "", "an entrant": scene.tokens[CLUMSY[0]], "the admin": ADMIN}
    everyone |= {"an owner": account(scene, OWNER, accounts_pb2.ROLE_OWNER)}
    everyone |= {"a viewer": account(scene, "vera", accounts_pb2.ROLE_VIEWER)}
    everyone |= {"an organiser": account(scene, "otto", accounts_pb2.ROLE_ORGANISER)}
    assert leaks(scene, everyone) == {}
    assert scene.server.show(scene.tournament).state == tournaments_pb2.TOURNAMENT_STATE_RUNNING

    scene.slow.play_on(scene.bots[SLOW])
    scene.server.wait_for(scene.tournament)
    wanted = {
        "GetRecord by nobody": {"key", "secret", "actions", "incidents"},
        "/api/records/{id}": {"key", "secret", "actions", "incidents"},
        "/records/{id}.json": {"key", "secret", "actions", "incidents"},
        "/matches/{id}": {"key", "incidents"},
        "/matches/{id}/{deal}": {"cards on a page"},
        "/bots/{name}": {"incidents"},
        "/api/bots/{name}": {"incidents"},
        "GetBot by nobody": {"incidents"},
        "ListVoidAttempts by nobody": {"key", "secret", "incidents"},
        "/api/void-attempts": {"key", "secret", "incidents"},
        "/tournaments/{id}": {"key", "secret", "incidents"},
        "records fetch": {"key", "secret", "actions", "incidents"},
        "/api/matches/{id}/events": {"cards in events"},
        f"Play of {SLOW}": {"key", "secret"},
    }
    deadline = time.monotonic() + PATIENCE
    while wanted:  # a page is shown as it was until its standings have been computed
        open_now = leaks(scene, {"nobody": ""}, wanted)
        wanted = {place: shown for place, shown in wanted.items() if shown - open_now.get(place, set())}
        assert time.monotonic() < deadline, wanted
        time.sleep(0.2)
