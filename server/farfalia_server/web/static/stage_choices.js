// @ts-check
/* What a person at the table may choose: cards that are lifted, and buttons for all else. */

import { element } from "./cards.js";

/**
 * Something that may be chosen: the number of its action, the cards that it is about, and what it is in words.
 * @typedef {{ action: number, cards?: string[], text: string }} Choice
 */

/** Pixels from which on a pressed card is dragged. */
const DRAGGED = 12;

export class Choosing {
  /**
   * @param {HTMLElement} felt
   * @param {HTMLElement} buttons where those are put
   * @param {import("./table_words.js").Words} words
   * @param {(action: number) => void} chosen
   */
  constructor(felt, buttons, words, chosen) {
    this.felt = felt;
    this.words = words;
    this.chosen = chosen;
    /** @type {Choice[]} */
    this.choices = [];
    /** Cards that are marked, for a choice of several. @type {Set<string>} */
    this.marked = new Set();
    this.buttons = buttons;
    felt.addEventListener("click", ({ target }) => this.#clicked(/** @type {Element} */ (target)));
    felt.addEventListener("keydown", (event) => this.#key(event));
    felt.addEventListener("pointerdown", (event) => this.#drag(event));
    felt.addEventListener("dragstart", (event) => event.preventDefault());
  }

  /** @param {Choice[]} choices */
  offer(choices) {
    this.choices = choices;
    this.marked.clear();
    this.mark();
    const first = this.#cards()[0] ?? /** @type {HTMLElement | null} */ (this.buttons.firstElementChild);
    first?.focus({ preventScroll: true });
  }

  /** Lifts the cards that may be chosen, on a table that was drawn anew, and shows the other choices. */
  mark() {
    const focused = /** @type {HTMLElement | null} */ (document.activeElement?.closest("[data-card]"))?.dataset.card;
    for (const one of this.felt.querySelectorAll(".may")) {
      one.classList.remove("may", "marked");
      for (const name of ["role", "tabindex", "aria-pressed"]) one.removeAttribute(name);
    }
    const lying = new Map(this.#lying().map((one) => [one.dataset.card ?? "", one]));
    const several = this.choices.some(({ cards = [] }) => cards.length > 1);
    const without = this.choices.filter(({ cards = [] }) => !cards.length || !cards.every((card) => lying.has(card)));
    let first = true;
    for (const card of new Set(this.choices.flatMap(({ cards = [] }) => cards))) {
      const one = lying.get(card);
      if (!one) continue;
      one.classList.add("may");
      one.setAttribute("role", "button");
      one.tabIndex = first ? 0 : -1;
      first = false;
      if (several) one.setAttribute("aria-pressed", String(this.marked.has(card)));
      one.classList.toggle("marked", this.marked.has(card));
      if (card === focused) one.focus({ preventScroll: true });
    }
    this.buttons.replaceChildren(...without.map((choice) => this.#button(choice.text, choice)));
    if (!several) return;
    const ready = this.#ready();
    const take = this.#button(ready?.text ?? this.words.mark_cards, ready);
    this.buttons.append(take);
  }

  /** @param {string} text @param {Choice | undefined} choice */
  #button(text, choice) {
    const made = /** @type {HTMLButtonElement} */ (element("button", "", text));
    made.type = "button";
    made.setAttribute("aria-disabled", String(!choice));
    made.addEventListener("click", () => choice && this.#take(choice));
    return made;
  }

  /** The cards that lie open, those that were played left out. @returns {HTMLElement[]} */
  #lying() {
    return [.../** @type {NodeListOf<HTMLElement>} */ (this.felt.querySelectorAll("[data-card]:not(.gone, .down)"))];
  }

  /** @returns {HTMLElement[]} */
  #cards() {
    return this.#lying().filter((one) => one.classList.contains("may"));
  }

  /** The choice of exactly the cards that are marked. */
  #ready() {
    return this.choices.find(({ cards = [] }) => cards.length > 1 && cards.length === this.marked.size && cards.every((card) => this.marked.has(card)));
  }

  /** @param {Choice} choice */
  #take(choice) {
    this.offer([]);
    this.chosen(choice.action);
  }

  /** @param {Element} on */
  #clicked(on) {
    const card = /** @type {HTMLElement | null} */ (on.closest(".may"))?.dataset.card;
    if (card === undefined) return;
    const alone = this.choices.find(({ cards = [] }) => cards.length === 1 && cards[0] === card);
    if (alone) {
      this.#take(alone);
      return;
    }
    if (!this.marked.delete(card)) this.marked.add(card);
    this.mark();
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const on = /** @type {HTMLElement | null} */ (/** @type {Element} */ (event.target).closest(".may"));
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (!on || (!step && event.key !== "Enter" && event.key !== " ")) return;
    event.preventDefault();
    event.stopPropagation();
    if (!step) {
      this.#clicked(on);
      return;
    }
    const cards = this.#cards();
    const next = cards[(cards.indexOf(on) + step + cards.length) % cards.length];
    for (const one of cards) one.tabIndex = one === next ? 0 : -1;
    next.focus();
  }

  /** @param {PointerEvent} event */
  #drag(event) {
    const on = /** @type {HTMLElement | null} */ (/** @type {Element} */ (event.target).closest(".may"));
    if (!on || event.button) return;
    const { clientX, clientY, pointerId } = event;
    let far = false;
    on.setPointerCapture(pointerId);
    /** @param {PointerEvent} moved */
    const follow = (moved) => {
      const [x, y] = [moved.clientX - clientX, moved.clientY - clientY];
      far ||= Math.hypot(x, y) > DRAGGED;
      if (!far) return;
      on.classList.add("dragged");
      on.style.translate = `${x}px ${y}px`;
    };
    /** @param {PointerEvent} ended */
    const drop = (ended) => {
      on.removeEventListener("pointermove", follow);
      on.classList.remove("dragged");
      on.style.translate = "";
      if (!far) return;
      // The click that follows is not meant.
      const meant = new AbortController();
      this.felt.addEventListener("click", (click) => click.stopImmediatePropagation(), { capture: true, signal: meant.signal });
      setTimeout(() => meant.abort());
      const middle = this.felt.querySelector(".middle")?.getBoundingClientRect();
      const { clientX: x, clientY: y } = ended;
      if (middle && x > middle.left && x < middle.right && y > middle.top && y < middle.bottom) this.#clicked(on);
    };
    on.addEventListener("pointermove", follow);
    on.addEventListener("pointerup", drop, { once: true });
    on.addEventListener("pointercancel", drop, { once: true });
  }
}
