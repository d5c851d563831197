// Turns the pages of a tournament on a wall and keeps them up to date. It stops while something has the focus or the
// pointer, with the space bar or the button, and where people do not want movement. Without it all pages stand below each other.
import { refreshEvery } from "./regions.js";

/** Seconds for which a page is shown, and between two looks at the tournament. */
const SHOWN = 12;
const LOOKED = 5;

const button = /** @type {HTMLButtonElement} */ (document.querySelector(".turning button"));
const pages = /** @type {HTMLElement[]} */ ([...document.querySelectorAll("[data-page]")]);
let shown = 0;
let stopped = matchMedia("(prefers-reduced-motion: reduce)").matches;

/** @param {number} by */
function turn(by) {
  shown = (shown + by + pages.length) % pages.length;
  pages.forEach((page, number) => (page.hidden = number !== shown));
}

function toggle() {
  stopped = !stopped;
  write();
}

function write() {
  button.textContent = /** @type {string} */ (stopped ? button.dataset.turn : button.dataset.stop);
}

/** Whether somebody is looking at one page more closely. */
function held() {
  return pages[shown].matches(":hover, :focus-within") || document.activeElement === button;
}

button.hidden = pages.length < 2;
button.addEventListener("click", toggle);
document.addEventListener("keydown", (event) => {
  if (event.key === "ArrowRight") turn(1);
  else if (event.key === "ArrowLeft") turn(-1);
  else if (event.key === " " && event.target !== button) {
    event.preventDefault();
    toggle();
  }
});
write();
turn(0);
setInterval(() => stopped || held() || turn(1), SHOWN * 1000);
refreshEvery(LOOKED);
