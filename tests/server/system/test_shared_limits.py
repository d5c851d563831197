"""Two servers of one cluster, and a reader who asks both for pages."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from tests.server.live import LiveServer
from tests.server.live_nodes import live_nodes

pytestmark = pytest.mark.slow

#: Views of one address, and hardly any more while the test lasts.
_BURST = 20
_LIMITS = {"farfalia_server.play.limits.VIEWS_BURST": _BURST, "farfalia_server.play.limits.VIEWS_RATE": 0.01}


def view(node: LiveServer) -> int:
    """How the node answers a reader whom a proxy on this machine names."""
    return node.page("/livez", **{"X-Forwarded-For": "203.0.113.7"})[0]


def test_who_has_used_up_the_page_views_of_one_node_gets_none_from_another(tmp_path: Path) -> None:
    with live_nodes(tmp_path, "A", "B", constants=_LIMITS) as (first, other):
        assert [view(first) for _ in range(_BURST + 1)] == [200] * _BURST + [429]
        for _ in range(_BURST - 1):  # alone, the other node would let all of these through
            if view(other) == 429:
                break
            time.sleep(0.5)
        else:
            pytest.fail("the other node knows nothing of the views that the first one has counted")
