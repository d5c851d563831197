// @ts-check
/* The page of a table that plays: draws it from the stream of its events. Without it the page has a link instead. */

import { held, Player } from "./player.js";

/** @typedef {import("./table_state.js").TableEvent} TableEvent */

const root = /** @type {HTMLElement} */ (document.querySelector("[data-events]"));
const status = /** @type {HTMLElement} */ (root.querySelector("[role=status]"));
const words = held("words");
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
    player = new Player(root, words, { live: true });
    player.listen();
  }
  player?.add(events);
}

/** @param {TableEvent} event */
function show(event) {
  if (event.type === "behind") {
    status.textContent = event.deals ? words.behind : "";
    return;
  }
  // A stream that was begun anew brings again what is drawn already.
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
      status.textContent = words.ended;
    } else show(event);
  };
  source.onerror = () => {
    status.textContent = words.away;
    // A browser comes back by itself, from its last event on, unless it was refused.
    if (source.readyState === EventSource.CLOSED) setTimeout(watch, 5000);
  };
}

root.hidden = false;
watch();
