"""Whatever a record's file holds: it is read, or refused in one sentence, and what is read can be verified."""

import json
from functools import cache
from typing import Any

from hypothesis import example, given
from hypothesis import strategies as st
from tests.cli.command import played
from tests.examples import few

from farfalia_server.contract.errors import RecordError
from farfalia_server.records import codec, files
from farfalia_server.records.verifying import verify

scalars = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=20)
    | st.sampled_from(["1", "-1", "AAAA"])
)
values = st.recursive(
    scalars, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3)
)


@cache
def good() -> str:
    """The text of a short record that holds."""
    return files.dumps(codec.seal(codec.to_message(played(game="two"))))


def check(text: str | bytes) -> None:
    said = "match-7.json "
    try:
        verify(codec.from_message(files.loads(text, "match-7.json")))
    except RecordError as error:
        said = str(error)
    assert said.startswith("match-7.json ")
    assert "\n" not in said


@given(st.text() | st.binary() | values.map(json.dumps))
@example('{"match": ' + "9" * 5000 + "}")
@example('{"match": 1e999}')
@example('{"board": "\\ud800"}')
@example("[" * 100_000)
@example("\ud800")
def test_any_text_is_read_or_refused_in_one_sentence(text: str | bytes) -> None:
    check(text)


@few
@given(st.data())
def test_a_record_with_anything_in_place_of_a_part_is_read_or_refused_in_a_sentence(data: st.DataObject) -> None:
    document = json.loads(good())
    for _ in range(data.draw(st.integers(1, 3))):
        change(document, data)
    check(json.dumps(document))


def change(document: Any, data: st.DataObject) -> None:
    """Replace, remove or repeat a part somewhere in a document."""
    here = document
    while True:
        keys: list[Any] = sorted(here) if isinstance(here, dict) else list(range(len(here)))
        if not keys:
            return
        key = data.draw(st.sampled_from(keys))
        if not isinstance(here[key], dict | list) or not here[key] or data.draw(st.booleans()):
            break
        here = here[key]
    how = data.draw(st.sampled_from(["replace", "remove", "repeat"]))
    if how == "replace":
        here[key] = data.draw(values)
    elif how == "remove":
        del here[key]
    elif isinstance(here, list):
        here.insert(key, here[key])


@given(st.binary(max_size=200), st.integers(0, 10_000))
def test_a_record_with_other_bytes_somewhere_is_read_or_refused_in_one_sentence(noise: bytes, place: int) -> None:
    text = good().encode()
    place %= len(text)
    check(text[:place] + noise + text[place + len(noise) :])
