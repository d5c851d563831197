// @ts-check
/* The table of a person's seat, drawn on the stage: it follows the match as anybody may watch it, and adds what the seat
   alone knows, its hand and what it may choose. */

import { held, Player } from "./player.js";

/** @typedef {import("./table_state.js").TableEvent} TableEvent */
/** What a seat is asked. @typedef {{ number: number, deal: number, asked: string, hand: string[], choices: import("./stage.js").Choice[] }} Question */

/** Milliseconds until another attempt to watch. */
const AGAIN = 3000;

export class SeatTable {
  /**
   * @param {HTMLElement} root with `data-watch`, the address of the events that anybody may have; it gets
   *   `data-offered`, the number of the question that was offered last
   * @param {(question: Question, action: number) => void} choose
   */
  constructor(root, choose) {
    this.root = root;
    this.choose = choose;
    this.box = /** @type {HTMLElement} */ (root.querySelector("[data-table]"));
    this.asking = /** @type {HTMLElement} */ (root.querySelector(".asking"));
    /** @type {Player | undefined} */
    this.player = undefined;
    this.me = 0;
    /** @type {Question | undefined} */
    this.question = undefined;
    /** @type {import("./stage.js").Time | undefined} */
    this.time = undefined;
    /** The number of the question that is offered. */
    this.offered = 0;
    /** @type {TableEvent[]} */
    this.waiting = [];
    this.attempt = "";
    this.known = 0;
    const words = /** @type {HTMLElement} */ (root.querySelector("[data-words]"));
    words.addEventListener("click", () => {
      const on = document.body.classList.toggle("in-words");
      words.setAttribute("aria-pressed", String(on));
    });
  }

  /** Takes in what the seat is told. @param {{ me?: number, question?: Question, time?: any }} told */
  told({ me, question, time }) {
    if (me === undefined) return;
    this.me = me;
    this.question = question;
    this.time = time;
    this.asking.textContent = question?.asked ?? "";
    if (!this.player && !this.attempt) this.#watch();
    if (!question) {
      this.player?.offer([]);
      this.offered = 0;
    } else this.#settle();
  }

  #watch() {
    this.attempt = " ";
    const source = new EventSource(/** @type {string} */ (this.root.dataset.watch));
    source.onmessage = (message) => {
      const event = JSON.parse(message.data);
      if (event.type === "end") {
        source.close();
        return;
      }
      // A stream that was started again repeats what is drawn already.
      const [of, number] = String(event.id).split(".");
      if (event.type === "behind" || (of === this.attempt && Number(number) <= this.known)) return;
      this.attempt = of;
      this.known = Number(number);
      this.waiting.push(event);
      if (this.waiting.length === 1) setTimeout(() => this.#take(), 20);
    };
    source.onerror = () => {
      if (source.readyState === EventSource.CLOSED) setTimeout(() => this.#watch(), AGAIN);
    };
  }

  #take() {
    const events = this.waiting;
    this.waiting = [];
    if (!this.player) {
      const onChoose = (/** @type {number} */ action) => this.question && this.choose(this.question, action);
      this.player = new Player(this.box, held("words"), { live: true, me: this.me, onChoose });
      this.box.classList.add("live");
      document.body.classList.add("drawn");
    }
    this.player.add(events);
    this.#settle(events.some(({ type }) => type === "deal" || type === "match"));
  }

  /** Shows the hand and offers what may be chosen, once the table has come to the deal that the question is of. */
  #settle(again = false) {
    const { player, question } = this;
    if (!player || !question || player.steps.at(-1)?.deal !== question.deal) return;
    if (this.offered === question.number && !again) return;
    this.offered = question.number;
    this.root.dataset.offered = String(question.number);
    player.add([/** @type {any} */ ({ type: "own", seat: this.me, cards: question.hand })]);
    player.offer(question.choices, this.time);
  }
}
