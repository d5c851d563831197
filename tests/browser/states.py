"""Every page, in every state that looks different."""

from tests.browser.chromium import MISSPELT, NOWHERE

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
    "search": "/search?q=e",
    "search that finds nothing": "/search?q=zzzzzz",
    "near names of a wrong address": MISSPELT,
    "bot of one's own": "/bots/ben",
    "house bot": "/bots/house-greedy-1",
    "opponents of a bot": "/bots/ben/opponents",
    "incidents of a bot": "/bots/ben/incidents",
    "rules": "/rules",
    "rules of a game": "/rules/three",
    "pair of bots": "/bots/ben/vs/ada",
    "a seat to take": "/play",
    "a table to open for friends": "/play/friends",
    "a tournament to enter oneself": "/play/in/{planned}",
    "nodes": "/nodes",
    "API": "/api",
    "contract, a service": "/contract/ArenaService",
    "contract, a message": "/contract/Match",
    "downloads": "/downloads/",
    "documents": "/docs/",
    "not found": NOWHERE,
}
#: Scenes of a wall, and tables alone as other pages frame them.
SHOWN_ELSEWHERE: dict[str, str] = {
    "standings on a wall": "/tournaments/{over}/projector?scene=standings",
    "bracket on a wall": "/tournaments/{staged}/projector?scene=bracket",
    "last result on a wall": "/tournaments/{over}/projector?scene=result&black=true",
    "entrants on a wall": "/tournaments/{planned}/projector",
    "deal in a frame": "/embed/matches/{match}/3/4.5",
    "table in a frame": "/embed/matches/{live}?black=true",
}
#: Pages that say which day it is: a picture of one would differ tomorrow.
OF_THE_DAY: dict[str, str] = {
    "today's board": "/today/two",
    "board of a day that nobody has played": "/today/five-hand/2026-01-02",
}
STATES = PAGES | DOCUMENTS | SHOWN_ELSEWHERE | OF_THE_DAY
#: Those of which there are pictures: three documents stand for the others.
PICTURED = PAGES | {
    "rules in full": "/docs/rules",
    "tutorial": "/docs/tutorial",
    "reference of a package": "/docs/reference/engine",
}
