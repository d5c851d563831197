"""The wheel of the software that runs, made from its installed files, its documents, and what authors in other
languages need.

Nothing is built: the modules are pure Python, so a wheel is their files, the metadata that they were installed with,
and a list of both. The same files give the same bytes. If some are compiled here, their sources are given away and run
everywhere.
"""

from __future__ import annotations

import base64
import hashlib
import io
import zipfile
from collections.abc import Collection, Iterable, Mapping
from importlib import resources
from importlib.metadata import Distribution, distribution
from importlib.resources.abc import Traversable
from pathlib import Path, PurePosixPath

NAME = "farfalia"
PACKAGES = ("farfalia", "farfalia_engine", "farfalia_server", "farfalia_tournaments")
#: Where the contract lies among the packages' files, and what explains it.
_PROTO, _CLIENTS = PurePosixPath("farfalia/proto"), PurePosixPath("farfalia/clients")
#: Where the documents lie among the packages' files, and what they consist of.
_DOCS, _DOCUMENT_SUFFIXES = PurePosixPath("farfalia_server/docs"), frozenset({".md", ".svg", ".webp"})
#: The contract on one page, a bot for Node.js to be copied, and a conversation to try a parser with.
_GUIDE = (
    "README.md",
    "transcript.jsonl",
    "node/README.md",
    "node/bot.mjs",
    "node/deals.mjs",
    "node/package-lock.json",
    "node/package.json",
    "node/proto/farfalia/v1/cards.proto",
    "node/proto/farfalia/v1/play.proto",
    "node/proto/farfalia/v1/record.proto",
    "node/vectors.mjs",
)

#: What a package consists of; nothing else in its directory is given away.
_SUFFIXES = frozenset(
    {".css", ".html", ".js", ".npz", ".po", ".proto", ".py", ".pyi", ".svg", ".ttf", ".txt", ".typed"}
)
#: What an installer adds for itself.
_INSTALLER_FILES = frozenset({"INSTALLER", "RECORD", "RECORD.jws", "RECORD.p7s", "REQUESTED", "direct_url.json"})
_MOMENT = (2020, 2, 2, 0, 0, 0)  # the same in every wheel, and later than 1979, where zip begins

Files = dict[str, bytes]


def filename(version: str) -> str:
    """Return the name that installers expect of the wheel of a version."""
    return f"{NAME}-{version.replace('-', '_')}-py3-none-any.whl"


def wheel() -> bytes:
    """Return the wheel of the installed distribution."""
    installed = distribution(NAME)
    info, metadata = _metadata(installed)
    files = _installed_files(installed) if _has_modules(installed) else _checkout_files()
    files |= {str(_PROTO / path): content for path, content in contract().items()}
    files |= {str(_CLIENTS / path): content for path, content in guide().items()}
    files |= {str(_DOCS / path): content for path, content in documents().items()}
    files = dict(sorted(files.items())) | metadata
    record = "".join(f"{path},{_digest(content)},{len(content)}\n" for path, content in files.items())
    return archive(files | {f"{info}/RECORD": f"{record}{info}/RECORD,,\n".encode()})


def contract() -> Files:
    """Return the .proto files by their import path, such as `farfalia/v1/play.proto`."""
    for root in (resources.files("farfalia") / "proto", _checkout() / "proto"):
        found = dict(files_below(root, (".proto",)))
        if found:
            return dict(sorted(found.items()))
    return {}


def guide() -> Files:
    """Return what explains the contract to authors without an SDK, by path in `clients/`; the page to read is first."""
    for root in (resources.files("farfalia") / "clients", _checkout() / "clients"):
        if (root / _GUIDE[0]).is_file():
            return {path: root.joinpath(*path.split("/")).read_bytes() for path in _GUIDE}
    return {}


def documents() -> Files:
    """Return the documents and their pictures by path in `docs/`."""
    return dict(sorted(files_below(documents_folder(), _DOCUMENT_SUFFIXES)))


def documents_folder() -> Path:
    """Return the folder of the documents: of the checkout, if that is what runs."""
    installed = Path(__file__).resolve().parents[1] / "docs"
    return installed if installed.is_dir() else _checkout() / "docs"


def archive(files: Mapping[str, bytes]) -> bytes:
    """Return a zip archive of files, in their order."""
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w", zipfile.ZIP_DEFLATED) as packed:
        for path, content in files.items():
            entry = zipfile.ZipInfo(path, _MOMENT)
            entry.external_attr = 0o100644 << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            packed.writestr(entry, content)
    return written.getvalue()


def _metadata(installed: Distribution) -> tuple[str, Files]:
    """Return the directory of the metadata, and its files as they were in the wheel that was installed."""
    paths = [path for path in installed.files or () if path.parts[0].endswith(".dist-info")]
    kept = [path for path in paths if path.name not in _INSTALLER_FILES]
    files = {path.as_posix(): path.read_binary() for path in sorted(kept)}
    return paths[0].parts[0], {path: _pure(text) if path.endswith("/WHEEL") else text for path, text in files.items()}


def _pure(told: bytes) -> bytes:
    """Return what a wheel says of itself, for one without compiled modules."""
    kept = [line for line in told.splitlines() if line and not line.startswith((b"Root-Is-Purelib:", b"Tag:"))]
    return b"\n".join([*kept, b"Root-Is-Purelib: true", b"Tag: py3-none-any", b""])


def _has_modules(installed: Distribution) -> bool:
    """Return whether a wheel was installed. An editable install may bring files of a package too,
    but none of its modules.
    """
    return any(path.parts[0] in PACKAGES and path.suffix == ".py" for path in installed.files or ())


def _installed_files(installed: Distribution) -> Files:
    """Return the packages' files, if a wheel was installed: what it brought,
    and nothing that was put beside it since.
    """
    return {
        path.as_posix(): path.read_binary()
        for path in installed.files or ()
        if path.parts[0] in PACKAGES and path.suffix in _SUFFIXES
    }


def _checkout_files() -> Files:
    """Return the packages' files, if they are used where they were written (an editable install)."""
    return {
        f"{package}/{path}": content for package in PACKAGES for path, content in files_below(resources.files(package))
    }


def _checkout() -> Path:
    return Path(__file__).resolve().parents[3]


def files_below(root: Traversable, suffixes: Collection[str] = _SUFFIXES) -> Iterable[tuple[str, bytes]]:
    """Yield the files of a directory tree by their path in it; only in directories that a package may have,
    and no links.
    """
    if not root.is_dir():
        return
    for entry in root.iterdir():
        if isinstance(entry, Path) and entry.is_symlink():
            continue
        if entry.is_dir():
            if entry.name.isidentifier() and entry.name != "__pycache__":
                for path, content in files_below(entry, suffixes):
                    yield f"{entry.name}/{path}", content
        elif PurePosixPath(entry.name).suffix in suffixes and not entry.name.startswith("."):
            yield entry.name, entry.read_bytes()


def _digest(content: bytes) -> str:
    return "sha256=" + base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
