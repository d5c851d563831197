"""What the pages for bot authors say is so."""

from __future__ import annotations

import re
from itertools import combinations
from pathlib import Path

import pytest

from farfalia import Bot, backoff, client
from farfalia import bot_stream as sdk
from farfalia.errors import BadSetting, Refused
from farfalia.testing import check
from farfalia.view import View
from farfalia_engine import GAMES, NONCE_BYTES, Observation, discard_pair
from farfalia_server.cli import local_options
from farfalia_server.local import reaper
from farfalia_server.net.grpc_port import LARGEST_MESSAGE
from farfalia_server.play import bot_stream, clock, connection, limits, nonces
from farfalia_server.settings import Settings

ROOT = Path(__file__).parents[2]
CONTRACT = ROOT / "clients" / "README.md"
EXAMPLE = ROOT / "clients" / "python" / "examples" / "mybot.py"


@pytest.mark.parametrize("page", ["README.md", "docs/bots.md", "docs/tutorial.md"])
def test_the_bot_on_the_page_is_the_example_in_the_repository(page: str) -> None:
    assert f"```python\n{EXAMPLE.read_text()}```" in (ROOT / page).read_text()


def test_the_example_plays_without_a_mistake(monkeypatch: pytest.MonkeyPatch) -> None:
    running: list[Bot] = []
    monkeypatch.setattr("farfalia.run", running.append)
    exec(compile(EXAMPLE.read_text(), EXAMPLE, "exec"), {"__name__": "__main__"})
    report = check(running[0], matches=5)
    assert report.ok, report


TUTORIAL = re.findall(r"```python\n(\w.*?)```", (ROOT / "docs" / "tutorial.md").read_text(), re.DOTALL)


@pytest.mark.parametrize("program", TUTORIAL, ids=lambda program: re.findall(r"run\((\w+)", program)[0])
def test_a_bot_of_the_tutorial_plays_without_a_mistake(program: str, monkeypatch: pytest.MonkeyPatch) -> None:
    running: list[Bot] = []
    monkeypatch.setattr("farfalia.run", running.append)
    exec(compile(program, "tutorial.md", "exec"), {"__name__": "__main__"})
    report = check(running[0], matches=1)
    assert report.ok, report


def test_every_property_in_the_table_of_the_view_exists() -> None:
    page = (ROOT / "docs" / "bots.md").read_text()
    table = page.partition("| `view.` | |")[2].partition("\n\n")[0]
    names = {
        name.partition("(")[0] for row in table.splitlines()[2:] for name in re.findall(r"`([^`]+)`", row.split("|")[1])
    }
    assert {"hand", "open", "time_left"} < names
    assert names <= set(Observation.__dataclass_fields__) | set(dir(View))


def test_every_reason_that_ends_a_stream_is_on_the_contracts_page() -> None:
    page = CONTRACT.read_text()
    server = ROOT / "server" / "farfalia_server"
    code = (server / "play" / "play_service.py").read_text() + (server / "play" / "bot_stream.py").read_text()
    code += (server / "play" / "connection_caps.py").read_text()
    reasons = set(re.findall(r'StatusCode\.[A-Z_]+,\s*"([A-Z_]+)"', code))
    assert {"BOT_CONNECTED", "TOO_MANY_BOTS"} < reasons
    assert {reason for reason in reasons if f"`{reason}`" not in page} == set()


def test_the_formula_for_pairs_on_the_contracts_page_is_right() -> None:
    assert "256 + *a*·(103 − *a*)/2 + *b* − *a* − 1" in CONTRACT.read_text()
    for low, high in combinations(range(52), 2):
        assert discard_pair(low, high) == 256 + low * (103 - low) // 2 + high - low - 1


def test_the_rulesets_on_the_contracts_page_are_those_that_the_server_plays() -> None:
    (listed,) = re.findall(r"features, rulesets: ([^;|]+); none means all", CONTRACT.read_text())
    assert re.findall(r"`([^`]+)`", listed) == sorted(GAMES)


#: Seconds, as the SDK sets them.
KEEPALIVE = tuple(dict(sdk.OPTIONS)[f"grpc.keepalive_{name}_ms"] / 1000 for name in ("time", "timeout"))
#: What the contract says in numbers, and where the code has them.
NUMBERS: list[tuple[str, tuple[float, ...]]] = [
    (r"has (\d+) tokens and gets (\d+) a second", (limits.USELESS_BURST, limits.USELESS_RATE)),
    (r"a log line beyond (\d+) at once and (\d+) a second", (limits.LOGS_BURST, limits.LOGS_RATE)),
    (r"number of matches; a nonce for a tournament that nobody asked you for \| (\d+)", (limits.MATCHES_COST,)),
    (r"a nonce for a tournament that nobody asked you for \| (\d+)", (limits.NONCE_COST,)),
    (r"none is accepted for (\d+) seconds", (limits.USELESS_BURST / limits.USELESS_RATE,)),
    (r"\| message \| (\d+) KiB", (LARGEST_MESSAGE >> 10,)),
    (r"(\d+) actions, (\d+) log", (limits.ACTIONS_IN_MESSAGE, limits.LOGS_IN_MESSAGE)),
    (r"log lines, (\d+) nonces", (limits.NONCES_IN_MESSAGE,)),
    (r"first message \| within (\d+) seconds", (bot_stream.HELLO_WITHIN,)),
    (r"hello and welcome \| (\d+), together (\d+) KiB", (limits.EARLY_MESSAGES, limits.EARLY_BYTES >> 10)),
    (
        r"wait for the bot to read \| (\d+), together (\d+) MiB",
        (bot_stream.QUEUED_MESSAGES, bot_stream.QUEUED_BYTES >> 20),
    ),
    (r"no question open \| (\d+) ping intervals", (bot_stream.MISSED,)),
    (r"streams opened \| (\d+) at once, then (\d+) a minute", (limits.STREAMS_BURST, limits.STREAMS_RATE * 60)),
    (r"`requires` \| (\d+) names each", (limits.NAMES_IN_HELLO,)),
    (r"`failure` \| (\d+), (\d+), (\d+) characters", (limits.CLIENT, limits.CLIENT_VERSION, limits.FAILURE)),
    (r"a log line \| (\d+) bytes", (limits.LOG_LINE_BYTES,)),
    (r"a nonce \| (\d+) to (\d+) bytes", (NONCE_BYTES[0], NONCE_BYTES[-1])),
    (r"`capacity.questions` \| 1 to (\d+)", (connection.MOST_AT_ONCE,)),
    (r"changes nothing \| (\d+) a message", (limits.REFUSALS_IN_MESSAGE,)),
    (r"\((\d+) of (\d+)\), and \d+ in any", (limits.most_matches(256), Settings.model_fields["max_tables"].default)),
    (r"and (\d+) in any case", (limits.most_matches(1),)),
    (r"at most (\d+) ms, and at most a quarter", (clock.LAG_ALLOWANCE * 1000,)),
    (r"\*\*Wait before each attempt\*\*, except the first .*? jitter: ([\d.]+) s", (backoff.FIRST,)),
    (r"twice as long each time, (\d+) s at most", (backoff.MOST,)),
    (r"lived for (\d+) s from its welcome", (backoff.SETTLED,)),
    (
        r"try again, (\w+) times \((\w+) attempts in all\), counting from zero after a welcome; then stop",
        (client.KEPT_OUT_ATTEMPTS, client.KEPT_OUT_ATTEMPTS + 1),
    ),
    (r"`welcome.reconnect_grace_ms` \((\d+) s", (Settings.model_fields["reconnect_grace_ms"].default / 1000,)),
    (r"outside tournaments within (\w+) second", (nonces.ANSWER_SECONDS,)),
    (r"one ping interval \((\d+) s", (Settings.model_fields["ping_interval_ms"].default / 1000,)),
    (r"no `welcome` comes within (\d+) seconds", (sdk.WELCOME_WITHIN,)),
    (r"Give up a stream after (\d+) ping intervals", (sdk.PINGS_MISSED,)),
    (r"keepalive: a ping after (\d+) s, an answer within (\d+) s", KEEPALIVE),
    (r"with exit code 0 after OK, (\d) for a bad setting", (BadSetting.exit_code,)),
    (r"and (\d) where the table says stop", (Refused.exit_code,)),
    (r"It has (\d+) s to connect", (local_options.PATIENCE,)),
    (r"SIGTERM, and killed (\d+) s later", (reaper.PATIENCE,)),
]
WORDS = {"a": 1.0, "four": 4.0, "five": 5.0}


@pytest.mark.parametrize(("sentence", "numbers"), NUMBERS, ids=[sentence for sentence, _ in NUMBERS])
def test_the_numbers_on_the_contracts_page_are_those_of_the_code(sentence: str, numbers: tuple[float, ...]) -> None:
    (found,) = re.finditer(sentence, " ".join(CONTRACT.read_text().split()))
    assert tuple(WORDS.get(said) or float(said) for said in found.groups()) == numbers


@pytest.mark.parametrize(
    ("sentence", "numbers"),
    [
        (r"A bot has (\d+) tokens and gets (\d+) a second", (limits.USELESS_BURST, limits.USELESS_RATE)),
        (r"log line beyond (\d+) and then (\d+) a second", (limits.LOGS_BURST, limits.LOGS_RATE)),
        (r"Of a message (\d+) actions, (\d+) log lines", (limits.ACTIONS_IN_MESSAGE, limits.LOGS_IN_MESSAGE)),
        (r"log lines and (\d+) nonces are", (limits.NONCES_IN_MESSAGE,)),
        (r"may open (\d+) streams, and then (\d+) a minute", (limits.STREAMS_BURST, limits.STREAMS_RATE * 60)),
        (r"a message over (\d+) KiB", (LARGEST_MESSAGE >> 10,)),
        (r"Cut at (\d+) characters; control", (limits.FAILURE,)),
        (r"Up to (\d+) bytes; what is longer", (limits.LOG_LINE_BYTES,)),
        (r"Matches, 1 to (\d+)\.", (connection.MOST_AT_ONCE,)),
        (r"and (\d+) in any case", (limits.most_matches(1),)),
    ],
)
def test_the_numbers_in_play_proto_are_those_of_the_code(sentence: str, numbers: tuple[float, ...]) -> None:
    text = " ".join((ROOT / "proto/farfalia/v1/play.proto").read_text().replace("//", "").split())
    (found,) = re.finditer(sentence, text)
    assert tuple(float(said) for said in found.groups()) == numbers
