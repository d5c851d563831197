"""Nobody but its organisers learns of a draft: every call that reads and every page is asked."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, cast

import grpc
import httpx
import pytest
from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass
from starlette.routing import Mount, Route
from tests.server.live import PATIENCE, LiveServer, live_server
from tests.server.system.form_browser import Browser

from farfalia.v1 import accounts_pb2, arena_pb2, bots_pb2, drafts_pb2, events_pb2, tournaments_pb2
from farfalia_server.arena.reading import Reader
from farfalia_server.web import create_web

#: What stands in the draft and nowhere else.
SECRET = "zymurgy"
EVENT, BOT = "course", "ant"
READING = ("Get", "List", "Watch", "Report")
#: What may stand in a request of a call, or in the address of a page.
TEXTS, NUMBERS = ("", EVENT, BOT, "chinkway", "olga", SECRET, SECRET[:3]), (0, 1)
PLACES = {"{id}": "1", "{name}": BOT, "{game}": "chinkway", "{ladder}": "chinkway", "{event}": EVENT}
OTHERS = {"{document:path}": "events", "{deal}": "1", "{card}": "1.1", "{board}": "board-1", "{index}": "0"}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    """A server with an event, a tournament of it, and a draft that has the word."""
    with live_server(tmp_path_factory.mktemp("drafts"), registration="open") as live:
        event = events_pb2.Event(name=EVENT, title="A course")
        live.call("CreateEvent", events_pb2.CreateEventRequest(event=event))
        live.call("ChangeEvent", events_pb2.ChangeEventRequest(event=event, publish=True))
        live.register(BOT)
        request = tournaments_pb2.CreateTournamentRequest(name="known", bots=[BOT], event=EVENT, rounds=1)
        live.call("CreateTournament", request)
        request.name = f"the {SECRET} cup"
        draft = drafts_pb2.TournamentDraft(plan=request)
        for _ in range(2):  # one of them stays as it is, the other is changed
            made = live.call("SaveTournamentDraft", drafts_pb2.SaveTournamentDraftRequest(draft=draft)).draft
        made.plan.rounds = 2
        live.call("SaveTournamentDraft", drafts_pb2.SaveTournamentDraftRequest(draft=made))
        yield live


def requests(call: str) -> Iterator[Message]:
    """Requests of a call: empty, with each text in each field, with each number in each."""
    kind = GetMessageClass(arena_pb2.DESCRIPTOR.services_by_name["ArenaService"].methods_by_name[call].input_type)
    numbers = (FieldDescriptor.TYPE_UINT32, FieldDescriptor.TYPE_UINT64)
    fields = [field for field in kind.DESCRIPTOR.fields if not field.is_repeated]
    texts = [field.name for field in fields if field.type == FieldDescriptor.TYPE_STRING]
    counts = [field.name for field in fields if field.type in numbers]
    yield kind()
    for name, value in [*((n, t) for n in texts for t in TEXTS), *((n, c) for n in counts for c in NUMBERS)]:
        values: dict[str, Any] = {name: value}
        yield kind(**values)


def asked(server: LiveServer, call: str, request: Message, token: str) -> str:
    """What a call answers, or how it refuses."""
    metadata = (("authorization", f"Bearer {token}"),) if token else ()
    try:
        answer = getattr(server.arena, call)(request, metadata=metadata, timeout=PATIENCE)
        if isinstance(answer, grpc.Call) and call.startswith("Watch"):
            first = str(next(cast(Any, answer)))
            answer.cancel()
            return first
        return str(answer)
    except grpc.RpcError as error:
        refusal: Any = error
        return str(refusal.details())


@pytest.fixture(scope="module")
def tokens(server: LiveServer) -> dict[str, str]:
    """Those who organise nothing: nobody, a bot, an owner, a viewer, a member and a helper of the event."""
    found = {"nobody": "", "bot": server.call("RegisterBot", bots_pb2.RegisterBotRequest(name="bee")).token}
    for name in ("organiser", "owner", "viewer", "member", "helper"):
        role = accounts_pb2.ROLE_VIEWER if name == "viewer" else accounts_pb2.ROLE_OWNER
        found[name] = server.call("CreateAccount", accounts_pb2.CreateAccountRequest(name=name, role=role)).token
    in_event = (
        ("organiser", events_pb2.MEMBER_ROLE_ORGANISER),
        ("member", events_pb2.MEMBER_ROLE_MEMBER),
        ("helper", events_pb2.MEMBER_ROLE_HELPER),
    )
    for name, member in in_event:
        wanted = events_pb2.SetEventMemberRequest(event=EVENT, account=name, role=member)
        server.call("SetEventMember", wanted)
    return found


@pytest.mark.parametrize("who", ["nobody", "bot", "owner", "viewer", "member", "helper"])
def test_no_call_that_reads_tells_of_a_draft(server: LiveServer, tokens: dict[str, str], who: str) -> None:
    for method in arena_pb2.DESCRIPTOR.services_by_name["ArenaService"].methods:
        for request in requests(method.name) if method.name.startswith(READING) else ():
            said = asked(server, method.name, request, tokens[who])
            repeated = f'"{SECRET}' in str(request)  # a refusal may repeat what it was asked for
            assert f"the {SECRET} cup" not in said, (method.name, request)
            assert repeated or SECRET not in said, (method.name, request)


def test_those_who_organise_the_event_read_it(server: LiveServer, tokens: dict[str, str]) -> None:
    for request in (drafts_pb2.GetTournamentDraftRequest(id=1), drafts_pb2.ListTournamentDraftsRequest()):
        call = request.DESCRIPTOR.name.removesuffix("Request")
        assert f"the {SECRET} cup" in asked(server, call, request, tokens["organiser"])


def test_no_page_tells_of_a_draft(server: LiveServer) -> None:
    app = create_web(cast("Reader", None), cast("Any", None), server_name="", server_version="")
    routes = [route for route in app.routes if not isinstance(route, Mount)]
    paths = [route.path for route in routes if isinstance(route, Route) and "GET" in (route.methods or ())]
    with httpx.Client(base_url=f"http://{server.http_address}", timeout=PATIENCE) as client:
        for path in [*paths, f"/bots?search={SECRET[:3]}", "/tournaments?event=course", "/account/tournaments"]:
            for hole, value in (PLACES | OTHERS | {"{other}": "bee"}).items():
                path = path.replace(hole, value)
            if path.endswith("/events") and path.startswith("/api/"):
                continue  # streams: they tell what the pages do
            assert f"the {SECRET} cup" not in client.get(path).text, path


@pytest.mark.parametrize("page", ["", "?draft=1", "?draft=1&step=2", "?draft=1&step=4"])
def test_no_desk_shows_it_to_those_who_organise_nothing(server: LiveServer, page: str) -> None:
    with Browser(server) as browser:
        browser.sign_up(f"olga{len(page)}")
        for path in ("/account/tournaments", "/account/tournaments/draft", f"/account/events{page}"):
            assert SECRET not in browser.client.get(path + page).text
