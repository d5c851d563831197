// @ts-check
/* Cards as the pages draw them, from the symbols of the deck (`templates/icons.svg`); and small helpers.

   A card is as wide as its element and draws less of itself where it is small: rank and symbol, no letters. */

/** @typedef {import("./table_state.js").Face} Face */

const SVG = "http://www.w3.org/2000/svg";

/**
 * @param {string} tag
 * @param {string} [kind]
 * @param {(Node | string)[]} children
 * @returns {HTMLElement}
 */
export function element(tag, kind = "", ...children) {
  const made = document.createElement(tag);
  if (kind) made.className = kind;
  made.append(...children);
  return made;
}

/**
 * @param {string} tag
 * @param {Record<string, string | number>} values its attributes
 * @param {(Node | string)[]} children
 */
export function drawing(tag, values, ...children) {
  const made = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(values)) made.setAttribute(name, String(value));
  made.append(...children);
  return made;
}

/**
 * @param {string} name
 * @param {string} [kind]
 */
export const icon = (name, kind = "") => drawing("svg", { "aria-hidden": "true", class: kind }, drawing("use", { href: `#icon-${name}` }));

/**
 * Returns what stands in the corner of a card: `10` for `S10` and `TH`, `7'` for `7S'`.
 * @param {string} text
 * @param {string} suit
 */
function rankOf(text, suit) {
  if (suit.length === 1) return text.slice(1);
  const [, rank, , twin] = text.match(/^(.+)([SHDC])('?)$/) ?? [];
  return rank ? (rank === "T" ? "10" : rank) + twin : text;
}

/** @param {string} name @param {number} x @param {number} y @param {number} width @param {number} height */
const sign = (name, x, y, width, height) => drawing("use", { class: "sign", href: `#icon-${name}`, x, y, width, height });

/** @param {string} kind @param {number} x @param {number} y @param {string} text */
const written = (kind, x, y, text) => drawing("text", { class: kind, x, y }, text);

/**
 * @param {string} text
 * @param {Face | undefined} face
 * @param {string} [tag]
 */
export function card(text, face, tag = "span") {
  const suit = face?.suit ?? "";
  const words = face?.words ?? text;
  // A wild card is named after its family: a flame around the family's symbol.
  const wild = suit === "W";
  const family = wild ? text.slice(1) : suit;
  const rank = wild ? suit : rankOf(text, suit);
  const drawn = drawing("svg", { viewBox: "0 0 50 70", role: "img", "aria-label": words });
  if (wild) drawn.append(drawing("use", { class: "flame", href: "#icon-W", x: 3, y: 14, width: 44, height: 54 }));
  drawn.append(written(rank.length > 1 ? "rank long" : "rank", 3, 25, rank));
  if (family.length === 1) drawn.append(written("letter", 47, 17, family));
  if (face?.butterfly) drawn.append(written("letter of-family", 47, 29, "B"), sign(`B${family}`, 1, 29, 48, 39));
  else if (wild) drawn.append(sign(family, 13, 39, 24, 24));
  else if (family) drawn.append(sign(family, 6, 29, 38, 38));
  const made = element(tag, `face ${family}`, drawn);
  if (wild) made.classList.add("wild");
  else if (face?.butterfly) made.classList.add("winged");
  made.dataset.card = text;
  made.title = words;
  return made;
}

/** @param {string} words @param {string} [tag] */
export function back(words, tag = "span") {
  const drawn = drawing("svg", { role: "img", "aria-label": words }, drawing("use", { href: "#icon-back" }));
  return element(tag, "face back", drawn);
}
