// @ts-check
/* What moves on a stage: the ring around the seat that is to act, which drains with its limit and then with its bank; and
   cards, for 150 ms and only where people want movement, from a seat to the middle and to the collection. */

import { drawing } from "./cards.js";
import { lastTrick, turn } from "./table_state.js";

/** Milliseconds for the decision, in the bank, and of them already spent. @typedef {{ limit: number, bank: number, spent?: number }} Time */
/** @typedef {import("./table_state.js").Table} Table */

export class Clock {
  constructor() {
    /** @type {Time | null} */
    this.time = null;
    this.since = 0;
    this.asked = "";
    /** @type {Element | null} */
    this.ring = null;
    /** Whether the table is followed as it plays: otherwise no time runs. */
    this.running = false;
    /** The seat that is to act, and what the seats have left in their banks, as far as it was seen. */
    this.seat = -1;
    this.banks = /** @type {Map<number, number>} */ (new Map());
  }

  /**
   * Follows the seat whose turn it is, from when the table last changed.
   * @param {Element | null} ring
   * @param {Table} table
   */
  follow(ring, table) {
    this.ring = ring;
    const trick = lastTrick(table);
    const asked = [table.deal, table.asks, trick?.number, trick?.plays.length, trick?.winner, table.tricks.length].join();
    if (asked !== this.asked) {
      const { time } = this;
      if (this.running && time) this.banks.set(this.seat, Math.max(0, time.bank - Math.max(0, this.#spent() - time.limit)));
      this.asked = asked;
      this.seat = table.seats[turn(table)] ?? -1;
      this.since = performance.now();
      this.time = table.limit ? { limit: table.limit, bank: this.banks.get(this.seat) ?? table.bank } : null;
    }
    this.#run();
  }

  /** @param {Time} time */
  start(time) {
    this.time = time;
    this.since = performance.now() - (time.spent ?? 0);
    this.running = true;
    this.#run();
  }

  #spent() {
    return performance.now() - this.since;
  }

  #run() {
    const { ring, time } = this;
    if (!ring || !time || !this.running) return;
    const { limit, bank } = time;
    const spent = this.#spent();
    for (const running of ring.getAnimations()) running.cancel();
    ring.parentElement?.querySelector(".in-bank")?.remove();
    drain(ring, limit, spent);
    if (!bank) return;
    const second = drawing("circle", { class: "ring in-bank", cx: 18, cy: 18, r: 15.5, pathLength: 100 });
    ring.after(second);
    drain(second, bank, spent - limit);
  }
}

/**
 * Empties a ring in so many milliseconds, of which some are gone; it stays full until its time comes.
 * @param {Element} ring
 * @param {number} whole
 * @param {number} gone
 */
function drain(ring, whole, gone) {
  const frames = [{ strokeDashoffset: "0" }, { strokeDashoffset: "100" }];
  // In steps where people do not want movement.
  ring.animate(frames, { duration: whole, delay: -gone, fill: "forwards", easing: still() ? "steps(8, start)" : "linear" });
}

/** Milliseconds for which a card moves. */
const MS = 150;

/** Whether people want no movement. */
const still = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

/** @param {Element | null | undefined} element */
const box = (element) => element?.getBoundingClientRect();

/**
 * @param {Element} element what moves
 * @param {DOMRect | undefined} from
 */
function move(element, from) {
  const to = box(element);
  if (!from || !to?.width) return;
  const transform = `translate(${from.x - to.x}px, ${from.y - to.y}px) scale(${Math.max(0.2, from.width / to.width)})`;
  element.animate([{ transform, transformOrigin: "0 0" }, { transform: "none", transformOrigin: "0 0" }], { duration: MS, easing: "ease-out" });
}

export const moved = {
  /**
   * Returns where each card lies before a table is drawn anew, undefined where nothing is to move.
   * @param {Element} felt
   * @returns {Map<string, DOMRect> | undefined}
   */
  places(felt) {
    if (still()) return undefined;
    const cards = /** @type {NodeListOf<HTMLElement>} */ (felt.querySelectorAll("[data-card]:not(.gone)"));
    return new Map([...cards].map((one) => [one.dataset.card ?? "", one.getBoundingClientRect()]));
  },

  /**
   * @param {Element} felt
   * @param {Table} from
   * @param {Table} to
   * @param {Map<string, DOMRect>} before
   */
  animate(felt, from, to, before) {
    const trick = lastTrick(to);
    const play = trick?.plays.at(-1);
    if (!trick || !play || from.deal !== to.deal) return;
    const known = lastTrick(from);
    const fresh = known?.number !== trick.number || known.plays.length < trick.plays.length;
    const laid = felt.querySelector(`.trick [data-card="${CSS.escape(play.card)}"]`);
    if (fresh && laid) move(laid, before.get(play.card) ?? box(felt.querySelector(`[data-position="${play.position}"] .cards`)));
    if (!trick.collected || known?.collected === trick.collected) return;
    const slot = felt.querySelector(`[data-taken="${CSS.escape(trick.collected)}"]`);
    if (slot) move(slot, box(felt.querySelector(`.trick [data-card="${CSS.escape(trick.collected)}"]`)));
  },
};
