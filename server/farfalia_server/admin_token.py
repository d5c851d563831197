"""How long an admin token must be that its operator has chosen."""

from __future__ import annotations

from typing import Final

from farfalia_server.contract.errors import SettingsError
from farfalia_server.net.addresses import is_loopback

#: Characters: fewer are a word or a name, which strangers guess.
LEAST: Final = 16
#: What makes one that nobody guesses.
MADE_BY: Final = "openssl rand -hex 32"


def is_guessable(token: str) -> bool:
    """Return whether a token is too short; none at all is not, since the server makes one then."""
    return 0 < len(token) < LEAST


def check_admin_token(host: str, token: str) -> None:
    """Raise SettingsError, which does not repeat it, if other machines can connect and the token is too short."""
    if is_guessable(token) and not is_loopback(host):
        raise SettingsError(
            f"admin_token has {len(token)} characters, and host is {host}, so strangers can try tokens; expected at "
            f"least {LEAST}, such as `{MADE_BY}` prints"
        )
