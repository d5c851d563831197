"""Loads settings: command line over environment (`FARFALIA_…`) over a TOML file over defaults, checked as a whole."""

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pydantic import ValidationError
from pydantic_core import ErrorDetails
from pydantic_settings import EnvSettingsSource

from farfalia_engine.hints import did_you_mean
from farfalia_server import PREFIX
from farfalia_server.contract.errors import SettingsError
from farfalia_server.contract.expected_value import expected_value
from farfalia_server.net.addresses import is_loopback
from farfalia_server.net.mail import MAIL_ADDRESS, SmtpSecurity
from farfalia_server.settings import Settings


def load(command_line: Mapping[str, object] | None = None, file: Path | None = None) -> Settings:
    """Return the settings from everywhere; values of None on the command line count as not given.

    Raises SettingsError for a file that cannot be read, a key that does not exist or an invalid value, in one sentence
    that says where it was found.
    """
    given = {name: value for name, value in (command_line or {}).items() if value is not None}
    environment = EnvSettingsSource(Settings)()
    from_file = {} if file is None else _read(file)
    try:
        chosen = Settings(**{**from_file, **environment, **given})
        _check_provider(chosen)
        _check_mail(chosen)
        return chosen
    except ValidationError as error:
        problem = error.errors()[0]
        name = str(problem["loc"][0])
        if name in given:
            place = f"--{name.replace('_', '-')}"
        elif name in environment:
            place = f"{PREFIX}{name.upper()}"
        else:
            place = f"{name} in {file}"
        raise SettingsError(f"{place} {_complaint(problem)}") from None


def _check_provider(chosen: Settings) -> None:
    """Raise SettingsError if a provider is named by half, which would leave it off."""
    needed = {"oidc_issuer": chosen.oidc_issuer, "oidc_client_id": chosen.oidc_client_id}
    given = [name for name, value in {**needed, "oidc_client_secret": chosen.oidc_client_secret}.items() if value]
    missing = [name for name, value in needed.items() if not value]
    if given and missing:
        raise SettingsError(
            f"{' and '.join(missing)} {'is' if len(missing) == 1 else 'are'} empty, and {given[0]} is not; expected "
            "both oidc_issuer and oidc_client_id, or neither"
        )


def _check_mail(chosen: Settings) -> None:
    """Raise SettingsError if a mail server is named by half, or if anyone on the way there could read the links."""
    others = {name: getattr(chosen, f"smtp_{name}") for name in ("sender", "user", "password")}
    given = [f"smtp_{name}" for name, value in others.items() if value]
    if not chosen.smtp_host:
        if given:
            raise SettingsError(f"smtp_host is empty, and {given[0]} is not; expected the name of a mail server")
        return
    if not chosen.smtp_sender:
        raise SettingsError(f"smtp_sender is empty, and smtp_host is not; expected {MAIL_ADDRESS}")
    if bool(chosen.smtp_user) != bool(chosen.smtp_password):
        has, lacks = ("user", "password") if chosen.smtp_user else ("password", "user")
        raise SettingsError(f"smtp_{lacks} is empty, and smtp_{has} is not; expected both, or neither")
    if chosen.smtp_security is SmtpSecurity.NONE and not (chosen.insecure or is_loopback(chosen.smtp_host)):
        raise SettingsError(
            f"smtp_security is none and smtp_host is {chosen.smtp_host}, so anyone on the way can read the links; "
            "expected starttls or tls, or --insecure if the network is private"
        )


def _read(file: Path) -> dict[str, Any]:
    try:
        values = tomllib.loads(file.read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise SettingsError(f"{file} cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise SettingsError(f"{file} is not UTF-8 text") from None
    except tomllib.TOMLDecodeError as error:
        raise SettingsError(f"{file} is not TOML: {str(error).lower()}") from None
    unknown = [name for name in values if name not in Settings.model_fields]
    if unknown:
        advice = did_you_mean(unknown[0], Settings.model_fields)
        raise SettingsError(f"{file} has {', '.join(unknown)}, which is not a setting{advice}")
    return values


def _complaint(problem: ErrorDetails) -> str:
    """Return what is wrong with a value, as the end of a sentence; a secret one is not repeated."""
    if problem["type"] == "extra_forbidden":
        return "is not a setting"
    secret = not Settings.model_fields[str(problem["loc"][0])].repr
    shown = "not what it should be" if secret else repr(problem["input"])
    return f"is {shown}; expected {expected_value(dict(problem))}"
