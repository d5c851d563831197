// @ts-check
/* What a stage shows of a table: the points above it, the seats around it, the trick, each card where it came from, and in
   the middle the race that the deal is; in the end what it has brought. */

import { back, card, drawing, element, icon } from "./cards.js";
import { filled } from "./filled.js";
import { isOf, lastTrick, slots, tricksOf, UNKNOWN } from "./table_state.js";
import * as say from "./table_words.js";

/** @typedef {import("./table_state.js").Table} Table */
/** @typedef {import("./table_state.js").Lying} Lying */
/** @typedef {import("./table_words.js").Words} Words */
/** @typedef {import("./stage.js").Shown} Shown */

/**
 * @param {Table} table
 * @param {Words} words
 * @returns {HTMLElement[]}
 */
export function points(table, words) {
  const { names, deal, deals } = table;
  const totals = names.map((_, seat) => table.totals[seat] ?? 0);
  const order = names.map((_, seat) => seat).sort((one, other) => totals[other] - totals[one]);
  const most = Math.max(1, ...totals);
  const bars = order.map((seat) => {
    const bar = element("span", "bar-of-points");
    bar.style.inlineSize = `${Math.max(0, (100 * totals[seat]) / most)}%`;
    const name = element("span", "name", names[seat]);
    name.title = names[seat];
    return element("li", "", name, element("b", "", String(totals[seat])), bar);
  });
  const which = element("b", "", filled(deals ? words.deal_of : words.deal_number, { deal, deals }));
  return [element("p", "score", which, " ", element("span", "", leads(names, totals, words))), element("ol", "", ...bars)];
}

/** @param {string[]} names @param {number[]} totals @param {Words} words */
function leads(names, totals, words) {
  const best = Math.max(...totals);
  const behind = totals.filter((one) => one < best);
  if (!behind.length) return words.all_level;
  const ahead = names.filter((_, seat) => totals[seat] === best);
  return filled(words.ahead, { names: ahead.join(", "), points: best - Math.max(...behind) });
}

/** Where seats stand, clockwise from the bottom, by how many there are. */
const PLACES = /** @type {Record<number, string[]>} */ ({
  2: ["bottom", "top"],
  3: ["bottom", "left", "right"],
  4: ["bottom", "left", "top", "right"],
  5: ["bottom", "left", "top-left", "top-right", "right"],
  6: ["bottom", "left", "top-left", "top", "top-right", "right"],
});

/**
 * Returns the positions in the order in which they sit, from the bottom clockwise, and the place of each.
 * @param {Table} table
 * @param {number} bottom the seat at the bottom
 */
export function arrangement(table, bottom) {
  const n = table.seats.length;
  const own = Math.max(0, table.seats.findIndex((_, at) => isOf(table, at, bottom)));
  const order = table.seats.map((_, place) => (own + place) % n);
  const places = PLACES[n] ?? order.map(() => "beside");
  return { order, places, kind: PLACES[n] ? `seats-${n}` : "many" };
}

/** The letter of a side; empty where everybody plays alone. @param {Table} table @param {number} side */
const sideLetter = (table, side) => (new Set(table.sides).size < table.sides.length ? "ABCDE"[side] : "");

/**
 * @param {Table} table
 * @param {Words} words
 * @param {number} position
 * @param {{ open: boolean, shown: Shown }} how
 */
export function seat(table, words, position, { open, shown }) {
  const at = table.seats[position];
  const name = say.who(table, position, words);
  const dummy = table.dummies.includes(position);
  const letter = sideLetter(table, table.sides[position]);
  const called = element("b", "", name);
  called.title = name;
  const head = element("header", "", badge(letter), called);
  if (letter) head.append(element("span", "heard", filled(words.side, { letter })));
  if (position === 0) {
    const dealer = element("span", "dealer", icon("back"), element("span", "heard", words.dealer));
    dealer.title = words.dealer;
    head.append(dealer);
  }
  if (table.doubled.includes(at) && !dummy) head.append(element("span", "tag", words.doubles));
  if (!dummy) head.append(element("span", "heard", filled(words.points, { points: table.totals[at] })));
  head.append(won(tricksOf(table, position), words));
  const made = element("section", "seat", head, dummy ? stacks(table, words, position, shown) : hand(table, words, position, open));
  if (letter) made.classList.add(`side-${letter}`);
  made.dataset.position = String(position);
  made.setAttribute("aria-label", name);
  return made;
}

/** A circle with the letter of the side; around it runs the time of the one who is to act. @param {string} letter */
function badge(letter) {
  const round = { cx: 18, cy: 18, r: 15.5, pathLength: 100 };
  const text = drawing("text", { x: 18, y: 23 }, letter);
  const ring = drawing("circle", { class: "ring", ...round });
  return drawing("svg", { class: "badge", viewBox: "0 0 36 36", "aria-hidden": "true" }, drawing("circle", { cx: 18, cy: 18, r: 12 }), text, ring);
}

/** How many tricks were won, nothing before the first. @param {number} number @param {Words} words */
function won(number, words) {
  const made = element("span", "won-tricks", ...(number ? [`★ ${number}`] : []));
  made.title = filled(words.tricks, { number });
  if (number) {
    made.setAttribute("role", "img");
    made.setAttribute("aria-label", made.title);
  }
  return made;
}

/** @param {Table} table @param {Words} words @param {number} position @param {boolean} open */
function hand(table, words, position, open) {
  const list = element("ul", "cards");
  if (table.own && isOf(table, position, table.own.seat)) {
    for (const text of table.own.cards) list.append(element("li", "", card(text, table.faces[text])));
    return list;
  }
  const left = table.hands?.[position] && [...table.hands[position]];
  const played = new Set(table.tricks.flatMap(({ plays }) => plays.filter((play) => play.position === position).map((play) => play.card)));
  if (left && table.dealt) {
    for (const text of table.dealt[position]) {
      const at = left.indexOf(text);
      const gone = at < 0;
      if (!gone) left.splice(at, 1);
      const seen = open || (gone && played.has(text));
      const drawn = seen ? card(text, table.faces[text]) : back(words.face_down);
      if (gone && seen) drawn.classList.add("gone");
      list.append(element("li", "", drawn));
    }
    return list;
  }
  const held = table.held[position];
  for (let number = 0; number < held; number++) list.append(element("li", "", back(words.face_down)));
  if (held) list.classList.add("closed");
  return list;
}

/** @param {Table} table @param {Words} words @param {number} position @param {Shown} shown */
function stacks(table, words, position, shown) {
  const list = element("ul", "cards stacks");
  for (const stack of table.stacks[position] ?? []) {
    const pile = element("li", stack.length ? "stack" : "stack empty");
    for (const lying of stack) pile.append(lain(table, words, lying, shown));
    list.append(pile);
  }
  return list;
}

/** @param {Table} table @param {Words} words @param {Lying} lying @param {Shown} shown */
function lain(table, words, { card: text, up }, shown) {
  if (text === UNKNOWN || (!up && shown !== "all")) return back(words.under_it);
  const made = card(text, table.faces[text]);
  if (!up) {
    made.classList.add("down");
    made.title = filled(words.lies_down, { card: made.title });
  }
  return made;
}

/** Tricks that are worth nothing in Farrago, neither for nor against, by how many play. */
const PAR = /** @type {Record<number, number>} */ ({ 3: 4, 4: 3, 5: 2 });
const SUITS = /** @type {Record<string, string>} */ ({ S: "spades", H: "hearts", D: "diamonds", C: "clubs" });

/**
 * @param {Table} table
 * @param {Words} words
 * @param {number[]} order the positions as they sit
 * @param {string[]} places where each of them sits
 */
export function middle(table, words, order, places) {
  const trick = lastTrick(table);
  const list = element("ul", "trick");
  for (const play of trick?.plays ?? []) {
    const won = play.position === trick?.winner;
    const who = say.who(table, play.position, words);
    const item = element("li", places[order.indexOf(play.position)], card(play.card, table.faces[play.card]));
    item.append(element("span", "heard", who));
    if (won) {
      item.classList.add("won");
      item.append(element("span", "star", "★"));
    }
    item.dataset.from = String(play.position);
    const fate = trick && fateOf(trick, play.card);
    if (fate) {
      item.classList.add(fate);
      item.append(element("span", "fate", words[`fate_${fate}`]));
    }
    list.append(item);
  }
  const made = element("div", "middle", list, element("div", "centre", facts(table, words), race(table, words)));
  return made;
}

/** @param {Table} table @param {Words} words */
function facts(table, words) {
  const line = element("p", "facts");
  if (table.trumpsWords) {
    const letter = table.trumps;
    const sign = table.collecting ? letter : SUITS[letter];
    const named = element("b", "", table.trumpsWords);
    line.append(element("span", "fact", ...(sign && letter !== "NT" ? [`${words.trumps_sign} `, icon(sign, sign), " "] : []), named));
  }
  if (table.kind) line.append(element("span", "fact", element("b", "", table.kind)));
  return line;
}

/**
 * Returns, row by row, how far each side is: the families that it may collect, or its tricks beside par.
 * @param {Table} table
 * @param {Words} words
 */
function race(table, words) {
  const rows = element("ul", "race");
  if (!table.collecting) {
    for (const [position] of table.seats.entries()) rows.append(element("li", "", ...tricksRow(table, words, position)));
    return rows;
  }
  if (!table.proposal) return rows;
  for (const side of [...new Set(table.sides)].sort()) {
    const places = slots(table, side);
    const letter = sideLetter(table, side);
    const names = table.seats.filter((_, at) => table.sides[at] === side).map((at) => table.names[at]);
    const who = element("span", letter ? `letter-${letter} of-side` : "of-side", letter || names[0]);
    who.title = [...new Set(names)].join(", ");
    const worth = table.worth[side] ?? 0;
    const row = element("li", "", who, ...places.map((place) => slot(place, table, words)), element("b", "worth", String(worth)));
    row.lastElementChild?.setAttribute("title", filled(words.worth, { points: worth }));
    rows.append(row);
  }
  return rows;
}

/**
 * @param {import("./table_state.js").Slot} place
 * @param {Table} table
 * @param {Words} words
 */
function slot({ family, card: taken }, table, words) {
  const made = element("span", `slot ${family}`, icon(family), element("small", "", family));
  if (taken) made.classList.add("taken");
  const name = words[`subject_${family}`];
  made.title = filled(taken ? words.slot_taken : words.slot_open, { family: name, card: table.faces[taken]?.words ?? taken });
  made.append(element("span", "heard", made.title));
  if (taken) made.dataset.taken = taken;
  return made;
}

/** @param {Table} table @param {Words} words @param {number} position */
function tricksRow(table, words, position) {
  const number = tricksOf(table, position);
  const par = PAR[table.seats.length] ?? 0;
  const name = element("span", "of-side", say.who(table, position, words));
  const pips = Array.from({ length: Math.max(par, number) }, (_, at) => {
    const kind = at >= par ? "pip above" : "pip";
    return element("span", at < number ? `${kind} taken` : kind);
  });
  return [name, ...pips, element("b", "worth", String(number)), element("span", "heard", filled(words.tricks, { number }))];
}

/**
 * Returns what became of a card of a trick that is over; empty if nothing could.
 * @param {import("./table_state.js").Trick} trick
 * @param {string} text
 */
function fateOf(trick, text) {
  if (trick.burned.includes(text)) return "burned";
  if (text === trick.collected) return "kept";
  return trick.may.includes(text) ? "open" : "";
}

/**
 * Returns what a deal has brought, or a match, once it is over.
 * @param {Table} table
 * @param {Words} words
 * @returns {HTMLElement[]}
 */
export function moment(table, words) {
  if (!table.points) return [];
  const best = table.names.map((_, seat) => seat).sort((one, other) => table.totals[other] - table.totals[one]);
  const ends = table.over && table.places.length > 0;
  if (ends) best.sort((one, other) => table.places[one] - table.places[other]);
  const rows = best.map((seat) => {
    const place = ends ? [element("span", "place", String(table.places[seat]))] : [];
    const gained = element("span", "gained", `+${table.points?.[seat]}`);
    return element("li", ends && table.places[seat] === 1 ? "first" : "", ...place, element("span", "name", table.names[seat]), gained, element("b", "", String(table.totals[seat])));
  });
  const title = ends ? words.final : filled(words.points_of_deal, { number: table.deal });
  return [element("div", ends ? "moment final" : "moment", element("p", "", element("strong", "", title)), element("ol", "", ...rows))];
}
