// @ts-check
/* Steps through what happened at a table, card by card, with buttons, keys, a slider and a clock. */

import { element } from "./cards.js";
import { filled } from "./filled.js";
import { lastTrick, stepped } from "./table_state.js";
import { drawn } from "./table_view.js";
import * as say from "./table_words.js";

/** @typedef {import("./table_state.js").Table} Table */
/** @typedef {import("./table_state.js").TableEvent} TableEvent */
/** @typedef {import("./table_view.js").Shown} Shown */

/** Milliseconds for a card; after a trick it is three times as long. */
const SPEEDS = /** @type {const} */ ({ slow: 1400, normal: 700, fast: 300, fastest: 100 });
const HANDS = /** @type {Shown[]} */ (["all", "one", "none"]);
/** Cards behind a table that plays from which on it is followed faster, and from which on some are left out. */
const LATE = 15;
const TOO_LATE = 120;
/** What follows an address whose deal is to play at once. */
export const PLAYING = "#play";
const SVG = "http://www.w3.org/2000/svg";
/** What keys do, by the names of the texts of the help. */
const KEYS = ["card", "trick", "end", "play", "goto", "help"];

export class Player {
  /**
   * @param {HTMLElement} root
   * @param {say.Words} words
   * @param {{ live?: boolean, quiet?: boolean, stepped?: (table: Table) => void, next?: string }} [options] a `quiet`
   *   player is watched beside other things and can be stopped, no more; `stepped` is told the table that is drawn;
   *   `next` is the address with which it goes on after the last card
   */
  constructor(root, words, { live = false, quiet = false, stepped: told, next = "" } = {}) {
    this.words = words;
    this.live = live;
    this.told = told;
    this.next = next;
    /** Whether a table that plays is followed. */
    this.following = live;
    /** @type {Table[]} */
    this.steps = [];
    this.step = 0;
    this.bottom = 0;
    /** @type {number | undefined} */
    this.timer = undefined;
    this.table = element("div", "felt");
    this.said = element("p", "said");
    this.heard = element("p", "heard");
    this.heard.setAttribute("role", "status");
    this.scrub = /** @type {HTMLInputElement} */ (element("input"));
    this.marks = document.createElementNS(SVG, "svg");
    this.goto = /** @type {HTMLInputElement} */ (element("input"));
    this.strikes = element("p", "strikes");
    this.help = this.#help();
    this.buttons = this.#buttons();
    this.seat = /** @type {HTMLSelectElement} */ (element("select"));
    if (quiet) root.append(this.table, this.said, element("div", "controls", this.buttons.play));
    else root.append(this.table, this.said, this.#controls(), this.strikes, this.heard, this.help);
    root.hidden = false;
  }

  /** Takes in events, all of them or more of a table that plays. @param {TableEvent[]} events */
  add(events) {
    const before = this.steps.length;
    const atEnd = this.step >= before - 1;
    const begun = events.some(({ type }) => type === "match");
    this.steps = stepped(events, begun ? [] : this.steps);
    const table = this.steps[this.steps.length - 1];
    if (begun) this.#name(table.names);
    this.scrub.max = String(this.steps.length - 1);
    this.#mark();
    if (!this.following) {
      this.draw();
      return;
    }
    if (begun || this.steps.length - this.step > TOO_LATE) this.step = this.steps.length - 1;
    if (atEnd || begun) this.draw();
    if (this.timer === undefined) this.#later();
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

  #buttons() {
    /** @param {string} sign @param {string} label @param {() => void} action */
    const button = (sign, label, action) => {
      const made = /** @type {HTMLButtonElement} */ (element("button", "", sign));
      made.type = "button";
      made.title = label;
      made.setAttribute("aria-label", label);
      made.addEventListener("click", action);
      return made;
    };
    const { words } = this;
    return {
      start: button("|‹", words.start, () => this.go(0)),
      trickBack: button("«", words.back_trick, () => this.go(this.#trickBefore())),
      back: button("‹", words.back_card, () => this.go(this.step - 1)),
      play: button(this.live ? "❚❚" : "▶", this.live ? words.stop : words.play, () => this.toggle()),
      forward: button("›", words.forward_card, () => this.#forward(this.step + 1)),
      trickForward: button("»", words.forward_trick, () => this.#forward(this.#trickAfter())),
      end: button("›|", this.live ? words.to_now : words.to_end, () => this.#toEnd()),
    };
  }

  #controls() {
    const { words } = this;
    this.scrub.type = "range";
    this.scrub.setAttribute("aria-label", words.cards_played);
    this.scrub.addEventListener("input", () => this.go(Number(this.scrub.value)));
    this.marks.setAttribute("class", "ticks");
    this.marks.setAttribute("preserveAspectRatio", "none");
    this.marks.setAttribute("aria-hidden", "true");
    const kept = stored("speed") ?? "";
    this.speed = this.#choice("speed", Object.keys(SPEEDS), kept in SPEEDS ? kept : "normal", (value) => store("speed", value));
    const hands = this.#choice("hands", HANDS, stored("hands") ?? "all", (value) => {
      store("hands", value);
      this.draw();
    });
    this.hands = hands;
    this.seat.addEventListener("change", () => {
      this.bottom = this.seat.selectedIndex;
      store("bottom", this.seat.value);
      this.draw();
    });
    const seat = element("label", "", `${words.bottom} `, this.seat);
    this.goto.size = 5;
    this.goto.inputMode = "decimal";
    this.goto.placeholder = "4.2";
    this.goto.addEventListener("input", () => this.goto.setCustomValidity(""));
    const form = element("form", "", element("label", "", `${words.go_to} `, this.goto));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#jump(this.goto.value);
    });
    const keys = element("button", "", "?");
    keys.title = words.keys;
    keys.setAttribute("aria-label", words.keys);
    keys.addEventListener("click", () => this.help.showModal());
    const bar = element("div", "bar", this.scrub, /** @type {any} */ (this.marks));
    const row = element("div", "controls moves", ...Object.values(this.buttons), bar);
    const more = element("div", "controls", /** @type {HTMLElement} */ (this.speed.parentElement), seat);
    if (!this.live) more.append(/** @type {HTMLElement} */ (hands.parentElement), form);
    more.append(keys);
    return element("div", "", row, more);
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

  /** @param {string[]} names */
  #name(names) {
    const kept = stored("bottom");
    this.bottom = Math.max(0, names.indexOf(kept ?? ""));
    this.seat.replaceChildren(...names.map((name, seat) => new Option(name, name, false, seat === this.bottom)));
  }

  /** Marks where tricks begin, and where a seat got a strike. */
  #mark() {
    const last = Math.max(1, this.steps.length - 1);
    this.marks.setAttribute("viewBox", `0 0 ${last} 10`);
    const lines = [];
    const links = [];
    for (const [number, table] of this.steps.entries()) {
      const trick = lastTrick(table);
      const play = trick?.plays[trick.plays.length - 1];
      if (!trick || !play) continue;
      const strike = play.strikes || trick.collect?.strikes;
      if (trick.winner === null && !strike) continue;
      const line = document.createElementNS(SVG, "line");
      for (const [name, value] of Object.entries({ x1: number, x2: number, y1: strike ? 0 : 5, y2: 10 })) line.setAttribute(name, String(value));
      if (strike) line.setAttribute("class", "strike");
      lines.push(line);
      if (!strike) continue;
      const place = `${trick.number}.${trick.plays.length}`;
      const link = element("button", "", `${place}, ${say.who(table, play.strikes ? play.position : (trick.winner ?? 0), this.words)}`);
      link.addEventListener("click", () => this.go(number));
      links.push(link);
    }
    this.marks.replaceChildren(...lines);
    this.strikes.replaceChildren(...(links.length ? [`${this.words.strikes} `, ...links] : []));
  }

  /** @param {string} asked */
  #jump(asked) {
    const [, trick, place = "1"] = asked.trim().match(/^(\d+)(?:\.(\d+))?$/) ?? [];
    const at = this.at(Number(trick), Number(place));
    this.goto.setCustomValidity(at < 0 ? filled(this.words.no_card, { asked }) : "");
    this.goto.reportValidity();
    if (at >= 0) this.go(at);
  }

  /**
   * Returns the step at which a card lies, -1 if there is no such card.
   * @param {number} trick
   * @param {number} place
   */
  at(trick, place) {
    return this.steps.findIndex((table) => {
      const last = lastTrick(table);
      return last?.number === trick && last.plays.length === place;
    });
  }

  #trickBefore() {
    const before = this.steps.findLastIndex((table, step) => step < this.step - 1 && (lastTrick(table)?.winner ?? null) !== null);
    return Math.max(0, before);
  }

  #trickAfter() {
    const after = this.steps.findIndex((table, step) => step > this.step && (lastTrick(table)?.winner ?? null) !== null);
    return after < 0 ? this.steps.length - 1 : after;
  }

  /** @param {number} step */
  go(step) {
    this.#stop();
    this.following = false;
    this.#to(step);
  }

  /** @param {number} step */
  #to(step) {
    this.step = Math.max(0, Math.min(this.steps.length - 1, step));
    this.draw();
    this.told?.(this.steps[this.step]);
  }

  /** Goes on to a step, or from the last one to what is next. @param {number} step */
  #forward(step) {
    if (this.next && this.step === this.steps.length - 1) location.assign(this.next);
    else this.go(step);
  }

  #toEnd() {
    this.go(this.steps.length - 1);
    if (this.live) this.toggle();
  }

  toggle() {
    if (this.timer !== undefined || this.following) {
      this.#stop();
      this.following = false;
      return;
    }
    if (this.live) this.following = true;
    else if (this.step === this.steps.length - 1) {
      if (this.next) {
        location.assign(this.next + PLAYING);
        return;
      }
      this.#to(0);
    }
    this.buttons.play.textContent = "❚❚";
    this.buttons.play.setAttribute("aria-label", this.words.stop);
    this.#later();
  }

  #stop() {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.buttons.play.textContent = "▶";
    this.buttons.play.setAttribute("aria-label", this.words.play);
  }

  #later() {
    this.timer = undefined;
    const left = this.steps.length - 1 - this.step;
    const pace = SPEEDS[/** @type {keyof typeof SPEEDS} */ (this.speed?.value)] ?? SPEEDS.normal;
    if (left <= 0) {
      if (this.following) return;
      if (this.next) this.timer = setTimeout(() => location.assign(this.next + PLAYING), 6 * pace);
      else this.#stop();
      return;
    }
    const whole = (lastTrick(this.steps[this.step])?.winner ?? null) !== null;
    const quick = this.following && left > LATE;
    this.timer = setTimeout(
      () => {
        this.#to(this.step + 1);
        this.#later();
      },
      quick ? 60 : whole ? 3 * pace : pace,
    );
  }

  draw() {
    const table = this.steps[this.step];
    if (!table) return;
    this.table.replaceChildren(...drawn(table, this.words, this.bottom, this.live ? "all" : /** @type {Shown} */ (this.hands?.value || "all")));
    this.#say(table);
    this.scrub.value = String(this.step);
    const { start, back, trickBack, forward, trickForward, end } = this.buttons;
    const last = this.step === this.steps.length - 1;
    for (const button of [start, back, trickBack]) button.setAttribute("aria-disabled", String(this.step === 0));
    end.setAttribute("aria-disabled", String(last));
    for (const button of [forward, trickForward]) button.setAttribute("aria-disabled", String(last && !this.next));
  }

  /** @param {Table} table */
  #say(table) {
    const { words } = this;
    const trick = lastTrick(table);
    if (!trick) {
      this.said.replaceChildren(say.opening(table, words).join(" "));
      return;
    }
    const ended = say.ending(table, words);
    const score = say.score(table, words);
    if (score) ended.push(score);
    if (table.over) ended.push(words.over);
    const place = trick.plays.length;
    const play = trick.plays[place - 1];
    const notes = [filled(words.place, { trick: trick.number, card: place }), say.cause(play, words)];
    if (trick.collect && trick.winner !== null) notes.push(say.cause(trick.collect, words));
    this.said.replaceChildren(`${say.card(table, words)} `, ended.join(" "), element("small", "", notes.filter(Boolean).join("; ")));
    const heard = ended.join(" ");
    if (heard && this.heard.textContent !== heard) this.heard.textContent = heard;
  }

  /** Lets the keys of the page move this player. */
  listen() {
    /** @type {Record<string, () => void>} */
    const actions = {
      ArrowRight: () => this.#forward(this.step + 1),
      ArrowLeft: () => this.go(this.step - 1),
      "Shift ArrowRight": () => this.#forward(this.#trickAfter()),
      "Shift ArrowLeft": () => this.go(this.#trickBefore()),
      Home: () => this.go(0),
      End: () => this.#toEnd(),
      " ": () => this.toggle(),
      "?": () => this.help.showModal(),
    };
    document.addEventListener("keydown", (event) => {
      const on = /** @type {HTMLElement} */ (event.target);
      if (event.ctrlKey || event.altKey || event.metaKey || this.help.open || on.closest("input, select")) return;
      if (event.key === " " && on.closest("button, a, summary")) return;
      const action = actions[(event.shiftKey && event.key !== "?" ? "Shift " : "") + event.key];
      if (!action) return;
      event.preventDefault();
      action();
    });
  }
}

/** Returns what the page holds as data. @param {string} id */
export const held = (id) => JSON.parse(document.getElementById(id)?.textContent ?? "null");

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
