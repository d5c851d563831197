// @ts-check
/* Draws a table as it stands. */

import { back, card, element, icon } from "./cards.js";
import { filled } from "./filled.js";
import { collection, lastTrick, tricksOf, turn, UNKNOWN } from "./table_state.js";
import * as say from "./table_words.js";

/** @typedef {import("./table_state.js").Table} Table */
/** @typedef {import("./table_state.js").Lying} Lying */
/** Whose hands are drawn: all, that of the seat at the bottom, or none. @typedef {"all" | "one" | "none"} Shown */

/** Where seats stand on a wide screen, clockwise from the bottom, by how many there are. */
const PLACES = /** @type {Record<number, string[]>} */ ({
  2: ["bottom", "top"],
  3: ["bottom", "left", "right"],
  4: ["bottom", "left", "top", "right"],
  5: ["bottom", "left", "top-left", "top-right", "right"],
  6: ["bottom", "left", "top-left", "top", "top-right", "right"],
  7: ["bottom", "left", "left", "top-left", "top-right", "right", "right"],
});

/**
 * Returns the seats and the middle of a table, in the order in which they are read.
 * @param {Table} table
 * @param {say.Words} words
 * @param {number} bottom the seat at the bottom
 * @param {Shown} shown
 * @returns {HTMLElement[]}
 */
export function drawn(table, words, bottom, shown) {
  const n = table.seats.length;
  const own = Math.max(0, table.seats.findIndex((seat, at) => seat === bottom && !table.dummies.includes(at)));
  const now = turn(table);
  const seats = table.seats.map((_, place) => {
    const position = (own + place) % n;
    const open = shown === "all" || (shown === "one" && position === own);
    const made = seat(table, words, position, open, shown);
    made.classList.add(PLACES[n]?.[place] ?? "bottom");
    if (position === now) made.classList.add("turn");
    return made;
  });
  return [...seats.slice(1), middle(table, words), ...seats.slice(0, 1)];
}

/** @param {Table} table @param {say.Words} words */
function middle(table, words) {
  const facts = element("p", "facts");
  if (table.trumpsWords) {
    const letter = table.trumps;
    const suit = { S: "spades", H: "hearts", D: "diamonds", C: "clubs" };
    const sign = table.collecting ? letter : suit[/** @type {keyof typeof suit} */ (letter)];
    const named = element("b", "", table.trumpsWords);
    facts.append(element("span", "fact", ...(sign && letter !== "NT" ? [`${words.trumps_sign} `, icon(sign, sign), " "] : []), named));
  }
  if (table.kind) facts.append(element("span", "fact", element("b", "", table.kind)));
  if (table.proposal) {
    const subjects = [...table.proposal].map((letter) => {
      const made = element("span", `subject ${letter}`, icon(letter), element("small", "", letter));
      made.title = words[`subject_${letter}`];
      made.append(element("span", "heard", made.title));
      return made;
    });
    facts.append(element("span", "fact", `${words.proposal_signs} `, ...subjects));
  }
  if (table.doubled.length) {
    const names = table.doubled.map((seat) => table.names[seat]).join(", ");
    facts.append(element("span", "fact", filled(words.doubled_by, { names })));
  }
  const trick = lastTrick(table);
  const list = element("ul", "trick");
  for (const play of trick?.plays ?? []) {
    const won = play.position === trick?.winner;
    const who = element("span", "who", (won ? "★ " : "") + say.who(table, play.position, words));
    who.title = say.who(table, play.position, words);
    const item = element("li", won ? "won" : "", card(play.card, table.faces[play.card]), who);
    const fate = trick && fateOf(trick, play.card);
    if (fate) {
      item.classList.add(fate);
      item.append(element("span", "", words[`fate_${fate}`]));
    }
    list.append(item);
  }
  return element("div", "middle", facts, list);
}

/**
 * Returns what became of a card of a trick that is over; empty if nothing could.
 * @param {import("./table_state.js").Trick} trick
 * @param {string} card
 */
function fateOf(trick, card) {
  if (trick.burned.includes(card)) return "burned";
  if (card === trick.collected) return "kept";
  return trick.may.includes(card) ? "open" : "";
}

/**
 * @param {Table} table
 * @param {say.Words} words
 * @param {number} position
 * @param {boolean} open
 * @param {Shown} shown
 */
function seat(table, words, position, open, shown) {
  const at = table.seats[position];
  const name = say.who(table, position, words);
  const dummy = table.dummies.includes(position);
  const head = element("header", "", element("b", "", name));
  if (position === 0) head.append(element("span", "", words.dealer));
  const sides = new Set(table.sides).size;
  if (sides < table.sides.length) head.append(element("span", "side", filled(words.side, { letter: "ABCDE"[table.sides[position]] })));
  if (!dummy) {
    const points = table.points ? ` + ${table.points[at]} = ${table.totals[at]}` : "";
    head.append(element("span", "", filled(words.points, { points: `${table.before[at]}${points}` })));
  }
  const made = element("section", "seat", head, dummy ? stacks(table, words, position, shown) : hand(table, words, position, open));
  made.setAttribute("aria-label", name);
  if (table.collecting) {
    const cards = collection(table, table.sides[position]);
    const worth = table.worth[table.sides[position]] ?? 0;
    const line = element("p", "collected", cards.length ? `${words.collected} ` : words.none_collected);
    for (const text of cards) line.append(card(text, table.faces[text]));
    if (cards.length) line.append(element("span", "", ` ${filled(words.worth, { points: worth })}`));
    made.append(line);
  } else made.append(element("p", "collected", filled(words.tricks, { number: tricksOf(table, position) })));
  return made;
}

/** @param {Table} table @param {say.Words} words @param {number} position @param {boolean} open */
function hand(table, words, position, open) {
  const list = element("ul", "cards");
  const left = table.hands && [...table.hands[position]];
  const played = new Set(table.tricks.flatMap(({ plays }) => plays.filter((play) => play.position === position).map((play) => play.card)));
  if (left && table.dealt) {
    for (const text of table.dealt[position]) {
      const at = left.indexOf(text);
      const gone = at < 0;
      if (!gone) left.splice(at, 1);
      const seen = open || (gone && played.has(text));
      const drawn = seen ? card(text, table.faces[text], "li") : back(words.face_down, "li");
      if (gone && seen) drawn.classList.add("gone");
      list.append(drawn);
    }
    return list;
  }
  for (let number = 0; number < table.held[position]; number++) list.append(back(words.face_down, "li"));
  if (table.held[position]) list.classList.add("closed");
  return list;
}

/** @param {Table} table @param {say.Words} words @param {number} position @param {Shown} shown */
function stacks(table, words, position, shown) {
  const list = element("ul", "cards stacks");
  for (const stack of table.stacks[position] ?? []) {
    const pile = element("li", stack.length ? "stack" : "stack empty");
    for (const lying of stack) pile.append(lain(table, words, lying, shown));
    list.append(pile);
  }
  return list;
}

/** @param {Table} table @param {say.Words} words @param {Lying} lying @param {Shown} shown */
function lain(table, words, { card: text, up }, shown) {
  if (text === UNKNOWN || (!up && shown !== "all")) return back(words.under_it);
  const made = card(text, table.faces[text]);
  if (!up) {
    made.classList.add("down");
    made.title = filled(words.lies_down, { card: made.title });
  }
  return made;
}
