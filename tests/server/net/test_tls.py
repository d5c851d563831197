"""TLS on both ports: bots, commands and readers connect over a certificate, and check it."""

from __future__ import annotations

import os
import ssl
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from tests.cli import forked
from tests.server.certificate import make_certificate
from tests.server.live import ADMIN, PATIENCE, LiveServer, live_server

from farfalia_server.contract.errors import SettingsError
from farfalia_server.healthz import is_well
from farfalia_server.net.tls import Certificate, certificate_of, check_exposure


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    folder = tmp_path_factory.mktemp("tls")
    certificate, key = make_certificate(folder, "ours")
    with live_server(folder, tls_cert=certificate, tls_key=key) as server:
        yield server


def farfalia(
    *words: str, server: str, trust: Path | None = None, shown: Path | None = None
) -> subprocess.CompletedProcess[str]:
    """The command, as somebody runs it who trusts this certificate, and shows that one."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("FARFALIA_", "GRPC_"))}
    environment = kept | {"FARFALIA_SERVER": server, "FARFALIA_ADMIN_TOKEN": ADMIN, "COLUMNS": "100"}
    if trust:
        environment["FARFALIA_CA"] = str(trust)
    if shown:
        environment |= {"FARFALIA_CLIENT_CERT": str(shown), "FARFALIA_CLIENT_KEY": str(shown.with_suffix(".key"))}
    return forked.run(words, Path.cwd(), environment, PATIENCE)


def shown_certificate(address: str) -> str:
    """What `openssl s_client` is shown at an address."""
    done = subprocess.run(
        ["openssl", "s_client", "-connect", address, "-alpn", "h2"],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        errors="replace",
        timeout=PATIENCE,
    )
    return done.stdout[done.stdout.index("-----BEGIN CERT") : done.stdout.index("-----END CERT")].strip()


@pytest.mark.slow
def test_both_ports_show_the_certificate(server: LiveServer) -> None:
    assert server.grpc_address.startswith("https://")
    ours = (server.folder / "ours.pem").read_text()
    assert shown_certificate(server.grpc_address.removeprefix("https://")) in ours
    assert shown_certificate(server.http_address) in ours


@pytest.mark.slow
def test_a_bot_plays_and_a_reader_reads_over_tls(server: LiveServer) -> None:
    token = server.register("ada")
    certificate = str(server.folder / "ours.pem")
    environment = {
        "FARFALIA_SERVER": server.grpc_address,
        "FARFALIA_TOKEN": token,
        "FARFALIA_CA": certificate,
    }
    with subprocess.Popen([sys.executable, "-m", "farfalia.bots", "greedy"], env=os.environ | environment) as bot:
        try:
            tournament = server.wait_for(
                server.tournament(["ada", "house-greedy-1", "house-greedy-2"], rounds=1, ruleset="three")
            )
        finally:
            bot.terminate()
    assert tournament.finished == tournament.matches > 0
    assert [row.strikes for row in tournament.standings if row.entrant == "ada"] == [0]
    trusted = ssl.create_default_context(cafile=certificate)
    assert "ada" in httpx.get(f"https://{server.http_address}/", verify=trusted, timeout=PATIENCE).text


@pytest.mark.slow
def test_the_command_line_checks_whom_it_talks_to(server: LiveServer) -> None:
    certificate = server.folder / "ours.pem"
    known = farfalia("bot", "register", "bea", server=server.grpc_address, trust=certificate)
    assert known.returncode == 0, known.stderr
    stranger = farfalia("nodes", server=server.grpc_address)
    assert stranger.returncode == 1
    assert "certificate" in stranger.stderr
    assert "FARFALIA_CA" in stranger.stderr
    plain = farfalia("nodes", server=server.grpc_address.removeprefix("https://"), trust=certificate)
    assert plain.returncode == 1
    assert "farfalias://" in plain.stderr
    assert "Traceback" not in stranger.stderr + plain.stderr


@pytest.mark.slow
def test_hostile_bots_and_what_they_read_come_over_tls_too(server: LiveServer) -> None:
    words = ("torment", "--only", "silent-connections", "--streams", "2")
    tormented = farfalia(*words, server=server.grpc_address, trust=server.folder / "ours.pem")
    assert "a page was answered" in tormented.stdout
    assert tormented.returncode == 0, tormented.stdout + tormented.stderr


@pytest.mark.slow
def test_an_address_that_the_certificate_does_not_name_is_said_to_be_the_fault(server: LiveServer) -> None:
    address = server.grpc_address.replace("127.0.0.1", "localhost")
    elsewhere = farfalia("nodes", server=address, trust=server.folder / "ours.pem")
    assert elsewhere.returncode == 1
    assert "its certificate is not for localhost" in elsewhere.stderr


@pytest.mark.slow
def test_a_renewed_certificate_is_shown_without_a_restart(tmp_path: Path) -> None:
    certificate, key = make_certificate(tmp_path, "first")
    with live_server(tmp_path, tls_cert=certificate, tls_key=key) as server:
        before = shown_certificate(server.http_address)
        for new, old in zip(make_certificate(tmp_path, "second"), (certificate, key), strict=True):
            new.replace(old)
        for address in (server.grpc_address.removeprefix("https://"), server.http_address):
            assert shown_certificate(address) != before
            assert shown_certificate(address) in certificate.read_text()


def test_files_that_cannot_be_used_are_one_sentence(tmp_path: Path) -> None:
    certificate, key = make_certificate(tmp_path, "one")
    other, _ = make_certificate(tmp_path, "other")
    with pytest.raises(SettingsError, match=r"tls_key .*missing\.key cannot be read: No such file"):
        Certificate(certificate, tmp_path / "missing.key")
    with pytest.raises(SettingsError, match=r"tls_cert .*other\.pem and tls_key .* cannot be used: .*MISMATCH"):
        Certificate(other, key)
    (tmp_path / "text").write_text("no certificate")
    with pytest.raises(SettingsError, match="cannot be used"):
        Certificate(tmp_path / "text", key)


@pytest.mark.slow
@pytest.mark.parametrize("given", ["cert", "key"])
def test_one_file_alone_is_refused(tmp_path: Path, given: str) -> None:
    done = forked.run(["serve", "--data-dir", str(tmp_path), f"--tls-{given}", "a.pem"], tmp_path, os.environ, PATIENCE)
    assert done.returncode != 0
    assert f"tls_{given} is set" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.slow
def test_a_container_s_health_check_asks_over_tls(server: LiveServer) -> None:
    port = server.http_address.rpartition(":")[2]
    assert is_well({"FARFALIA_HTTP_PORT": port, "FARFALIA_TLS_CERT": "chain.pem"})
    assert not is_well({"FARFALIA_HTTP_PORT": port})


@pytest.mark.slow
def test_who_has_no_certificate_of_the_authority_is_kept_out_if_there_must_be_one(tmp_path: Path) -> None:
    certificate, key = make_certificate(tmp_path, "ours")
    authority, _ = make_certificate(tmp_path, "friend")
    stranger, _ = make_certificate(tmp_path, "stranger")
    with live_server(tmp_path, tls_cert=certificate, tls_key=key, tls_client_ca=authority) as server:
        friendly = farfalia("nodes", server=server.grpc_address, trust=certificate, shown=authority)
        assert friendly.returncode == 0, friendly.stderr
        for shown, words in (
            (None, "if it asks for a certificate of yours, name its files in FARFALIA_CLIENT_CERT"),
            (stranger, "it may not accept the certificate that FARFALIA_CLIENT_CERT names"),
        ):
            refused = farfalia("nodes", server=server.grpc_address, trust=certificate, shown=shown)
            assert refused.returncode == 1
            assert words in refused.stderr
            assert len(refused.stderr.splitlines()) == 1
        trusted = ssl.create_default_context(cafile=str(certificate))
        assert httpx.get(f"https://{server.http_address}/healthz", verify=trusted, timeout=PATIENCE).status_code == 200


@pytest.mark.parametrize("host", ["127.0.0.1", "127.1.2.3", "::1", "localhost"])
def test_what_only_this_machine_reaches_needs_no_tls(host: str) -> None:
    check_exposure(host, None, insecure=False)


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.0.2.1", "arena.example", ""])
def test_what_others_reach_needs_tls_or_a_word_that_this_is_meant(host: str, tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="so other machines can connect, and without TLS anyone on the way can"):
        check_exposure(host, None, insecure=False)
    check_exposure(host, None, insecure=True)
    check_exposure(host, Certificate(*make_certificate(tmp_path, "ours")), insecure=False)


@pytest.mark.slow
def test_a_server_that_others_would_reach_without_tls_does_not_start(tmp_path: Path) -> None:
    words = ["serve", "--data-dir", str(tmp_path / "data"), "--host", "0.0.0.0", "--grpc-port", "0", "--http-port", "0"]
    done = forked.run(words, tmp_path, os.environ, PATIENCE)
    assert done.returncode == 1
    assert "--insecure" in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert not (tmp_path / "data").exists()


def test_an_authority_for_clients_that_cannot_be_used_is_one_sentence(tmp_path: Path) -> None:
    certificate, key = make_certificate(tmp_path, "ours")
    (tmp_path / "text").write_text("no certificate")
    with pytest.raises(SettingsError, match=r"tls_client_ca .* has no certificate in PEM format"):
        certificate_of(str(certificate), str(key), str(tmp_path / "text"))
    with pytest.raises(SettingsError, match=r"tls_client_ca .* cannot be read: No such file"):
        certificate_of(str(certificate), str(key), str(tmp_path / "missing"))
    with pytest.raises(SettingsError, match="tls_client_ca is set and tls_cert is not"):
        certificate_of("", "", str(certificate))
