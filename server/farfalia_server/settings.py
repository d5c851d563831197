"""Settings of the server, and what follows from them."""

import os
import socket
from enum import StrEnum
from pathlib import Path
from typing import Annotated, ClassVar

from pydantic import Field, ValidationInfo, field_validator
from pydantic_core import PydanticCustomError
from pydantic_settings import BaseSettings, SettingsConfigDict

from farfalia_server import PREFIX
from farfalia_server.contract.registration import Registration
from farfalia_server.net.addresses import (
    ADDRESS,
    ARCHIVE_PLACE,
    ISSUER,
    URL,
    is_address,
    is_archive_place,
    is_issuer,
    is_url,
)
from farfalia_server.net.client_address import PROXIES, Proxies
from farfalia_server.net.cpu_cores import usable_cores
from farfalia_server.net.mail import MAIL_ADDRESS, MAIL_HOST, MailServer, SmtpSecurity, is_mail_address, is_mail_host
from farfalia_server.net.webhook_urls import WebhookTargets

Port = Annotated[int, Field(ge=0, le=65535)]
Milliseconds = Annotated[int, Field(ge=0, le=86_400_000)]
#: Processes of one server.
MOST_WORKERS = 256


class RatingSystemName(StrEnum):
    """The rating system."""

    TRUESKILL = "trueskill"
    OPENSKILL = "openskill"


class LogFormat(StrEnum):
    """How log lines look."""

    CONSOLE = "console"
    JSON = "json"


class LogLevel(StrEnum):
    """The lowest level that is logged."""

    DEBUG = "debug"
    INFO = "info"
    WARNING = "warning"
    ERROR = "error"


class Settings(BaseSettings):
    """All settings; made by `load`."""

    model_config: ClassVar[SettingsConfigDict] = SettingsConfigDict(
        env_prefix=PREFIX, extra="forbid", frozen=True, env_ignore_empty=True
    )

    name: str = Field(
        "farfalia", min_length=1, max_length=80, description="Name of the server, shown to bots and on pages."
    )
    node: str = Field(
        "", max_length=80, description="Name of this server in logs and leases; empty: host name and gRPC port."
    )
    host: str = Field("127.0.0.1", description="Address to listen on; 0.0.0.0 for all addresses of this machine.")
    grpc_port: Port = Field(7600, description="Port for bots and for the command line; 0 for any free port.")
    http_port: Port = Field(7601, description="Port for the web pages and their JSON; 0 for any free port.")
    public_address: str = Field(
        "",
        description="Where bots reach this server: HOST, HOST:PORT or https://HOST:PORT; empty: where it listens.",
    )
    public_url: str = Field(
        "", description="Where people reach the pages: https://HOST:PORT; empty: the host of the public address."
    )
    data_dir: Path = Field(Path("farfalia-data"), description="Directory of the database and the embedded Redis.")
    database_url: str = Field(
        "",
        description="sqlite:///PATH or postgresql://…; empty: SQLite in the data directory. "
        "Servers with the same --database-url and the same --redis-url are one arena.",
    )
    program_archives: str = Field(
        "",
        description="Where archives of programs above 1 MiB are kept: an absolute path, file:///PATH, or "
        "s3://BUCKET/PREFIX with the usual variables AWS_…; empty: in the data directory, with --database-url in the "
        "database.",
    )
    redis_url: str = Field(
        "",
        description="redis://, rediss://, unix:// or redis+sentinel://HOST,HOST/NAME; empty: an embedded Redis in the "
        "data directory. A server with only one of the two URLs plays alone.",
    )
    tls_cert: str = Field("", description="PEM file with the certificate chain for both ports; empty: no TLS.")
    tls_key: str = Field("", description="PEM file with the private key of the certificate.")
    tls_client_ca: str = Field(
        "",
        description="PEM file with the authority whose certificates bots and commands must show; empty: none.",
    )
    insecure: bool = Field(
        False,
        description="Let other machines connect without TLS: behind a proxy that has TLS, or on a private network.",
    )
    limit_ms: int = Field(
        1000, ge=1, le=600_000, description="Time for one decision before the bank pays, in milliseconds."
    )
    bank_ms: Milliseconds = Field(
        30_000, description="Time bank of a match, which pays for slow decisions, in milliseconds."
    )
    grace: int = Field(
        3, ge=0, le=1000, description="Strikes that a seat survives in a match; one more and a house bot takes it."
    )
    linger_ms: float = Field(
        8.0,
        ge=0,
        le=1000,
        description="Batching delay: how long a question may wait for others to share its message while the server is "
        "busy, in milliseconds; a tenth of that while it has time to spare.",
    )
    reconnect_grace_ms: Milliseconds = Field(
        30_000, description="How long a lost bot may take to reconnect before it loses its seats, in milliseconds."
    )
    absence_ms: Milliseconds = Field(
        60_000,
        description="How long a match waits for a bot that is not connected, in milliseconds; then a house bot plays.",
    )
    ping_interval_ms: int = Field(
        5000, ge=100, le=60_000, description="Time between two pings of a stream, in milliseconds."
    )
    drain_ms: Milliseconds = Field(
        5000,
        description="How long bots have to open a new stream elsewhere when this server stops, in milliseconds; "
        "only with --redis-url and --database-url.",
    )
    max_tables: int = Field(256, ge=1, le=10_000, description="Matches that this node plays at a time, at most.")
    workers: str = Field(
        "auto",
        description="Processes that share the work, each with --max-tables, to use as many cores: a number, or auto "
        "for one less than there are cores, and at least one.",
    )
    house_processes: int = Field(
        1,
        ge=1,
        le=64,
        description="Processes in which house bots that search decide, such as expert, at most; each of --workers has "
        "its own.",
    )
    host_programs: bool = Field(
        False,
        description="Whether this machine runs programs that are handed in; more machines do with `farfalia host`.",
    )
    host_sandbox: str = Field(
        "auto", description="The sandbox of these programs: auto, or one that `farfalia doctor` lists."
    )
    rating_system: RatingSystemName = Field(
        RatingSystemName.TRUESKILL, description="Rating system: trueskill or openskill."
    )
    fit_hour: int = Field(
        3, ge=-1, le=23, description="Hour, UTC, of the nightly whole-history fit of every ladder; -1 for never."
    )
    analysis_minutes: int = Field(
        60,
        ge=0,
        le=100_000,
        description="Minutes of CPU that analyses of decisions may take in a day, UTC; 0 for no analyses.",
    )
    registration: Registration = Field(
        Registration.CLOSED,
        description="Who may register: open (anyone), invitation (anyone with a code), closed (only the admin).",
    )
    bots_per_account: int = Field(20, ge=1, le=1000, description="Bots with a token that an account may have.")
    registrations_per_hour: int = Field(
        120,
        ge=1,
        le=100_000,
        description="Accounts and bots that one address or account may register in an hour.",
    )
    proxies: str = Field(
        "127.0.0.1,::1",
        description="Addresses and networks of proxies whose X-Forwarded-For is trusted, separated by commas.",
    )
    admin_token: str = Field(
        "",
        repr=False,
        description="The admin token, of 16 characters or more where other machines can connect; empty: one is made "
        "and shown at the first start.",
    )
    oidc_issuer: str = Field(
        "",
        description="Provider of OpenID Connect with which people sign in, as its discovery document names it: "
        "https://HOST/PATH; empty: passwords alone.",
    )
    oidc_client_id: str = Field("", description="What the provider calls this server: its client ID.")
    oidc_client_secret: str = Field(
        "", repr=False, description="The client secret that the provider has given; empty for a public client."
    )
    oidc_name: str = Field(
        "OpenID Connect",
        min_length=1,
        max_length=40,
        description="What pages call the provider, as in: Sign in with University.",
    )
    smtp_host: str = Field(
        "", description="Mail server through which links to a new password are sent; empty: the server sends no mail."
    )
    smtp_port: Port = Field(0, description="Its port; 0 for the usual one: 587, 465 with tls, 25 with none.")
    smtp_user: str = Field("", description="User with whom the server signs in there; empty: it does not sign in.")
    smtp_password: str = Field("", repr=False, description="The password of that user.")
    smtp_sender: str = Field("", description="E-mail address in whose name the server writes.")
    smtp_security: SmtpSecurity = Field(
        SmtpSecurity.STARTTLS,
        description="How the mail server is spoken to: starttls or tls, with a certificate that this machine trusts; "
        "none to one on this machine, or with --insecure.",
    )
    webhooks: WebhookTargets = Field(
        WebhookTargets.PUBLIC,
        description="Where owners of bots are told what happened: public (by https to addresses of the internet), any "
        "(also to those of this machine's own network, and by http), off (nowhere).",
    )
    log_level: LogLevel = Field(
        LogLevel.INFO, description="Lowest level that is logged: debug, info, warning or error."
    )
    log_format: LogFormat = Field(LogFormat.CONSOLE, description="Log format: console for people, json for programs.")

    @field_validator("public_address", "public_url")
    @classmethod
    def _reachable(cls, value: str, info: ValidationInfo) -> str:
        is_valid, form = (is_address, ADDRESS) if info.field_name == "public_address" else (is_url, URL)
        if value and not is_valid(value):
            raise PydanticCustomError("address", form)
        return value

    @field_validator("proxies")
    @classmethod
    def _proxies(cls, value: str) -> str:
        try:
            Proxies(value)
        except ValueError:
            raise PydanticCustomError("proxies", PROXIES) from None
        return value

    @field_validator("program_archives")
    @classmethod
    def _program_archives(cls, value: str) -> str:
        if value and not is_archive_place(value):
            raise PydanticCustomError("program_archives", ARCHIVE_PLACE)
        return value

    @field_validator("workers", mode="before")
    @classmethod
    def _workers(cls, value: object) -> str:
        text = str(value)
        if text != "auto" and not (text.isdecimal() and 1 <= int(text) <= MOST_WORKERS):
            raise PydanticCustomError("workers", f"auto, or a number from 1 to {MOST_WORKERS}")
        return text

    @field_validator("oidc_issuer")
    @classmethod
    def _issuer(cls, value: str) -> str:
        if value and not is_issuer(value):
            raise PydanticCustomError("issuer", ISSUER)
        return value

    @field_validator("smtp_host", "smtp_sender")
    @classmethod
    def _mail(cls, value: str, info: ValidationInfo) -> str:
        is_host = info.field_name == "smtp_host"
        is_valid, form = (is_mail_host, MAIL_HOST) if is_host else (is_mail_address, MAIL_ADDRESS)
        if value and not is_valid(value):
            raise PydanticCustomError("mail", form)
        return value

    @property
    def effective_workers(self) -> int:
        """How many processes share the work; `auto` leaves a core for pages, Redis and the baselines of house bots."""
        return min(MOST_WORKERS, max(1, usable_cores() - 1)) if self.workers == "auto" else int(self.workers)

    @property
    def mail_server(self) -> MailServer | None:
        """The server that takes our mail; None where none is sent."""
        if not self.smtp_host:
            return None
        port = self.smtp_port or self.smtp_security.port
        return MailServer(
            self.smtp_host, port, self.smtp_user, self.smtp_password, self.smtp_sender, self.smtp_security
        )

    @property
    def effective_database_url(self) -> str:
        """The database that is used: a URL, or the path of a file, in which no character means anything."""
        return self.database_url or str(self.data_dir / "farfalia.db")

    @property
    def effective_program_archives(self) -> str:
        """Where larger archives are: beside a database in the data directory; empty for in the database.

        Nodes share no directory, and the data directory of a server with another database is often a temporary one.
        """
        beside = "" if self.database_url else str(self.data_dir.absolute() / "programs")
        return self.program_archives or beside

    @property
    def is_node(self) -> bool:
        """Whether it shares database and Redis with all servers that are given the same; else it is alone."""
        return bool(self.database_url and self.redis_url)

    @property
    def redis_dir(self) -> Path:
        """The directory of the embedded Redis, which runs when no other is named."""
        return self.data_dir / "redis"

    @property
    def effective_node(self) -> str:
        """The name of this node; with a port that is not known yet, that of its process."""
        return self.node or f"{socket.gethostname()}:{self.grpc_port or os.getpid()}"
