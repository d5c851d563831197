"""Beacons of drand are checked offline: when a round was public, its value and its signature.

The rounds are published: of quicknet in the README of python-drand-verify, of the default network there, too.
"""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

import pytest
from tests.cli.command import played, write
from tests.cli.forked import run

import farfalia_engine as engine
from farfalia_server.contract.errors import RecordError
from farfalia_server.records.codec import from_message
from farfalia_server.records.drand import NETWORKS, SignedRound, check, is_signed, network_of, read_round
from farfalia_server.records.files import read
from farfalia_server.records.verifying import verify

DEFAULT, QUICKNET = NETWORKS
CHAINED = SignedRound(
    3_311_596,
    "647c07b2abbf7ff2afb4d670214f565e5cd9f9c91bfdcecb59a21f3c78d73920",
    bytes.fromhex(
        "a696b9409ababce45749c3a4ec369074453dd4a79967734e1390d969c8ad8d98897d217b9121e92c8ddebbddda8d92f9"
        "00e3bd6bf9deb166863b1a19390d743f82774001487594c5c09e581db7365f02b70a2c8cc41ce32446ef08e4890c4754"
    ),
    bytes.fromhex(
        "8ed588f2a7716fb1349e2d9803da5db0005e98a83783c353d4a08f183236a9ad91d70ddb01266f4b7c576983db464b43"
        "0e65680b9e0098552758afd6c1e6afcb77e3f62fe1b93d42d1cb63abbb2205512fe12fbf74ea9c5ac3b8f5c1e283a1d8"
    ),
)
UNCHAINED = SignedRound(
    657_413,
    "fc1873a13f3545aeade8401532ef5519920652eee6b0d2b19ca12643b87b3587",
    bytes.fromhex("b713718a38ae728dfd477991af2822e08d2f305e47718cef9f7848ce4050e7be41076862b98fad56e91a6b85b89cd97b"),
    b"",
)
PUBLISHED = [(DEFAULT, CHAINED), (QUICKNET, UNCHAINED)]


@pytest.mark.parametrize(("network", "signed"), PUBLISHED, ids=lambda value: getattr(value, "name", ""))
def test_what_a_network_published_is_signed_by_it_and_by_no_other(network: object, signed: SignedRound) -> None:
    assert sha256(signed.signature).hexdigest() == signed.randomness
    for other in NETWORKS:
        assert is_signed(other, signed) is (other is network)
    assert not is_signed(DEFAULT, replace(CHAINED, previous=CHAINED.signature))
    forged = bytes([*signed.signature[:-1], signed.signature[-1] ^ 1])
    for wrong in (replace(signed, number=signed.number + 1), replace(signed, signature=forged)):
        assert not any(is_signed(other, wrong) for other in NETWORKS)
    assert not is_signed(QUICKNET, replace(signed, signature=b"short"))


def test_a_point_outside_the_group_is_no_signature() -> None:
    """Adding one to a signature would give other values that the pairing takes for as good."""
    small = bytearray((4).to_bytes(48, "big"))
    small[0] |= 0x80
    assert not is_signed(QUICKNET, replace(UNCHAINED, signature=bytes(small)))


@pytest.mark.parametrize(
    ("source", "network"),
    [
        ("drand quicknet", QUICKNET),
        ("Drand Default", DEFAULT),
        (f"chain {QUICKNET.hash}", QUICKNET),
        ("drand", None),
        ("the lottery", None),
        ("quicknet", None),
    ],
)
def test_a_network_is_known_by_its_name_or_its_hash(source: str, network: object) -> None:
    assert network_of(source) is network


def test_a_round_is_public_when_the_network_says() -> None:
    assert DEFAULT.public_at(1).isoformat() == "2020-07-22T15:17:30+00:00"
    assert QUICKNET.public_at(1).isoformat() == "2023-08-23T15:09:27+00:00"
    assert QUICKNET.public_at(21).isoformat() == "2023-08-23T15:10:27+00:00"


def beacon(value: str = UNCHAINED.randomness, before: int = 3600, source: str = "drand quicknet") -> engine.Beacon:
    """The round that is published, announced this many seconds before it was public."""
    public = int(QUICKNET.public_at(UNCHAINED.number).timestamp()) * 1000
    return engine.Beacon(source, str(UNCHAINED.number), value, public - before * 1000, public + 5000)


def test_a_round_that_was_public_before_it_was_announced_is_no_beacon() -> None:
    (found,) = check(beacon(before=-1), {}).violations
    assert found.startswith("round 657413 of drand quicknet was public 2023-")
    assert ", before it was announced as the beacon (" in found


def test_a_value_is_compared_with_what_the_network_published() -> None:
    known = {UNCHAINED.number: UNCHAINED}
    assert check(beacon(), {}).unchecked == (
        "the value of the beacon: give what drand published of round 657413 with --beacon",
    )
    held = check(beacon(UNCHAINED.randomness.upper()), known)
    assert (held.violations, held.unchecked) == ((), ())
    assert held.checked[-1] == (
        "the value of the beacon: the network's signature of round 657413 of drand quicknet gives it"
    )
    (other,) = check(beacon("0" * 64), known).violations
    assert other.startswith("the value of the beacon is '0000")
    (hashed,) = check(beacon(), {UNCHAINED.number: replace(UNCHAINED, signature=CHAINED.signature)}).violations
    assert hashed == "the value of round 657413 of drand quicknet is not the SHA-256 of its signature"
    forged = replace(UNCHAINED, signature=CHAINED.signature, randomness=CHAINED.randomness)
    (signature,) = check(beacon(CHAINED.randomness), {UNCHAINED.number: forged}).violations
    assert signature == "the signature of round 657413 of drand quicknet is not the network's"


def test_without_the_extra_the_hash_alone_is_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyblst", None)
    found = check(beacon(), {UNCHAINED.number: UNCHAINED})
    assert found.violations == ()
    assert found.checked[-1].startswith("the value of the beacon: the SHA-256 of the signature")
    assert found.unchecked == (
        "the signature of round 657413 of drand quicknet: that needs pyblst (pip install 'farfalia[beacon]')",
    )


def test_other_sources_are_left_to_people() -> None:
    assert check(beacon(source="lottery"), {}) == check(beacon(source="drand"), {})
    assert not check(beacon(source="lottery"), {}).unchecked


def with_beacon(one: engine.Beacon) -> engine.Record:
    """A record whose deals come from a beacon, among the nonces of bots."""
    record = played()
    nonces = tuple(sorted([*record.source.nonces, one.value.encode()]))
    key = engine.board_key(record.source.secret, nonces, record.source.board)
    source = replace(record.source, nonces=nonces, board_key=key, beacon=one)
    state = engine.ruleset(record.ruleset, record.options).new_match(engine.Deals(key))
    done = engine.play_to_end(state, [lambda observation: observation.legal[0]] * 5)
    actions = tuple(
        engine.RecordedAction(seat, action, at, 0, engine.Cause.FORCED if forced else engine.Cause.BOT)
        for at, (seat, action, forced) in enumerate(done)
    )
    began = one.given_ms + 1000
    return replace(
        record, source=source, actions=actions, outcome=state.outcome, started_ms=began, finished_ms=began + 60_000
    )


def test_verify_checks_the_beacon_of_a_record(tmp_path: Path) -> None:
    file = write(tmp_path / "one.json", with_beacon(beacon()))
    assert verify(from_message(read(file))).violations == ()
    pulse = tmp_path / "pulse.txt"
    pulse.write_text(
        json.dumps(
            {"round": UNCHAINED.number, "randomness": UNCHAINED.randomness, "signature": UNCHAINED.signature.hex()}
        )
    )
    done = run(["verify", str(file), "--beacon", str(pulse)], tmp_path, {}, 60)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "checked: the value of the beacon: the network's signature of round 657413" in done.stdout
    early = write(tmp_path / "two.json", with_beacon(beacon(before=-1)))
    done = run(["verify", str(early)], tmp_path, {}, 60)
    assert done.returncode == 1
    assert "before it was announced as the beacon" in done.stdout


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{", "is not JSON"),
        ("[]", "is not a round of drand: expected an object with the number of the round"),
        ('{"round": "7"}', "expected an object with the number of the round"),
        ('{"round": 7, "randomness": "xy", "signature": "00"}', "randomness is not hexadecimal"),
        ('{"round": 7, "randomness": "00"}', "signature is not hexadecimal"),
        ('{"round": 7, "randomness": "00", "signature": 5}', "signature is not hexadecimal"),
    ],
)
def test_what_is_no_round_gets_a_sentence(tmp_path: Path, text: str, said: str) -> None:
    file = tmp_path / "pulse.json"
    file.write_text(text)
    with pytest.raises(RecordError, match=said):
        read_round(file)
    with pytest.raises(RecordError, match="cannot be read: No such file"):
        read_round(tmp_path / "nowhere")
