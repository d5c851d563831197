"""Tokens, which are handed out once, and their hashes, which are stored."""

import hashlib
import secrets

_TOKEN_PREFIX = "farfalia_"  # noqa: S105  (not a secret: lets scanners of repositories recognise what follows)


#: How a session begins, so that it is looked up as one.
SESSION_PREFIX = f"{_TOKEN_PREFIX}session_"
#: The same of a token that an account has made for a part of what it may do.
API_PREFIX = f"{_TOKEN_PREFIX}api_"


def new_token(prefix: str = _TOKEN_PREFIX) -> str:
    """Return a token of 256 random bits."""
    return prefix + secrets.token_urlsafe(32)


def new_code() -> str:
    """Return the code of an invitation, 100 random bits: people copy it by hand, without `0`, `1`, `l` and `o`."""
    letters = "abcdefghijkmnpqrstuvwxyz23456789"
    return "-".join("".join(secrets.choice(letters) for _ in range(5)) for _ in range(4))


def token_hash(token: str) -> bytes:
    """Return the hash of a token, to be stored.

    One round of SHA-256 is enough: 256 random bits cannot be guessed, so there is no dictionary attack that a slow hash
    would have to slow down.
    """
    return hashlib.sha256(token.encode()).digest()
