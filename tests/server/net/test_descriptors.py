"""File descriptors are divided before anyone connects."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from farfalia_server.net.descriptors import ConnectionLimits, share


@pytest.mark.parametrize(
    ("descriptors", "tables", "limits"),
    [
        (256, 256, ConnectionLimits(grpc=96, http=32)),
        (1024, 64, ConnectionLimits(grpc=624, http=208)),
        (20_000, 256, ConnectionLimits(grpc=18_912, http=512)),
    ],
)
def test_readers_get_a_quarter_of_what_the_server_leaves(
    descriptors: int, tables: int, limits: ConnectionLimits
) -> None:
    assert share(descriptors, tables) == limits


@given(st.integers(16, 1 << 16), st.integers(1, 10_000))
def test_bots_and_readers_never_take_what_the_server_needs(descriptors: int, tables: int) -> None:
    limits = share(descriptors, tables)
    assert limits.grpc >= limits.http >= 1
    assert limits.grpc + limits.http + min(64 + 2 * tables, descriptors // 2) == descriptors
