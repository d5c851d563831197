// @ts-check
/* Cards as the pages draw them: rank and letter, the symbol of the suit, a mark for a butterfly; and small helpers. */

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
 * @param {string} name
 * @param {string} [kind]
 */
export function icon(name, kind = "") {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("aria-hidden", "true");
  if (kind) svg.setAttribute("class", kind);
  const use = document.createElementNS(SVG, "use");
  use.setAttribute("href", `#icon-${name}`);
  svg.append(use);
  return svg;
}

/**
 * Returns rank and suit letter of a card's short name: `S10` and `TH'` begin and end with the letter.
 * @param {string} text
 * @param {string} suit
 * @returns {[string, string]}
 */
function parts(text, suit) {
  if (text[0] === suit) return [text.slice(1), suit];
  const [, rank, letter] = text.match(/^(.+)([SHDC]'?)$/) ?? [];
  return rank ? [rank, letter] : [text, ""];
}

/**
 * @param {string} text
 * @param {Face | undefined} face
 * @param {string} [tag]
 */
export function card(text, face, tag = "span") {
  const suit = face?.suit ?? "";
  const words = face?.words ?? text;
  const [rank, letter] = parts(text, suit);
  // A wild card is named after its family, and drawn like a card of it.
  const wild = suit === "W";
  const [sign, below] = [element("span", "sign", wild ? suit : rank), element("small", "", wild ? rank : letter)];
  for (const part of [sign, below]) part.setAttribute("aria-hidden", "true");
  const made = element(tag, `face ${wild ? rank : suit}`, sign, below);
  if (wild) made.append(icon(rank), icon("W", "mark-b"));
  else if (suit) made.append(icon(suit));
  if (face?.butterfly) {
    made.classList.add("winged");
    made.append(icon("B", "mark-b"));
  }
  made.append(element("span", "heard", words));
  made.title = words;
  return made;
}

/** @param {string} words @param {string} [tag] */
export function back(words, tag = "span") {
  return element(tag, "face back", icon("back"), element("span", "heard", words));
}
