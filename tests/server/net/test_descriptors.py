"""File descriptors are raised as far as the system allows, and divided before anyone connects."""

import json
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from farfalia_server.net.descriptors import ConnectionLimits, share

#: A process that may have few files open, and as many as this if it asks for them.
FEW = """
import json, resource, sys
from farfalia_server.net.descriptors import raise_limit

resource.setrlimit(resource.RLIMIT_NOFILE, (64, int(sys.argv[1])))
print(json.dumps([raise_limit(), *resource.getrlimit(resource.RLIMIT_NOFILE)]))
"""


def test_a_server_takes_as_many_as_the_system_allows() -> None:
    done = subprocess.run([sys.executable, "-c", FEW, "512"], capture_output=True, text=True, check=True)
    assert json.loads(done.stdout) == [512, 512, 512]


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
