// Keeps the page of a tournament up to date from the stream of its events. Without it the page has a link instead.
import { filled } from "./filled.js";
import { refresh } from "./regions.js";

/**
 * @typedef {{ entrant: string, cells: Record<string, string>, bar: [number, number, number] | null }} Row
 * @typedef {{ type: string, state: string, matches: number, finished: number, progress: string, pace: string,
 *   waiting: string, rows: Row[], match: number, stage: number, round: number, entrants: string[] }} TournamentEvent
 */

const state = /** @type {HTMLElement} */ (document.querySelector("[data-events]"));
/** Milliseconds within which all viewers ask for the page once something has changed that no event shows. */
const SPREAD = 5000;
let asked = false;

function refreshSoon() {
  if (asked) return;
  asked = true;
  setTimeout(async () => {
    asked = false;
    await refresh();
  }, Math.random() * SPREAD);
}

/** @param {string} name @returns {HTMLElement | null} */
const fact = (name) => state.querySelector(`[data-fact="${name}"]`);

/** @param {string} text */
const sentence = (text) => (text ? `${text[0].toUpperCase()}${text.slice(1)}.` : "");

/** @param {Element | null} element @param {string} text */
function write(element, text) {
  if (element && element.textContent !== text) element.textContent = text;
}

/** @param {TournamentEvent} event */
function showFacts(event) {
  const before = fact("state")?.textContent;
  write(fact("state"), sentence(event.state));
  write(fact("progress"), event.progress);
  write(fact("pace"), event.pace ? `. ${sentence(event.pace)}` : "");
  write(fact("waiting"), event.waiting);
  fact("waiting")?.toggleAttribute("hidden", !event.waiting);
  const bar = state.querySelector("progress");
  if (bar) [bar.max, bar.value] = [Math.max(event.matches, 1), event.finished];
  if (before && before !== sentence(event.state)) refreshSoon();
}

/** @param {Element | null} cell @param {Row["bar"]} bar where it begins, its width and its middle */
function draw(cell, bar) {
  if (!cell || !bar) return;
  cell.querySelector("rect")?.setAttribute("x", `${bar[0]}`);
  cell.querySelector("rect")?.setAttribute("width", `${bar[1]}`);
  cell.querySelector(".middle")?.setAttribute("d", `M${bar[2]} 0V10`);
}

/** @param {Row[]} rows */
function showRows(rows) {
  const body = document.querySelector("#standings tbody");
  if (!body) return refreshSoon();
  const shown = body.closest("table")?.dataset.columns?.split(" ") ?? [];
  for (const row of rows) {
    const line = body.querySelector(`[data-entrant="${CSS.escape(row.entrant)}"]`);
    if (!line) {
      // Others take part now, or it stands on another page of a long table.
      if (body.children.length < 100) refreshSoon();
      continue;
    }
    for (const [name, text] of Object.entries(row.cells)) {
      const cell = line.querySelector(`[data-cell="${name}"]`);
      if (cell) write(cell, text);
      else if (shown[0] === "*" || shown.includes(name)) refreshSoon(); // a column that had nothing to say before
    }
    draw(line.querySelector(".strength"), row.bar);
  }
  const place = (/** @type {Element} */ line) => Number(line.querySelector('[data-cell="place"]')?.textContent);
  const lines = [...body.children];
  const sorted = [...lines].sort((one, other) => place(one) - place(other));
  if (sorted.every((line, at) => line === lines[at])) return;
  const focused = document.activeElement;
  body.append(...sorted);
  if (focused instanceof HTMLElement && body.contains(focused)) focused.focus({ preventScroll: true });
}

/** @param {TournamentEvent} event */
function showTable(event) {
  const list = /** @type {HTMLElement | null} */ (document.querySelector("[data-playing]"));
  if (!list || list.querySelector(`[data-match="${event.match}"]`)) return;
  const item = document.createElement("li");
  item.dataset.match = `${event.match}`;
  const link = document.createElement("a");
  link.href = `/matches/${event.match}`;
  const round = event.stage ? `${event.stage}.${event.round}` : event.round;
  link.textContent = filled(list.dataset.playing ?? "", { round, match: event.match });
  const names = document.createElement("span");
  names.className = "faint";
  names.textContent = event.entrants.join(", ");
  item.append(link, " ", names);
  if (list.children.length < 40) list.append(item);
  countTables();
}

function countTables() {
  const list = document.querySelector("[data-playing]");
  document.querySelector("[data-nobody]")?.toggleAttribute("hidden", !!list?.children.length);
}

/** @param {TournamentEvent} event */
function show(event) {
  if (event.type === "tournament") showFacts(event);
  else if (event.type === "standings") showRows(event.rows);
  else if (event.type === "started") showTable(event);
  else if (event.type === "result" || event.type === "gone") {
    document.querySelector(`[data-playing] [data-match="${event.match}"]`)?.remove();
    countTables();
  } else if (event.type === "round") refreshSoon();
}

function watch() {
  const source = new EventSource(/** @type {string} */ (state.dataset.events));
  source.onmessage = (message) => {
    const event = JSON.parse(message.data);
    if (event.type === "end") {
      source.close();
      refreshSoon();
    } else show(event);
  };
  source.onerror = () => {
    // A browser comes back by itself, unless it was refused.
    if (source.readyState === EventSource.CLOSED) setTimeout(watch, 5000);
  };
}

watch();
