// @ts-check
/* The controls of a player: buttons, a slider with marks, choices that are kept, the help; what they do is handed in. */

import { drawing, element } from "./cards.js";
import { filled } from "./filled.js";
import * as say from "./table_words.js";
import { lastTrick } from "./table_state.js";

/** @typedef {import("./table_state.js").Table} Table */
/** @typedef {import("./stage.js").Shown} Shown */

/** Milliseconds for a card; after a trick it is three times as long. */
export const SPEEDS = /** @type {const} */ ({ slow: 1400, normal: 700, fast: 300, fastest: 100 });
const HANDS = /** @type {Shown[]} */ (["all", "one", "none"]);
/** What keys do, by the names of the texts of the help. */
const KEYS = ["card", "trick", "end", "play", "turn", "screen", "goto", "help"];

/** What controls do. @typedef {"start" | "trickBack" | "back" | "play" | "forward" | "trickForward" | "end"} Move */

/**
 * @param {string} sign
 * @param {string} label
 * @param {() => void} action
 */
export function button(sign, label, action) {
  const made = /** @type {HTMLButtonElement} */ (element("button", "", sign));
  made.type = "button";
  made.title = label;
  made.setAttribute("aria-label", label);
  made.addEventListener("click", action);
  return made;
}

export class Controls {
  /**
   * @param {say.Words} words
   * @param {boolean} live
   * @param {Record<Move, () => void> & { go: (step: number) => void, find: (trick: number, card: number) => number, changed: () => void, screen: () => void }} does
   */
  constructor(words, live, does) {
    this.words = words;
    this.does = does;
    this.buttons = {
      start: button("|‹", words.start, does.start),
      trickBack: button("«", words.back_trick, does.trickBack),
      back: button("‹", words.back_card, does.back),
      play: button("▶", words.play, does.play),
      forward: button("›", words.forward_card, does.forward),
      trickForward: button("»", words.forward_trick, does.trickForward),
      end: button("›|", live ? words.to_now : words.to_end, does.end),
    };
    this.scrub = /** @type {HTMLInputElement} */ (element("input"));
    this.marks = drawing("svg", { class: "ticks", preserveAspectRatio: "none", "aria-hidden": "true" });
    this.strikes = element("p", "strikes");
    this.help = this.#help();
    this.bottom = 0;
    this.seat = /** @type {HTMLSelectElement} */ (element("select"));
    this.seat.addEventListener("change", () => {
      this.bottom = this.seat.selectedIndex;
      store("bottom", this.seat.value);
      does.changed();
    });
    const kept = stored("speed") ?? "";
    this.speed = this.#choice("speed", Object.keys(SPEEDS), kept in SPEEDS ? kept : "normal", (value) => store("speed", value));
    this.hands = this.#choice("hands", HANDS, stored("hands") ?? "all", (value) => {
      store("hands", value);
      does.changed();
    });
  }

  /** Milliseconds for a card. */
  get pace() {
    return SPEEDS[/** @type {keyof typeof SPEEDS} */ (this.speed.value)] ?? SPEEDS.normal;
  }

  /** All controls; a table that plays, or a seat at it, has fewer. @param {{ live: boolean, seated: boolean }} which */
  all({ live, seated }) {
    const { words } = this;
    this.scrub.type = "range";
    this.scrub.setAttribute("aria-label", words.cards_played);
    this.scrub.addEventListener("input", () => this.does.go(Number(this.scrub.value)));
    const keys = button("?", words.keys, () => this.help.showModal());
    const screen = button("", words.full_screen, this.does.screen);
    const corners = drawing("path", { d: "M2 6V2h4M10 2h4v4M14 10v4h-4M6 14H2v-4", fill: "none", stroke: "currentColor", "stroke-width": 2 });
    screen.append(drawing("svg", { class: "screen", viewBox: "0 0 16 16", "aria-hidden": "true" }, corners));
    screen.hidden = !document.fullscreenEnabled;
    const more = element("div", "controls more", /** @type {HTMLElement} */ (this.speed.parentElement));
    if (!seated) more.append(element("label", "", `${words.bottom} `, this.seat));
    if (!live) more.append(/** @type {HTMLElement} */ (this.hands.parentElement), this.#goto());
    const open = button("…", words.settings, () => {
      open.setAttribute("aria-expanded", String(more.classList.toggle("open")));
    });
    open.classList.add("opens");
    open.setAttribute("aria-expanded", "false");
    const bar = element("div", "bar", this.scrub, /** @type {any} */ (this.marks));
    return element("div", "desk", element("div", "controls moves", ...Object.values(this.buttons), bar, open, screen, keys), more);
  }

  /** @param {boolean} playing */
  playing(playing) {
    const { play } = this.buttons;
    play.textContent = playing ? "❚❚" : "▶";
    play.title = playing ? this.words.stop : this.words.play;
    play.setAttribute("aria-label", play.title);
  }

  /** @param {string[]} names */
  name(names) {
    const kept = stored("bottom");
    this.bottom = Math.max(0, names.indexOf(kept ?? ""));
    this.seat.replaceChildren(...names.map((name, seat) => new Option(name, name, false, seat === this.bottom)));
  }

  /** Says at which step of how many the table is. @param {number} step @param {number} last @param {boolean} further */
  at(step, last, further) {
    this.scrub.max = String(last);
    this.scrub.value = String(step);
    const { start, back, trickBack, forward, trickForward, end } = this.buttons;
    for (const one of [start, back, trickBack]) one.setAttribute("aria-disabled", String(step === 0));
    end.setAttribute("aria-disabled", String(step === last));
    for (const one of [forward, trickForward]) one.setAttribute("aria-disabled", String(step === last && !further));
  }

  /** Marks where tricks begin, and where a seat got a strike. @param {Table[]} steps */
  mark(steps) {
    this.marks.setAttribute("viewBox", `0 0 ${Math.max(1, steps.length - 1)} 10`);
    const lines = [];
    const links = [];
    for (const [number, table] of steps.entries()) {
      const trick = lastTrick(table);
      const play = trick?.plays[trick.plays.length - 1];
      if (!trick || !play) continue;
      const strike = play.strikes || trick.collect?.strikes;
      if (trick.winner === null && !strike) continue;
      const line = drawing("line", { x1: number, x2: number, y1: strike ? 0 : 5, y2: 10 });
      if (strike) line.setAttribute("class", "strike");
      lines.push(line);
      if (!strike) continue;
      const place = `${trick.number}.${trick.plays.length}`;
      const link = element("button", "", `${place}, ${say.who(table, play.strikes ? play.position : (trick.winner ?? 0), this.words)}`);
      link.addEventListener("click", () => this.does.go(number));
      links.push(link);
    }
    this.marks.replaceChildren(...lines);
    this.strikes.replaceChildren(...(links.length ? [`${this.words.strikes} `, ...links] : []));
  }

  #help() {
    const { words } = this;
    const rows = KEYS.flatMap((name) => [element("dt", "", words[`key_${name}`]), element("dd", "", words[`does_${name}`])]);
    const close = element("button", "", words.close);
    const help = /** @type {HTMLDialogElement} */ (element("dialog", "help", element("h2", "", words.keys), element("dl", "", ...rows), close));
    help.setAttribute("aria-label", words.keys);
    close.addEventListener("click", () => help.close());
    return help;
  }

  #goto() {
    const { words } = this;
    const field = /** @type {HTMLInputElement} */ (element("input"));
    field.size = 5;
    field.inputMode = "decimal";
    field.placeholder = "4.2";
    field.addEventListener("input", () => field.setCustomValidity(""));
    const form = element("form", "", element("label", "", `${words.go_to} `, field));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      const [, trick, place = "1"] = field.value.trim().match(/^(\d+)(?:\.(\d+))?$/) ?? [];
      const at = this.does.find(Number(trick), Number(place));
      field.setCustomValidity(at < 0 ? filled(words.no_card, { asked: field.value }) : "");
      field.reportValidity();
      if (at >= 0) this.does.go(at);
    });
    return form;
  }

  /**
   * @param {string} name that of its text; those of its values follow it
   * @param {string[]} values
   * @param {string} chosen
   * @param {(value: string) => void} changed
   */
  #choice(name, values, chosen, changed) {
    const select = /** @type {HTMLSelectElement} */ (element("select"));
    for (const value of values) select.append(new Option(this.words[`${name}_${value}`], value, false, value === chosen));
    select.addEventListener("change", () => changed(select.value));
    element("label", "", `${this.words[name]} `, select);
    return select;
  }
}

/** @param {string} name */
function stored(name) {
  try {
    return localStorage.getItem(`farfalia-${name}`);
  } catch {
    return null; // a browser that keeps nothing
  }
}

/** @param {string} name @param {string} value */
function store(name, value) {
  try {
    localStorage.setItem(`farfalia-${name}`, value);
  } catch {
    // It is not kept for the next time.
  }
}
