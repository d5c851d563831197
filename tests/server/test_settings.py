"""Settings: which source wins, and what is said of values that cannot be."""

from pathlib import Path

import pytest

from farfalia_server import settings_loading
from farfalia_server.contract.errors import SettingsError
from farfalia_server.contract.registration import Registration
from farfalia_server.settings import Settings

MAIL = {"smtp_host": "mail.example", "smtp_sender": "arena@arena.example"}


@pytest.fixture
def toml(tmp_path: Path) -> Path:
    return tmp_path / "farfalia.toml"


@pytest.fixture(autouse=True)
def _clean(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in Settings.model_fields:
        monkeypatch.delenv(f"FARFALIA_{name.upper()}", raising=False)


def test_settings_are_the_same_when_they_have_been_handed_to_a_worker() -> None:
    given = {"data_dir": "here", "registration": "open", "rating_system": "openskill", "linger_ms": 2.5, "workers": 3}
    chosen = settings_loading.load({**given, "tls_cert": "chain.pem", "log_format": "json", "admin_token": "secret"})
    assert Settings(**chosen.model_dump(mode="json")) == chosen


def test_command_line_environment_file_and_defaults_count_in_this_order(
    toml: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    toml.write_text("limit_ms = 30\nbank_ms = 30\ngrace = 30\n")
    monkeypatch.setenv("FARFALIA_LIMIT_MS", "20")
    monkeypatch.setenv("FARFALIA_BANK_MS", "20")
    chosen = settings_loading.load({"limit_ms": 10, "bank_ms": None}, toml)
    assert (chosen.limit_ms, chosen.bank_ms, chosen.grace, chosen.max_tables) == (10, 20, 30, 256)


def test_an_empty_variable_is_none_at_all(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FARFALIA_GRPC_PORT", "")
    assert settings_loading.load().grpc_port == 7600


def test_everything_has_a_description_and_times_have_their_unit() -> None:
    for name, field in Settings.model_fields.items():
        assert field.description is not None
        assert field.description.endswith(".")
        assert ("milliseconds" in field.description) == name.endswith("_ms")


def test_a_file_may_set_everything(toml: Path) -> None:
    toml.write_text(
        'host = "::"\ngrpc_port = 1\nhttp_port = 2\ndata_dir = "there"\nregistration = "open"\nlinger_ms = 2.5\n'
        'log_level = "debug"\nlog_format = "json"\nnode = "n1"\n'
    )
    chosen = settings_loading.load(file=toml)
    assert (chosen.host, chosen.grpc_port, chosen.data_dir) == ("::", 1, Path("there"))
    assert (chosen.registration, chosen.linger_ms, chosen.effective_node) == (Registration.OPEN, 2.5, "n1")


def test_database_and_redis_are_in_the_data_directory_unless_others_are_named() -> None:
    chosen = settings_loading.load({"data_dir": "there"})
    assert chosen.effective_database_url == "there/farfalia.db"
    assert chosen.redis_dir == Path("there/redis")
    assert (
        settings_loading.load({"database_url": "postgresql://host/x"}).effective_database_url == "postgresql://host/x"
    )


def test_larger_programs_are_beside_the_database_unless_a_place_is_named() -> None:
    assert settings_loading.load({"data_dir": "/there"}).effective_program_archives == "/there/programs"
    assert settings_loading.load({"database_url": "postgresql://host/x"}).effective_program_archives == ""
    for place in ("/srv/programs", "file:///srv/my%20programs", "s3://bucket", "s3://bucket/a/prefix"):
        chosen = settings_loading.load({"database_url": "postgresql://host/x", "program_archives": place})
        assert chosen.effective_program_archives == place


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        ("limt_ms = 9", "{file} has limt_ms, which is not a setting (did you mean limit_ms?)"),
        ("zzz = 9\n[yyy]\n", "{file} has zzz, yyy, which is not a setting"),
        ("limit_ms = 'x'", "limit_ms in {file} is 'x'; expected a whole number"),
        ("limit_ms = 1.5", "limit_ms in {file} is 1.5; expected a whole number"),
        ("limit_ms = 0", "limit_ms in {file} is 0; expected 1 or more"),
        ("host = [1]", "host in {file} is [1]; expected a text"),
        ("admin_token = 12345", "admin_token in {file} is not what it should be; expected a text"),
        ("limit_ms =", "{file} is not TOML: invalid value (at end of document)"),
    ],
)
def test_what_is_wrong_in_the_file_is_named(toml: Path, content: str, sentence: str) -> None:
    toml.write_text(content)
    with pytest.raises(SettingsError) as refusal:
        settings_loading.load(file=toml)
    assert str(refusal.value) == sentence.format(file=toml)


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"grpc_port": 65536}, "--grpc-port is 65536; expected 65535 or less"),
        ({"registration": "all"}, "--registration is 'all'; expected 'closed', 'invitation' or 'open'"),
        ({"name": ""}, "--name is ''; expected 1 characters or more"),
        ({"linger_ms": "soon"}, "--linger-ms is 'soon'; expected a number"),
        ({"nonsense": 1}, "--nonsense is not a setting"),
        (
            {"program_archives": "here"},
            "--program-archives is 'here'; expected an absolute path, file:///PATH or s3://BUCKET/PREFIX",
        ),
        (
            {"program_archives": "https://bucket.example"},
            "--program-archives is 'https://bucket.example'; expected an absolute path, file:///PATH or "
            "s3://BUCKET/PREFIX",
        ),
        (
            {"oidc_issuer": "http://id.example", "oidc_client_id": "arena"},
            "--oidc-issuer is 'http://id.example'; expected https://HOST or https://HOST/PATH without ? and #; http:// "
            "only for a provider on this machine",
        ),
        (
            {"oidc_issuer": "https://id.example"},
            "oidc_client_id is empty, and oidc_issuer is not; expected both oidc_issuer and oidc_client_id, or neither",
        ),
        (
            {"oidc_client_id": "arena"},
            "oidc_issuer is empty, and oidc_client_id is not; expected both oidc_issuer and oidc_client_id, or neither",
        ),
        (
            {"oidc_client_secret": "hidden"},
            "oidc_issuer and oidc_client_id are empty, and oidc_client_secret is not; expected both oidc_issuer and "
            "oidc_client_id, or neither",
        ),
        (
            {"smtp_sender": "arena@arena.example"},
            "smtp_host is empty, and smtp_sender is not; expected the name of a mail server",
        ),
        (
            {"smtp_host": "mail.example"},
            "smtp_sender is empty, and smtp_host is not; expected NAME@HOST in at most 254 characters of ASCII",
        ),
        (
            MAIL | {"smtp_user": "arena"},
            "smtp_password is empty, and smtp_user is not; expected both, or neither",
        ),
        (
            MAIL | {"smtp_security": "none"},
            "smtp_security is none and smtp_host is mail.example, so anyone on the way can read the links; expected "
            "starttls or tls, or --insecure if the network is private",
        ),
        (MAIL | {"smtp_security": "ssl"}, "--smtp-security is 'ssl'; expected 'starttls', 'tls' or 'none'"),
        (
            MAIL | {"smtp_host": "smtp://mail.example"},
            "--smtp-host is 'smtp://mail.example'; expected the name or the address of a machine, without a port",
        ),
        (
            MAIL | {"smtp_sender": "Arena <arena@arena.example>"},
            "--smtp-sender is 'Arena <arena@arena.example>'; expected NAME@HOST in at most 254 characters of ASCII",
        ),
    ],
)
def test_what_is_wrong_on_the_command_line_is_named(given: dict[str, object], sentence: str) -> None:
    with pytest.raises(SettingsError) as refusal:
        settings_loading.load(given)
    assert str(refusal.value) == sentence


def test_what_is_wrong_in_the_environment_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FARFALIA_GRPC_PORT", "many")
    with pytest.raises(SettingsError, match=r"^FARFALIA_GRPC_PORT is 'many'; expected a whole number$"):
        settings_loading.load()


def test_a_file_that_cannot_be_read_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match=r"^[^\n]* cannot be read: No such file or directory$"):
        settings_loading.load(file=tmp_path / "missing.toml")
    (tmp_path / "binary.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(SettingsError, match="is not UTF-8 text"):
        settings_loading.load(file=tmp_path / "binary.toml")


@pytest.mark.parametrize("issuer", ["https://id.example", "https://id.example/realms/arena/", "http://127.0.0.1:8080"])
def test_a_provider_has_an_address_that_nobody_on_the_way_can_change(issuer: str) -> None:
    assert settings_loading.load({"oidc_issuer": issuer, "oidc_client_id": "arena"}).oidc_issuer == issuer


@pytest.mark.parametrize(
    ("given", "port"),
    [
        ({}, 587),
        ({"smtp_security": "tls"}, 465),
        ({"smtp_port": 2525}, 2525),
        ({"smtp_security": "none", "insecure": True}, 25),
        ({"smtp_security": "none", "smtp_host": "localhost"}, 25),
        ({"smtp_security": "none", "smtp_host": "::1"}, 25),
    ],
)
def test_a_mail_server_has_the_usual_port_of_its_security(given: dict[str, object], port: int) -> None:
    server = settings_loading.load(MAIL | given).mail_server
    assert server is not None
    assert server.port == port


def test_without_a_mail_server_none_is_used() -> None:
    assert settings_loading.load().mail_server is None


def test_secrets_are_not_shown_with_the_other_settings() -> None:
    provider = {"oidc_issuer": "https://id.example", "oidc_client_id": "arena", "oidc_client_secret": "very-secret"}
    mail = MAIL | {"smtp_user": "arena", "smtp_password": "very-secret"}
    chosen = settings_loading.load({"admin_token": "very-secret", **provider, **mail})
    assert "very-secret" not in repr(chosen) + repr(chosen.mail_server)
