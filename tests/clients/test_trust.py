"""Whom a bot trusts, and who it says it is, on a connection with TLS."""

import re
from pathlib import Path

import pytest

from farfalia import settings
from farfalia.errors import BadSetting
from farfalia.settings import Trust

CA = b"-----BEGIN CERTIFICATE-----"


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("CA", "CLIENT_CERT", "CLIENT_KEY"):
        (tmp_path / name).write_text(CA.decode() if name == "CA" else f"the {name}")
        monkeypatch.setenv(f"FARFALIA_{name}", str(tmp_path / name))
    return tmp_path


@pytest.mark.usefixtures("files")
def test_with_tls_the_files_that_the_environment_names_are_used() -> None:
    assert settings.server("https://arena", "t").trust == Trust(CA, b"the CLIENT_KEY", b"the CLIENT_CERT")
    assert settings.server("arena:7600", "t", tls=True).trust.root_certificates == CA
    assert settings.server("arena:7600", "t").trust == Trust()


def test_without_them_grpc_decides_whom_to_trust() -> None:
    assert settings.server("https://arena", "t").trust == Trust(None, None, None)


@pytest.mark.usefixtures("files")
def test_no_key_is_ever_shown() -> None:
    assert "CLIENT" not in repr(settings.server("https://arena", "t"))


def test_a_file_that_cannot_be_read_is_one_sentence(files: Path) -> None:
    (files / "CA").unlink()
    with pytest.raises(BadSetting, match=r"^FARFALIA_CA is '.*CA', which cannot be read: No such file or directory\.$"):
        settings.server("https://arena", "t")
    assert settings.server("arena", "t").trust == Trust()


@pytest.mark.usefixtures("files")
@pytest.mark.parametrize("lacking", ["FARFALIA_CLIENT_CERT", "FARFALIA_CLIENT_KEY"])
def test_a_certificate_and_its_key_belong_together(monkeypatch: pytest.MonkeyPatch, lacking: str) -> None:
    monkeypatch.delenv(lacking)
    with pytest.raises(BadSetting, match="belong together"):
        settings.server("https://arena", "t")


@pytest.mark.parametrize(
    ("address", "target", "tls"),
    [
        ("arena", "arena:7600", False),
        ("arena:9", "arena:9", False),
        ("farfalia://arena", "arena:7600", False),
        ("farfalias://arena", "arena:7600", True),
        ("farfalias://arena:9/", "arena:9", True),
        ("http://arena", "arena:7600", False),
        ("http://arena:99/", "arena:99", False),
        ("[::1]", "[::1]:7600", False),
        ("[::1]:99", "[::1]:99", False),
        ("https://arena", "arena:443", True),
        ("https://arena:7600", "arena:7600", True),
        ("unix:/run/farfalia.sock", "unix:/run/farfalia.sock", False),
        ("unix:///run/farfalia.sock", "unix:/run/farfalia.sock", False),
    ],
)
def test_the_scheme_of_an_address_says_whether_there_is_tls(address: str, target: str, tls: bool) -> None:
    server = settings.server(address, "t")
    assert (server.target, server.tls) == (target, tls)


@pytest.mark.parametrize(
    ("addresses", "said"),
    [
        (("ftp://arena", "://arena", "farfaliass://arena"), ", farfalia://host:port or farfalias://host:port."),
        (("arena:", "arena:99999", ":7600", "arena/x", "https://"), ""),
    ],
)
def test_an_address_that_is_none_is_one_sentence(addresses: tuple[str, ...], said: str) -> None:
    for address in addresses:
        with pytest.raises(BadSetting, match=re.escape(f"expected host:port{said}")):
            settings.server(address, "t")


@pytest.mark.parametrize("address", ["unix:", "unix:farfalia.sock", "unix://host/farfalia.sock", "unix:////x"])
def test_a_socket_needs_its_whole_path(address: str) -> None:
    with pytest.raises(BadSetting, match=r"expected unix:/path, such as unix:/run/farfalia\.sock\.$"):
        settings.server(address, "t")


def test_an_authority_that_is_named_goes_before_that_of_the_environment(files: Path) -> None:
    (files / "another").write_bytes(CA + b" another")
    assert settings.server("farfalias://arena", "t", ca=files / "another").trust.root_certificates == CA + b" another"
    with pytest.raises(BadSetting, match=r"^ca is '.*nowhere', which cannot be read: No such file or directory\.$"):
        settings.server("farfalias://arena", "t", ca=files / "nowhere")
    (files / "empty").touch()
    with pytest.raises(BadSetting, match=r"^ca names a file that holds no certificate; expected one in PEM format\.$"):
        settings.server("farfalias://arena", "t", ca=files / "empty")
