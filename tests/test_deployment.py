"""What servers are installed from: the Dockerfile, the Compose file, and the files in `deploy/`."""

import json
import os
import re
import shlex
import shutil
import subprocess
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml
from tests.server.certificate import make_certificate
from typer.main import get_command

from farfalia.v1.arena_pb2 import DESCRIPTOR as ARENA
from farfalia.v1.play_pb2 import DESCRIPTOR as PLAY
from farfalia_server import PREFIX
from farfalia_server.admin_token import is_guessable
from farfalia_server.cli import app
from farfalia_server.cli.usage import UsageError
from farfalia_server.settings import Settings
from farfalia_server.settings_loading import load

ROOT = Path(__file__).resolve().parents[1]
#: Variables of our own that are no settings of the server: those of bots and hosts.
OF_BOTS = {"FARFALIA_SERVER", "FARFALIA_TOKEN", "FARFALIA_HOST_TOKEN"}
ASKS_HEALTHZ = ["python", "-m", "farfalia_server.healthz"]
DEPLOY = ROOT / "deploy"


@pytest.fixture
def dockerfile() -> list[tuple[str, str]]:
    text = re.sub(r"\\\n\s*", " ", (ROOT / "Dockerfile").read_text())
    lines = [line for line in text.splitlines() if line.strip() and not line.startswith("#")]
    return [(word, rest.strip()) for word, _, rest in (line.partition(" ") for line in lines)]


@pytest.fixture(params=["docker-compose.yml", "deploy/compose.yml"])
def services(request: pytest.FixtureRequest) -> dict[str, Any]:
    """The services of a Compose file; those that are taken from another file as they are there."""
    file = ROOT / request.param
    found: dict[str, Any] = yaml.safe_load(file.read_text())["services"]
    for name, service in found.items():
        if "extends" in service:
            other = yaml.safe_load((file.parent / service["extends"]["file"]).read_text())["services"]
            found[name] = other[service["extends"]["service"]]
    return found


@pytest.fixture
def networks(request: pytest.FixtureRequest) -> dict[str, Any]:
    """The networks of the same Compose file."""
    file = ROOT / request.node.callspec.params["services"]
    found: dict[str, Any] = yaml.safe_load(file.read_text())["networks"]
    return found


def known(names: set[str]) -> set[str]:
    settings = {f"{PREFIX}{name.upper()}" for name in Settings.model_fields} | OF_BOTS
    return {name for name in names if not name.startswith(PREFIX) or name in settings}


def test_the_image_serves_as_it_stands(dockerfile: list[tuple[str, str]]) -> None:
    last = max(number for number, (word, _) in enumerate(dockerfile) if word == "FROM")
    final = dockerfile[last:]
    said = {word: rest for word, rest in final if word != "ENV"}
    env = dict(pair.split("=", 1) for word, rest in final if word == "ENV" for pair in shlex.split(rest))
    assert known(set(env)) == set(env)
    assert env["FARFALIA_HOST"] == "0.0.0.0"
    assert env["FARFALIA_DATA_DIR"] == said["WORKDIR"] == said["VOLUME"]
    assert said["USER"] not in ("", "root", "0")
    assert json.loads(said["ENTRYPOINT"]) == ["farfalia"]
    assert json.loads(said["CMD"])[0] in get_command(app).commands  # type: ignore[attr-defined]
    assert json.loads(said["HEALTHCHECK"].partition("CMD ")[2]) == ASKS_HEALTHZ
    for port in ("grpc_port", "http_port"):
        assert str(Settings.model_fields[port].default) in said["EXPOSE"].split()


def test_the_image_is_given_all_that_the_wheel_is_built_from(dockerfile: list[tuple[str, str]]) -> None:
    copied = {
        Path(word) for step, rest in dockerfile if step == "COPY" and "--from" not in rest for word in rest.split()[:-1]
    }
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    wheel = project["tool"]["hatch"]["build"]["targets"]["wheel"]
    needed = ["pyproject.toml", project["project"]["readme"], *project["project"]["license-files"], *wheel["packages"]]
    needed += wheel.get("force-include", {})
    ignored = (ROOT / ".dockerignore").read_text().splitlines()
    let_in = {Path(line[1:]) for line in ignored if line.startswith("!")}
    for path in map(Path, needed):
        assert (ROOT / path).exists(), path
        for allowed in (copied, let_in):
            assert allowed & {path, *path.parents}, f"{path} does not reach the image"


def test_compose_describes_a_system_that_is_watched_and_comes_back(services: dict[str, Any]) -> None:
    assert services["server"]["healthcheck"]["test"] == ["CMD", *ASKS_HEALTHZ]
    for name, service in services.items():
        assert service["restart"] == "unless-stopped", name
        assert service["logging"]["options"]["max-size"], name
        assert service["mem_limit"], name
        environment = set(service.get("environment", {}))
        assert known(environment) == environment, name


def test_compose_publishes_nothing_but_the_proxy_where_there_is_one() -> None:
    services = yaml.safe_load((DEPLOY / "compose.yml").read_text())["services"]
    assert {name for name, service in services.items() if "ports" in service} == {"caddy"}
    assert services["caddy"]["environment"]["FARFALIA_HOST"] in services
    assert set(re.findall(r"\{\$(\w+):", (DEPLOY / "Caddyfile").read_text())) == set(services["caddy"]["environment"])


def test_compose_does_not_start_without_an_admin_token(services: dict[str, Any]) -> None:
    assert services["server"]["environment"]["FARFALIA_ADMIN_TOKEN"].startswith("${FARFALIA_ADMIN_TOKEN:?")


def test_no_example_has_an_admin_token_that_its_server_refuses() -> None:
    files = [*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md"), *DEPLOY.glob("*"), ROOT / "docker-compose.yml"]
    text = "\n".join(file.read_text() for file in files if file.is_file())
    tokens = re.findall(r"""FARFALIA_ADMIN_TOKEN(?:=|: )["']?([^\s"'`]*)""", text)
    assert tokens
    assert [token for token in tokens if is_guessable(token) and not token.startswith(("$", "…"))] == []


def test_the_commands_of_compose_exist(services: dict[str, Any]) -> None:
    for service in services.values():
        if "build" not in service:
            continue
        command: Any = get_command(app)
        words = shlex.split(service["command"])
        while words and hasattr(command, "commands"):
            command = command.commands[words.pop(0)]
        options = {option for parameter in command.params for option in parameter.opts}
        assert {word for word in words if word.startswith("--")} <= options


def unit(service: str = "farfalia.service") -> dict[str, list[str]]:
    """The settings of a unit of systemd, each with all its values."""
    found: dict[str, list[str]] = {}
    for name, value in re.findall(r"^(\w+)=(.*)$", (DEPLOY / service).read_text(), re.MULTILINE):
        found.setdefault(name, []).append(value)
    return found


def run(*words: str | Path, **environment: str) -> str:
    """What a program says that finds nothing wrong; it is skipped where there is none."""
    program = shutil.which(words[0], path=f"{os.environ['PATH']}:/usr/sbin:/sbin")
    if program is None:
        pytest.skip(f"{words[0]} is not installed")
    done = subprocess.run([program, *words[1:]], env=os.environ | environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


@pytest.mark.parametrize("service", ["farfalia.service", "farfalia-backup.service", "farfalia-host.service"])
def test_a_unit_starts_a_command_with_settings_that_there_are(service: str) -> None:
    [start] = unit(service)["ExecStart"]
    program, command, *words = start.split()
    called = get_command(app).commands[command]  # type: ignore[attr-defined]
    options = {option for parameter in called.params for option in parameter.opts}
    assert Path(program).name == "farfalia"
    assert {word for word in words if word.startswith("--")} <= options
    names = {pair.partition("=")[0] for pair in unit(service)["Environment"]}
    assert known(names) == names


def test_a_backup_is_made_of_what_the_server_uses_with_the_same_rights() -> None:
    server, backup = unit(), unit("farfalia-backup.service")
    of_a_server = {"Description", "Documentation", "After", "Wants", "Type", "ExecStart", "WantedBy", "LimitNOFILE"}
    of_a_server |= {name for name in server if name.startswith(("Restart", "Kill", "Timeout"))} - {"RestrictRealtime"}
    same = {name: value for name, value in server.items() if name not in of_a_server}
    assert same.keys() > {"User", "Environment", "EnvironmentFile", "ProtectSystem", "SystemCallFilter"}
    assert {name: backup.get(name) for name in same} == same
    configs = {words["ExecStart"][0].partition("--config ")[2] for words in (server, backup)}
    assert len(configs) == 1


def test_the_unit_leaves_a_server_its_redis_until_it_has_stopped() -> None:
    assert unit()["KillMode"] == ["mixed"]


def test_the_unit_does_not_repeat_a_start_that_a_wrong_setting_ended() -> None:
    assert unit()["RestartPreventExitStatus"] == [str(UsageError.exit_code)]


def test_systemd_finds_nothing_wrong_with_the_units(tmp_path: Path) -> None:
    copies = []
    for source in sorted(DEPLOY.glob("farfalia*.*")):
        if source.suffix in (".service", ".timer"):
            copies.append(tmp_path / source.name)
            copies[-1].write_text(source.read_text().replace("/opt/farfalia/bin/farfalia", "/bin/true"))
    assert len(copies) == 4
    assert run("systemd-analyze", "verify", *copies) == ""


def test_the_settings_behind_a_proxy_are_settings() -> None:
    settings = load({}, DEPLOY / "farfalia.toml")
    assert settings.public_address == settings.public_url == "https://arena.example"


@pytest.mark.parametrize("name", ["nginx.conf", "Caddyfile"])
def test_a_proxy_leads_to_the_ports_of_the_server(name: str) -> None:
    ports = {f"{Settings.model_fields[port].default}" for port in ("grpc_port", "http_port")}
    assert set(re.findall(r"127\.0\.0\.1\}?:(\d+)", (DEPLOY / name).read_text())) == ports


@pytest.mark.parametrize("name", ["nginx.conf", "Caddyfile"])
def test_a_proxy_knows_every_service_of_the_server_by_its_path(name: str) -> None:
    words = {"nginx.conf": r"location ~ (\S+)", "Caddyfile": r"@grpc path (.+)"}
    [found] = re.findall(words[name], (DEPLOY / name).read_text())
    patterns = (
        [found] if name == "nginx.conf" else [word.replace(".", r"\.").replace("*", ".*") for word in found.split()]
    )
    names = [service.full_name for service in (*PLAY.services_by_name.values(), *ARENA.services_by_name.values())]
    for service in (*names, "grpc.health.v1.Health", "grpc.reflection.v1alpha.ServerReflection"):
        assert any(re.match(pattern, f"/{service}/Call") for pattern in patterns), service
    for path in ("/", "/api/bots", "/healthz", "/downloads/farfalia-0.1.0-py3-none-any.whl"):
        assert not any(re.match(pattern, path) for pattern in patterns), path


def test_nginx_finds_nothing_wrong_with_its_file(tmp_path: Path) -> None:
    certificate, key = make_certificate(tmp_path, "arena")
    site = (DEPLOY / "nginx.conf").read_text()
    for name, path in (("fullchain", certificate), ("privkey", key)):
        site = site.replace(f"/etc/ssl/arena.example/{name}.pem", str(path))
    # Low ports need rights, and a machine may have no IPv6.
    (tmp_path / "site.conf").write_text(
        re.sub(r" +listen \[::\].*\n", "", site).replace("listen ", "listen 127.0.0.1:1")
    )
    whole = (
        f"pid {tmp_path}/pid; error_log stderr; events {{}} http {{ access_log off; include {tmp_path}/site.conf; }}"
    )
    (tmp_path / "nginx.conf").write_text(whole)
    assert "successful" in run("nginx", "-t", "-p", tmp_path, "-c", tmp_path / "nginx.conf")


def test_caddy_finds_nothing_wrong_with_its_file(tmp_path: Path) -> None:
    run("caddy", "validate", "--adapter", "caddyfile", "--config", DEPLOY / "Caddyfile", HOME=str(tmp_path))


def test_compose_keeps_bots_and_proxies_away_from_redis_and_the_database(services: dict[str, Any]) -> None:
    for name in ("redis", "postgres"):
        assert services[name]["networks"] == ["back"]
    assert {name for name, service in services.items() if "back" in service["networks"]} == {
        *("redis", "postgres", "server"),
    }


def test_a_host_reaches_the_server_and_nothing_else(services: dict[str, Any], networks: dict[str, Any]) -> None:
    host = services["host"]
    assert host["networks"] == ["hosts"]
    assert networks["hosts"] == networks["back"] == {"internal": True}
    assert {name for name, service in services.items() if "hosts" in service["networks"]} == {"server", "host"}
    assert host["environment"].keys() == {"FARFALIA_SERVER", "FARFALIA_HOST_TOKEN"}
    assert "ports" not in host
    assert "volumes" not in host  # each has one of its own: `--scale` makes several


def test_a_host_in_a_container_may_make_sandboxes_and_has_no_other_rights(services: dict[str, Any]) -> None:
    host = services["host"]
    assert host["cap_drop"] == ["ALL"]
    assert "privileged" not in host
    assert "cap_add" not in host
    assert {word.partition("=")[0] for word in host["security_opt"]} == {
        *("no-new-privileges:true", "seccomp", "apparmor", "systempaths"),
    }
    assert "bubblewrap" in (ROOT / "Dockerfile").read_text()


def seconds_to_stop(host: str) -> tuple[float, float]:
    """How long a host plays on when it is told to stop, and when it is killed."""
    text = (ROOT / host).read_text()
    patience = re.search(r"--patience(?: |, \")(\d+)", text)
    killed = re.findall(r"(?:TimeoutStopSec=|stop_grace_period: )(\d+)m|terminationGracePeriodSeconds: (\d+)", text)
    assert patience is not None
    return float(patience[1]), min(float(minutes or 0) * 60 + float(seconds or 0) for minutes, seconds in killed)


@pytest.mark.parametrize("file", ["docker-compose.yml", "deploy/farfalia-host.service", "deploy/kubernetes.yaml"])
def test_a_host_is_not_killed_while_it_lets_matches_end(file: str) -> None:
    patience, killed = seconds_to_stop(file)
    assert patience + 15 <= killed == 120


def test_the_unit_of_a_host_allows_what_a_sandbox_needs_and_no_more() -> None:
    server, host = unit(), unit("farfalia-host.service")
    needs = {"PrivateDevices", "ProtectControlGroups", "ProtectHostname", "ProtectKernelLogs", "ProtectKernelTunables"}
    needs |= {"RestrictNamespaces", "UMask"}
    assert {name for name in server if name not in host} == needs
    different = {name for name in server if name in host and server[name] != host[name]}
    assert different == {
        *("Description", "After", "User", "StateDirectory", "Environment", "EnvironmentFile", "ExecStart"),
        *("RestrictAddressFamilies", "SystemCallFilter"),
    }
    assert host["User"] != server["User"]
    assert host["EnvironmentFile"] != server["EnvironmentFile"]  # the admin token is in the server's


def test_compose_has_no_password_that_everybody_knows(services: dict[str, Any]) -> None:
    environment = services["server"]["environment"]
    assert "${BACK_PASSWORD:?" in environment["FARFALIA_DATABASE_URL"]
    assert "${BACK_PASSWORD}" in environment["FARFALIA_REDIS_URL"]
    assert services["postgres"]["environment"]["POSTGRES_PASSWORD"] == "${BACK_PASSWORD}"
    assert "--requirepass" in services["redis"]["command"]
