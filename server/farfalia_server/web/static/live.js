// @ts-check
/* Draws a table that plays from the stream of its events. Without it the page has a link instead. A quiet table, on a page
   that shows other things as well, is followed by the next one. */

import { held, Player } from "./player.js";

/** @typedef {import("./table_state.js").TableEvent} TableEvent */

const root = /** @type {HTMLElement} */ (document.querySelector("[data-events]"));
const status = /** @type {HTMLElement} */ (root.querySelector("[role=status]"));
const words = held("words");
const quiet = "quiet" in root.dataset;
/** Milliseconds until the next table is looked for. */
const NEXT = 10_000;
/** @type {Player | undefined} */
let player;
/** The attempt of the match that is drawn, and how many of its events are. */
let attempt = "";
let known = 0;
/** @type {TableEvent[]} */
let waiting = [];

/** Draws what has come, once for all that came together. */
function take() {
  const events = waiting;
  waiting = [];
  if (!player && events.length) {
    player = new Player(/** @type {HTMLElement} */ (root.querySelector("[data-table]") ?? root), words, { live: true, quiet });
    if (!quiet) player.listen();
  }
  player?.add(events);
}

/** @param {TableEvent} event */
function show(event) {
  if (event.type === "behind") {
    status.textContent = event.deals ? words.behind : "";
    return;
  }
  // A stream that was started again repeats what is drawn already.
  const [of, number] = String(event.id).split(".");
  if (of === attempt && Number(number) <= known) return;
  attempt = of;
  known = Number(number);
  waiting.push(event);
  if (waiting.length === 1) setTimeout(take, 20);
}

function watch() {
  const source = new EventSource(/** @type {string} */ (root.dataset.events));
  source.onopen = () => {
    if (status.textContent === words.away) status.textContent = "";
  };
  source.onmessage = (message) => {
    const event = JSON.parse(message.data);
    if (event.type === "end") {
      source.close();
      if (quiet) setTimeout(next, NEXT);
      else status.textContent = words.ended;
    } else show(event);
  };
  source.onerror = () => {
    status.textContent = words.away;
    // A browser comes back by itself, from its last event on, unless it was refused.
    if (source.readyState === EventSource.CLOSED) setTimeout(watch, 5000);
  };
}

/** Goes on with the table that the page would show now. */
async function next() {
  const answer = await fetch(location.href, { headers: { accept: "text/html" } }).catch(() => null);
  const fresh = answer?.ok && new DOMParser().parseFromString(await answer.text(), "text/html").getElementById(root.id);
  const events = fresh && fresh.dataset.events;
  if (!events || events === root.dataset.events) {
    setTimeout(next, NEXT);
    return;
  }
  root.dataset.events = events;
  root.dataset.seats = fresh.dataset.seats;
  root.querySelector("[data-which]")?.replaceChildren(...(fresh.querySelector("[data-which]")?.childNodes ?? []));
  root.querySelector("[data-table]")?.replaceChildren();
  [player, attempt, known, waiting] = [undefined, "", 0, []];
  status.textContent = "";
  root.hidden = false;
  watch();
}

if (root.dataset.events) {
  root.hidden = false;
  watch();
} else setTimeout(next, NEXT);
