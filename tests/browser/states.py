"""Every page, in every state that looks different."""

#: Every page and state: what it is, and its address.
STATES: dict[str, str] = {
    "front": "/",
    "ladder": "/ladders/chinkway",
    "ladder, searched": "/ladders/chinkway?search=ada",
    "ladder that nobody is on": "/ladders/four",
    "tournaments": "/tournaments",
    "tournament that is over": "/tournaments/{over}",
    "tournament that is played": "/tournaments/{running}",
    "tournament that is planned": "/tournaments/{planned}",
    "board": "/tournaments/{over}/boards/board-1-1",
    "matches": "/matches",
    "matches that wait": "/matches?state=waiting",
    "matches of a pair": "/matches?bot=ben&against=ada",
    "match that is over": "/matches/{match}",
    "match at the table": "/matches/{live}",
    "deal": "/matches/{match}/1",
    "card": "/matches/{match}/3/4.5",
    "bot of one's own": "/bots/ben",
    "house bot": "/bots/house-greedy-1",
    "rules": "/rules",
    "rules of a game": "/rules/three",
    "pair of bots": "/bots/ben/vs/ada",
    "nodes": "/nodes",
    "API": "/api",
    "downloads": "/downloads/",
}
