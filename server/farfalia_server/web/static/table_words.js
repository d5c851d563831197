// @ts-check
/* What is said at a table, from the texts that the page holds; the terminal has the same ones. */

import { filled } from "./filled.js";
import { lastTrick } from "./table_state.js";

/** @typedef {import("./table_state.js").Table} Table */
/** @typedef {import("./table_state.js").Decision} Decision */
/** @typedef {Record<string, string>} Words */

/**
 * Returns who plays at a position; a dummy is called after its partner.
 * @param {Table} table
 * @param {number} position
 * @param {Words} words
 */
export function who(table, position, words) {
  const name = table.names[table.seats[position]];
  return table.dummies.includes(position) ? filled(words.dummy, { name }) : name;
}

/** @param {number} ms @param {Words} words */
export function time(ms, words) {
  /** @param {number | string} number @param {string} unit */
  const amount = (number, unit) => filled(words[unit], { number });
  if (ms < 1000) return amount(ms, "ms");
  const seconds = ms / 1000;
  if (seconds < 60) return amount(String(Math.round(seconds * 10) / 10).replace(".", words.point), "s");
  const whole = Math.round(seconds);
  const [large, small, all] = whole < 3600 ? ["min", "s", whole] : ["h", "min", Math.round(whole / 60)];
  const first = amount(Math.floor(all / 60), large);
  return all % 60 ? `${first} ${amount(all % 60, small)}` : first;
}

/** @param {Table} table @param {string[]} cards */
const named = (table, cards) => cards.map((card) => table.faces[card]?.words ?? card).join("; ");

/**
 * Returns how a decision came about, in a few words; empty where nothing is known of it.
 * @param {Decision} made
 * @param {Words} words
 */
export function cause(made, words) {
  const said = [];
  if (made.forced) said.push(words.forced);
  if (made.instead) said.push(filled(words.house, { why: made.instead }));
  if (made.strikes) said.push(filled(words.strike, { number: made.strikes }));
  if (made.ms !== undefined) said.push(filled(words.took, { time: time(made.ms, words) }));
  if (made.bank !== undefined) said.push(filled(words.bank, { time: time(made.bank, words) }));
  return said.join(", ");
}

/**
 * Returns the sentences that open a deal: who deals, and what was decided before the first card.
 * @param {Table} table
 * @param {Words} words
 */
export function opening(table, words) {
  const said = [filled(words.dealt, { name: who(table, 0, words), number: table.deal })];
  for (const { position, kind, text, cards } of table.choices) {
    const name = who(table, position, words);
    if (kind === "discard") said.push(filled(words.discards, { name, cards: named(table, cards) }));
    else if (kind !== "declare") said.push(filled(words.decides, { name, text }));
  }
  if (table.kind) said.push(filled(words.kind, { kind: table.kind }));
  const { trumpsWords: trumps, how } = table;
  if (trumps) said.push(how ? filled(words.how, { trumps, how }) : filled(words.trumps, { trumps }));
  return said;
}

/**
 * Returns the sentence about the last card.
 * @param {Table} table
 * @param {Words} words
 */
export function card(table, words) {
  const trick = lastTrick(table);
  if (!trick) return "";
  const play = trick.plays[trick.plays.length - 1];
  const text = trick.plays.length === 1 ? words.leads : words.plays;
  return filled(text, { name: who(table, play.position, words), card: named(table, [play.card]) });
}

/**
 * Returns the sentences that end a trick: who wins it and why, and what becomes of it.
 * @param {Table} table
 * @param {Words} words
 */
export function ending(table, words) {
  const trick = lastTrick(table);
  if (!trick || trick.winner === null) return [];
  const { number, why, may, burned } = trick;
  const name = who(table, trick.winner, words);
  const said = [filled(words.wins, { name, number, why })];
  if (burned.length) said.push(filled(words.burned, { cards: named(table, burned) }));
  if (trick.collected) {
    const others = may.filter((card) => card !== trick.collected);
    const cards = named(table, others);
    said.push(filled(others.length ? words.instead_of : words.collects, { name, card: named(table, [trick.collected]), cards }));
  } else if (trick.collected === null) said.push(filled(words.declines, { name, cards: named(table, may) }));
  else if (trick.onlyPlayed) said.push(words.only_played);
  else if (table.collecting && !may.length) said.push(words.nothing);
  return said;
}

/**
 * Returns the sentence about a deal's points; empty before there are any.
 * @param {Table} table
 * @param {Words} words
 */
export function score(table, words) {
  if (!table.points) return "";
  const points = table.points.map((own, seat) => `${table.names[seat]} ${own}`).join(", ");
  return filled(words.scored, { number: table.deal, points });
}
