"""A real provider of OpenID Connect, in a process of its own, and somebody who signs in there."""

from __future__ import annotations

import re
import socket
import subprocess
from html import unescape
from pathlib import Path
from typing import IO
from urllib.parse import urljoin

import httpx
from tests.server.live import PATIENCE

FOLDER = Path(__file__).parent / "identity_provider"
#: What the provider knows of its only client.
CLIENT = {"oidc_client_id": "arena", "oidc_client_secret": "a secret of the provider"}


class Provider:
    """A provider at an address that is known before it runs."""

    def __init__(self) -> None:
        installed = FOLDER / "node_modules" / ".package-lock.json"
        if not installed.exists() or installed.stat().st_mtime < (FOLDER / "package-lock.json").stat().st_mtime:
            command = ["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund"]
            subprocess.run(command, cwd=FOLDER, check=True, capture_output=True, timeout=300)
        with socket.socket() as found:
            found.bind(("127.0.0.1", 0))
            self.port = found.getsockname()[1]
        self._process: subprocess.Popen[str] | None = None

    @property
    def issuer(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def start(self, pages: str) -> None:
        """Run, and send people back to these pages."""
        command = ["node", str(FOLDER / "provider.mjs"), str(self.port), f"{pages}/account/oidc/callback"]
        self._process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        said: IO[str] | None = self._process.stdout
        assert said is not None
        while "listening" not in (line := said.readline()):
            assert line, "the provider has ended"

    def stop(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.communicate()
            self._process = None


def sign_in_at(address: str, login: str) -> str:
    """The address to which the provider sends somebody back who signs in there; it is not visited."""
    with httpx.Client(timeout=PATIENCE) as client:
        answer = client.get(address)
        while True:
            if answer.is_redirect:
                following = urljoin(str(answer.url), answer.headers["location"])
                if "/account/oidc/callback" in following:
                    return following
                answer = client.get(following)
                continue
            assert answer.status_code == 200, answer.text
            form = re.search(r'<form[^>]* action="([^"]+)"', answer.text)
            assert form, answer.text
            prompt = re.search(r'name="prompt" value="(\w+)"', answer.text)
            assert prompt, answer.text
            fields = {"prompt": prompt[1], "login": login, "password": "any"}
            answer = client.post(urljoin(str(answer.url), unescape(form[1])), data=fields)
