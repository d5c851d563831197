"""The store: everything that must outlive the server, by subject."""

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager, nullcontext
from types import TracebackType

from sqlalchemy.exc import DBAPIError

from farfalia_server.store.acts import Acts
from farfalia_server.store.answers import Answers
from farfalia_server.store.changes import Changes
from farfalia_server.store.events.announcements import Announcements
from farfalia_server.store.events.events import Events
from farfalia_server.store.events.members import Members
from farfalia_server.store.matches.challenges import Challenges
from farfalia_server.store.matches.claims import Claims
from farfalia_server.store.matches.daily_boards import DailyBoards
from farfalia_server.store.matches.favours import Favours
from farfalia_server.store.matches.gatherings import Gatherings
from farfalia_server.store.matches.live_tables import LiveTables
from farfalia_server.store.matches.matches import Matches
from farfalia_server.store.matches.records import Records
from farfalia_server.store.matches.search import MatchSearch
from farfalia_server.store.matches.seat_results import SeatResultRows
from farfalia_server.store.matches.void_attempts import VoidAttempts
from farfalia_server.store.matches.voiding import Voiding
from farfalia_server.store.meta import Meta
from farfalia_server.store.people.accounts import Accounts
from farfalia_server.store.people.api_tokens import ApiTokens
from farfalia_server.store.people.bots import Bots
from farfalia_server.store.people.identities import Identities
from farfalia_server.store.people.invitations import Invitations
from farfalia_server.store.people.logs import Logs
from farfalia_server.store.people.moderation import Moderation
from farfalia_server.store.people.names import Names
from farfalia_server.store.people.renaming import Renaming
from farfalia_server.store.people.sessions import Sessions
from farfalia_server.store.prices.analyses import Analyses
from farfalia_server.store.prices.prices import Prices
from farfalia_server.store.programs.archives import Archives
from farfalia_server.store.programs.hosting import Hosting
from farfalia_server.store.programs.object_store import ObjectStore
from farfalia_server.store.programs.programs import Programs
from farfalia_server.store.ratings.baselines import Baselines
from farfalia_server.store.ratings.chain import RatingChain
from farfalia_server.store.ratings.fits import FittedRatings
from farfalia_server.store.ratings.history import RatingHistory
from farfalia_server.store.ratings.ladders import Ladders
from farfalia_server.store.ratings.ratings import Ratings
from farfalia_server.store.ratings.reliability import LadderReliability
from farfalia_server.store.sql.backups import Backups
from farfalia_server.store.sql.database import Database
from farfalia_server.store.sql.engines import one_at_a_time
from farfalia_server.store.sql.fences import Fences
from farfalia_server.store.sql.migrate import current_schema, is_older, migrate
from farfalia_server.store.tournaments.drafts import Drafts
from farfalia_server.store.tournaments.entrants import Entrants
from farfalia_server.store.tournaments.ladder_knowledge import LadderKnowledgeRows
from farfalia_server.store.tournaments.nonces import Nonces
from farfalia_server.store.tournaments.pauses import Pauses
from farfalia_server.store.tournaments.rounds import Rounds
from farfalia_server.store.tournaments.tournaments import Tournaments
from farfalia_server.store.webhooks.webhooks import Webhooks

#: Called with a store of an older schema and that schema: keeps its servers away while its tables are migrated.
Upgrading = Callable[["Store", str], AbstractAsyncContextManager[object]]


class Store:
    """An open database; made by `Store.open`, and an async context manager that closes itself.

    Every call raises StoreUnavailable while the database does not answer; `retrying` waits for it.
    """

    def __init__(self, database: Database, archives: str = "") -> None:
        self._database = database
        outside = ObjectStore(archives) if archives else None
        self.changes = Changes()
        part = (database, self.changes)
        self.accounts = Accounts(*part)
        self.sessions = Sessions(*part)
        self.api_tokens = ApiTokens(*part)
        self.identities = Identities(*part)
        self.invitations = Invitations(*part)
        self.bots = Bots(*part)
        self.names = Names(*part)
        self.moderation = Moderation(*part)
        self.names = Names(*part)
        self.renaming = Renaming(*part)
        self.archives = Archives(*part, outside)
        self.programs = Programs(*part)
        self.hosting = Hosting(*part)
        self.tournaments = Tournaments(*part)
        self.drafts = Drafts(*part)
        self.nonces = Nonces(*part)
        self.entrants = Entrants(*part)
        self.ladder_knowledge = LadderKnowledgeRows(*part)
        self.rounds = Rounds(*part)
        self.matches = Matches(*part)
        self.challenges = Challenges(*part)
        self.daily_boards = DailyBoards(*part)
        self.gatherings = Gatherings(*part)
        self.claims = Claims(*part)
        self.match_search = MatchSearch(*part)
        self.seat_results = SeatResultRows(*part)
        self.records = Records(*part)
        self.favours = Favours(*part)
        self.live_tables = LiveTables(database, self.records)
        self.analyses = Analyses(*part)
        self.prices = Prices(*part)
        self.baselines = Baselines(*part)
        self.pauses = Pauses(*part)
        self.acts = Acts(*part)
        self.answers = Answers(*part)
        self.voiding = Voiding(*part)
        self.void_attempts = VoidAttempts(*part)
        self.ratings = Ratings(*part)
        self.rating_chain = RatingChain(*part)
        self.rating_history = RatingHistory(*part)
        self.fitted_ratings = FittedRatings(*part)
        self.ladders = Ladders(*part)
        self.events = Events(*part)
        self.announcements = Announcements(*part)
        self.members = Members(*part)
        self.logs = Logs(*part)
        self.webhooks = Webhooks(*part)
        self.meta = Meta(*part)
        self.reliability = LadderReliability(self.meta)
        self.fencing = Fences(database.write)
        self.backups = Backups(*part, outside)

    @property
    def address(self) -> str:
        """Where the database is, without a password."""
        return self._database.address

    def measure(self, took: Callable[[float], None]) -> None:
        """From now on call `took` with the seconds of each transaction."""
        self._database.took = took

    @property
    def outage_end(self) -> float:
        """The end of the last outage on the clock of `monotonic`; the present while one lasts."""
        return self._database.outage_end

    @classmethod
    async def open(cls, url: str, *, archives: str = "", upgrading: Upgrading | None = None) -> "Store":
        """Open `sqlite:///PATH`, a plain path, or `postgresql://…`, and bring it to the newest schema.

        Larger archives of programs are kept in `archives`, a folder or an s3:// URL; empty for the database.
        Tables of an older version are migrated within `upgrading`, which may refuse. Raises StoreError, in one
        sentence, if that cannot be done.
        """
        async with one_at_a_time(url):
            database = await Database.open(url)
            store = cls(database, archives)
            try:
                found = await store.schema()
                async with upgrading(store, found) if upgrading and is_older(found) else nullcontext():
                    await database.migrating(migrate)
            except BaseException as error:
                await database.close()
                if isinstance(error, DBAPIError):  # tables of the same names that nobody migrates, for example
                    raise database.unusable(error) from None
                raise
        return store

    async def schema(self) -> str:
        """Return the number of the schema that the database has now; empty if it has no tables."""
        return await self._database.read(current_schema)

    @classmethod
    async def attach(cls, url: str, *, archives: str = "") -> "Store":
        """Open a database that another process has opened already, to read from it; StoreError as `open`."""
        return cls(await Database.open(url, to_write=False), archives)

    async def close(self) -> None:
        """Close every connection; what is under way fails."""
        await self._database.close()

    async def __aenter__(self) -> "Store":
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()
