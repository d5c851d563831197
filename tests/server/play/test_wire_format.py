"""Fields written by hand, read back by protobuf."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from farfalia.v1 import play_pb2
from farfalia_server.play.wire_format import length_delimited, packed, varint

_LEGAL = play_pb2.Question.LEGAL_FIELD_NUMBER


@pytest.mark.parametrize("length", [0, 1, 127, 128, 129, 16383, 16384, 70000])
def test_a_message_of_any_length_can_be_a_member(length: int) -> None:
    log = play_pb2.LogLine(text="x" * length)
    message = play_pb2.PlayRequest.FromString(length_delimited(5, log.SerializeToString()) * 2)
    assert list(message.logs) == [log, log]


@given(st.lists(st.one_of(st.integers(0, 300), st.integers(0, 2**32 - 1))))
def test_repeated_numbers_are_read_as_they_were_written(numbers: list[int]) -> None:
    assert list(play_pb2.Question.FromString(packed(_LEGAL, numbers)).legal) == numbers


@given(st.integers(0, 2**64 - 1))
def test_a_number_is_written_as_protobuf_writes_it(number: int) -> None:
    assert play_pb2.Question.FromString(b"\x08" + varint(number)).match == number
