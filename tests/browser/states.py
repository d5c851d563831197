"""Every page, in every state that looks different."""

from tests.browser.chromium import NOWHERE

from farfalia_server.web.documents import documents

#: Every document, by its address.
DOCUMENTS: dict[str, str] = {one.address: one.address for one in documents().listed}
#: Every other page and state: what it is, and its address.
PAGES: dict[str, str] = {
    "front": "/",
    "ladder": "/ladders/chinkway",
    "ladder, searched": "/ladders/chinkway?search=ada",
    "ladder that nobody is on": "/ladders/four",
    "tournaments": "/tournaments",
    "tournament that is over": "/tournaments/{over}",
    "tournament with a final": "/tournaments/{staged}",
    "tournament that is played": "/tournaments/{running}",
    "tournament that is planned": "/tournaments/{planned}",
    "board": "/tournaments/{over}/boards/board-1-1",
    "deal of a board": "/tournaments/{over}/boards/board-1-1?deal=3",
    "projector, over": "/tournaments/{over}/projector",
    "sheets to print": "/tournaments/{over}/sheets",
    "projector, played": "/tournaments/{running}/projector",
    "matches": "/matches",
    "matches that wait": "/matches?state=waiting",
    "matches of a pair": "/matches?bot=ben&against=ada",
    "match that is over": "/matches/{match}",
    "match with prices": "/matches/{priced}",
    "deal with prices": "/matches/{priced}/1/3.2",
    "bot with prices": "/bots/house-greedy-1?game=two",
    "match at the table": "/matches/{live}",
    "deal": "/matches/{match}/1",
    "card": "/matches/{match}/3/4.5",
    "bots": "/bots",
    "bots that are searched for": "/bots?search=greedy",
    "bot of one's own": "/bots/ben",
    "house bot": "/bots/house-greedy-1",
    "opponents of a bot": "/bots/ben/opponents",
    "incidents of a bot": "/bots/ben/incidents",
    "rules": "/rules",
    "rules of a game": "/rules/three",
    "pair of bots": "/bots/ben/vs/ada",
    "nodes": "/nodes",
    "API": "/api",
    "contract, a service": "/contract/ArenaService",
    "contract, a message": "/contract/Match",
    "downloads": "/downloads/",
    "documents": "/docs/",
    "not found": NOWHERE,
}
STATES = PAGES | DOCUMENTS
#: Those of which there are pictures: three documents stand for the others.
PICTURED = PAGES | {
    "rules in full": "/docs/rules",
    "tutorial": "/docs/tutorial",
    "reference of a package": "/docs/reference/engine",
}
