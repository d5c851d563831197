"""A user id for each program, so that none may touch another one's processes and files."""

from __future__ import annotations

import random
import socket
from collections.abc import Sequence
from types import TracebackType
from typing import Self

from farfalia_server.contract.errors import ProgramError
from farfalia_server.sandbox.process_tree import processes_of

#: Ids that no distribution gives to anybody: above those of people, outside of the ranges of /etc/subuid.
DEFAULT_IDS = range(1_879_048_192, 1_879_113_728)
#: Tries before it is said that none is free.
_TRIES = 100


class UserId:
    """An id that no other program on this machine has, until `release`; ProgramError if none is free.

    Others learn that it is taken by an abstract socket, which ends with this process, however that ends.
    """

    def __init__(self, ids: Sequence[int]) -> None:
        for number in random.sample(ids, min(_TRIES, len(ids))):
            taken = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
            try:
                taken.bind(f"\0farfalia/user/{number}")
            except OSError:
                taken.close()
                continue
            if not processes_of(number):
                self.number = number
                self._taken = taken
                return
            taken.close()
        raise ProgramError(f"no user id from {ids[0]} to {ids[-1]} is free for a program")

    def release(self) -> None:
        """Let another program have it."""
        self._taken.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.release()
