"""Whatever is asked of an address in the OpenAPI document: an answer as described, or a refusal as described."""

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import httpx
import pytest
from google.protobuf import json_format
from hypothesis import given
from hypothesis import strategies as st
from tests.examples import fewest
from tests.server import web_site

from farfalia_server.web.json_addresses import PATHS

Ask = Any

#: What a caller may write where a number or a name is expected.
words = (
    st.sampled_from(
        ["1", "0", "-1", "007", "1e3", "9" * 30, "true", "chinkway", "ant", "house-greedy-1", "..", "%", "٣", ""]
    )
    | st.integers(0, 9).map(str)
    | st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
)
#: What may stand between two slashes; a client leaves `.` and `..` out.
parts = words.filter(lambda word: word not in ("", ".", ".."))
pages = st.sampled_from(
    ["/", "/tournaments", "/tournaments/{}", "/matches", "/matches/{}", "/records/{}.json", "/bots/{}"]
)
names = st.sampled_from(sorted({name for path in PATHS for name, _ in path.query})) | st.text(max_size=5)


@pytest.fixture(scope="module")
def ask(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Ask]:
    """Ask the site of a season, whose event loop stands still between two questions."""
    folder: Path = tmp_path_factory.mktemp("site")
    with asyncio.Runner() as runner:
        opened = web_site.serving(folder, season=True)
        site = runner.run(opened.__aenter__())

        def ask(path: str, query: dict[str, str], method: str = "GET") -> httpx.Response:
            return runner.run(site.client.request(method, path, params=query))

        yield ask
        runner.run(opened.__aexit__(None, None, None))


@fewest
@given(data=st.data())
@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.address)
def test_an_address_gives_its_message_or_a_refusal_with_a_reason(ask: Ask, path: Any, data: st.DataObject) -> None:
    address = path.address
    for name in ("id", "name", "other", "board"):
        if f"{{{name}}}" in address:
            address = address.replace(f"{{{name}}}", quote(data.draw(parts), safe=""))
    answer = ask(address, data.draw(st.dictionaries(names, words, max_size=3)))
    assert answer.status_code < 500, answer.text
    if answer.status_code == 200 and answer.headers["content-type"] == "application/json":
        shown = json.loads(answer.text)
        if path.rows:
            shown.pop("next", "")
        json_format.ParseDict(shown, path.message())
    elif answer.status_code == 200:
        assert answer.headers["content-type"].startswith("text/csv")
    elif answer.status_code in (400, 404, 409, 422):
        refusal = json.loads(answer.text)
        assert refusal.keys() == {"title", "status", "detail", "reason"}
        assert "\n" not in refusal["detail"]
    else:
        assert answer.status_code in (307, 308)


@given(pages, parts, st.dictionaries(names, words, max_size=3))
def test_a_page_is_shown_or_says_what_is_wrong(ask: Ask, page: str, word: str, query: dict[str, str]) -> None:
    answer = ask(page.format(quote(word, safe="")), query)
    assert answer.status_code < 500, answer.text
    assert "Traceback" not in answer.text


@given(st.sampled_from(["POST", "PUT", "DELETE", "PATCH", "TRACE", "FOO"]), st.sampled_from(PATHS))
def test_nothing_can_be_changed_by_any_method(ask: Ask, method: str, path: Any) -> None:
    assert ask(path.address, {}, method).status_code in (404, 405)
