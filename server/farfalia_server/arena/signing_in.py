"""Passwords and sessions: how people sign in, and how often somebody may guess."""

from __future__ import annotations

import asyncio
import os
import sys
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from time import monotonic
from typing import Final, TypeVar

from argon2 import PasswordHasher
from argon2.exceptions import VerificationError

from farfalia_server.arena.access import check_not_suspended
from farfalia_server.contract.bounds import BOT_NAME
from farfalia_server.contract.errors import InvalidArgument, ResourceExhausted, Unauthenticated
from farfalia_server.contract.said import said
from farfalia_server.net.client_address import is_counted
from farfalia_server.play import limits
from farfalia_server.play.token_bucket import TokenBuckets
from farfalia_server.store import Account, Store

A = TypeVar("A")

#: Least and most characters of a password.
SHORTEST, LONGEST = 8, 200
#: argon2id with what OWASP recommends at least: 19 MiB, which take some 30 ms of one core.
_HASHER: Final = PasswordHasher(time_cost=2, memory_cost=19 * 1024, parallelism=1)
#: If all cores are busy, the thread gets a tenth of one: somebody who signs in waits for a third of a second.
_NICENESS: Final = 10
#: The hash of nobody's password: a name that does not exist takes as long as one that does.
_NOBODYS: Final = "$argon2id$v=19$m=19456,t=2,p=1$MTIzNDU2Nzg5MDEyMzQ1Ng$e0vPE1iMUWDGYoXSZqhOUKk3p0sRbTgBqDSnBd4oKZo"


class SigningIn:
    """Checks passwords, one at a time: each costs memory and a core for a moment."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._one = asyncio.Semaphore()
        #: A caller who breaks off ends its turn and not the work: threads that anybody starts would soon be many.
        self._thread = ThreadPoolExecutor(1, "passwords", _give_way)
        #: Wrong passwords of each account and of each address.
        self.wrong_passwords = TokenBuckets(limits.WRONG_PASSWORDS_BURST, limits.WRONG_PASSWORDS_RATE)

    async def account(self, name: str, password: str, address: str) -> Account:
        """Return the account of that name if this is its password.

        Unauthenticated (PASSWORD_WRONG), after the same time and with the same words whether there is such an account
        or not; ResourceExhausted (SIGN_INS_TOO_FAST) after too many wrong ones for the name or from the address;
        PermissionDenied (ACCOUNT_SUSPENDED), which only those learn who know the password.
        """
        is_name = BOT_NAME.fullmatch(name) is not None
        keys = [f"account {name.lower()}"] * is_name + [f"address {address}"] * is_counted(address)
        account = await self._store.accounts.find(name) if is_name else None
        kept = account.password if account is not None else ""
        # Counted when its turn comes: passwords that wait are not wrong, and a class may sign in at the same moment.
        async with self._one:
            self._count(keys)
            right = await self._work(_is_right, kept or _NOBODYS, password[: LONGEST + 1])
            if account is None or not kept or not right:
                raise Unauthenticated(said("the name or the password is wrong"), "PASSWORD_WRONG")
            for key in keys:
                self.wrong_passwords.put_back(key)
        check_not_suspended(account)
        return account

    def _count(self, keys: list[str]) -> None:
        """Count a password as wrong; ResourceExhausted if there were too many."""
        wait = max((self.wrong_passwords.take(key, monotonic()) for key in keys), default=0.0)
        if wait:
            raise ResourceExhausted(
                said(
                    "too many passwords were wrong; expected at most %(most)s in a row: try again in a moment",
                    most=limits.WRONG_PASSWORDS_BURST,
                ),
                "SIGN_INS_TOO_FAST",
                retry=wait,
            )

    async def hash(self, field: str, password: str) -> str:
        """Return the hash of a new password; InvalidArgument if it is too short or too long."""
        if not SHORTEST <= len(password) <= LONGEST:
            raise InvalidArgument(
                field,
                said(
                    "%(field)s has %(length)s characters; expected %(least)s to %(most)s",
                    field=field,
                    length=len(password),
                    least=SHORTEST,
                    most=LONGEST,
                ),
                "PASSWORD_LENGTH",
            )
        return await self._work(_HASHER.hash, password)

    async def _work(self, work: Callable[..., A], *arguments: object) -> A:
        return await asyncio.get_running_loop().run_in_executor(self._thread, work, *arguments)


def _give_way() -> None:
    """Let play go first; on Linux each thread has a niceness of its own."""
    if sys.platform == "linux":
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), _NICENESS)


def _is_right(kept: str, password: str) -> bool:
    try:
        return _HASHER.verify(kept, password)
    except VerificationError:
        return False
