"""What can be known offline of a round of drand: when it became public, and that its value is the network's.

The League of Entropy's networks of BLS12-381 sign the number of each round, the older one together with the signature
before it; the value is the SHA-256 of the signature. This is the only module that imports the package `pyblst`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

import farfalia_engine as engine
from farfalia_server.contract.errors import RecordError

#: The generators of both groups, compressed.
_G1: Final = bytes.fromhex(
    "97f1d3a73197d7942695638c4fa9ac0fc3688c4f9774b905a14e3a3f171bac586c55e83ff97a1aeffb3af00adb22c6bb"
)
_G2: Final = bytes.fromhex(
    "93e02b6052719f607dacd3a088274f65596bd0d09920b61ab5da61bbdc7f5049334cf11213945d57e5ac7d055d042b7e"
    "024aa2b2f08f0a91260805272dc51051c6e47ad4fa403b02b4510b647ae3d1770bac0326a805bbefd48056c8c121bdb8"
)
_DST_G1: Final = b"BLS_SIG_BLS12381G1_XMD:SHA-256_SSWU_RO_NUL_"
_DST_G2: Final = b"BLS_SIG_BLS12381G2_XMD:SHA-256_SSWU_RO_NUL_"
#: Digits of the number of a round, at most: centuries of rounds.
_DIGITS = 9


@dataclass(frozen=True, slots=True)
class Network:
    """A network: its name and hash, its public key, seconds between rounds and when the first one was.

    A `chained` one signs the signature before as well, with signatures in G2; the other has them in G1.
    """

    name: str
    hash: str
    key: bytes = field(repr=False)
    period: int
    genesis: int
    chained: bool

    def public_at(self, number: int) -> datetime:
        """Return when a round becomes public."""
        return datetime.fromtimestamp(self.genesis + (number - 1) * self.period, UTC)


NETWORKS: Final = (
    Network(
        "default",
        "8990e7a9aaed2ffed73dbd7092123d6f289930540d7651336225dc172e51b2ce",
        bytes.fromhex(
            "868f005eb8e6e4ca0a47c8a77ceaa5309a47978a7c71bc5cce96366b5d7a569937c529eeda66c7293784a9402801af31"
        ),
        period=30,
        genesis=1_595_431_050,
        chained=True,
    ),
    Network(
        "quicknet",
        "52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971",
        bytes.fromhex(
            "83cf0f2896adee7eb8b5f01fcad3912212c437e0073e911fb90022d3e760183c8c4b450b6a0a6c3ac6a5776a2d106451"
            "0d1fec758c921cc22b0e17e63aaf4bcb5ed66304de9cf809bd274ca73bab4af5a6e9c76a4bc09e76eae8991ef5ece45a"
        ),
        period=3,
        genesis=1_692_803_367,
        chained=False,
    ),
)


@dataclass(frozen=True, slots=True)
class SignedRound:
    """What a network published of a round, as its HTTP interface gives it; `previous` is empty where it has none."""

    number: int
    randomness: str
    signature: bytes
    previous: bytes


@dataclass(frozen=True, slots=True)
class BeaconVerdict:
    """What was found of a beacon."""

    violations: tuple[str, ...] = ()
    checked: tuple[str, ...] = ()
    unchecked: tuple[str, ...] = ()


def network_of(source: str) -> Network | None:
    """Return the network that a beacon's source names, such as "drand quicknet" or one with its hash; None for none."""
    words = source.lower().split()
    for network in NETWORKS:
        if network.hash in words or ("drand" in words and network.name in words):
            return network
    return None


def round_of(text: str) -> int | None:
    """Return the number of a round; None if it is none."""
    number = int(text) if text.isascii() and text.isdigit() and len(text) <= _DIGITS else 0
    return number or None


def read_round(path: Path) -> SignedRound:
    """Read a round from a file with the JSON of drand's HTTP interface; RecordError."""
    try:
        document = json.loads(path.read_bytes())
    except OSError as error:
        raise RecordError(f"{path} cannot be read: {error.strerror}") from None
    except (ValueError, RecursionError):
        raise RecordError(f"{path} is not JSON") from None
    if not isinstance(document, dict) or type(document.get("round")) is not int:
        raise RecordError(f"{path} is not a round of drand: expected an object with the number of the round")
    values = [_hexadecimal(document, name, path) for name in ("randomness", "signature", "previous_signature")]
    return SignedRound(document["round"], values[0].hex(), values[1], values[2])


def check(beacon: engine.Beacon, rounds: Mapping[int, SignedRound]) -> BeaconVerdict:
    """Return what is known of a beacon, with the rounds that are given by number; nothing of sources but drand."""
    network = network_of(beacon.source)
    if network is None:
        return BeaconVerdict()
    number = round_of(beacon.round)
    if number is None:
        return BeaconVerdict(unchecked=(f"the beacon: {beacon.round!r} is not the number of a round of drand",))
    what = f"round {number} of drand {network.name}"
    public, announced = network.public_at(number), datetime.fromtimestamp(beacon.announced_ms / 1000, UTC)
    if public <= announced:
        said = f"{what} was public {_said(public)}, before it was announced as the beacon ({_said(announced)})"
        return BeaconVerdict((said,))
    checked = [f"the time of the beacon: {what} became public {_said(public)}, after it was announced"]
    signed = rounds.get(number)
    if signed is None:
        text = f"the value of the beacon: give what drand published of round {number} with --beacon"
        return BeaconVerdict((), tuple(checked), (text,))
    if beacon.value.lower() != signed.randomness:
        return BeaconVerdict((f"the value of the beacon is {beacon.value!r}, but {what} is {signed.randomness}",))
    if sha256(signed.signature).hexdigest() != signed.randomness:
        return BeaconVerdict((f"the value of {what} is not the SHA-256 of its signature",))
    holds = is_signed(network, signed)
    if holds is None:
        text = f"the signature of {what}: that needs pyblst (pip install 'farfalia[beacon]')"
        checked.append(f"the value of the beacon: the SHA-256 of the signature of {what}")
        return BeaconVerdict((), tuple(checked), (text,))
    if not holds:
        return BeaconVerdict((f"the signature of {what} is not the network's",))
    return BeaconVerdict((), (*checked, f"the value of the beacon: the network's signature of {what} gives it"))


def is_signed(network: Network, signed: SignedRound) -> bool | None:
    """Return whether a network has signed a round; None if `pyblst` is not installed."""
    try:
        import pyblst  # an extra, and only few records have a beacon
    except ImportError:
        return None
    message = sha256((signed.previous if network.chained else b"") + signed.number.to_bytes(8, "big")).digest()
    one, two = pyblst.BlstP1Element(), pyblst.BlstP2Element()
    try:
        if network.chained:
            left = pyblst.miller_loop(one.uncompress(_G1), two.uncompress(signed.signature))
            right = pyblst.miller_loop(one.uncompress(network.key), two.hash_to_group(message, _DST_G2))
        else:
            left = pyblst.miller_loop(one.uncompress(signed.signature), two.uncompress(_G2))
            right = pyblst.miller_loop(one.hash_to_group(message, _DST_G1), two.uncompress(network.key))
    except ValueError:  # no point of the group
        return False
    return bool(pyblst.final_verify(left, right))


def _hexadecimal(document: dict[str, Any], name: str, path: Path) -> bytes:
    value = document.get(name, "")
    try:
        if name == "previous_signature" or value:
            return bytes.fromhex(value)
    except (TypeError, ValueError):
        pass
    raise RecordError(f"{path} is not a round of drand: {name} is not hexadecimal")


def _said(moment: datetime) -> str:
    return moment.isoformat(" ", "seconds")
