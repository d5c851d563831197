"""Two servers of one cluster, and a reader who asks both for pages."""

from __future__ import annotations

import time
import urllib.error
import urllib.request
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from tests.server.live import LiveServer, live_server
from tests.server.shared_redis import emptied_redis

pytestmark = pytest.mark.slow

#: Views of one address, and hardly any more while the test lasts.
_BURST = 20
_LIMITS = {"farfalia_server.play.limits.VIEWS_BURST": _BURST, "farfalia_server.play.limits.VIEWS_RATE": 0.01}


def status_of_view(node: LiveServer) -> int:
    """Return how the node answers a reader whom a proxy on this machine names."""
    request = urllib.request.Request(f"http://{node.http_address}/livez", headers={"X-Forwarded-For": "203.0.113.7"})
    try:
        with urllib.request.urlopen(request) as answer:
            return int(answer.status)
    except urllib.error.HTTPError as error:
        return error.code


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_who_has_used_up_the_page_views_of_one_node_gets_none_from_another(tmp_path: Path, database_url: str) -> None:
    redis_url = emptied_redis()
    with ExitStack() as servers:
        nodes = []
        for name in ("A", "B"):
            (tmp_path / name).mkdir()
            settings: dict[str, Any] = {"node": name, "redis_url": redis_url, "database_url": database_url}
            nodes.append(servers.enter_context(live_server(tmp_path / name, constants=_LIMITS, **settings)))
        first, other = nodes
        assert [status_of_view(first) for _ in range(_BURST + 1)] == [200] * _BURST + [429]
        for _ in range(_BURST - 1):  # alone, the other node would let all of these through
            if status_of_view(other) == 429:
                break
            time.sleep(0.5)
        else:
            pytest.fail("the other node knows nothing of the views that the first one has counted")
