"""TLS for both ports, from the same two files, which are read again when they change."""

from __future__ import annotations

import ssl
from pathlib import Path

import grpc
import structlog

from farfalia_server.contract.errors import SettingsError
from farfalia_server.net.addresses import is_loopback

log = structlog.get_logger(__name__)


def certificate_of(certificate: str, key: str, client_ca: str = "") -> Certificate | None:
    """Return the certificate that the settings name; None for no TLS. SettingsError if a part of it is missing."""
    if not certificate and not key:
        if client_ca:
            raise SettingsError("tls_client_ca is set and tls_cert is not; without TLS, clients show no certificate")
        return None
    if not certificate or not key:
        given, lacking = ("tls_cert", "tls_key") if certificate else ("tls_key", "tls_cert")
        raise SettingsError(f"{given} is set and {lacking} is not; TLS needs both")
    return Certificate(Path(certificate), Path(key), Path(client_ca) if client_ca else None)


def check_exposure(host: str, certificate: Certificate | None, *, insecure: bool) -> None:
    """Raise SettingsError if other machines could connect without TLS and `--insecure` was not given."""
    if certificate is None and not insecure and not is_loopback(host):
        raise SettingsError(
            f"host is {host}, so other machines can connect, and without TLS anyone on the way can read their "
            "tokens; set tls_cert and tls_key, or --insecure if a proxy provides TLS or the network is private"
        )


class Certificate:
    """A certificate chain and its private key, as PEM files; with `client_ca`, gRPC clients need a certificate, too.

    A certificate that is renewed in place is used for new connections, without a restart. Raises SettingsError if the
    files cannot be read or do not belong together.
    """

    def __init__(self, certificate: Path, key: Path, client_ca: Path | None = None) -> None:
        self._certificate, self._key, self._client_ca = certificate, key, client_ca
        for name, path in (("tls_cert", certificate), ("tls_key", key), ("tls_client_ca", client_ca)):
            try:
                if path is not None:
                    path.read_bytes()
            except OSError as error:
                raise SettingsError(f"{name} {path} cannot be read: {error.strerror}") from None
        if client_ca is not None:
            try:
                ssl.create_default_context(cafile=client_ca)
            except ssl.SSLError:
                raise SettingsError(f"tls_client_ca {client_ca} has no certificate in PEM format") from None
        self._context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        try:
            self._load()
        except ssl.SSLError as error:
            what = error.reason or "no certificate and key in PEM format"
            raise SettingsError(f"tls_cert {certificate} and tls_key {key} cannot be used: {what}") from None
        self._http_stamp = self._grpc_stamp = self._stamp()

    def grpc_credentials(self) -> grpc.ServerCredentials:
        """Return the credentials for the gRPC port."""
        return grpc.dynamic_ssl_server_credentials(
            self._grpc_configuration(),
            self._renewed_for_grpc,  # type: ignore[arg-type]  # it may return None, says its documentation
            require_client_authentication=self._client_ca is not None,
        )

    def http_context(self) -> ssl.SSLContext:
        """Return the context for the HTTP port, with the certificate as it is now."""
        stamp = self._stamp()
        if stamp != self._http_stamp:
            self._http_stamp = stamp
            try:
                self._load()
            except (OSError, ssl.SSLError) as error:  # in the middle of being replaced
                log.warning("certificate_reload_failed", certificate=str(self._certificate), error=str(error))
        return self._context

    def _load(self) -> None:
        self._context.load_cert_chain(self._certificate, self._key)

    def _stamp(self) -> tuple[int, ...]:
        try:
            files = (self._certificate, self._key, self._client_ca)
            return tuple(path.stat().st_mtime_ns for path in files if path is not None)
        except OSError:  # in the middle of being replaced
            return ()

    def _grpc_configuration(self) -> grpc.ServerCertificateConfiguration:
        roots = None if self._client_ca is None else self._client_ca.read_bytes()
        pair = (self._key.read_bytes(), self._certificate.read_bytes())
        return grpc.ssl_server_certificate_configuration([pair], roots)

    def _renewed_for_grpc(self) -> grpc.ServerCertificateConfiguration | None:
        """Return a new certificate if there is one, None to keep what is in use;
        gRPC calls it in a thread before each handshake.
        """
        stamp = self._stamp()
        if not stamp or stamp == self._grpc_stamp:
            return None
        self._grpc_stamp = stamp
        try:
            return self._grpc_configuration()
        except OSError:
            return None
