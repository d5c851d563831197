// @ts-check
/* The bots that somebody follows, which this browser alone keeps: their list on the front page, with what has changed since
   the last visit. */

import { filled } from "./filled.js";
import { keep, kept, NOTICES, STARS } from "./kept.js";

/**
 * How a bot was when somebody looked.
 * @typedef {{ at: number, ladder: string, place: number, matches: number, strikes: number, on: boolean }} Look
 */
/** A bot with a star: how it was at the end of the visit before, and at the last look. @typedef {{ before?: Look, last?: Look }} Star */

/** Most bots that are listed, each of which costs two requests. */
const MOST = 8;
/** Milliseconds without a look after which the next one is another visit. */
const AWAY = 30 * 60_000;

/** @returns {Record<string, Star>} */
const stars = () => kept(STARS, {});

/** @param {string} path */
async function json(path) {
  const answer = await fetch(path).catch(() => null);
  return answer?.ok ? answer.json() : null;
}

/** Returns how a bot is now; null if there is none of the name. @param {string} name @returns {Promise<Look | null>} */
async function look(name) {
  const found = await json(`/api/bots/${encodeURIComponent(name)}`);
  if (!found) return null;
  const [most] = [...found.bot.ratings].sort((one, other) => other.matches - one.matches);
  const ladder = most?.ladder ?? "";
  const table =
    ladder && (await json(`/api/ratings?ladder=${encodeURIComponent(ladder)}&search=${encodeURIComponent(name)}&limit=100`));
  const row = table && table.bots.find((/** @type {{ bot: string }} */ one) => one.bot === name);
  const strikes = found.incidents.map((/** @type {{ incident: { strikes?: number } }} */ one) => one.incident.strikes ?? 0);
  return {
    at: Date.now(),
    ladder,
    place: row?.settled ? row.place : 0,
    matches: most?.matches ?? 0,
    strikes: strikes.reduce((/** @type {number} */ sum, /** @type {number} */ one) => sum + one, 0),
    on: found.bot.connected,
  };
}

/** Returns what has changed, in words. @param {Record<string, string>} words @param {Look} before @param {Look} now */
function changes(words, before, now) {
  /** @type {string[]} */
  const said = [];
  if (now.ladder !== before.ladder) return said;
  const moved = before.place && now.place ? before.place - now.place : 0;
  if (moved) said.push(filled(moved > 0 ? words.up : words.down, { number: Math.abs(moved) }));
  if (now.matches > before.matches) said.push(filled(words.matches, { number: now.matches - before.matches }));
  if (now.strikes > before.strikes) said.push(filled(words.strikes, { number: now.strikes - before.strikes }));
  return said;
}

/** Lists the bots with a star. @param {HTMLElement} root */
async function list(root) {
  const own = stars();
  const names = Object.keys(own).slice(0, MOST);
  if (!names.length) return;
  const words = JSON.parse(root.dataset.words ?? "{}");
  const looks = await Promise.all(names.map(look));
  const rows = names.map((name, at) => {
    const now = looks[at];
    const row = document.createElement("li");
    const link = document.createElement("a");
    link.href = `/bots/${encodeURIComponent(name)}`;
    link.textContent = name;
    row.append(link, " ");
    const said = document.createElement("span");
    said.className = "faint";
    row.append(said);
    if (!now) {
      said.textContent = words.gone;
      return row;
    }
    const last = own[name].last;
    const before = last && now.at - last.at > AWAY ? last : (own[name].before ?? last ?? now);
    own[name] = { before, last: now };
    const state = now.on ? words.on : words.off;
    const place = now.place ? filled(words.place, { place: now.place, ladder: now.ladder }) : words.unplaced;
    said.textContent = `${state} · ${place}`;
    const changed = changes(words, before, now);
    if (changed.length) {
      const news = document.createElement("strong");
      news.textContent = filled(words.since, { changes: changed.join(", ") });
      row.append(" ", news);
    }
    return row;
  });
  keep(STARS, { ...stars(), ...Object.fromEntries(names.map((name) => [name, own[name]])) });
  root.querySelector("ul")?.replaceChildren(...rows);
  root.hidden = false;
}

const root = /** @type {HTMLElement} */ (document.getElementById("yours"));
void list(root);
// The front page has its button among the bots with a star, and tells what was wanted elsewhere.
if (Object.keys(stars()).length || kept(NOTICES, []).length) void import("./notices.js");
