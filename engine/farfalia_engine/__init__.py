"""The games of Farfalia: rules, deals, records. Pure Python, no dependency.

Begin with `interfaces`: a `Ruleset` makes a `State`, a state gives each seat its `Observation`, and a `Game` says
what is particular to it. `games` has one file per game, on top of the families `farfalia` and `farrago`; `deals`
turns a key into cards; `record`, `replaying` and `verifying` are about finished matches; `search` looks ahead. Other
rooms import names from here.
"""

from farfalia_engine.actions import (
    BAR_SUIT,
    COLLECT_CARD,
    COLLECT_NONE,
    DECLARE_NONE,
    DECLARE_SUIT,
    DISCARD_CARD,
    DISCARD_PAIR,
    DOUBLE_NO,
    DOUBLE_YES,
    NAME_SUIT,
    PAIRS,
    PICK_TYPE,
    SHOW_CARD,
    Kind,
    cards_discarded,
    discard_pair,
)
from farfalia_engine.card_luck import luck, match_luck
from farfalia_engine.conduct import missed
from farfalia_engine.deals import NONCE_BYTES, Deals, board_key, commitment, mix
from farfalia_engine.errors import (
    BadAction,
    BadCard,
    BadKey,
    BadOption,
    EngineError,
    IllegalAction,
    RulesetError,
    UnknownRuleset,
    UnreplayableRecord,
    Unsolvable,
)
from farfalia_engine.farfalia.cards import (
    BIT,
    CARDS,
    FAMILIES,
    FAMILY,
    RANK,
    SUIT,
    SUIT_MASKS,
    SUITS,
    WILD,
    cards_in,
    mask_of,
)
from farfalia_engine.farfalia.collecting import DECLINED, NOTHING, POINTS
from farfalia_engine.farfalia.notation import action_text, card_text, parse_action, parse_card
from farfalia_engine.farfalia.observation import FarfaliaObservation
from farfalia_engine.farrago.deal_types import DealType
from farfalia_engine.farrago.observation import FarragoObservation
from farfalia_engine.games import GAMES
from farfalia_engine.interfaces import Observation, Ruleset, State
from farfalia_engine.outcome import Outcome, places
from farfalia_engine.pending import Pending
from farfalia_engine.playing import Decision, play_to_end
from farfalia_engine.public import PublicObservation
from farfalia_engine.record import (
    Beacon,
    Cause,
    DealSource,
    Incident,
    Record,
    RecordedAction,
    RecordSeat,
    TakenBack,
    TimeControl,
)
from farfalia_engine.replaying import replay
from farfalia_engine.rulesets import ruleset
from farfalia_engine.search.flat_monte_carlo import SearchResult, flat_monte_carlo
from farfalia_engine.search.rollouts import rollouts
from farfalia_engine.search.solver import Solution, solve
from farfalia_engine.terms import SeatRole
from farfalia_engine.trick import Trumps, best_card
from farfalia_engine.trump_holdings import TrumpHoldings
from farfalia_engine.verifying import Verdict, verify
from farfalia_engine.version import VERSION
from farfalia_engine.wording import CardFace

__version__ = VERSION

__all__ = [
    "BAR_SUIT",
    "BIT",
    "CARDS",
    "COLLECT_CARD",
    "COLLECT_NONE",
    "DECLARE_NONE",
    "DECLARE_SUIT",
    "DECLINED",
    "DISCARD_CARD",
    "DISCARD_PAIR",
    "DOUBLE_NO",
    "DOUBLE_YES",
    "FAMILIES",
    "FAMILY",
    "GAMES",
    "NAME_SUIT",
    "NONCE_BYTES",
    "NOTHING",
    "PAIRS",
    "PICK_TYPE",
    "POINTS",
    "RANK",
    "SHOW_CARD",
    "SUIT",
    "SUITS",
    "SUIT_MASKS",
    "WILD",
    "BadAction",
    "BadCard",
    "BadKey",
    "BadOption",
    "Beacon",
    "CardFace",
    "Cause",
    "DealSource",
    "DealType",
    "Deals",
    "Decision",
    "EngineError",
    "FarfaliaObservation",
    "FarragoObservation",
    "IllegalAction",
    "Incident",
    "Kind",
    "Observation",
    "Outcome",
    "Pending",
    "PublicObservation",
    "Record",
    "RecordSeat",
    "RecordedAction",
    "Ruleset",
    "RulesetError",
    "SearchResult",
    "SeatRole",
    "Solution",
    "State",
    "TakenBack",
    "TimeControl",
    "TrumpHoldings",
    "Trumps",
    "UnknownRuleset",
    "UnreplayableRecord",
    "Unsolvable",
    "Verdict",
    "action_text",
    "best_card",
    "board_key",
    "card_text",
    "cards_discarded",
    "cards_in",
    "commitment",
    "discard_pair",
    "flat_monte_carlo",
    "luck",
    "mask_of",
    "match_luck",
    "missed",
    "mix",
    "parse_action",
    "parse_card",
    "places",
    "play_to_end",
    "replay",
    "rollouts",
    "ruleset",
    "solve",
    "verify",
]
