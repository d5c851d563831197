// @ts-check
/* Notices by the browser of what somebody wants to be told of, by buttons with `data-notify`. Of all pages that are open,
   one listens, which has the lock; so each thing is told once. */

import { keep, kept, NOTICES, STARS } from "./kept.js";

/**
 * @typedef {{ type: string, match?: number, bot?: string, entrants?: string[], title?: string, text: string, page: string }}
 *   ArenaEvent
 */

/** Milliseconds until a stream that was refused is asked for again, and until a match that is over is forgotten. */
const AGAIN = 5000;
const LATER = 1000;
const language = document.documentElement.lang;
/** Most things that are wanted at a time: of matches that never end, the oldest are forgotten. */
const MOST = 50;
/** @type {EventSource | undefined} */
let source;
/** Whether this page is the one that listens. */
let listens = false;

const wanted = () => kept(NOTICES, /** @type {string[]} */ ([]));

/** @param {string} key @param {boolean} on */
function want(key, on) {
  const others = wanted().filter((one) => one !== key);
  keep(NOTICES, on ? [...others, key].slice(-MOST) : others);
}

const granted = () => Notification.permission === "granted";

/** Returns what is wanted of one kind. @param {string} kind */
function of(kind) {
  const own = wanted().filter((key) => key.startsWith(`${kind}:`)).map((key) => key.slice(kind.length + 1));
  return kind === "bot" && wanted().includes("stars") ? [...own, ...Object.keys(kept(STARS, {}))] : own;
}

/** Returns the address of the stream of everything that is wanted; empty if nothing is. */
function address() {
  const kinds = { bots: "bot", matches: "match", tournaments: "tournament" };
  const asked = Object.entries(kinds).map(([name, kind]) => [name, of(kind).join(",")]).filter(([, own]) => own);
  if (!granted() || !asked.length) return "";
  return `/api/matches/events?${new URLSearchParams([...asked, ["language", language]])}`;
}

/** @param {ArenaEvent} event */
function tell({ type, match, bot = "", entrants = [bot], title, text, page }) {
  if (!title) return; // the end of the stream
  const bots = of("bot");
  const asked = of("match").includes(String(match)) || entrants.some((name) => bots.includes(name));
  if (!asked && type !== "incident") return; // of a tournament, incidents alone are wanted
  try {
    const notice = new Notification(title, { body: text, tag: `${type} ${match ?? ""} ${bot}`, lang: language });
    notice.onclick = () => {
      notice.close();
      open(page);
    };
  } catch {
    // a browser that shows notices of installed programs alone
  }
  // Not at once: what came together with it is told by the same stream.
  if (type === "result") setTimeout(want, LATER, `match:${match}`, false);
}

/** Listens to what is wanted now. */
function listen() {
  const path = address();
  if (source && source.url === new URL(path, location.href).href && source.readyState !== EventSource.CLOSED) return;
  source?.close();
  source = undefined;
  if (!path) return;
  const own = (source = new EventSource(path));
  own.onmessage = (message) => tell(JSON.parse(message.data));
  own.onerror = () => {
    // A browser comes back by itself, unless it was refused.
    if (own.readyState === EventSource.CLOSED) setTimeout(() => own === source && listen(), AGAIN);
  };
}

/** Shows on the buttons what is wanted, and listens to it, here or on another page. */
function changed() {
  for (const button of buttons) button.setAttribute("aria-pressed", String(granted() && wanted().includes(key(button))));
  if (listens) listen();
}

const buttons = /** @type {HTMLButtonElement[]} */ ([...document.querySelectorAll("button[data-notify]")]);
/** @param {HTMLButtonElement} button */
const key = (button) => button.dataset.notify ?? "";

/** Returns whether pages may show notices here at all: browsers of phones tell only who tries. */
function able() {
  if (Notification.permission !== "default") return true;
  try {
    new Notification("").close(); // shows nothing, since nobody has allowed it yet
    return true;
  } catch {
    return false;
  }
}

/** Asks the reader's browser whether it may tell, or ends it. @param {HTMLButtonElement} button */
async function toggle(button) {
  const on = button.getAttribute("aria-pressed") !== "true";
  const status = /** @type {HTMLElement} */ (button.nextElementSibling);
  status.textContent = "";
  if (on && !able()) status.textContent = button.dataset.unable ?? "";
  else if (on && (await Notification.requestPermission()) !== "granted") status.textContent = button.dataset.denied ?? "";
  else want(key(button), on);
}

if ("Notification" in window && "locks" in navigator) {
  for (const button of buttons) {
    button.addEventListener("click", () => void toggle(button));
    button.hidden = false;
  }
  changed();
  addEventListener("storage", changed);
  void navigator.locks.request(NOTICES, () => {
    listens = true;
    listen();
    return new Promise(() => {}); // until the page is left
  });
}
