"""What programs read over real HTTP: JSON, its description, health and metrics."""

from __future__ import annotations

import csv
import io
import json
import re
from typing import Any

from google.protobuf.json_format import ParseDict
from tests.server.web_site import Site

from farfalia.v1 import bots_pb2, matches_pb2, nodes_pb2, ratings_pb2, record_pb2, tournaments_pb2
from farfalia_server.rating.rater import Rater
from farfalia_server.records.files import loads
from farfalia_server.web.api import Api
from farfalia_server.web.json_addresses import DOWNLOADS, PATHS, STREAMS

# JSON ----------------------------------------------------------------------------------------------------------


async def test_the_json_is_the_contracts_messages(season: Site) -> None:
    reader = season.here.reader
    assert ParseDict(await season.json("/api/ratings"), ratings_pb2.ListRatingsResponse()) == await reader.ratings("")
    assert ParseDict(await season.json("/api/bots"), bots_pb2.ListBotsResponse()) == await reader.bots.page()
    assert ParseDict(await season.json("/api/tournaments/2"), tournaments_pb2.Tournament()) == await reader.tournament(
        2
    )
    assert ParseDict(await season.json("/api/matches/1"), matches_pb2.Match()) == await reader.match(1)
    assert ParseDict(await season.json("/api/records/1"), record_pb2.Record()) == await reader.record(1)
    assert ParseDict(await season.json("/api/queue"), nodes_pb2.GetQueueResponse()) == await reader.queue()


async def test_a_flag_is_true_or_false(season: Site) -> None:
    refused = await season.json("/api/ratings?all_versions=perhaps", 400)
    assert refused["detail"] == "all_versions is 'perhaps'; expected true or false"
    assert await season.json("/api/ratings?all_versions=false") == await season.json("/api/ratings")


async def test_a_parameter_that_an_address_does_not_have_is_refused_by_name(season: Site) -> None:
    refused = await season.get("/api/matches?befor=3", 400)
    assert refused.headers["content-type"] == "application/problem+json"
    assert refused.json() == {
        "title": "Bad request",
        "status": 400,
        "detail": "there is no parameter 'befor' at this address; "
        "expected against, before, bot, event, format, game, limit, newest, place, seats, since, state, strikes, "
        "tournament or version (did you mean before?)",
        "reason": "FIELD_INVALID",
    }
    assert "expected none here" in (await season.json("/api/queue?x=1", 400))["detail"]


async def test_the_next_address_leads_through_a_whole_list(season: Site) -> None:
    for address, field, key in (
        ("/api/matches?tournament=1&limit=1", "matches", "id"),
        ("/api/bots?limit=1", "bots", "name"),
        ("/api/tournaments?limit=1", "tournaments", "id"),
        ("/api/ratings?limit=1", "bots", "bot"),
    ):
        everything = [row[key] for row in (await season.json(address.replace("limit=1", "limit=1000")))[field]]
        assert len(everything) > 1
        found, following = [], address
        while following:
            page = await season.json(following)
            found += [row[key] for row in page[field]]
            following = page.get("next", "")
        assert found == everything, address


async def test_a_list_is_a_table_for_spreadsheets_too(season: Site) -> None:
    answer = await season.get("/api/matches?tournament=1&format=csv")
    assert answer.headers["content-type"].startswith("text/csv")
    rows = list(csv.DictReader(io.StringIO(answer.text)))
    shown = (await season.json("/api/matches?tournament=1"))["matches"]
    assert [(row["id"], row["state"], row["outcome.points"]) for row in rows] == [
        (match["id"], match["state"], " ".join(map(str, match["outcome"]["points"]))) for match in shown
    ]
    assert (await season.json("/api/matches?format=xml", 400))["detail"] == "format is 'xml'; expected json or csv"


async def test_every_table_is_one_for_spreadsheets_under_a_name_of_its_own(season: Site) -> None:
    board = (await season.here.store.matches.get(1)).board
    values = {"id": "1", "name": "ant", "other": "bee", "board": board, "event": "arena"}
    values |= {"game": "two", "day": "2026-01-02", "ladder": "chinkway"}
    files = {}
    for path in PATHS:
        if path.rows:
            answer = await season.get(path.address.format(**values) + "?format=csv")
            assert answer.headers["content-type"].startswith("text/csv"), path.address
            shown = (await season.json(path.address.format(**values)))[path.rows]
            assert len(list(csv.reader(io.StringIO(answer.text)))) == (len(shown) + 1 if shown else 0), path.address
            files[path.address] = answer.headers["content-disposition"].partition("=")[2]
    assert files["/api/bots/{name}/vs/{other}"] == '"ant-vs-bee.csv"'
    assert files["/api/tournaments/{id}/boards/{board}"] == f'"tournament-1-{board}.csv"'
    assert len(set(files.values())) == len(files) == 23


async def test_ladders_are_told_by_name_and_open_ones_with_what_is_played(season: Site) -> None:
    assert await season.json("/api/ladders") == {"ladders": [], "voidAttempts": {}, "rated": ["chinkway"]}


async def test_a_record_that_is_not_there_is_a_problem_with_a_reason(season: Site) -> None:
    refused = await season.get("/records/77.json", 404)
    assert refused.headers["content-type"] == "application/problem+json"
    assert refused.json()["reason"] == "MATCH_UNKNOWN"


async def test_scripts_of_other_sites_may_read_the_json_and_nothing_else(season: Site) -> None:
    for path in ("/api/matches/1", "/api/matches/77", "/records/1.json"):
        assert (await season.client.get(path)).headers["access-control-allow-origin"] == "*"
    asked = await season.client.options("/api/matches")
    assert (asked.status_code, asked.headers["access-control-allow-methods"]) == (204, "GET, HEAD")
    assert "access-control-allow-origin" not in (await season.client.get("/")).headers


async def test_a_record_can_be_downloaded_as_a_file(season: Site) -> None:
    answer = await season.get("/records/1.json")
    assert answer.headers["content-type"] == "application/json"
    assert loads(answer.text) == await season.here.reader.record(1)


async def test_the_description_names_every_address_and_what_comes_back(season: Site) -> None:
    await Rater(season.here.store).rate_all()
    description = await season.json("/api/openapi.json")
    routes = {route.path for route in Api(season.here.reader, "0").routes()} - {"/api/openapi.json"}
    downloads = {path.address for path in DOWNLOADS}
    streams = {path.address for path in STREAMS}
    read = {path: item for path, item in description["paths"].items() if "get" in item}
    assert set(read) == routes | downloads | streams
    for path, item in read.items():
        assert item["get"]["operationId"]
        assert item["get"]["tags"] == [path.split("/")[2]]
        assert item["get"]["responses"]["429"]["headers"].keys() == {"Retry-After"}
        assert all("example" in parameter for parameter in item["get"]["parameters"])
        named = {parameter["name"] for parameter in item["get"]["parameters"] if parameter["in"] == "path"}
        assert named == set(re.findall(r"{(\w+)}", path))
        if path in streams:
            answer = item["get"]["responses"]["200"]["content"]
            assert answer.keys() == {"text/event-stream", "application/x-ndjson"}
            continue
        board = (await season.here.store.matches.get(1)).board
        address = path.replace("{id}", "1").replace("{name}", "ant").replace("{other}", "bee").replace("{board}", board)
        address = address.replace("{event}", "arena").replace("{game}", "two").replace("{day}", "2026-01-02")
        address = address.replace("{ladder}", "chinkway") if path not in downloads else address
        kind = "application/x-ndjson" if path in downloads else "application/json"
        schema = item["get"]["responses"]["200"]["content"][kind]["schema"]
        if path not in downloads:
            fits(await season.json(address), schema, description["components"]["schemas"], path)
            continue
        ladder = (await season.here.store.matches.get(1)).ruleset
        query = "?ladder=" + ladder if path == "/api/records" else ""
        answer = await season.get(address.replace("{ladder}", ladder) + query)
        assert answer.headers["content-type"] == kind
        assert answer.text.strip(), path
        for line in answer.text.splitlines():
            fits(json.loads(line), schema, description["components"]["schemas"], path)
    match = description["components"]["schemas"]["Match"]["properties"]
    assert match["entrants"]["description"] == "Entrants by seat."
    page = await season.text("/api")
    assert (
        "/api/tournaments/{id} One tournament with its standings; as CSV the standings alone ( Tournament ) format csv"
        in page
    )
    assert "give one of the two ( Record , one per line) tournament the tournament with this number" in page


def fits(value: Any, schema: dict[str, Any], schemas: dict[str, Any], where: str) -> None:
    """The value has nothing that the schema does not know, all the way down."""
    if "$ref" in schema:
        schema = schemas[schema["$ref"].rpartition("/")[2]]
    kinds = {"object": dict, "array": list, "string": str, "boolean": bool, "number": int | float, "integer": int}
    assert isinstance(value, kinds[schema["type"]]), where
    if "enum" in schema:
        assert value in schema["enum"], where
    if isinstance(value, list):
        for number, item in enumerate(value):
            fits(item, schema["items"], schemas, f"{where}[{number}]")
    elif isinstance(value, dict):
        for name, item in value.items():
            inner = schema.get("additionalProperties") or schema["properties"][name]
            fits(item, inner, schemas, f"{where}.{name}")


# For machines --------------------------------------------------------------------------------------------------


async def test_it_says_that_it_is_well_and_what_it_does(season: Site) -> None:
    assert (await season.get("/healthz")).json() == {"status": "ok", "checks": {}}
    metrics = (await season.get("/metrics")).text
    assert "farfalia_things_total 3.0" in metrics
    assert 'farfalia_matches{state="queued"} 1.0' in metrics
    assert 'farfalia_matches{state="running"} 1.0' in metrics
    assert 'farfalia_bots_connected{node="node-a"} 2.0' in metrics


async def test_pages_can_be_read_and_not_written(site: Site) -> None:
    assert (await site.client.head("/")).status_code == 200
    assert (await site.client.post("/")).status_code == 405
    assert (await site.client.post("/api/bots")).json()["detail"] == "Method Not Allowed"


async def test_matches_are_found_by_their_state_and_more(season: Site) -> None:
    summer = await season.json("/api/matches?state=waiting&tournament=2&bot=ant")
    assert [match["id"] for match in summer["matches"]] == ["5"]
    everything = await season.json("/api/matches?state=all")
    assert [match["id"] for match in everything["matches"]] == list("654321")
