"""Where larger archives are: in a folder, or in a bucket of an S3-compatible store, both by obstore."""

from __future__ import annotations

import asyncio
import os
import re
import secrets
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from datetime import timedelta
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Final
from urllib.parse import unquote

from farfalia_server.contract.errors import NotFound, SettingsError, StoreUnavailable
from farfalia_server.contract.said import in_english

if TYPE_CHECKING:  # 15 MB, which a server without larger archives does without
    from obstore.store import LocalStore, S3Store

#: How long a bucket may take to answer, and how often it is asked again.
_CONNECT, _ANSWER, _RETRIES, _RETRYING = timedelta(seconds=5), timedelta(seconds=60), 2, timedelta(seconds=10)
#: Parts of an object, of 5 MiB each, that are under way at a time.
_AT_ONCE: Final = 2


class ObjectStore:
    """Objects by name, in the folder of an absolute path or a file:// URL, or below an s3:// URL.

    The endpoint and the credentials of a bucket are those of the variables `AWS_…`. Every call raises StoreUnavailable
    if the folder or the bucket cannot be used.
    """

    def __init__(self, address: str) -> None:
        self.address = address
        self._folder = None if address.startswith("s3://") else folder_of(address)

    @cached_property
    def _opened(self) -> LocalStore | S3Store:
        from obstore.store import LocalStore, S3Store

        if self._folder is not None:
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            return LocalStore(self._folder)
        return S3Store.from_url(
            self.address,
            # Whoever names an endpoint with http:// wants it; others get https://.
            client_options={"allow_http": True, "connect_timeout": _CONNECT, "timeout": _ANSWER},
            retry_config={"max_retries": _RETRIES, "retry_timeout": _RETRYING},
        )

    async def check(self) -> None:
        """Write, read and remove an object; SettingsError if one of these fails."""
        name = f"check-{secrets.token_hex(8)}"
        try:
            await self.put(name, _once(b"farfalia"))
            await self.read(name, 0, 8)
            await self.remove(name)
        except (StoreUnavailable, NotFound) as error:
            kind = "folder" if self._folder is not None else "bucket, with the variables AWS_…,"
            raise SettingsError(f"program_archives: {error}; expected a {kind} that can be written") from None

    async def put(self, name: str, contents: AsyncIterator[bytes]) -> None:
        """Write an object in parts; it is there as a whole or not at all."""
        with self._translated("written"):
            await self._opened.put_async(name, contents, max_concurrency=_AT_ONCE)
            if self._folder is not None:
                await asyncio.to_thread(_sync, self._folder, name)

    async def read(self, name: str, start: int, length: int) -> bytes:
        """Return these bytes of an object, which has them; NotFound."""
        with self._translated("read"):
            return bytes(await self._opened.get_range_async(name, start=start, length=length))

    def read_now(self, name: str, start: int, length: int) -> bytes:
        """Return these bytes of an object, for a caller that may wait; NotFound."""
        with self._translated("read"):
            return bytes(self._opened.get_range(name, start=start, length=length))

    def size_now(self, name: str) -> int:
        """Return the size of an object, for a caller that may wait; -1 if it is not there."""
        try:
            with self._translated("read"):
                return self._opened.head(name)["size"]
        except NotFound:
            return -1

    async def size(self, name: str) -> int:
        """Return the size of an object; -1 if it is not there."""
        return await asyncio.to_thread(self.size_now, name)

    async def remove(self, name: str) -> None:
        """Remove an object, if it is there."""
        try:
            with self._translated("written"):
                await self._opened.delete_async(name)
        except NotFound:
            return

    @contextmanager
    def _translated(self, verb: str) -> Iterator[None]:
        from obstore.exceptions import BaseError

        try:
            yield
        except FileNotFoundError as error:
            if "NoSuchBucket" not in str(error):
                raise NotFound(in_english(f"there is no such object in {self.address}")) from None
            raise self._unavailable(verb, error) from None
        except (BaseError, OSError, ValueError) as error:
            raise self._unavailable(verb, error) from None

    def _unavailable(self, verb: str, error: Exception) -> StoreUnavailable:
        return StoreUnavailable(f"the archives at {self.address} cannot be {verb}: {_reason(error)}")


def folder_of(address: str) -> Path:
    """Return the folder that an absolute path or a file:// URL names."""
    return Path(unquote(address.removeprefix("file://")) if address.startswith("file://") else address)


async def _once(data: bytes) -> AsyncIterator[bytes]:
    yield data


def _sync(folder: Path, name: str) -> None:
    """Bring a file to the disk: the database forgets its own copy."""
    for path in (folder / name, folder):
        number = os.open(path, os.O_RDONLY)
        try:
            os.fsync(number)
        finally:
            os.close(number)


def _reason(error: Exception) -> str:
    """Return what an S3 server, the system or obstore says, in a few words: obstore adds pages to it."""
    text = str(error)
    if isinstance(error, OSError) and error.strerror:
        return error.strerror
    if said := re.search(r"<Code>(.*?)</Code>.*?<Message>(.*?)</Message>", text, re.DOTALL):
        return f"{said[1]}, {said[2].rstrip('.')}"
    if said := re.search(r'message: "(.*?)"', text):
        return said[1]
    line = text.partition("\n")[0]
    return re.sub(r"^Generic \w+ error: ", "", line)
