"""Every key in Redis is on one list, which the code uses and the documentation shows."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from farfalia_server.net import redis_keys
from farfalia_server.net.redis_keys import KEYS, RedisKey

ROOT = Path(__file__).resolve().parents[3]


def test_the_documentation_lists_every_key() -> None:
    page = (ROOT / "docs/server-reference.md").read_text(encoding="utf-8")
    section = page.partition("## Keys in Redis\n")[2].partition("\n## ")[0]
    rows = [line for line in section.splitlines() if line.startswith("| `")]
    assert rows == [f"| `{key.template}` | {key.kind} | {key.writers} | {key.readers} | {key.loss} |" for key in KEYS]


def test_no_module_spells_a_key_itself() -> None:
    spelled = re.compile(r"""f?["']farfalia:\{""")
    sources = (ROOT / "server/farfalia_server").rglob("*.py")
    assert [path.name for path in sources if spelled.search(path.read_text(encoding="utf-8"))] == ["redis_keys.py"]


def test_every_key_is_listed_once() -> None:
    named = [value for value in vars(redis_keys).values() if isinstance(value, RedisKey)]
    assert sorted(key.template for key in named) == sorted(key.template for key in KEYS)
    assert len({key.template for key in KEYS}) == len(KEYS)


def test_a_key_takes_its_names_and_a_family_has_a_prefix() -> None:
    assert redis_keys.JOURNAL(database="db", match=7, attempt=2) == "farfalia:db:match:7:2:log"
    assert redis_keys.JOURNAL.before("match", database="db") == "farfalia:db:match:"
    with pytest.raises(KeyError, match="database"):
        redis_keys.NODES()
