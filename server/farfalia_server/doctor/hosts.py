"""What a program that leaves its sandbox would find on a host here, and who hears what the host tells the server."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from urllib.parse import urlsplit

from farfalia import settings as sdk
from farfalia.errors import BadSetting
from farfalia_server import PREFIX
from farfalia_server.contract.registration import Registration
from farfalia_server.doctor.finding import Finding
from farfalia_server.net.addresses import is_loopback
from farfalia_server.settings import Settings

_NAME = "host"
_TOKEN, _SERVER = f"{PREFIX}HOST_TOKEN", f"{PREFIX}SERVER"
_MAKE = "Make one for hosts on the page of your account, as an admin, and one for each machine."


def check_hosts(settings: Settings, environment: Mapping[str, str]) -> Iterator[Finding]:
    """Look at what a host here is given, if the environment has a token for one or the settings start one."""
    token = environment.get(_TOKEN, "")
    found = [*_look_at_token(settings, token), *_look_at_way(environment, token), *_look_at_own(settings)]
    if found:
        yield from found
    elif token:
        yield Finding.ok(_NAME, "A host here has a token of its own, and nobody can listen on its way to the server.")


def _look_at_token(settings: Settings, token: str) -> Iterator[Finding]:
    if not token or not settings.admin_token:
        return
    if token == settings.admin_token:
        yield Finding.problem(_NAME, f"{_TOKEN} is the admin token, which can do everything.", _MAKE)
    else:
        yield Finding.warning(
            _NAME,
            "The token of a host and the admin token are on one machine; a program that left its sandbox could do "
            "everything.",
            f"Run hosts on machines of their own, where {_TOKEN} alone is set.",
        )


def _look_at_way(environment: Mapping[str, str], token: str) -> Iterator[Finding]:
    if not token:
        return
    address = environment.get(_SERVER, "") or sdk.DEFAULT_SERVER
    try:
        server = sdk.server(address, token)
    except BadSetting as error:
        yield Finding.problem(_NAME, str(error), f"Correct {_SERVER} and {_TOKEN}.")
        return
    host = urlsplit(f"//{server.target}").hostname or ""
    if not server.tls and not server.target.startswith("unix:") and not is_loopback(host):
        yield Finding.warning(
            _NAME,
            f"A host here talks to {server.target} without TLS; anyone on the way can read its token and the programs.",
            f"Set {_SERVER} to https://…, unless the network between is your own.",
        )


def _look_at_own(settings: Settings) -> Iterator[Finding]:
    if settings.host_programs and settings.registration is Registration.OPEN:
        yield Finding.warning(
            _NAME,
            "Programs that anyone may hand in run beside the server and its data, in a sandbox.",
            "Leave host_programs off, and run `farfalia host` on a machine of its own.",
        )
