"""The reference of the contract: a page for each message, enum and service."""

from __future__ import annotations

import re

from tests.server.web_site import Site

from farfalia_server.web.contract_page import contract_part, services


async def test_every_call_and_all_that_it_takes_or_returns_is_linked_from_the_api_page(site: Site) -> None:
    waiting, seen = ["/api"], set[str]()
    while waiting:
        address = waiting.pop()
        seen.add(address)
        found = re.findall(r'href="(/contract/\w+)', (await site.get(address)).text)
        waiting += {link for link in found if link not in seen and link not in waiting}
    for service in services():
        assert f"/contract/{service.name}" in seen
        for call in service.calls:
            assert {f"/contract/{call.takes}", f"/contract/{call.returns}"} <= seen, call.name
    assert "/contract/MatchState" in seen
    assert len(seen) > 130


async def test_each_part_of_the_contract_is_explained() -> None:
    waiting, seen = [service.name for service in services()], set[str]()
    while waiting:
        part = contract_part(waiting.pop())
        seen.add(part.name)
        assert part.text or part.calls, part.name
        texts = {one.name: one.text for one in (*part.fields, *part.values)}
        texts |= {call.name: call.text for call in part.calls}
        assert [name for name, text in texts.items() if not text] == [], part.name
        named = {field.of for field in part.fields} | {call.takes for call in part.calls}
        named |= {call.returns for call in part.calls}
        waiting += [name for name in named - {""} if name not in seen and name not in waiting]


async def test_a_message_says_its_types_and_where_it_is_used(site: Site) -> None:
    page = await site.text("/contract/Match")
    assert "Fields id uint64 Its number." in page
    assert "state MatchState" in page
    assert "entrants repeated string Entrants by seat." in page
    used = page.partition("Where it is used")[2]
    assert "/api/matches/{id}" in used
    assert "ListMatchesResponse" in used
    assert "voidAttempts" not in await site.text("/contract/ListLaddersResponse")
    assert "void_attempts map string → uint32" in await site.text("/contract/ListLaddersResponse")
    values = await site.text("/contract/MatchState")
    assert re.search(r"MATCH_STATE_RUNNING \d \w+", values)


async def test_a_call_says_what_it_takes_and_returns(site: Site) -> None:
    page = (await site.get("/contract/ArenaService")).text
    assert '<div id="WatchTournament">' in page
    assert "<span>sends a tournament now and after every change, until it is over</span></summary>" in page
    assert "returns a stream of" in page
    assert "<code>authorization: Bearer TOKEN</code>" in page
    assert "takes a stream of PlayRequest" in await site.text("/contract/PlayService")


async def test_what_is_not_in_the_contract_is_named(site: Site) -> None:
    assert "There is no 'Metch' in the contract" in await site.text("/contract/Metch", 404)
