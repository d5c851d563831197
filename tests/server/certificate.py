"""A certificate that nobody has signed."""

from __future__ import annotations

import subprocess
from pathlib import Path


def make_certificate(folder: Path, name: str, names: str = "IP:127.0.0.1", days: int = 2) -> tuple[Path, Path]:
    """A certificate, for this machine unless other names are given, that nobody else has signed, and its key."""
    certificate, key = folder / f"{name}.pem", folder / f"{name}.key"
    make = "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -subj /CN=localhost"
    words: list[str | Path] = [
        *make.split(),
        "-addext",
        f"subjectAltName={names}",
        "-days",
        str(days),
        "-keyout",
        key,
        "-out",
        certificate,
    ]
    subprocess.run(words, check=True, capture_output=True)
    return certificate, key
