// @ts-check
/* Draws a table that plays from the stream of its events. Without it the page has a link instead. A quiet table, on a page
   that shows other things as well, is followed by the next one. */

import { filled } from "./filled.js";

/** @typedef {import("./table_state.js").TableEvent} TableEvent */

const root = /** @type {HTMLElement} */ (document.querySelector("[data-events]"));
const status = /** @type {HTMLElement} */ (root.querySelector("[role=status]"));
/** @type {Record<string, string>} */
const words = JSON.parse(document.getElementById("words")?.textContent ?? "{}");
const quiet = "quiet" in root.dataset;
const box = /** @type {HTMLElement} */ (root.querySelector("[data-table]"));
/** Milliseconds until the next table is looked for. */
const NEXT = 10_000;
/** Seconds until a page of one match goes on to the next. */
const SECONDS = 8;
/** What draws tables, once there is one: a page where nobody plays need not load it. @type {typeof import("./player.js") | undefined} */
let drawing;
/** @type {import("./player.js").Player | undefined} */
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
  if (!player && drawing && events.length) {
    player = new drawing.Player(box, words, { live: true, quiet, turn: (by) => void neighbour(by).then((match) => match && go(match)) });
    box.classList.add("live");
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

async function watch() {
  drawing ??= await import("./player.js");
  const source = new EventSource(/** @type {string} */ (root.dataset.events));
  source.onopen = () => {
    if (status.textContent === words.away) status.textContent = "";
  };
  source.onmessage = (message) => {
    const event = JSON.parse(message.data);
    if (event.type === "end") {
      source.close();
      if (quiet) setTimeout(next, NEXT);
      else {
        status.textContent = words.ended;
        offerNext();
      }
    } else show(event);
  };
  source.onerror = () => {
    status.textContent = words.away;
    // A browser comes back by itself, from its last event on, unless it was refused.
    if (source.readyState === EventSource.CLOSED) setTimeout(() => void watch(), 5000);
  };
}

/** @param {number} match */
const go = (match) => location.assign(`/matches/${match}`);

/**
 * Returns the number of another table in play, of the same tournament if there is one: the one after this or before it.
 * @param {1 | -1} by
 * @returns {Promise<number | undefined>}
 */
async function neighbour(by) {
  const answer = await fetch("/api/matches?state=running&limit=100").catch(() => null);
  if (!answer?.ok) return undefined;
  /** @type {{ id: string, tournament?: string }[]} */
  const playing = (await answer.json()).matches ?? [];
  const own = Number(root.dataset.match);
  const others = playing.filter(({ id }) => Number(id) !== own);
  const beside = others.filter(({ tournament = "" }) => tournament === root.dataset.tournament);
  const numbers = (beside.length ? beside : others).map(({ id }) => Number(id)).sort((one, other) => by * (one - other));
  return numbers.find((number) => by * (number - own) > 0) ?? numbers[0];
}

/** Goes on to another table after some seconds, unless the reader stays. */
async function offerNext() {
  const match = await neighbour(1);
  if (!match || !player) return;
  let seconds = SECONDS;
  const link = document.createElement("a");
  link.href = `/matches/${match}`;
  const stay = document.createElement("button");
  stay.textContent = words.stay;
  const line = document.createElement("p");
  line.className = "next-table";
  line.append(link, stay);
  const tick = () => {
    link.textContent = filled(words.next_table, { seconds, match });
    if (!seconds) go(match);
    seconds -= 1;
  };
  const timer = setInterval(tick, 1000);
  stay.addEventListener("click", () => {
    clearInterval(timer);
    line.remove();
  });
  tick();
  player.end(line);
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
  box.replaceChildren();
  [player, attempt, known, waiting] = [undefined, "", 0, []];
  status.textContent = "";
  root.hidden = false;
  void watch();
}

if (root.dataset.events) {
  root.hidden = false;
  void watch();
} else setTimeout(next, NEXT);
