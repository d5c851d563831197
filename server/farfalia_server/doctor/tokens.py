"""Whether the admin token can be guessed."""

from __future__ import annotations

from collections.abc import Iterator

from farfalia_server.admin_token import LEAST, MADE_BY, is_guessable
from farfalia_server.doctor.finding import Finding
from farfalia_server.settings import Settings


def check_token(settings: Settings) -> Iterator[Finding]:
    """Say whether the admin token of the settings is long enough, wherever the server listens: a proxy may pass on
    what strangers send.
    """
    name, token = "admin token", settings.admin_token
    if is_guessable(token):
        yield Finding.problem(
            name,
            f"admin_token has {len(token)} characters, which can be guessed; expected at least {LEAST}.",
            f"Make one with `{MADE_BY}`, and start the server with it in FARFALIA_ADMIN_TOKEN.",
        )
    elif token:
        yield Finding.ok(name, f"admin_token has {len(token)} characters.")
    else:
        yield Finding.ok(name, "The settings have no admin_token; the server makes one at its first start.")
