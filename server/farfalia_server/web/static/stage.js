// @ts-check
/* The stage: a table as it stands, with its points above and, for a person at the table, with cards to choose.

   It fills the box that it is put into, whatever its size: give `root` a height. `stage.css` and `deck.css` belong to
   it, and the symbols of `icons.svg` must be in the page. `words` are those of `player_words()`.

     const stage = new Stage(root, words, { me: 2, onChoose: (action) => send(action) });
     stage.draw(table, { from });    a table of `table_state.js`, and the one before it, whose cards then move
     stage.offer([{ action: 17, cards: ["S10"], text: "10 of strawberries" }, { action: 90, text: "Collect nothing" }]);
     stage.clock({ limit: 20_000, bank: 60_000, spent: 1500 });    how long the seat that is to act has, in milliseconds
     stage.withdraw();               nothing is to be chosen any more

   `me` is the seat that sits at the bottom and whose cards are shown: hand them in by the event
   `{ type: "own", seat, cards }`, at the beginning of a deal and whenever they change otherwise than by a card played.
   A choice with one card is taken by a click on that card, by Enter after the arrow keys, or by dragging it to the
   middle; one with several cards, such as a discard, by marking them and a button; one without cards, or whose card does
   not lie open, by a button with its text. `onChoose` is called once for each offer.

   Whoever follows events, at a pace and with what is said, uses `Player` (player.js), which has a stage and hands all of
   this on: `new Player(root, words, { live: true, me, onChoose })`, `add(events)`, `offer(choices)`. */

import { element } from "./cards.js";
import { Clock, moved } from "./stage_motion.js";
import { arrangement, middle, moment, points, seat } from "./stage_view.js";
import { turn } from "./table_state.js";

/** @typedef {import("./table_state.js").Table} Table */
/** @typedef {import("./table_words.js").Words} Words */
/** Whose hands are drawn: all, that of the seat at the bottom, or none. @typedef {"all" | "one" | "none"} Shown */
/** @typedef {import("./stage_choices.js").Choice} Choice */
/** @typedef {import("./stage_motion.js").Time} Time */

export class Stage {
  /**
   * @param {HTMLElement} root
   * @param {Words} words
   * @param {{ me?: number | null, onChoose?: (action: number) => void }} [options]
   */
  constructor(root, words, { me = null, onChoose } = {}) {
    this.words = words;
    this.me = me;
    this.points = element("div", "points");
    this.felt = element("div", "felt");
    this.ring = new Clock();
    /** @type {Choice[]} */
    this.offered = [];
    /** @type {import("./stage_choices.js").Choosing | undefined} */
    this.choosing = undefined;
    root.classList.add("stage");
    root.append(this.points, this.felt);
    if (me === null) return;
    const buttons = element("div", "choices");
    root.append(buttons);
    // Spectators do without.
    import("./stage_choices.js").then(({ Choosing }) => {
      this.choosing = new Choosing(this.felt, buttons, words, (action) => onChoose?.(action));
      this.choosing.offer(this.offered);
    });
  }

  /**
   * @param {Table} table
   * @param {{ bottom?: number, shown?: Shown, from?: Table }} [how] `bottom` is the seat at the bottom, `from` the
   *   table from which cards move to this one
   */
  draw(table, { bottom = 0, shown = "all", from } = {}) {
    const { words, felt } = this;
    const before = from && moved.places(felt);
    const { order, places, kind } = arrangement(table, this.me ?? bottom);
    const now = turn(table);
    const seats = order.map((position, at) => {
      const open = shown === "all" || (shown === "one" && at === 0);
      const made = seat(table, words, position, { open, shown });
      made.classList.add(places[at]);
      made.classList.toggle("turn", position === now);
      return made;
    });
    felt.className = `felt ${kind}`;
    felt.replaceChildren(...seats.slice(1), middle(table, words, order, places), ...seats.slice(0, 1), ...moment(table, words));
    this.points.replaceChildren(...points(table, words));
    this.ring.follow(felt.querySelector(".turn .ring"), table);
    this.choosing?.mark();
    if (from && before) moved.animate(felt, from, table, before);
  }

  /** Lets the seat of `me` choose. @param {Choice[]} choices */
  offer(choices) {
    this.offered = choices;
    this.choosing?.offer(choices);
  }

  withdraw() {
    this.offer([]);
  }

  /** Says how long the seat that is to act has. @param {Time} time */
  clock(time) {
    this.ring.start(time);
  }

  /** Adds something to what is shown at the end of a match. @param {Node[]} more */
  note(...more) {
    this.felt.querySelector(".moment")?.append(...more);
  }
}
