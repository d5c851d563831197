"""TLS for both ports, from the same two files, which are read again when they change."""

from __future__ import annotations

import ssl
from pathlib import Path

import grpc
import structlog

from farfalia_server.errors import SettingsError

log = structlog.get_logger(__name__)


def certificate_of(certificate: str, key: str) -> Certificate | None:
    """Return the certificate that the settings name; None for no TLS. SettingsError if one of the two is missing."""
    if not certificate and not key:
        return None
    if not certificate or not key:
        given, lacking = ("tls_cert", "tls_key") if certificate else ("tls_key", "tls_cert")
        raise SettingsError(f"{given} is set and {lacking} is not; TLS needs both")
    return Certificate(Path(certificate), Path(key))


class Certificate:
    """A certificate chain and its private key, as PEM files.

    A certificate that is renewed in place is used for new connections, without a restart. Raises SettingsError if the
    files cannot be read or do not belong together.
    """

    def __init__(self, certificate: Path, key: Path) -> None:
        self._certificate, self._key = certificate, key
        for name, path in (("tls_cert", certificate), ("tls_key", key)):
            try:
                path.read_bytes()
            except OSError as error:
                raise SettingsError(f"{name} {path} cannot be read: {error.strerror}") from None
        self._context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        try:
            self._load()
        except ssl.SSLError as error:
            what = error.reason or "no certificate and key in PEM format"
            raise SettingsError(f"tls_cert {certificate} and tls_key {key} cannot be used: {what}") from None
        self._http_stamp = self._grpc_stamp = self._stamp()

    def grpc_credentials(self) -> grpc.ServerCredentials:
        """Return the credentials for the gRPC port."""
        return grpc.dynamic_ssl_server_credentials(self._grpc_configuration(), self._renewed_for_grpc)  # type: ignore[arg-type]  # None is allowed, says its documentation

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
            return tuple(path.stat().st_mtime_ns for path in (self._certificate, self._key))
        except OSError:  # in the middle of being replaced
            return ()

    def _grpc_configuration(self) -> grpc.ServerCertificateConfiguration:
        return grpc.ssl_server_certificate_configuration([(self._key.read_bytes(), self._certificate.read_bytes())])

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
