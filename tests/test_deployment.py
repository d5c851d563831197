"""The Dockerfile and the Compose file, as far as they can be checked without Docker."""

import json
import re
import shlex
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml
from typer.main import get_command

from farfalia_server import PREFIX
from farfalia_server.cli import app
from farfalia_server.settings import Settings

ROOT = Path(__file__).resolve().parents[1]
#: Variables of our own that are no settings of the server.
OF_BOTS = {"FARFALIA_SERVER", "FARFALIA_TOKEN"}
ASKS_HEALTHZ = ["python", "-m", "farfalia_server.healthz"]


@pytest.fixture
def dockerfile() -> list[tuple[str, str]]:
    text = re.sub(r"\\\n\s*", " ", (ROOT / "Dockerfile").read_text())
    lines = [line for line in text.splitlines() if line.strip() and not line.startswith("#")]
    return [(word, rest.strip()) for word, _, rest in (line.partition(" ") for line in lines)]


@pytest.fixture
def services() -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load((ROOT / "docker-compose.yml").read_text())["services"]
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


def test_compose_does_not_start_without_an_admin_token(services: dict[str, Any]) -> None:
    assert services["server"]["environment"]["FARFALIA_ADMIN_TOKEN"].startswith("${FARFALIA_ADMIN_TOKEN:?")


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
