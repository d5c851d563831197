"""Signatures of what webhooks are told, as Standard Webhooks has them, for which most languages have a library."""

from __future__ import annotations

import base64
import hashlib
import hmac
import secrets
from typing import Final

#: How a secret begins.
PREFIX: Final = "whsec_"
_SECRET_BYTES = 32


def new_secret() -> str:
    """Return a secret for signatures."""
    return PREFIX + base64.b64encode(secrets.token_bytes(_SECRET_BYTES)).decode()


def signature(secret: str, id: str, timestamp: int, body: bytes) -> str:
    """Return what the header `webhook-signature` says of a body."""
    key = base64.b64decode(secret.removeprefix(PREFIX))
    signed = hmac.digest(key, f"{id}.{timestamp}.".encode() + body, hashlib.sha256)
    return f"v1,{base64.b64encode(signed).decode()}"
