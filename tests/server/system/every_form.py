"""Every form of those who sign in, as a test of all of them sends it."""

from __future__ import annotations

from tests.server.live import ADMIN
from tests.server.system.form_browser import PASSWORD

#: Every form, with fields that would do something if they were let.
FORMS = {
    "sign-up": {"name": "mallory", "password": PASSWORD},
    "admin": {"name": "mallory", "password": PASSWORD, "token": ADMIN},
    "sign-in": {"name": "olga", "password": PASSWORD},
    "sign-out": {"everywhere": "yes"},
    "password": {"old": PASSWORD, "password": "another password"},
    "email": {"email": "mallory@mail.example", "password": PASSWORD},
    "send-link": {"name": "olga"},
    "token": {"sure": "yes"},
    "choose-password": {"link": "farfalia_api_somebodys", "password": "another password"},
    "new-bot": {"name": "intruder"},
    "bot-token": {"bot": "ant"},
    "revoke-bot": {"bot": "ant"},
    "rename": {"new_name": "intruder"},
    "remove": {"account": "olga", "sure": "yes"},
    "oidc/begin": {"sure": "yes"},
    "oidc/connect": {"sure": "yes"},
    "oidc/disconnect": {"identity": "1"},
    "oidc/create": {"identity": "any", "name": "intruder"},
    "bot/rename": {"bot": "ant", "new_name": "intruder"},
    "bot/challengers": {"bot": "ant", "challengers": "owner"},
    **{f"bot/{act}": {"bot": "ant", "sure": "yes"} for act in ("remove", "strike")},
    "bot/suspend": {"bot": "ant", "suspended": "yes"},
    "bot/hide": {"bot": "ant", "hidden": "yes"},
    "program/hand-in": {"check_only": "yes"},
    "program/activate": {"bot": "ant", "number": "0"},
    "tokens/create": {"name": "CI", "scope": "all"},
    "tokens/revoke": {"token": "1"},
    "challenges/create": {"game": "four", "seat1": "ant"},
    "challenges/cancel": {"match": "1"},
    "people/suspend": {"account": "olga", "suspended": "yes"},
    "people/remove": {"account": "tess", "sure": "yes"},
    "people/rename": {"account": "tess", "new_name": "intruder"},
    "people/invite": {"note": "class 3b", "uses": "3"},
    "people/end-invitation": {"invitation": "1"},
    "people/new-password": {"account": "olga"},
    "people/ban": {"account": "olga", "sure": "yes"},
    "events/create": {"name": "intruders"},
    **{f"events/{act}": {"event": "course", "sure": "yes"} for act in ("publish", "close", "join", "leave")},
    "events/change": {"event": "course", "title": "Intruders", "bots": "3"},
    **{f"events/{act}": {"event": "course", "account": "olga"} for act in ("member", "remove")},
    "events/announce": {"event": "course", "text": "Intruders were here."},
    "events/retract": {"event": "course", "announcement": "1"},
    "events/invite": {"event": "course", "uses": "3"},
    "tournaments/draft/begin": {"name": "Intruder Cup", "event": "arena"},
    **{
        f"tournaments/draft/{act}": {"draft": "1", "revision": "1", "name": "Intruder Cup", "sure": "yes"}
        for act in ("game", "format", "field", "publish", "drop")
    },
    **{f"tournaments/{act}": {"tournament": "1", "sure": "yes"} for act in ("start", "pause", "resume", "cancel")},
    **{f"tournaments/{act}": {"tournament": "1", "bot": "ant"} for act in ("enter", "withdraw")},
    "tournaments/replace": {"tournament": "1", "former": "ant", "bot": "intruder", "sure": "yes"},
    "tournaments/schedule": {"tournament": "1", "at": "2099-01-01 09:00"},
    "tournaments/void": {"tournament": "1", "round": "1", "reason": "why"},
}

#: What goes with the forms that have files.
FILES = {"program/hand-in": {"files": ("bot.py", b"print('intruder')")}}
