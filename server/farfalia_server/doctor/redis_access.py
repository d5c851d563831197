"""Who can read and write the Redis that is named: there are the cards of open matches, and what happens next."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from urllib.parse import parse_qs, parse_qsl, urlencode, urlsplit, urlunsplit

from redis.asyncio import Redis
from redis.exceptions import RedisError

from farfalia_server.doctor.finding import Finding
from farfalia_server.net.addresses import is_loopback
from farfalia_server.net.redis_sentinels import is_sentinel

#: Seconds that a connection without a password may take.
_SECONDS = 2.0


def look_at_access(where: str, url: str) -> Iterator[Finding]:
    """Say what the address tells: whether there is a password, and TLS."""
    parts = urlsplit(url)
    chosen = parse_qs(parts.query)
    secure = parts.scheme.startswith("rediss")
    if parts.scheme == "unix":
        return
    if not parts.password and "password" not in chosen and not (secure and "ssl_certfile" in chosen):
        yield Finding.warning(
            "redis",
            f"{where} asks for no password; anyone who can connect to it sees and changes open matches.",
            "Set requirepass, and name the password in redis_url.",
        )
    elif not secure and not is_sentinel(url) and not is_loopback(parts.hostname or ""):
        yield Finding.warning(
            "redis",
            f"{where} is used without TLS; anyone on the way can read its password.",
            "Use rediss://, unless the network between is your own.",
        )


async def look_at_door(where: str, url: str, client: Redis) -> list[Finding]:
    """Say what the Redis tells: whether it lets in who has no password, and where it listens."""
    parts = urlsplit(url)
    if parts.scheme == "unix" or is_sentinel(url):
        return []
    has_password = bool(parts.password) or "password" in parse_qs(parts.query)
    lets_in = await _lets_in(url) if has_password else True
    if has_password and lets_in:
        text = f"{where} lets in who has no password, although redis_url has one."
        return [Finding.warning("redis", text, "Set requirepass, or switch the user `default` off.")]
    return list(_elsewhere(where, parts.hostname or "", await _listens(client), lets_in=lets_in))


def _elsewhere(where: str, host: str, listens: list[str], *, lets_in: bool) -> Iterator[Finding]:
    """Say whether other machines reach a Redis that this one reaches by itself."""
    if not is_loopback(host) or all(is_loopback(address) for address in listens):
        return
    text = f"{where} listens on {', '.join(listens)}, where other machines can reach it"
    if lets_in:
        remedy = "Set bind to 127.0.0.1, or requirepass if other nodes use it."
        yield Finding.problem("redis", f"{text} without a password.", remedy)
    else:
        remedy = "Set bind to 127.0.0.1, unless other nodes use it; then let a firewall keep all others away."
        yield Finding.warning("redis", f"{text}.", remedy)


async def _lets_in(url: str) -> bool:
    """Return whether the Redis answers at this address without its user and password."""
    parts = urlsplit(url)
    query = [(name, value) for name, value in parse_qsl(parts.query) if name not in ("username", "password")]
    bare = parts._replace(netloc=parts.netloc.rpartition("@")[2], query=urlencode(query))
    client = Redis.from_url(urlunsplit(bare), socket_timeout=_SECONDS, socket_connect_timeout=_SECONDS)
    try:
        return bool(await client.ping())
    except (RedisError, OSError):
        return False
    finally:
        await client.aclose()


async def _listens(client: Redis) -> list[str]:
    """Return the addresses on which it takes connections of others; none where it does not say or refuses them."""
    with suppress(RedisError):
        told = await client.config_get("bind", "protected-mode")
        values = {_text(name): _text(value) for name, value in told.items()}
        nobody_else = values.get("protected-mode") == "yes" and not await _has_password(client)
        return [] if nobody_else else [_address(word) for word in values.get("bind", "").split()] or ["all addresses"]
    return []


async def _has_password(client: Redis) -> bool:
    return bool(_text((await client.config_get("requirepass")).get("requirepass", "")))


def _address(word: str) -> str:
    """Return an address of `bind`, which a minus makes one that need not be there."""
    word = word.removeprefix("-")
    return {"*": "0.0.0.0", "::*": "::"}.get(word, word)  # noqa: S104 - what it says


def _text(value: object) -> str:
    return value.decode() if isinstance(value, bytes) else str(value)
