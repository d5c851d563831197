import datetime

from farfalia.v1 import events_pb2 as _events_pb2
from google.protobuf import timestamp_pb2 as _timestamp_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class Role(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    ROLE_UNSPECIFIED: _ClassVar[Role]
    ROLE_OWNER: _ClassVar[Role]
    ROLE_VIEWER: _ClassVar[Role]
    ROLE_ORGANISER: _ClassVar[Role]
    ROLE_ADMIN: _ClassVar[Role]

class TokenScope(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    TOKEN_SCOPE_UNSPECIFIED: _ClassVar[TokenScope]
    TOKEN_SCOPE_ALL: _ClassVar[TokenScope]
    TOKEN_SCOPE_BOTS: _ClassVar[TokenScope]
    TOKEN_SCOPE_BOT: _ClassVar[TokenScope]
    TOKEN_SCOPE_EVENT: _ClassVar[TokenScope]
    TOKEN_SCOPE_HOST: _ClassVar[TokenScope]

class MailStatus(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    MAIL_STATUS_UNSPECIFIED: _ClassVar[MailStatus]
    MAIL_STATUS_OFF: _ClassVar[MailStatus]
    MAIL_STATUS_NO_ADDRESS: _ClassVar[MailStatus]
    MAIL_STATUS_SENT: _ClassVar[MailStatus]
    MAIL_STATUS_FAILED: _ClassVar[MailStatus]
ROLE_UNSPECIFIED: Role
ROLE_OWNER: Role
ROLE_VIEWER: Role
ROLE_ORGANISER: Role
ROLE_ADMIN: Role
TOKEN_SCOPE_UNSPECIFIED: TokenScope
TOKEN_SCOPE_ALL: TokenScope
TOKEN_SCOPE_BOTS: TokenScope
TOKEN_SCOPE_BOT: TokenScope
TOKEN_SCOPE_EVENT: TokenScope
TOKEN_SCOPE_HOST: TokenScope
MAIL_STATUS_UNSPECIFIED: MailStatus
MAIL_STATUS_OFF: MailStatus
MAIL_STATUS_NO_ADDRESS: MailStatus
MAIL_STATUS_SENT: MailStatus
MAIL_STATUS_FAILED: MailStatus

class Account(_message.Message):
    __slots__ = ("name", "role", "created", "revoked", "bots", "quota", "has_password", "suspended", "removed", "event")
    NAME_FIELD_NUMBER: _ClassVar[int]
    ROLE_FIELD_NUMBER: _ClassVar[int]
    CREATED_FIELD_NUMBER: _ClassVar[int]
    REVOKED_FIELD_NUMBER: _ClassVar[int]
    BOTS_FIELD_NUMBER: _ClassVar[int]
    QUOTA_FIELD_NUMBER: _ClassVar[int]
    HAS_PASSWORD_FIELD_NUMBER: _ClassVar[int]
    SUSPENDED_FIELD_NUMBER: _ClassVar[int]
    REMOVED_FIELD_NUMBER: _ClassVar[int]
    EVENT_FIELD_NUMBER: _ClassVar[int]
    name: str
    role: Role
    created: _timestamp_pb2.Timestamp
    revoked: _timestamp_pb2.Timestamp
    bots: int
    quota: int
    has_password: bool
    suspended: _timestamp_pb2.Timestamp
    removed: bool
    event: str
    def __init__(self, name: _Optional[str] = ..., role: _Optional[_Union[Role, str]] = ..., created: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., revoked: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., bots: _Optional[int] = ..., quota: _Optional[int] = ..., has_password: bool = ..., suspended: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., removed: bool = ..., event: _Optional[str] = ...) -> None: ...

class ApiToken(_message.Message):
    __slots__ = ("id", "name", "scope", "bot", "event", "created", "expires", "used")
    ID_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    SCOPE_FIELD_NUMBER: _ClassVar[int]
    BOT_FIELD_NUMBER: _ClassVar[int]
    EVENT_FIELD_NUMBER: _ClassVar[int]
    CREATED_FIELD_NUMBER: _ClassVar[int]
    EXPIRES_FIELD_NUMBER: _ClassVar[int]
    USED_FIELD_NUMBER: _ClassVar[int]
    id: int
    name: str
    scope: TokenScope
    bot: str
    event: str
    created: _timestamp_pb2.Timestamp
    expires: _timestamp_pb2.Timestamp
    used: _timestamp_pb2.Timestamp
    def __init__(self, id: _Optional[int] = ..., name: _Optional[str] = ..., scope: _Optional[_Union[TokenScope, str]] = ..., bot: _Optional[str] = ..., event: _Optional[str] = ..., created: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., expires: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., used: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class OwnedBot(_message.Message):
    __slots__ = ("name", "has_token", "connected", "webhook_off")
    NAME_FIELD_NUMBER: _ClassVar[int]
    HAS_TOKEN_FIELD_NUMBER: _ClassVar[int]
    CONNECTED_FIELD_NUMBER: _ClassVar[int]
    WEBHOOK_OFF_FIELD_NUMBER: _ClassVar[int]
    name: str
    has_token: bool
    connected: bool
    webhook_off: bool
    def __init__(self, name: _Optional[str] = ..., has_token: bool = ..., connected: bool = ..., webhook_off: bool = ...) -> None: ...

class Invitation(_message.Message):
    __slots__ = ("id", "note", "uses", "used", "created", "expires", "revoked", "event")
    ID_FIELD_NUMBER: _ClassVar[int]
    NOTE_FIELD_NUMBER: _ClassVar[int]
    USES_FIELD_NUMBER: _ClassVar[int]
    USED_FIELD_NUMBER: _ClassVar[int]
    CREATED_FIELD_NUMBER: _ClassVar[int]
    EXPIRES_FIELD_NUMBER: _ClassVar[int]
    REVOKED_FIELD_NUMBER: _ClassVar[int]
    EVENT_FIELD_NUMBER: _ClassVar[int]
    id: int
    note: str
    uses: int
    used: int
    created: _timestamp_pb2.Timestamp
    expires: _timestamp_pb2.Timestamp
    revoked: bool
    event: str
    def __init__(self, id: _Optional[int] = ..., note: _Optional[str] = ..., uses: _Optional[int] = ..., used: _Optional[int] = ..., created: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., expires: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., revoked: bool = ..., event: _Optional[str] = ...) -> None: ...

class CreateAccountRequest(_message.Message):
    __slots__ = ("name", "role", "invitation", "password", "bot", "identity", "email")
    NAME_FIELD_NUMBER: _ClassVar[int]
    ROLE_FIELD_NUMBER: _ClassVar[int]
    INVITATION_FIELD_NUMBER: _ClassVar[int]
    PASSWORD_FIELD_NUMBER: _ClassVar[int]
    BOT_FIELD_NUMBER: _ClassVar[int]
    IDENTITY_FIELD_NUMBER: _ClassVar[int]
    EMAIL_FIELD_NUMBER: _ClassVar[int]
    name: str
    role: Role
    invitation: str
    password: str
    bot: str
    identity: str
    email: str
    def __init__(self, name: _Optional[str] = ..., role: _Optional[_Union[Role, str]] = ..., invitation: _Optional[str] = ..., password: _Optional[str] = ..., bot: _Optional[str] = ..., identity: _Optional[str] = ..., email: _Optional[str] = ...) -> None: ...

class CreateAccountResponse(_message.Message):
    __slots__ = ("account", "token", "bot_token")
    ACCOUNT_FIELD_NUMBER: _ClassVar[int]
    TOKEN_FIELD_NUMBER: _ClassVar[int]
    BOT_TOKEN_FIELD_NUMBER: _ClassVar[int]
    account: Account
    token: str
    bot_token: str
    def __init__(self, account: _Optional[_Union[Account, _Mapping]] = ..., token: _Optional[str] = ..., bot_token: _Optional[str] = ...) -> None: ...

class SignInRequest(_message.Message):
    __slots__ = ("name", "password", "identity")
    NAME_FIELD_NUMBER: _ClassVar[int]
    PASSWORD_FIELD_NUMBER: _ClassVar[int]
    IDENTITY_FIELD_NUMBER: _ClassVar[int]
    name: str
    password: str
    identity: str
    def __init__(self, name: _Optional[str] = ..., password: _Optional[str] = ..., identity: _Optional[str] = ...) -> None: ...

class SignInResponse(_message.Message):
    __slots__ = ("account", "session", "expires")
    ACCOUNT_FIELD_NUMBER: _ClassVar[int]
    SESSION_FIELD_NUMBER: _ClassVar[int]
    EXPIRES_FIELD_NUMBER: _ClassVar[int]
    account: Account
    session: str
    expires: _timestamp_pb2.Timestamp
    def __init__(self, account: _Optional[_Union[Account, _Mapping]] = ..., session: _Optional[str] = ..., expires: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class SignOutRequest(_message.Message):
    __slots__ = ("everywhere",)
    EVERYWHERE_FIELD_NUMBER: _ClassVar[int]
    everywhere: bool
    def __init__(self, everywhere: bool = ...) -> None: ...

class SignOutResponse(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class SetPasswordRequest(_message.Message):
    __slots__ = ("name", "old", "password")
    NAME_FIELD_NUMBER: _ClassVar[int]
    OLD_FIELD_NUMBER: _ClassVar[int]
    PASSWORD_FIELD_NUMBER: _ClassVar[int]
    name: str
    old: str
    password: str
    def __init__(self, name: _Optional[str] = ..., old: _Optional[str] = ..., password: _Optional[str] = ...) -> None: ...

class SetPasswordResponse(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class SetEmailRequest(_message.Message):
    __slots__ = ("name", "email", "password")
    NAME_FIELD_NUMBER: _ClassVar[int]
    EMAIL_FIELD_NUMBER: _ClassVar[int]
    PASSWORD_FIELD_NUMBER: _ClassVar[int]
    name: str
    email: str
    password: str
    def __init__(self, name: _Optional[str] = ..., email: _Optional[str] = ..., password: _Optional[str] = ...) -> None: ...

class SetEmailResponse(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class RequestPasswordLinkRequest(_message.Message):
    __slots__ = ("name",)
    NAME_FIELD_NUMBER: _ClassVar[int]
    name: str
    def __init__(self, name: _Optional[str] = ...) -> None: ...

class RequestPasswordLinkResponse(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class CreatePasswordLinkRequest(_message.Message):
    __slots__ = ("name",)
    NAME_FIELD_NUMBER: _ClassVar[int]
    name: str
    def __init__(self, name: _Optional[str] = ...) -> None: ...

class CreatePasswordLinkResponse(_message.Message):
    __slots__ = ("token", "expires", "status", "text")
    TOKEN_FIELD_NUMBER: _ClassVar[int]
    EXPIRES_FIELD_NUMBER: _ClassVar[int]
    STATUS_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    token: str
    expires: _timestamp_pb2.Timestamp
    status: MailStatus
    text: str
    def __init__(self, token: _Optional[str] = ..., expires: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., status: _Optional[_Union[MailStatus, str]] = ..., text: _Optional[str] = ...) -> None: ...

class GetAccountRequest(_message.Message):
    __slots__ = ("name",)
    NAME_FIELD_NUMBER: _ClassVar[int]
    name: str
    def __init__(self, name: _Optional[str] = ...) -> None: ...

class GetAccountResponse(_message.Message):
    __slots__ = ("account", "bots", "memberships", "identities", "email", "connection_caps")
    ACCOUNT_FIELD_NUMBER: _ClassVar[int]
    BOTS_FIELD_NUMBER: _ClassVar[int]
    MEMBERSHIPS_FIELD_NUMBER: _ClassVar[int]
    IDENTITIES_FIELD_NUMBER: _ClassVar[int]
    EMAIL_FIELD_NUMBER: _ClassVar[int]
    CONNECTION_CAPS_FIELD_NUMBER: _ClassVar[int]
    account: Account
    bots: _containers.RepeatedCompositeFieldContainer[OwnedBot]
    memberships: _containers.RepeatedCompositeFieldContainer[_events_pb2.Membership]
    identities: _containers.RepeatedCompositeFieldContainer[Identity]
    email: str
    connection_caps: _containers.RepeatedCompositeFieldContainer[ConnectionCap]
    def __init__(self, account: _Optional[_Union[Account, _Mapping]] = ..., bots: _Optional[_Iterable[_Union[OwnedBot, _Mapping]]] = ..., memberships: _Optional[_Iterable[_Union[_events_pb2.Membership, _Mapping]]] = ..., identities: _Optional[_Iterable[_Union[Identity, _Mapping]]] = ..., email: _Optional[str] = ..., connection_caps: _Optional[_Iterable[_Union[ConnectionCap, _Mapping]]] = ...) -> None: ...

class ConnectionCap(_message.Message):
    __slots__ = ("event", "most", "team", "connected")
    EVENT_FIELD_NUMBER: _ClassVar[int]
    MOST_FIELD_NUMBER: _ClassVar[int]
    TEAM_FIELD_NUMBER: _ClassVar[int]
    CONNECTED_FIELD_NUMBER: _ClassVar[int]
    event: str
    most: int
    team: str
    connected: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, event: _Optional[str] = ..., most: _Optional[int] = ..., team: _Optional[str] = ..., connected: _Optional[_Iterable[str]] = ...) -> None: ...

class Identity(_message.Message):
    __slots__ = ("id", "issuer", "created")
    ID_FIELD_NUMBER: _ClassVar[int]
    ISSUER_FIELD_NUMBER: _ClassVar[int]
    CREATED_FIELD_NUMBER: _ClassVar[int]
    id: int
    issuer: str
    created: _timestamp_pb2.Timestamp
    def __init__(self, id: _Optional[int] = ..., issuer: _Optional[str] = ..., created: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class BeginOidcRequest(_message.Message):
    __slots__ = ("connect",)
    CONNECT_FIELD_NUMBER: _ClassVar[int]
    connect: bool
    def __init__(self, connect: bool = ...) -> None: ...

class BeginOidcResponse(_message.Message):
    __slots__ = ("url", "flow")
    URL_FIELD_NUMBER: _ClassVar[int]
    FLOW_FIELD_NUMBER: _ClassVar[int]
    url: str
    flow: str
    def __init__(self, url: _Optional[str] = ..., flow: _Optional[str] = ...) -> None: ...

class FinishOidcRequest(_message.Message):
    __slots__ = ("flow", "state", "code", "issuer", "error")
    FLOW_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    CODE_FIELD_NUMBER: _ClassVar[int]
    ISSUER_FIELD_NUMBER: _ClassVar[int]
    ERROR_FIELD_NUMBER: _ClassVar[int]
    flow: str
    state: str
    code: str
    issuer: str
    error: str
    def __init__(self, flow: _Optional[str] = ..., state: _Optional[str] = ..., code: _Optional[str] = ..., issuer: _Optional[str] = ..., error: _Optional[str] = ...) -> None: ...

class FinishOidcResponse(_message.Message):
    __slots__ = ("identity", "account", "suggested_name", "connect")
    IDENTITY_FIELD_NUMBER: _ClassVar[int]
    ACCOUNT_FIELD_NUMBER: _ClassVar[int]
    SUGGESTED_NAME_FIELD_NUMBER: _ClassVar[int]
    CONNECT_FIELD_NUMBER: _ClassVar[int]
    identity: str
    account: str
    suggested_name: str
    connect: bool
    def __init__(self, identity: _Optional[str] = ..., account: _Optional[str] = ..., suggested_name: _Optional[str] = ..., connect: bool = ...) -> None: ...

class ConnectIdentityRequest(_message.Message):
    __slots__ = ("identity",)
    IDENTITY_FIELD_NUMBER: _ClassVar[int]
    identity: str
    def __init__(self, identity: _Optional[str] = ...) -> None: ...

class ConnectIdentityResponse(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class DisconnectIdentityRequest(_message.Message):
    __slots__ = ("id",)
    ID_FIELD_NUMBER: _ClassVar[int]
    id: int
    def __init__(self, id: _Optional[int] = ...) -> None: ...

class DisconnectIdentityResponse(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class ListAccountsRequest(_message.Message):
    __slots__ = ("limit", "after")
    LIMIT_FIELD_NUMBER: _ClassVar[int]
    AFTER_FIELD_NUMBER: _ClassVar[int]
    limit: int
    after: str
    def __init__(self, limit: _Optional[int] = ..., after: _Optional[str] = ...) -> None: ...

class ListAccountsResponse(_message.Message):
    __slots__ = ("accounts",)
    ACCOUNTS_FIELD_NUMBER: _ClassVar[int]
    accounts: _containers.RepeatedCompositeFieldContainer[Account]
    def __init__(self, accounts: _Optional[_Iterable[_Union[Account, _Mapping]]] = ...) -> None: ...

class RotateAccountTokenRequest(_message.Message):
    __slots__ = ("name",)
    NAME_FIELD_NUMBER: _ClassVar[int]
    name: str
    def __init__(self, name: _Optional[str] = ...) -> None: ...

class RotateAccountTokenResponse(_message.Message):
    __slots__ = ("token",)
    TOKEN_FIELD_NUMBER: _ClassVar[int]
    token: str
    def __init__(self, token: _Optional[str] = ...) -> None: ...

class RevokeAccountRequest(_message.Message):
    __slots__ = ("name",)
    NAME_FIELD_NUMBER: _ClassVar[int]
    name: str
    def __init__(self, name: _Optional[str] = ...) -> None: ...

class RevokeAccountResponse(_message.Message):
    __slots__ = ("account",)
    ACCOUNT_FIELD_NUMBER: _ClassVar[int]
    account: Account
    def __init__(self, account: _Optional[_Union[Account, _Mapping]] = ...) -> None: ...

class CreateInvitationRequest(_message.Message):
    __slots__ = ("note", "uses", "seconds", "event")
    NOTE_FIELD_NUMBER: _ClassVar[int]
    USES_FIELD_NUMBER: _ClassVar[int]
    SECONDS_FIELD_NUMBER: _ClassVar[int]
    EVENT_FIELD_NUMBER: _ClassVar[int]
    note: str
    uses: int
    seconds: int
    event: str
    def __init__(self, note: _Optional[str] = ..., uses: _Optional[int] = ..., seconds: _Optional[int] = ..., event: _Optional[str] = ...) -> None: ...

class CreateInvitationResponse(_message.Message):
    __slots__ = ("invitation", "code")
    INVITATION_FIELD_NUMBER: _ClassVar[int]
    CODE_FIELD_NUMBER: _ClassVar[int]
    invitation: Invitation
    code: str
    def __init__(self, invitation: _Optional[_Union[Invitation, _Mapping]] = ..., code: _Optional[str] = ...) -> None: ...

class ListInvitationsRequest(_message.Message):
    __slots__ = ("event",)
    EVENT_FIELD_NUMBER: _ClassVar[int]
    event: str
    def __init__(self, event: _Optional[str] = ...) -> None: ...

class ListInvitationsResponse(_message.Message):
    __slots__ = ("invitations",)
    INVITATIONS_FIELD_NUMBER: _ClassVar[int]
    invitations: _containers.RepeatedCompositeFieldContainer[Invitation]
    def __init__(self, invitations: _Optional[_Iterable[_Union[Invitation, _Mapping]]] = ...) -> None: ...

class RevokeInvitationRequest(_message.Message):
    __slots__ = ("id",)
    ID_FIELD_NUMBER: _ClassVar[int]
    id: int
    def __init__(self, id: _Optional[int] = ...) -> None: ...

class RevokeInvitationResponse(_message.Message):
    __slots__ = ("invitation",)
    INVITATION_FIELD_NUMBER: _ClassVar[int]
    invitation: Invitation
    def __init__(self, invitation: _Optional[_Union[Invitation, _Mapping]] = ...) -> None: ...

class ModerateAccountRequest(_message.Message):
    __slots__ = ("name", "suspended", "reason")
    NAME_FIELD_NUMBER: _ClassVar[int]
    SUSPENDED_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    name: str
    suspended: bool
    reason: str
    def __init__(self, name: _Optional[str] = ..., suspended: bool = ..., reason: _Optional[str] = ...) -> None: ...

class ModerateAccountResponse(_message.Message):
    __slots__ = ("account",)
    ACCOUNT_FIELD_NUMBER: _ClassVar[int]
    account: Account
    def __init__(self, account: _Optional[_Union[Account, _Mapping]] = ...) -> None: ...

class RenameAccountRequest(_message.Message):
    __slots__ = ("name", "new_name", "reason")
    NAME_FIELD_NUMBER: _ClassVar[int]
    NEW_NAME_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    name: str
    new_name: str
    reason: str
    def __init__(self, name: _Optional[str] = ..., new_name: _Optional[str] = ..., reason: _Optional[str] = ...) -> None: ...

class RenameAccountResponse(_message.Message):
    __slots__ = ("account",)
    ACCOUNT_FIELD_NUMBER: _ClassVar[int]
    account: Account
    def __init__(self, account: _Optional[_Union[Account, _Mapping]] = ...) -> None: ...

class RemoveAccountRequest(_message.Message):
    __slots__ = ("name", "strike", "reason")
    NAME_FIELD_NUMBER: _ClassVar[int]
    STRIKE_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    name: str
    strike: bool
    reason: str
    def __init__(self, name: _Optional[str] = ..., strike: bool = ..., reason: _Optional[str] = ...) -> None: ...

class RemoveAccountResponse(_message.Message):
    __slots__ = ("placeholder",)
    PLACEHOLDER_FIELD_NUMBER: _ClassVar[int]
    placeholder: str
    def __init__(self, placeholder: _Optional[str] = ...) -> None: ...

class CreateApiTokenRequest(_message.Message):
    __slots__ = ("name", "scope", "bot", "event", "seconds")
    NAME_FIELD_NUMBER: _ClassVar[int]
    SCOPE_FIELD_NUMBER: _ClassVar[int]
    BOT_FIELD_NUMBER: _ClassVar[int]
    EVENT_FIELD_NUMBER: _ClassVar[int]
    SECONDS_FIELD_NUMBER: _ClassVar[int]
    name: str
    scope: TokenScope
    bot: str
    event: str
    seconds: int
    def __init__(self, name: _Optional[str] = ..., scope: _Optional[_Union[TokenScope, str]] = ..., bot: _Optional[str] = ..., event: _Optional[str] = ..., seconds: _Optional[int] = ...) -> None: ...

class CreateApiTokenResponse(_message.Message):
    __slots__ = ("info", "token")
    INFO_FIELD_NUMBER: _ClassVar[int]
    TOKEN_FIELD_NUMBER: _ClassVar[int]
    info: ApiToken
    token: str
    def __init__(self, info: _Optional[_Union[ApiToken, _Mapping]] = ..., token: _Optional[str] = ...) -> None: ...

class ListApiTokensRequest(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class ListApiTokensResponse(_message.Message):
    __slots__ = ("tokens",)
    TOKENS_FIELD_NUMBER: _ClassVar[int]
    tokens: _containers.RepeatedCompositeFieldContainer[ApiToken]
    def __init__(self, tokens: _Optional[_Iterable[_Union[ApiToken, _Mapping]]] = ...) -> None: ...

class RevokeApiTokenRequest(_message.Message):
    __slots__ = ("id",)
    ID_FIELD_NUMBER: _ClassVar[int]
    id: int
    def __init__(self, id: _Optional[int] = ...) -> None: ...

class RevokeApiTokenResponse(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...
