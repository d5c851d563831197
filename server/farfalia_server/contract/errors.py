"""What the server refuses, and why.

FarfaliaServerError
├── SettingsError               an invalid setting
├── StoreError                  the database is not what it should be
│   ├── StoreUnavailable        it does not answer; try again
│   ├── RecordDamaged           the record of a match cannot be read, or not be played again
│   └── UnstorableValue         it does not take a value, such as a text with a zero byte
├── RedisUnavailable            no usable Redis
├── AnotherServer               a database, a Redis or a directory that another server uses
├── PartFailed                  a part of the server has ended by itself (supervision)
├── RecordError                 a record that cannot be read
├── BackupError                 a backup that cannot be written or restored
├── ComparisonError             two checkouts that cannot be measured against each other
├── ProgramError                a bot's program that does not start, or does not connect
└── RequestRefused              a request that is declined: has a stable reason
    ├── InvalidArgument         one field is wrong
    ├── NotFound                there is no such thing
    ├── AlreadyExists           there is one already
    ├── FailedPrecondition      not in this state
    ├── NotReady                it is being computed; try again
    ├── ProviderUnavailable     the provider of identities does not answer; try again
    ├── Unauthenticated         nobody knows who asks
    ├── PermissionDenied        who asks may not
    └── ResourceExhausted       more than the server takes

Every message is one sentence that a user can act on, so none of them is ever shown with a traceback.
"""

from typing import Any, ClassVar, Self

from farfalia_server.contract.said import Said, said


class FarfaliaServerError(Exception):
    """Base of all errors that the server expects."""

    #: Stable upper-case name that programs may compare with; sent as `ErrorInfo.reason`.
    reason: str = "INTERNAL"
    #: What a command exits with when this ends it.
    exit_code: int = 1

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle without a second call of `__init__`, whose arguments may differ: errors cross worker processes."""
        return self._again, (self.args, self.__dict__)

    @classmethod
    def _again(cls, args: tuple[object, ...], state: dict[str, object]) -> Self:
        error = cls.__new__(cls, *args)
        error.__dict__.update(state)
        return error


class SettingsError(FarfaliaServerError):
    """Raised when a setting is unknown or has an invalid value."""

    reason = "SETTING_INVALID"


class StoreError(FarfaliaServerError):
    """Raised when the database cannot be used as it is."""

    reason = "STORE_BROKEN"


class StoreUnavailable(StoreError):
    """Raised when the database does not answer; the same call may work a moment later."""

    reason = "STORE_UNAVAILABLE"


class RoleLost(StoreUnavailable):
    """Raised when something may be written by one node at a time, and another one does so by now."""

    reason = "ROLE_LOST"


class RecordDamaged(StoreError):
    """Raised when the stored record of a match cannot be read or played again; names the match, and no card."""

    reason = "RECORD_DAMAGED"

    def __init__(self, match: int) -> None:
        super().__init__(
            said(
                "the record of match %(match)s in the database is damaged; `farfalia ratings rebuild` lists all such "
                "records",
                match=match,
            )
        )
        self.match = match


class UnstorableValue(StoreError):
    """Raised when the database cannot hold a value that it was given; it works otherwise."""


class RedisUnavailable(FarfaliaServerError):
    """Raised when there is no Redis that the server can use."""

    reason = "REDIS_UNAVAILABLE"


class AnotherServer(FarfaliaServerError):
    """Raised when another server uses what this one would need for itself."""

    reason = "ANOTHER_SERVER"
    exit_code = 6


class RecordError(FarfaliaServerError):
    """Raised when a record cannot be read; names the place."""

    reason = "RECORD_UNREADABLE"


class BackupError(FarfaliaServerError):
    """Raised when a backup cannot be written, read or restored; names the file."""

    reason = "BACKUP_FAILED"


class ComparisonError(FarfaliaServerError):
    """Raised when two checkouts cannot be measured against each other."""


class ProgramError(FarfaliaServerError):
    """Raised when a program cannot be started, or does not connect."""

    reason = "PROGRAM_FAILED"


class RequestRefused(FarfaliaServerError):
    """A request that is declined; `reason` is stable, the sentence is for people, in the language of each on pages."""

    default_reason: ClassVar[str] = "REFUSED"

    def __init__(self, text: Said, reason: str | None = None) -> None:
        super().__init__(text)
        self.text = text
        self.reason = reason or self.default_reason


class InvalidArgument(RequestRefused):
    """Raised when one field of a request is wrong; `field` names it."""

    default_reason = "FIELD_INVALID"

    def __init__(self, field: str, text: Said, reason: str | None = None) -> None:
        super().__init__(text, reason)
        self.field = field


class NotFound(RequestRefused):
    """Raised when there is no such bot, tournament, match or record."""

    default_reason = "NOT_FOUND"


class AlreadyExists(RequestRefused):
    """Raised when there is one of that name, or one in that place, already."""

    default_reason = "NAME_TAKEN"


class FailedPrecondition(RequestRefused):
    """Raised when the request would be fine in another state of the server."""

    default_reason = "NOT_NOW"


class NotReady(RequestRefused):
    """Raised when what was asked for is still being computed; the same request works a little later."""

    default_reason = "NOT_READY"


class ProviderUnavailable(RequestRefused):
    """Raised when the provider of OpenID Connect does not answer, or not as it should."""

    default_reason = "OIDC_UNAVAILABLE"


class Unauthenticated(RequestRefused):
    """Raised when a request has no token, or an unknown one."""

    default_reason = "TOKEN_UNKNOWN"


class PermissionDenied(RequestRefused):
    """Raised when the caller is authenticated but not authorised."""

    default_reason = "NOT_ALLOWED"


class ResourceExhausted(RequestRefused):
    """Raised when a request asks for more than the server allows.

    `retry` says in how many seconds it may work: None for soon, 0 if waiting does not help.
    """

    default_reason = "TOO_MUCH"

    def __init__(self, text: Said, reason: str | None = None, *, retry: float | None = None) -> None:
        super().__init__(text, reason)
        self.retry = retry
