"""The ways in which people play: by mouse, by touch on a phone, by keyboard alone, and by forms without script."""

from __future__ import annotations

import re
import time
from typing import Any, ClassVar

from playwright.sync_api import Locator, Page, expect
from tests.browser.chromium import PATIENCE

#: What is asked, by what its sentence says.
KINDS = {
    "discard": "choose what you discard",
    "declare": "declare trumps",
    "lead": "You lead",
    "follow": "Play a card: follow suit",
    "dummy": "dummy",
    "collect": "You won the trick",
    "double": "Spend a wild card",
    "type": "Pick the type",
    "bar": "Bar a suit",
    "name": "Name trumps",
    "show": "Show a card",
}
#: How often somebody presses a key before giving up to reach something.
_KEYS = 80
#: Whether something has the focus, and whether arrows lead to it from what has.
_REACHED = """(one) => {
  const focused = document.activeElement;
  return [one === focused, one.matches(".may") && focused.matches(".may")];
}"""
#: What may be chosen on the stage.
_OFFERED = ".felt .may, .stage .choices button"
#: Buttons of a question's form that answer nothing by themselves.
_HELPS = ("Discard the ", "Hint: ", "Take back my last decision", "Comments")
_NAME = re.compile(r'(?:button|checkbox) "(.+?)"(?! \[disabled)')


def seat(page: Page) -> tuple[str, int]:
    """The state of the seat, and the number of the newest question."""
    told = page.locator("#seat")
    return told.get_attribute("data-state") or "", int(told.get_attribute("data-number") or 0)


def asked(page: Page, after: int = 0) -> int:
    """Wait until a later question than this one is asked, and return its number; 0 once the match is over."""
    deadline = time.monotonic() + PATIENCE / 1000
    while time.monotonic() < deadline:
        state, number = seat(page)
        if state == "asked" and number > after:
            return number
        if state not in ("asked", "others", "waiting"):
            return 0
        page.wait_for_timeout(50)
    raise AssertionError(f"nothing is asked after question {after}")


def kind_of(question: str) -> str:
    """The kind of a decision, by the sentence that asks for it."""
    return next(kind for kind, words in KINDS.items() if words in question)


def names_in(part: Locator) -> list[str]:
    """The names that a screen reader says of the buttons and boxes in a part of a page that work now."""
    return _NAME.findall(part.aria_snapshot())


class Mouse:
    """Clicks on the stage of a laptop."""

    device: ClassVar[dict[str, Any]] = {"width": 1366, "height": 768}

    def press(self, page: Page, target: Locator) -> None:
        target.click()

    def pick_game(self, page: Page, game: str) -> None:
        page.get_by_label("Game").select_option(label=game)

    def begin(self, page: Page, game: str) -> None:
        """Take a seat at a table of a game, from the page with the form."""
        self.pick_game(page, game)
        self.press(page, page.get_by_role("button", name="Play", exact=True))
        page.wait_for_url(re.compile(r"/play/\d+$"))

    def asked(self, page: Page) -> str:
        """What is asked, as it is said to those who listen."""
        told = page.locator(".full-stage").get_by_role("status").filter(has_text=re.compile("."))
        return told.first.inner_text()

    def choices(self, page: Page) -> list[str]:
        """The names of all that may be chosen now."""
        # The stage may come later to what is asked than the forms.
        expect(page.locator(".full-stage")).to_have_attribute("data-offered", str(seat(page)[1]))
        page.locator(_OFFERED).first.wait_for()
        return names_in(page.locator(".felt")) + names_in(page.locator(".stage > .choices"))

    def take(self, page: Page, names: list[str]) -> None:
        """Choose one of them, or several cards together."""
        stage = page.locator(".full-stage")
        for name in names:
            self.press(page, stage.get_by_role("button", name=name, exact=True))
        if len(names) > 1:
            self.press(page, stage.locator(".choices button:not([aria-disabled=true])"))


class Touch(Mouse):
    """Taps on the stage of a phone."""

    device: ClassVar[dict[str, Any]] = {"width": 390, "height": 844, "has_touch": True, "is_mobile": True}

    def press(self, page: Page, target: Locator) -> None:
        target.tap()


class Keyboard(Mouse):
    """Presses keys and never points at anything."""

    def press(self, page: Page, target: Locator) -> None:
        self.reach(page, target)
        page.keyboard.press("Enter")

    def reach(self, page: Page, target: Locator) -> None:
        """Go on to something: by arrows from one card to another, by the tabulator to all else."""
        for _ in range(_KEYS):
            there, arrows = target.evaluate(_REACHED)
            if there:
                return
            page.keyboard.press("ArrowRight" if arrows else "Tab")
        raise AssertionError(f"{_KEYS} keys do not reach {target}")

    def pick_game(self, page: Page, game: str) -> None:
        self.reach(page, page.get_by_label("Game"))
        page.keyboard.type(game)
        expect(page.get_by_label("Game").locator("option:checked")).to_have_text(game)


class Forms(Mouse):
    """Sends forms, without script, on a phone."""

    device: ClassVar[dict[str, Any]] = {"width": 390, "height": 844, "java_script_enabled": False}

    def asked(self, page: Page) -> str:
        return page.locator("#seat").get_by_role("heading", level=2).inner_text()

    def choices(self, page: Page) -> list[str]:
        names = names_in(page.locator("#seat form[action$=answer]"))
        return [name for name in names if not name.startswith(_HELPS)]

    def take(self, page: Page, names: list[str]) -> None:
        table = page.locator("#seat")
        boxes = [table.get_by_role("checkbox", name=name, exact=True) for name in names]
        if boxes[0].count():
            for box in boxes:
                box.check()
            table.get_by_role("button", name="Discard the ").click()
        else:
            table.get_by_role("button", name=names[0], exact=True).click()


WAYS: dict[str, Mouse] = {"mouse": Mouse(), "touch": Touch(), "keyboard": Keyboard(), "forms": Forms()}
