"""The games of Farfalia: rules, deals, records. Pure Python, no dependency."""

from .actions import (
    BAR_SUIT,
    COLLECT_CARD,
    COLLECT_NONE,
    DECLARE_NONE,
    DECLARE_SUIT,
    DOUBLE_NO,
    DOUBLE_YES,
    NAME_SUIT,
    PAIRS,
    PICK_TYPE,
    SET_ASIDE_CARD,
    SET_ASIDE_PAIR,
    SHOW_CARD,
    Kind,
    cards_set_aside,
    set_aside_pair,
)
from .cards import BIT, CARDS, FAMILIES, FAMILY, RANK, SUIT, SUIT_MASKS, SUITS, WILD, cards_in, mask_of
from .collecting import DECLINED, NOTHING, POINTS
from .deal_types import DealType
from .deals import NONCE_BYTES, Deals, board_key, commitment, mix
from .errors import (
    BadAction,
    BadCard,
    BadKey,
    BadOption,
    EngineError,
    IllegalAction,
    RecordError,
    RulesetError,
    UnknownRuleset,
    Unsolvable,
)
from .farrago_observation import FarragoObservation
from .games import GAMES
from .ismcts import Searched, ismcts
from .layout import Pending
from .notation import action_text, card_text, parse_action, parse_card
from .observation import Observation
from .outcome import Outcome, places
from .record import Beacon, Cause, DealSource, Incident, Record, RecordedAction, RecordSeat, TimeControl
from .replaying import replay
from .rollouts import rollouts
from .rulesets import Ruleset, ruleset
from .solver import Solution, solve
from .state import State
from .trick import Trumps, best_card
from .verifying import Verdict, verify
from .version import VERSION

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
    "SET_ASIDE_CARD",
    "SET_ASIDE_PAIR",
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
    "Cause",
    "DealSource",
    "DealType",
    "Deals",
    "EngineError",
    "FarragoObservation",
    "IllegalAction",
    "Incident",
    "Kind",
    "Observation",
    "Outcome",
    "Pending",
    "Record",
    "RecordError",
    "RecordSeat",
    "RecordedAction",
    "Ruleset",
    "RulesetError",
    "Searched",
    "Solution",
    "State",
    "TimeControl",
    "Trumps",
    "UnknownRuleset",
    "Unsolvable",
    "Verdict",
    "action_text",
    "best_card",
    "board_key",
    "card_text",
    "cards_in",
    "cards_set_aside",
    "commitment",
    "ismcts",
    "mask_of",
    "mix",
    "parse_action",
    "parse_card",
    "places",
    "replay",
    "rollouts",
    "ruleset",
    "set_aside_pair",
    "solve",
    "verify",
]
