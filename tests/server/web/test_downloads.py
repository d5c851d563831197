"""What a server gives away: its own wheel, from which bots are installed, and the contract."""

from __future__ import annotations

import hashlib
import io
import re
import subprocess
import sys
import sysconfig
import zipfile
from importlib.metadata import version
from pathlib import Path

import httpx
import pytest
from tests.cli.command import environment
from tests.server.live import PATIENCE, LiveServer
from tests.server.web_site import Site, serving

from farfalia.v1 import record_pb2
from farfalia_server.web.documents import documents
from farfalia_server.web.wheel import contract, filename, guide

ROOT = Path(__file__).resolve().parents[3]
WHEEL = filename(version("farfalia"))
BOT = """
import sys
from pathlib import Path
import farfalia

print(Path(farfalia.__file__).parent, flush=True)

class Miser(farfalia.Bot):
    def play(self, view):
        return min(view.legal)

farfalia.run(Miser())
"""


@pytest.fixture(scope="module")
def python(server: LiveServer, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A new environment in which the server's wheel has been installed as its page says."""
    folder = tmp_path_factory.mktemp("environment")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder], check=True, timeout=PATIENCE)
    program = folder / "bin" / "python"
    page = httpx.get(f"http://{server.http_address}/downloads/", timeout=PATIENCE).text
    found = re.search(r"<code>pip install (http\S+)</code>", page)
    assert found is not None
    install = [sys.executable, "-m", "pip", "--python", str(program), "install", "--no-deps", "--no-index"]
    done = subprocess.run([*install, "--no-cache-dir", found[1]], capture_output=True, text=True, timeout=PATIENCE * 5)
    assert done.returncode == 0, done.stderr
    # What it requires comes from where the tests run, and is found after what was installed.
    site = next((folder / "lib").glob("python*/site-packages"))
    (site / "requirements.pth").write_text(sysconfig.get_path("purelib") + "\n")
    return program


def test_a_bot_that_was_installed_from_the_server_plays_on_it(server: LiveServer, python: Path, tmp_path: Path) -> None:
    (tmp_path / "miser.py").write_text(BOT)
    token = server.register("miser")
    bot = subprocess.Popen(
        [python, "miser.py"],
        cwd=tmp_path,
        env=environment(FARFALIA_SERVER=server.grpc_address, FARFALIA_TOKEN=token, PYTHONUNBUFFERED="1"),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    try:
        assert bot.stdout is not None
        assert Path(bot.stdout.readline().strip()).is_relative_to(python.parents[1])
        (match,) = server.wait_for_matches(server.tournament(["miser", "house-random-1"], rounds=1))
    finally:
        bot.terminate()
        bot.communicate(timeout=PATIENCE)
    record = server.record(match.id)
    assert server.verify(record) == []
    seat = [seat.name for seat in record.seats].index("miser")
    assert record_pb2.CAUSE_BOT in {action.cause for action in record.actions if action.seat == seat}


def test_what_is_installed_gives_the_same_wheel_again(server: LiveServer, python: Path) -> None:
    again = "import sys; from farfalia_server.web.wheel import wheel; sys.stdout.buffer.write(wheel())"
    done = subprocess.run([python, "-c", again], env=environment(), capture_output=True, timeout=PATIENCE)
    assert done.returncode == 0, done.stderr
    given = httpx.get(f"http://{server.http_address}/downloads/{WHEEL}", timeout=PATIENCE)
    assert hashlib.sha256(done.stdout).digest() == hashlib.sha256(given.content).digest()


def test_what_is_installed_shows_the_documents_that_came_with_it(python: Path) -> None:
    shown = """
from farfalia_server.web.documents import documents
from farfalia_server.web.python_reference import with_reference
from farfalia_server.web.wheel import documents_folder

print(documents_folder())
print(*(one.address for one in documents().listed))
print(with_reference("::: farfalia_engine").count("signature"))
"""
    done = subprocess.run([python, "-c", shown], env=environment(), capture_output=True, text=True, timeout=PATIENCE)
    assert done.returncode == 0, done.stderr
    folder, addresses, signatures = done.stdout.splitlines()
    assert Path(folder).is_relative_to(python.parents[1])
    assert addresses.split() == [one.address for one in documents().listed]
    assert int(signatures) > 100


def test_the_command_of_the_wheel_works(python: Path) -> None:
    done = subprocess.run(
        [python.with_name("farfalia"), "version"], env=environment(), capture_output=True, text=True, timeout=PATIENCE
    )
    assert done.returncode == 0, done.stderr
    assert version("farfalia") in done.stdout


async def test_a_download_is_sent_once(tmp_path: Path) -> None:
    async with serving(tmp_path, version("farfalia")) as site:
        for path in (f"/downloads/{WHEEL}", "/downloads/proto/farfalia/v1/play.proto"):
            first = await site.get(path)
            assert "immutable" in first.headers["cache-control"]
            again = await site.client.get(path, headers={"if-none-match": first.headers["etag"]})
            assert again.status_code == 304


async def test_the_page_says_where_to_connect_and_links_every_file(tmp_path: Path) -> None:
    async with serving(tmp_path, version("farfalia")) as site:
        page = (await site.get("/downloads/")).text
        assert "FARFALIA_SERVER=arena.example:7600 FARFALIA_TOKEN=" in page
        assert f"pip install http://arena.example:7601/downloads/{WHEEL}<" in page
        links = re.findall(r'href="(/downloads/[^"]+)"', page)
        assert len(set(links)) == 2 + len(contract()) + len(guide())
        for link in links:
            await site.get(link)
        assert 'href="/downloads/"' in (await site.get("/")).text


async def test_the_contract_and_what_explains_it_come_in_files_and_in_one(tmp_path: Path) -> None:
    async with serving(tmp_path, version("farfalia")) as site:
        packed = await site.get(f"/downloads/farfalia-contract-{version('farfalia')}.zip")
        with zipfile.ZipFile(io.BytesIO(packed.content)) as archive:
            for path in archive.namelist():
                assert (
                    archive.read(path) == (await site.get(f"/downloads/{path}")).content == (ROOT / path).read_bytes()
                )
            protos = {"proto/farfalia/v1/play.proto", "proto/farfalia/v1/arena.proto"}
            assert protos | {"clients/README.md", "clients/transcript.jsonl"} <= set(archive.namelist())


async def test_authors_in_other_languages_find_the_page_of_the_contract_and_a_bot_to_copy(tmp_path: Path) -> None:
    async with serving(tmp_path, version("farfalia")) as site:
        page = (await site.get("/downloads/")).text
        assert '<a href="/docs/clients">The contract on one page</a>' in page
        assert (await site.get("/downloads/clients/README.md")).text.startswith("# The contract on one page")
        assert (await site.get("/downloads/clients/node/bot.mjs")).text.startswith("//")


async def test_nothing_else_can_be_had(site: Site) -> None:
    for path in (
        "proto/%2e%2e/README.md",
        "pyproject.toml",
        "proto/farfalia/v1/",
        "proto//etc",
        "clients/python/farfalia/bot.py",
    ):
        assert (await site.client.get(f"/downloads/{path}")).status_code == 404, path
