"""The proxies in `deploy/` run in front of a real server: bots, commands and readers come through, with TLS."""

import os
import re
import shutil
import ssl
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any

import grpc
import httpx
import pytest
from grpc_health.v1.health_pb2 import HealthCheckRequest
from grpc_health.v1.health_pb2_grpc import HealthStub
from tests.cli import forked
from tests.cli.command import environment
from tests.server.certificate import make_certificate
from tests.server.live import ADMIN, PATIENCE, LiveServer, live_server, until

from farfalia_tools.bench.processes import free_port
from farfalia_tools.torment.harness import Harness
from farfalia_tools.torment.suite import TORMENTS, run

DEPLOY = Path(__file__).resolve().parents[1] / "deploy"
#: Where a proxy listens, and what vouches for it.
Proxy = tuple[str, Path]


def program(name: str) -> str:
    found = shutil.which(name, path=f"{os.environ['PATH']}:/usr/sbin:/sbin")
    if found is None:
        pytest.skip(f"{name} is not installed")
    return found


def to_server(text: str, server: LiveServer) -> str:
    """A configuration with the ports of this server in place of the usual ones."""
    for usual, address in (("7600", server.grpc_address), ("7601", server.http_address)):
        text = re.sub(rf"(127\.0\.0\.1\}}?):{usual}\b", rf"\1:{address.rpartition(':')[2]}", text)
    return text


@contextmanager
def running(words: list[str], folder: Path, port: int, **more: str) -> Iterator[None]:
    """A process that soon listens on a port."""
    with (
        (folder / "proxy.log").open("w") as log,
        subprocess.Popen(words, stdout=log, stderr=log, env=os.environ | more, cwd=folder) as process,
    ):
        try:
            until(lambda: process.poll() is not None or answers(port), (folder / "proxy.log").read_text)
            assert process.poll() is None, (folder / "proxy.log").read_text()
            yield
        finally:
            process.terminate()
            process.wait(PATIENCE)


def answers(port: int) -> bool:
    try:
        httpx.get(f"https://127.0.0.1:{port}/healthz", verify=False, timeout=PATIENCE)
    except httpx.TransportError:
        return False
    return True


@contextmanager
def nginx(server: LiveServer, folder: Path) -> Iterator[Proxy]:
    certificate, key = make_certificate(folder, "arena")
    port, plain = free_port(), free_port()
    site = to_server((DEPLOY / "nginx.conf").read_text(), server)
    site = site.replace("/etc/ssl/arena.example/fullchain.pem", str(certificate))
    site = site.replace("/etc/ssl/arena.example/privkey.pem", str(key))
    site = re.sub(r" +listen \[::\].*\n", "", site).replace("listen 443", f"listen 127.0.0.1:{port}")
    (folder / "site.conf").write_text(site.replace("listen 80", f"listen 127.0.0.1:{plain}"))
    user = "user root;" if os.getuid() == 0 else ""
    (folder / "nginx.conf").write_text(
        f"{user} daemon off; worker_processes 1; pid {folder}/pid; error_log stderr;"
        f" events {{ worker_connections 4096; }} worker_rlimit_nofile 8192;"
        f" http {{ log_format reached '$status $upstream_addr'; access_log {folder}/requests.log reached;"
        f" client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy; include {folder}/site.conf; }}"
    )
    words = [program("nginx"), "-p", str(folder), "-c", str(folder / "nginx.conf")]
    with running(words, folder, port):
        yield f"https://127.0.0.1:{port}", certificate


@contextmanager
def caddy(server: LiveServer, folder: Path) -> Iterator[Proxy]:
    port, plain = free_port(), free_port()
    options = (
        f"{{\n admin off\n https_port {port}\n http_port {plain}\n local_certs\n skip_install_trust\n"
        f" default_sni 127.0.0.1\n storage file_system {folder}/store\n"
    )
    site = to_server((DEPLOY / "Caddyfile").read_text(), server)
    (folder / "Caddyfile").write_text(re.sub(r"^\{\n", options, site, count=1, flags=re.MULTILINE))
    words = [program("caddy"), "run", "--adapter", "caddyfile", "--config", str(folder / "Caddyfile")]
    with running(words, folder, port, ARENA="127.0.0.1", HOME=str(folder)):
        [authority] = (folder / "store").glob("pki/authorities/local/root.crt")
        yield f"https://127.0.0.1:{port}", authority


@pytest.mark.slow
@pytest.mark.parametrize("proxy", [nginx, caddy])
def test_bots_commands_and_readers_come_through_a_proxy_at_one_address(
    tmp_path: Path, proxy: Callable[[LiveServer, Path], AbstractContextManager[Proxy]]
) -> None:
    program(proxy.__name__)
    with live_server(tmp_path) as server, proxy(server, tmp_path) as (address, authority):
        token = server.register("ada")
        trusting = environment(FARFALIA_SERVER=address, FARFALIA_CA=str(authority))
        command = [sys.executable, "-m", "farfalia.bots", "greedy"]
        with subprocess.Popen(command, env=trusting | {"FARFALIA_TOKEN": token}) as bot:
            try:
                played = server.wait_for(server.tournament(["ada", "house-greedy-1"], rounds=2, ruleset="two"))
            finally:
                bot.terminate()
        assert played.finished == 2
        assert {row.strikes for row in played.standings} == {0}
        listed = forked.run(["bot", "list"], tmp_path, trusting | {"FARFALIA_ADMIN_TOKEN": ADMIN}, PATIENCE)
        assert "ada" in listed.stdout, listed.stderr
        trusted = ssl.create_default_context(cafile=str(authority))
        with httpx.Client(base_url=address, verify=trusted, timeout=PATIENCE) as reader:
            assert "ada" in reader.get("/").text
            assert reader.get("/metrics").status_code == 403
            assert reader.get("/healthz").status_code == 200


@pytest.fixture(scope="module")
def behind_nginx(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[LiveServer, str, Path, Path]]:
    """A server behind nginx, the address of nginx, what vouches for it, and the list of requests that it has seen."""
    program("nginx")
    folder = tmp_path_factory.mktemp("nginx")
    with live_server(folder) as server, nginx(server, folder) as (address, authority):
        yield server, address, authority, folder / "requests.log"


@pytest.mark.slow
@pytest.mark.parametrize("name", [one.name for one in TORMENTS.values() if one.needs_proxy])
async def test_nginx_keeps_floods_of_http2_away_from_the_server(
    behind_nginx: tuple[LiveServer, str, Path, Path], monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    server, address, authority, requests = behind_nginx
    monkeypatch.setenv("FARFALIA_CA", str(authority))
    seen, began = len(requests.read_text().splitlines()), time.monotonic()
    async with Harness(
        server.grpc_address, ADMIN, patience=PATIENCE, bots=4, judge_times=False, proxy=address
    ) as harness:
        (finding,) = [finding async for finding in run(harness, [TORMENTS[name]])]
    assert finding.held, finding.seen
    [limit] = re.findall(r"zone=farfalia-calls:10m rate=(\d+)r/s", (DEPLOY / "nginx.conf").read_text())
    [burst] = re.findall(r"zone=farfalia-calls burst=(\d+)", (DEPLOY / "nginx.conf").read_text())
    most = int(burst) + int(limit) * (time.monotonic() - began) + harness.bots
    reached = Counter(line.split()[1] != "-" for line in requests.read_text().splitlines()[seen:])
    assert reached[True] <= most, reached
    match name:
        case "rapid-resets" | "stream-storm":  # whole requests, of which nginx lets some through
            assert reached[False] > 0, reached
        case "connection-storm":
            pass
        case _:  # what is no request at all
            assert reached[True] <= harness.bots, reached
            closed = re.search(r"of which (\d+) were closed or refused", finding.seen)
            assert closed is not None, finding.seen
            assert int(closed[1]) > 0, finding.seen


@pytest.mark.slow
def test_nginx_bounds_the_streams_of_one_address(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program("nginx")
    most = 3
    usual = (DEPLOY / "nginx.conf").read_text()
    assert usual.count("limit_conn farfalia 200;") == 1
    (tmp_path / "deploy").mkdir()
    (tmp_path / "deploy" / "nginx.conf").write_text(usual.replace("farfalia 200;", f"farfalia {most};"))
    monkeypatch.setitem(globals(), "DEPLOY", tmp_path / "deploy")
    with live_server(tmp_path) as server, nginx(server, tmp_path) as (address, authority), ExitStack() as stack:

        def watch() -> Any:
            trusted = grpc.ssl_channel_credentials(authority.read_bytes())
            alone = [("grpc.use_local_subchannel_pool", 1)]
            channel = stack.enter_context(grpc.secure_channel(address.removeprefix("https://"), trusted, alone))
            call = HealthStub(channel).Watch(HealthCheckRequest(), timeout=PATIENCE)
            return call, next(call)

        def refusal() -> grpc.RpcError:
            with pytest.raises(grpc.RpcError) as refused:
                watch()
            return refused.value

        streams = [watch() for _ in range(most)]
        refused = refusal()
        assert refused.code() is grpc.StatusCode.UNAVAILABLE
        assert refused.details() == "too many connections or calls from this address: try again later"
        streams[0][0].cancel()

        def lets_in() -> bool:
            with suppress(grpc.RpcError):
                return bool(watch())
            return False

        until(lets_in)
        server.stop()
        # Until nginx has noticed that the streams are over, they count.
        until(lambda: refusal().details() == "the server does not answer: try again later")
        assert refusal().code() is grpc.StatusCode.UNAVAILABLE
