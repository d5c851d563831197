"""The table of roles in docs/accounts.md says what every call, every page and both streams allow to whom."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import grpc
import httpx
import pytest
from google.protobuf.message_factory import GetMessageClass
from starlette.routing import Mount, Route
from tests.server.live import ADMIN, PATIENCE, LiveServer, live_server
from tests.server.rawbot import RawBot

from farfalia.v1 import accounts_pb2, arena_pb2, bots_pb2, drafts_pb2, events_pb2
from farfalia_server.arena.reading import Reader
from farfalia_server.web import create_web
from farfalia_server.web.monitoring import Monitoring

DOCUMENT = Path(__file__).parents[3] / "docs" / "accounts.md"
WHO = ("nobody", "bot", "owner", "viewer", "organiser", "admin")
_REFUSED = (grpc.StatusCode.UNAUTHENTICATED, grpc.StatusCode.PERMISSION_DENIED)
_SERVICE = arena_pb2.DESCRIPTOR.services_by_name["ArenaService"]

#: What stands in a request for one's own, and for another's: (account, bot).
OWN = {"bot": ("", "ant"), "owner": ("olga", "olgas"), "viewer": ("vera", "olgas"), "organiser": ("otto", "ottos")}
ANOTHERS = ("stranger", "strange")

#: The fields of a request of each call, in which ACCOUNT, BOT and MATCH, one that the bot has played, are filled in.
ACCOUNT, BOT, MATCH, NEW = object(), object(), object(), object()
REQUESTS: Mapping[tuple[str, str], Mapping[str, Any]] = {
    ("CreateAccount", ""): {"name": NEW},
    ("CreateAccount", "another role"): {"name": NEW, "role": accounts_pb2.ROLE_VIEWER},
    ("SignIn", ""): {"name": "olga", "password": "a good password"},
    ("SignOut", ""): {},
    ("BeginOidc", ""): {},
    ("BeginOidc", "to connect"): {"connect": True},
    ("FinishOidc", ""): {},
    ("ConnectIdentity", ""): {"identity": "none"},
    ("DisconnectIdentity", ""): {"id": 99},
    ("SetPassword", ""): {"name": ACCOUNT, "password": "a good password"},
    ("SetEmail", ""): {"name": ACCOUNT},
    ("RequestPasswordLink", ""): {"name": "olga"},
    ("GetAccount", ""): {"name": ACCOUNT},
    ("RotateAccountToken", ""): {"name": ACCOUNT},
    ("ListAccounts", ""): {},
    ("ListInvitations", ""): {},
    ("RevokeAccount", ""): {"name": "nobody-there"},
    ("CreatePasswordLink", ""): {"name": "nobody-there"},
    ("ModerateAccount", ""): {"name": "nobody-there"},
    ("RenameAccount", ""): {"name": ACCOUNT, "new_name": "two words"},
    ("RemoveAccount", ""): {"name": ACCOUNT, "reason": "x" * 300},
    ("CreateApiToken", ""): {"name": "", "scope": accounts_pb2.TOKEN_SCOPE_ALL},
    ("ListApiTokens", ""): {},
    ("RevokeApiToken", ""): {"id": 99},
    ("CreateInvitation", ""): {},
    ("RevokeInvitation", ""): {"id": 99},
    ("CreateEvent", ""): {"event": events_pb2.Event(name="course")},
    ("ChangeEvent", ""): {"event": events_pb2.Event(name="nowhere")},
    ("CloseEvent", ""): {"name": "nowhere"},
    ("Announce", ""): {},
    ("RetractAnnouncement", ""): {"id": 99},
    ("GetEvent", ""): {},
    ("ListEvents", ""): {},
    ("JoinEvent", ""): {"event": "nowhere"},
    ("SetEventMember", ""): {"event": "nowhere", "account": "olga"},
    ("RemoveEventMember", ""): {"event": "nowhere", "account": ACCOUNT},
    ("RegisterBot", ""): {"name": NEW},
    ("RegisterBot", "a new version"): {"name": BOT, "version": NEW},
    ("RegisterBot", "played by the house"): {"name": NEW, "house": "greedy"},
    ("RotateToken", ""): {"name": BOT},
    ("RevokeToken", ""): {"name": BOT},
    ("ModerateBot", ""): {"name": BOT},
    ("RenameBot", ""): {"name": BOT, "new_name": "two words"},
    ("RemoveBot", ""): {"name": BOT, "reason": "x" * 300},
    ("RegisterBot", "a guest"): {"person": True},
    ("SetChallengers", ""): {"name": BOT},
    ("SetWebhook", ""): {"bot": BOT},
    ("GetWebhook", ""): {"bot": BOT},
    ("TestWebhook", ""): {"bot": BOT},
    ("CreateChallenge", ""): {"ruleset": "nothing"},
    ("CancelChallenge", ""): {"match": 99},
    ("ListBots", ""): {},
    ("GetBot", ""): {"name": BOT},
    ("GetBot", "its log"): {"name": BOT},
    ("GetBot", "its log of a match"): {"name": BOT, "match": 7},
    ("OpenLadder", ""): {},
    ("CloseLadder", ""): {"ladder": "basic"},
    ("ListLadders", ""): {},
    ("ListRatings", ""): {},
    ("ListRatingChain", ""): {},
    ("RebuildRatings", ""): {},
    ("FitLadder", ""): {},
    ("ReportCollusion", ""): {},
    ("CreateTournament", ""): {"name": "new"},
    ("SaveTournamentDraft", ""): {"draft": drafts_pb2.TournamentDraft()},
    ("GetTournamentDraft", ""): {"id": 99},
    ("ListTournamentDrafts", ""): {},
    ("DropTournamentDraft", ""): {"id": 99},
    ("StartTournament", ""): {"id": 99},
    ("CancelTournament", ""): {"id": 99},
    ("PauseTournament", ""): {"id": 99},
    ("ResumeTournament", ""): {"id": 99},
    ("VoidMatches", ""): {"id": 99, "matches": [1], "reason": "why"},
    ("ListActs", "of a tournament"): {"tournament": 99},
    ("ListActs", ""): {},
    ("EnterTournament", ""): {"id": 99, "bot": BOT},
    ("EnterTournament", "instead of another's bot"): {"id": 99, "bot": BOT, "instead_of": "strange"},
    ("WithdrawFromTournament", ""): {"id": 99, "bot": BOT},
    ("GetTournament", ""): {"id": 99},
    ("ListTournaments", ""): {},
    ("WatchTournament", ""): {"id": 99},
    ("GetDailyBoard", ""): {"ruleset": "two"},
    ("OpenGathering", ""): {},
    ("GetGathering", ""): {"key": "nothing"},
    ("JoinGathering", ""): {"key": "nothing"},
    ("LeaveGathering", ""): {"key": "nothing"},
    ("BeginGathering", ""): {"key": "nothing"},
    ("ListMatches", ""): {},
    ("ListVoidAttempts", ""): {},
    ("GetRecord", ""): {"match": 99},
    ("GetAnalysis", ""): {"match": 99},
    ("RequestAnalysis", ""): {"match": MATCH},
    ("GetQueue", ""): {},
    ("ListNodes", ""): {},
    ("UploadProgram", ""): {"bot": BOT},
    ("HandIn", ""): {"bot": BOT},
    ("ListPrograms", ""): {"bot": BOT},
    ("GetProgram", ""): {"bot": BOT},
    ("GetProgramArchive", ""): {"bot": BOT},
    ("ActivateProgram", ""): {"bot": BOT, "number": 99},
    ("WorkAsHost", ""): {},
    ("FetchProgram", ""): {},
    ("ReportProgramCheck", ""): {"bot": "nobody-there"},
    ("ListHosts", ""): {},
}


#: A match of each bot, with its number, that was given up.
_MATCHES = """
INSERT INTO match (id, round, number, stage, "table", replay, ruleset, options, board, seats, time_control, state,
                   epoch, attempt, node, note, created)
SELECT id + 90, 0, 0, 0, 0, 0, 'chinkway', '{}', 'board-1',
       '[{"bot": ' || id || ', "name": "' || name || '", "filler": 0}]',
       '{"limit_ms": 1, "bank_ms": 1, "grace": 1}', 'void', 1, 1, '', '', '2026-11-20 18:22:05.000000' FROM bot
"""


def documented() -> dict[tuple[str, str], dict[str, str]]:
    """Who may make which call, as the document says it."""
    text = DOCUMENT.read_text(encoding="utf-8")
    (table,) = re.findall(r"^\| call \| nobody .*?\n\n", text, re.MULTILINE | re.DOTALL)
    head, _, *rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in table.strip().splitlines()]
    assert tuple(head[1:]) == WHO
    found = {}
    for first, *cells in rows:
        assert set(cells) <= {"yes", "no", "own", "open"}, first
        calls, _, variant = first.partition(": ")
        named = re.findall(r"`([A-Za-z]+)`", calls) or [calls]
        for name in named:
            found[name, variant] = dict(zip(WHO, cells, strict=True))
    return found


def pages() -> dict[str, str]:
    """What the document says of pages, by method."""
    return {key[1]: cells["nobody"] for key, cells in documented().items() if key not in {*REQUESTS, ("Play", "")}}


@dataclass
class Arena:
    """A server with somebody in every role."""

    server: LiveServer
    tokens: dict[str, str]
    #: By bot, the number of a match that it has played.
    matches: dict[str, int]
    made: int = 0

    def allows(self, key: tuple[str, str], who: str, target: tuple[str, str]) -> bool:
        """Whether a call is let through; what it then says is not looked at."""
        self.made += 1
        account, bot = target
        values: dict[int, Any] = {id(ACCOUNT): account, id(BOT): bot, id(NEW): f"new-{self.made}"}
        values[id(MATCH)] = self.matches[bot]
        call, variant = key
        method = _SERVICE.methods_by_name[call]
        request: Any = GetMessageClass(method.input_type)(
            **{name: values.get(id(value), value) for name, value in REQUESTS[key].items()}
        )
        try:
            metadata = (("authorization", f"Bearer {self.tokens[who]}"),) if self.tokens[who] else ()
            answer = getattr(self.server.arena, call)(request, metadata=metadata, timeout=PATIENCE)
            if method.server_streaming:
                next(answer)
                answer.cancel()
        except grpc.RpcError as error:
            refusal: Any = error
            code = refusal.code()
            if code in _REFUSED and call not in ("CreateAccount", "RegisterBot"):  # which may be closed to nobody, too
                assert (code is grpc.StatusCode.UNAUTHENTICATED) == (not self.tokens[who]), (key, who)
            return code not in _REFUSED
        if call == "RotateAccountToken":
            self.tokens |= {whose: answer.token for whose, own in OWN.items() if own[0] == account}
        if call in ("RotateToken", "RevokeToken") and who == "bot":
            self.renew()
        if variant.startswith("its log"):
            return bool(answer.logs)
        return True

    def renew(self) -> None:
        """Give the bot a token that is known."""
        self.tokens["bot"] = self.server.call("RotateToken", bots_pb2.RotateTokenRequest(name="ant")).token

    def refuse_or_allow(self, key: tuple[str, str], who: str) -> set[str]:
        """The cells that the table may have."""
        own = self.allows(key, who, OWN.get(who, OWN["owner"]))
        another = self.allows(key, who, ANOTHERS)
        if own and not another:
            return {"own"}
        assert own or not another, (key, who)
        return {"yes"} if own else {"no", "open"}


@pytest.fixture(scope="module", params=["closed", "open"])
def arena(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Arena]:
    folder = tmp_path_factory.mktemp(f"access-{request.param}")
    with live_server(folder, registration=request.param) as server:
        tokens = {"nobody": "", "admin": ADMIN}
        for name, role in (
            ("olga", accounts_pb2.ROLE_OWNER),
            ("vera", accounts_pb2.ROLE_VIEWER),
            ("otto", accounts_pb2.ROLE_ORGANISER),
            ("stranger", accounts_pb2.ROLE_OWNER),
        ):
            asked = accounts_pb2.CreateAccountRequest(name=name, role=role, password="a good password")
            made = server.call("CreateAccount", asked)
            who = next((who for who, own in OWN.items() if own[0] == name), name)
            tokens[who] = made.token
        for bot, owner in (("ant", ""), ("olgas", "olga"), ("ottos", "otto"), ("strange", "stranger")):
            tokens[bot] = server.call("RegisterBot", bots_pb2.RegisterBotRequest(name=bot, owner=owner)).token
        tokens["bot"] = tokens["ant"]
        with sqlite3.connect(folder / "data/farfalia.db", timeout=PATIENCE) as connection:
            connection.execute(
                "INSERT INTO bot_log (bot_id, time, match_id, text)"
                " SELECT id, '2026-11-20 18:22:05.000000', match, 'mine' FROM bot, (SELECT 0 AS match UNION SELECT 7)"
            )
            connection.execute(_MATCHES)
            matches = dict(connection.execute("SELECT name, id + 90 FROM bot"))
        connection.close()
        yield Arena(server, tokens, matches)
        assert "Traceback" not in server.log()


def test_the_table_and_these_tests_name_every_call() -> None:
    calls = {method.name for method in _SERVICE.methods}
    assert {call for call, _ in REQUESTS} == calls
    assert {call for call, _ in documented()} >= calls
    assert set(documented()) >= set(REQUESTS)


def test_every_call_allows_what_the_table_says(arena: Arena, request: pytest.FixtureRequest) -> None:
    wrong, table = [], documented()
    is_open = "open]" in request.node.name
    for key in REQUESTS:
        for who in WHO:
            cell = table[key][who]
            expected = {"no", "open"} if cell == "no" or (cell == "open" and not is_open) else {cell}
            if cell == "open" and is_open:
                expected = {"yes"}
            if (found := arena.refuse_or_allow(key, who)) != expected:
                wrong.append((key, who, cell, found))
    assert wrong == []


def test_a_token_for_a_host_is_good_for_nothing_that_a_stranger_may_not_do(arena: Arena) -> None:
    server = arena.server
    asked = accounts_pb2.CreateAccountRequest(name="ada", role=accounts_pb2.ROLE_ADMIN, password="a good password")
    metadata = (("authorization", f"Bearer {server.call('CreateAccount', asked).token}"),)
    scope = accounts_pb2.CreateApiTokenRequest(name="one", scope=accounts_pb2.TOKEN_SCOPE_HOST)
    arena.tokens["host"] = server.arena.CreateApiToken(scope, metadata=metadata, timeout=PATIENCE).token
    of_hosts = {"WorkAsHost", "FetchProgram", "ReportProgramCheck"}
    allowed = []
    for target in (("ada", "ant"), ANOTHERS):
        for key in [key for key in REQUESTS if key[0] not in of_hosts]:
            if arena.allows(key, "host", target) and not arena.allows(key, "nobody", target):
                allowed.append((key, target))
    assert allowed == []


def test_only_a_bot_opens_a_stream_to_play(arena: Arena) -> None:
    cells = documented()["Play", ""]
    arena.renew()
    for who in WHO:
        with RawBot(arena.server.grpc_address, arena.tokens[who]) as stream:
            stream.until(lambda stream=stream: stream.messages or stream.over)  # type: ignore[misc]
            assert bool(stream.messages) == (cells[who] == "yes"), who
            if not stream.messages:
                code, _, text = stream.ending()
                assert code is grpc.StatusCode.UNAUTHENTICATED
                assert (text.startswith("this is the admin token or an account's")) == (who != "nobody"), text


def routes() -> list[str]:
    """Every address at the HTTP port, with something in its holes."""
    app = create_web(cast("Reader", None), cast("Any", None), server_name="", server_version="")
    monitoring = Monitoring(cast("Any", None), cast("Any", None)).application().routes
    found = []
    for route in (*app.routes, *monitoring):
        assert isinstance(route, (Mount, Route))
        found.append(re.sub(r"\{\w+(:\w+)?\}", "1", route.path) + ("/" if isinstance(route, Mount) else ""))
    return found


@pytest.mark.slow
def test_every_page_answers_everyone_alike_and_no_request_changes_anything(arena: Arena) -> None:
    assert pages() == {"GET": "yes", "any other method": "no"}
    before = contents(arena.server)
    with httpx.Client(base_url=f"http://{arena.server.http_address}", timeout=PATIENCE) as client:
        for path in routes():
            answers = set()
            for who in WHO:
                headers = {"authorization": f"Bearer {arena.tokens[who]}"} if arena.tokens[who] else {}
                answers.add(client.get(path, headers=headers).status_code)
            assert len(answers) == 1, (path, answers)
            assert answers <= {200, 302, 307, 404}, (path, answers)
            for method in ("POST", "PUT", "PATCH", "DELETE"):
                headers = {"authorization": f"Bearer {ADMIN}", "origin": "https://elsewhere.example"}
                status = client.request(method, path, headers=headers, content=b"name=new").status_code
                assert status in {404, 405}, (method, path, status)
    assert contents(arena.server) == before


def contents(server: LiveServer) -> dict[str, int]:
    """How many rows each table has."""
    with sqlite3.connect(server.folder / "data/farfalia.db", timeout=PATIENCE) as connection:
        names = [name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        return {name: connection.execute(f"SELECT count(*) FROM {name}").fetchone()[0] for name in names}
