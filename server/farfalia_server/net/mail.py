"""What settings and requests say of mail: addresses, and the server that takes it."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

#: The form of an address, as messages name it.
MAIL_ADDRESS: Final = "NAME@HOST in at most 254 characters of ASCII"
_LONGEST = 254
#: The form of the name of a mail server.
MAIL_HOST: Final = "the name or the address of a machine, without a port"

_ATOM = r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+"
_LABEL = r"[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?"
_ADDRESS = re.compile(rf"(?=[^@]{{1,64}}@){_ATOM}(\.{_ATOM})*@{_LABEL}(\.{_LABEL})*")
_HOST = re.compile(rf"{_LABEL}(\.{_LABEL})*|[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*")


class SmtpSecurity(StrEnum):
    """How what is said to the mail server is kept from others."""

    STARTTLS = "starttls"  #: TLS from the first words on, which the server must offer
    TLS = "tls"  #: TLS from the beginning
    NONE = "none"  #: not at all

    @property
    def port(self) -> int:
        """The usual port."""
        return {SmtpSecurity.STARTTLS: 587, SmtpSecurity.TLS: 465, SmtpSecurity.NONE: 25}[self]


@dataclass(frozen=True, slots=True)
class MailServer:
    """The server that takes our mail; without a user nobody signs in there. `sender` is the address of who sends."""

    host: str
    port: int
    user: str
    password: str = field(repr=False)
    sender: str
    security: SmtpSecurity

    @property
    def address(self) -> str:
        """The place where it listens, for sentences."""
        return f"{self.host}:{self.port}"


def is_mail_host(text: str) -> bool:
    """Return whether it can be the name of a mail server."""
    return _HOST.fullmatch(text) is not None


def is_mail_address(text: str) -> bool:
    """Return whether it has the form of an e-mail address: no spaces, comments or line breaks, so it cannot become a
    header or a second recipient.
    """
    return len(text) <= _LONGEST and _ADDRESS.fullmatch(text) is not None
