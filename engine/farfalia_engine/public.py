"""What anyone may know of a match: what spectators are shown."""

from dataclasses import dataclass, replace

from farfalia_engine.actions import Kind
from farfalia_engine.pending import Pending


@dataclass(frozen=True, slots=True)
class PublicObservation:
    """What nobody's seat gives away: no hand, nothing of the deck, nothing that one seat alone knows.

    The fields mean what they mean in an `Observation`, which has them too, but for `asked`.

    >>> observation = ruleset("four").new_match(Deals(bytes(32))).public_observation()
    >>> observation.deal, observation.asked, observation.kind.name, observation.plays, observation.held
    (1, (1,), 'PLAY', b'', b'\\r\\r\\r\\r')
    """

    deal: int
    deals: int
    seats: bytes
    sides: bytes
    scores: tuple[int, ...]
    totals: tuple[int, ...]
    trumps: int
    subjects: bytes
    plays: bytes
    leaders: bytes
    winners: bytes
    collected: bytes
    held: bytes
    dummies: bytes
    face_up: tuple[bytes, ...]
    covering: tuple[bytes, ...]
    wilds: bytes
    doubled: bytes
    types: bytes
    bars: bytes
    shown: bytes
    #: The seat that is asked now; empty when the match is over, and where seats choose at once: who has is hidden.
    asked: tuple[int, ...] = ()
    #: The decision that they are asked for, None when the match is over.
    kind: Kind | None = None


#: Decisions that several seats make at once.
_AT_ONCE = (Kind.DOUBLE, Kind.SHOW)
#: The fields of an observation that are the same for every seat.
SHARED_FIELDS = tuple(name for name in PublicObservation.__slots__ if name not in ("asked", "kind"))


def public_part(observation: object, pending: Pending | None) -> PublicObservation:
    """Return what an observation has in common with those of all other seats, and who is asked."""
    shared = PublicObservation(*[getattr(observation, name) for name in SHARED_FIELDS])
    if pending is None:
        return shared
    return replace(shared, asked=() if pending.kind in _AT_ONCE else pending.seats, kind=pending.kind)
