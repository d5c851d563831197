// @ts-check
/* A stage that follows events: steps through what happened card by card, at a pace, with buttons, keys and a slider, and
   says it in words. For a person at the table it offers what may be chosen once the table is drawn as it stands:

     const player = new Player(root, words, { live: true, me: 2, onChoose: (action) => send(action) });
     player.listen();                    the keys of the page move it
     player.add(events);                 those of /api/matches/N/events as they come, with `own` ones for the seat
     player.offer(choices, time);        see stage.js */

import { element } from "./cards.js";
import { filled } from "./filled.js";
import { Controls } from "./player_controls.js";
import { Stage } from "./stage.js";
import { lastTrick, stepped } from "./table_state.js";
import * as say from "./table_words.js";

/** @typedef {import("./table_state.js").Table} Table */
/** @typedef {import("./table_state.js").TableEvent} TableEvent */
/** @typedef {import("./stage.js").Shown} Shown */
/** @typedef {import("./stage.js").Choice} Choice */
/** @typedef {import("./stage.js").Time} Time */

/** Cards behind a table that plays from which on it is followed faster, and from which on some are left out. */
const LATE = 15;
const TOO_LATE = 120;
/** Milliseconds for which the points of a deal are shown while it is followed. */
const MOMENT = 3000;
/** What follows an address whose deal is to play at once. */
export const PLAYING = "#play";

const NOTHING = /** @type {Choice[]} */ ([]);

export class Player {
  /**
   * @param {HTMLElement} root
   * @param {say.Words} words
   * @param {{ live?: boolean, quiet?: boolean, stepped?: (table: Table) => void, next?: string, me?: number | null,
   *   onChoose?: (action: number) => void, turn?: (by: 1 | -1) => void }} [options] a `quiet` player is watched beside
   *   other things and can be stopped, no more; `stepped` is told the table that is drawn; `next` is the address with
   *   which it goes on after the last card; `turn` goes to the table or deal after or before this one
   */
  constructor(root, words, { live = false, quiet = false, stepped: told, next = "", me = null, onChoose, turn } = {}) {
    this.words = words;
    this.live = live;
    this.told = told;
    this.next = next;
    this.turn = turn;
    /** Whether a table that plays is followed. */
    this.following = live;
    /** @type {Table[]} */
    this.steps = [];
    this.step = 0;
    /** @type {number | undefined} */
    this.timer = undefined;
    this.offered = NOTHING;
    /** What is shown with the end of a match. @type {Node | undefined} */
    this.last = undefined;
    this.root = root;
    this.stage = new Stage(root, words, {
      me,
      onChoose: (action) => {
        this.offered = NOTHING;
        onChoose?.(action);
      },
    });
    this.said = element("p", "said");
    this.said.tabIndex = 0;
    this.heard = element("p", "heard");
    this.heard.setAttribute("role", "status");
    const controls = (this.controls = new Controls(words, live, {
      start: () => this.go(0),
      trickBack: () => this.go(this.#trickBefore()),
      back: () => this.go(this.step - 1),
      play: () => this.toggle(),
      forward: () => this.#forward(this.step + 1),
      trickForward: () => this.#forward(this.#trickAfter()),
      end: () => this.#toEnd(),
      go: (step) => this.go(step),
      find: (trick, card) => this.at(trick, card),
      changed: () => this.draw(),
      screen: () => this.#fullScreen(),
    }));
    controls.playing(live);
    if (quiet) root.append(this.said, element("div", "controls", controls.buttons.play));
    else root.append(this.said, controls.all({ live, seated: me !== null }), controls.strikes, this.heard, controls.help);
    root.hidden = false;
  }

  /** Takes in events, all of them or more of a table that plays. @param {TableEvent[]} events */
  add(events) {
    const atEnd = this.step >= this.steps.length - 1;
    const begun = events.some(({ type }) => type === "match");
    this.steps = stepped(events, begun ? [] : this.steps);
    const last = this.steps.length - 1;
    if (begun) this.controls.name(this.steps[last].names);
    this.controls.mark(this.steps);
    if (!this.following) {
      this.draw();
      return;
    }
    if (begun || last - this.step > TOO_LATE) this.step = last;
    if (atEnd || begun) this.draw();
    if (this.timer === undefined) this.#later();
  }

  /**
   * Lets the person at the table choose, as soon as it is drawn as it stands.
   * @param {Choice[]} choices
   * @param {Time} [time] how long there is
   */
  offer(choices, time) {
    this.offered = choices;
    this.draw();
    if (time) this.stage.clock(time);
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
    const from = step === this.step + 1 ? this.steps[this.step] : undefined;
    this.step = Math.max(0, Math.min(this.steps.length - 1, step));
    this.draw(from);
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
    this.controls.playing(true);
    this.#later();
  }

  #stop() {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.controls.playing(false);
  }

  #later() {
    this.timer = undefined;
    const left = this.steps.length - 1 - this.step;
    const { pace } = this.controls;
    if (left <= 0) {
      if (this.following) return;
      if (this.next) this.timer = setTimeout(() => location.assign(this.next + PLAYING), 6 * pace);
      else this.#stop();
      return;
    }
    const table = this.steps[this.step];
    const whole = (lastTrick(table)?.winner ?? null) !== null;
    const quick = this.following && left > LATE;
    const wait = quick ? 60 : table.points ? Math.max(MOMENT, 3 * pace) : whole ? 3 * pace : pace;
    this.timer = setTimeout(() => {
      this.#to(this.step + 1);
      this.#later();
    }, wait);
  }

  /** Draws the present step. @param {Table} [from] the one before it, if cards are to move */
  draw(from) {
    const table = this.steps[this.step];
    if (!table) return;
    const { stage, controls, live } = this;
    const last = this.steps.length - 1;
    const now = this.step === last;
    stage.ring.running = live && now;
    stage.draw(table, { bottom: controls.bottom, shown: live ? "all" : /** @type {Shown} */ (controls.hands.value || "all"), from });
    if (this.last && now) stage.note(this.last);
    const offered = now ? this.offered : NOTHING;
    if (stage.offered !== offered) stage.offer(offered);
    this.#say(table);
    controls.at(this.step, last, Boolean(this.next));
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

  /** Shows something with the end of a match, once it is drawn. @param {Node} more */
  end(more) {
    this.last = more;
    this.draw();
  }

  #fullScreen() {
    if (document.fullscreenElement) document.exitFullscreen();
    else (this.root.closest(".full-stage") ?? this.root).requestFullscreen();
  }

  /** Lets the keys of the page move this player. */
  listen() {
    const { help } = this.controls;
    /** @type {Record<string, () => void>} */
    const actions = {
      ArrowRight: () => this.#forward(this.step + 1),
      ArrowLeft: () => this.go(this.step - 1),
      "Shift ArrowRight": () => this.#forward(this.#trickAfter()),
      "Shift ArrowLeft": () => this.go(this.#trickBefore()),
      Home: () => this.go(0),
      End: () => this.#toEnd(),
      " ": () => this.toggle(),
      f: () => this.#fullScreen(),
      n: () => this.turn?.(1),
      p: () => this.turn?.(-1),
      "?": () => help.showModal(),
    };
    document.addEventListener("keydown", (event) => {
      const on = /** @type {HTMLElement} */ (event.target);
      if (event.ctrlKey || event.altKey || event.metaKey || help.open || on.closest("input, select, textarea")) return;
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
