// @ts-check
/* Draws a table from the deal that the page holds as data, and steps through it card by card. The address follows.

   Without this script the page has the deal as text, which stays below the table. */

/** @typedef {{ text: string, suit: string, butterfly: boolean, words: string }} Card */
/** @typedef {{ at: number, card: Card, ms: number, instead: string }} Play */
/** @typedef {{ plays: Play[], winner: number | null, collected: Card | null, declined: boolean, burned: Card[] }} Trick */
/**
 * @typedef {{ name: string, side: string, dummy: boolean, down: string[], hand: Card[], before: number,
 *   points: number | null }} Seat
 */
/**
 * @typedef {{ match: number, deal: number, deals: number, collecting: boolean, trumps: string,
 *   proposal: [string, string][], discarded: string[], seats: Seat[], tricks: Trick[] }} Deal
 */

/** Milliseconds for a card, by the words of the choice; after a trick it is three times as long. */
const SPEEDS = /** @type {const} */ ({ slow: 1400, normal: 700, fast: 300 });
/** Where seats stand on a wide screen, clockwise from the bottom, by how many there are. */
const PLACES = /** @type {Record<number, string[]>} */ ({
  2: ["bottom", "top"],
  3: ["bottom", "left", "right"],
  4: ["bottom", "left", "top", "right"],
  5: ["bottom", "left", "top-left", "top-right", "right"],
});
const SVG = "http://www.w3.org/2000/svg";

/**
 * @param {string} tag
 * @param {string} [kind]
 * @param {(Node | string)[]} children
 * @returns {HTMLElement}
 */
function element(tag, kind = "", ...children) {
  const made = document.createElement(tag);
  if (kind) made.className = kind;
  made.append(...children);
  return made;
}

/**
 * @param {string} name
 * @param {string} [kind]
 */
function icon(name, kind = "") {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("aria-hidden", "true");
  if (kind) svg.setAttribute("class", kind);
  const use = document.createElementNS(SVG, "use");
  use.setAttribute("href", `#icon-${name}`);
  svg.append(use);
  return svg;
}

/**
 * @param {Card} card
 * @param {string} [tag]
 */
function face(card, tag = "span") {
  const made = element(tag, `face ${card.suit}`);
  const inner = element("span", "", card.text);
  inner.setAttribute("aria-hidden", "true");
  made.append(inner, icon(card.suit), element("span", "heard", card.words));
  if (card.butterfly) made.append(icon("B", "mark-b"));
  made.title = card.words;
  return made;
}

/** @param {number} ms */
const seconds = (ms) => (ms < 1000 ? `${ms} ms` : `${(ms / 1000).toFixed(1)} s`);

class Replay {
  /**
   * @param {HTMLElement} root
   * @param {Deal} deal
   */
  constructor(root, deal) {
    this.deal = deal;
    /** All cards in the order in which they were played: the trick and the place in it, from 0. */
    this.steps = deal.tricks.flatMap((trick, t) => trick.plays.map((_, c) => ({ t, c })));
    /** How many cards lie, from none to all. */
    this.step = 0;
    this.bottom = 0;
    this.shown = "all";
    this.timer = 0;
    this.table = element("div", "felt");
    this.said = element("p", "said");
    this.heard = element("p", "heard");
    this.heard.setAttribute("role", "status");
    this.scrub = /** @type {HTMLInputElement} */ (element("input"));
    this.buttons = this.#buttons();
    root.append(this.table, this.#controls(), this.heard);
    root.hidden = false;
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
    return {
      start: button("|‹", "To the start of the deal", () => this.go(0)),
      trickBack: button("«", "Back by a trick", () => this.go(this.#trickBefore())),
      back: button("‹", "Back by a card", () => this.go(this.step - 1)),
      play: button("▶", "Play", () => this.toggle()),
      forward: button("›", "Forward by a card", () => this.go(this.step + 1)),
      trickForward: button("»", "Forward by a trick", () => this.go(this.#trickAfter())),
      end: button("›|", "To the end of the deal", () => this.go(this.steps.length)),
    };
  }

  #controls() {
    this.scrub.type = "range";
    this.scrub.max = String(this.steps.length);
    this.scrub.setAttribute("aria-label", "Cards played");
    this.scrub.addEventListener("input", () => this.go(Number(this.scrub.value)));
    const kept = stored("speed") ?? "";
    const speed = this.#choice("Speed", Object.keys(SPEEDS), kept in SPEEDS ? kept : "normal", (value) => store("speed", value));
    this.speed = speed;
    const names = this.deal.seats.map((seat, position) => `${position}: ${seat.name}`);
    const bottom = this.#choice("At the bottom", names, names[0], (value) => {
      this.bottom = names.indexOf(value);
      this.draw();
    });
    const shown = this.#choice("Hands", ["all", "the one at the bottom", "none"], "all", (value) => {
      this.shown = value;
      this.draw();
    });
    const row = element("div", "controls moves", ...Object.values(this.buttons), this.scrub);
    const more = element("div", "controls");
    for (const choice of [speed, bottom, shown]) more.append(/** @type {HTMLElement} */ (choice.parentElement));
    const keys = "Keys: ← and → move by a card, with Shift by a trick; the space bar plays and stops. The address leads to the card that you see.";
    return element("div", "", row, more, element("p", "keys", keys));
  }

  /**
   * @param {string} label
   * @param {string[]} values
   * @param {string} chosen
   * @param {(value: string) => void} changed
   */
  #choice(label, values, chosen, changed) {
    const select = /** @type {HTMLSelectElement} */ (element("select"));
    for (const value of values) select.append(new Option(value, value, false, value === chosen));
    select.addEventListener("change", () => changed(select.value));
    element("label", "", `${label} `, select);
    return select;
  }

  #trickBefore() {
    const before = this.steps.findLastIndex((at, index) => at.c === 0 && index < this.step - 1);
    return Math.max(0, before);
  }

  #trickAfter() {
    const { t } = this.steps[Math.min(this.step, this.steps.length - 1)];
    return this.steps.findLastIndex((at) => at.t === t) + 1;
  }

  /** @param {number} step */
  go(step) {
    this.step = Math.max(0, Math.min(this.steps.length, step));
    this.draw();
    try {
      history.replaceState(null, "", this.#address());
    } catch {
      // Browsers refuse many changes in a short time; the next step writes the address again.
    }
    if (this.step === this.steps.length) this.stop();
  }

  #address() {
    const { match, deal } = this.deal;
    if (this.step === 0) return `/matches/${match}/${deal}`;
    const { t, c } = this.steps[this.step - 1];
    return `/matches/${match}/${deal}/${t + 1}.${c + 1}`;
  }

  toggle() {
    if (this.timer) return this.stop();
    if (this.step === this.steps.length) this.go(0);
    this.buttons.play.textContent = "❚❚";
    this.buttons.play.setAttribute("aria-label", "Stop");
    this.#later();
  }

  stop() {
    clearTimeout(this.timer);
    this.timer = 0;
    this.buttons.play.textContent = "▶";
    this.buttons.play.setAttribute("aria-label", "Play");
  }

  #later() {
    const pace = SPEEDS[/** @type {keyof typeof SPEEDS} */ (this.speed?.value)] ?? SPEEDS.normal;
    const last = this.step > 0 && this.step < this.steps.length && this.steps[this.step].c === 0;
    this.timer = setTimeout(() => {
      this.go(this.step + 1);
      if (this.timer) this.#later();
    }, last ? 3 * pace : pace);
  }

  draw() {
    const { deal, step, steps } = this;
    const now = step ? steps[step - 1] : null;
    const trick = now ? deal.tricks[now.t] : null;
    const whole = trick !== null && now !== null && now.c === trick.plays.length - 1;
    const played = new Set(steps.slice(0, step).map(({ t, c }) => key(deal.tricks[t].plays[c])));
    const over = deal.tricks.slice(0, now ? now.t + (whole ? 1 : 0) : 0);
    const next = step < steps.length ? deal.tricks[steps[step].t].plays[steps[step].c].at : -1;

    const middle = element("div", "middle", this.#facts(), this.#trick(trick, now?.c ?? -1, whole), this.said);
    const seats = deal.seats.map((_, place) => {
      const position = (this.bottom + place) % deal.seats.length;
      const drawn = this.#seat(position, played, over, position === next);
      drawn.classList.add(PLACES[deal.seats.length]?.[place] ?? "bottom");
      return drawn;
    });
    this.table.replaceChildren(...seats.slice(1), middle, seats[0]);
    this.#say(trick, now, whole);
    this.scrub.value = String(step);
    const { start, back, trickBack, forward, trickForward, end } = this.buttons;
    for (const button of [start, back, trickBack]) button.setAttribute("aria-disabled", String(step === 0));
    for (const button of [forward, trickForward, end]) button.setAttribute("aria-disabled", String(step === steps.length));
  }

  #facts() {
    const { trumps, proposal } = this.deal;
    const facts = element("p", "said", `Trumps: ${trumps || "not known yet"}`);
    if (proposal.length) {
      facts.append(". Proposal: ");
      for (const [letter, word] of proposal) {
        const subject = element("span", `family ${letter}`, icon(letter, letter), letter, " ");
        subject.title = word;
        facts.append(subject);
      }
    }
    return facts;
  }

  /**
   * @param {Trick | null} trick
   * @param {number} last
   * @param {boolean} whole
   */
  #trick(trick, last, whole) {
    const list = element("ul", "trick");
    for (const play of trick?.plays.slice(0, last + 1) ?? []) {
      const won = whole && play.at === trick?.winner;
      list.append(element("li", won ? "won" : "", face(play.card), this.deal.seats[play.at].name + (won ? " ★" : "")));
    }
    return list;
  }

  /**
   * @param {number} position
   * @param {Set<string>} played
   * @param {Trick[]} over
   * @param {boolean} turn
   */
  #seat(position, played, over, turn) {
    const { seats, collecting } = this.deal;
    const seat = seats[position];
    const head = element("header", "", element("b", "", seat.name));
    if (position === 0) head.append(element("span", "", "dealer"));
    if (seat.side) head.append(element("span", "", `side ${seat.side}`));
    const points = this.step === this.steps.length && seat.points !== null ? `, ${seat.points} in this deal` : "";
    head.append(element("span", "", `${seat.before} points before${points}`));
    const all = this.shown === "all";
    const open = all || (this.shown !== "none" && position === this.bottom);
    const hand = element("ul", "cards");
    for (const card of seat.hand) {
      const discarded = position === 0 && this.deal.discarded.includes(card.text);
      const gone = played.has(key({ at: position, card })) || (open && discarded && this.step > 0);
      const down = seat.down.includes(card.text);
      const seen = all || (seat.dummy ? !down && this.shown !== "none" : open);
      const drawn = seen || gone ? face(card, "li") : element("li", "face back", element("span", "heard", "a card face down"));
      if (gone) drawn.classList.add("gone");
      if (down && seen && !gone) {
        drawn.classList.add("down");
        drawn.title += ", face down at first";
      }
      hand.append(drawn);
    }
    const made = element("section", `seat${turn ? " turn" : ""}`, head, hand);
    made.setAttribute("aria-label", seat.name);
    const own = over.filter((trick) => trick.winner !== null && (seat.side ? seats[trick.winner].side === seat.side : trick.winner === position));
    if (collecting) {
      const collected = own.flatMap((trick) => (trick.collected ? [trick.collected] : []));
      if (collected.length) made.append(element("p", "keys", `Side ${seat.side} has collected ${collected.map((card) => card.text).join(", ")}`));
    } else {
      made.append(element("p", "keys", `Tricks: ${own.length}`));
    }
    return made;
  }

  /**
   * @param {Trick | null} trick
   * @param {{ t: number, c: number } | null} now
   * @param {boolean} whole
   */
  #say(trick, now, whole) {
    if (!trick || !now) {
      this.said.replaceChildren("The cards are dealt.");
      return;
    }
    const { seats, collecting } = this.deal;
    const play = trick.plays[now.c];
    const how = play.instead ? `a house bot played it: ${play.instead}` : seconds(play.ms);
    this.said.replaceChildren(`${seats[play.at].name} ${now.c ? "plays" : "leads"} ${play.card.words}. `);
    let ended = "";
    if (whole && trick.winner !== null) {
      ended = `${seats[trick.winner].name} wins trick ${now.t + 1}`;
      if (trick.collected) ended += ` and collects ${trick.collected.words}`;
      else if (trick.declined) ended += " and declines to collect";
      else if (collecting) ended += "; nothing is collected";
      if (trick.burned.length) ended += `; burned: ${trick.burned.map((card) => card.words).join(", ")}`;
      ended += ".";
    }
    this.said.append(ended, element("small", "", `Trick ${now.t + 1}, card ${now.c + 1}, ${how}`));
    if (ended && this.heard.textContent !== ended) this.heard.textContent = ended;
  }
}

/** @param {{ at: number, card: Card }} play */
const key = ({ at, card }) => `${at} ${card.text}`;

/** @param {string} name */
function stored(name) {
  try {
    return localStorage.getItem(`farfalia-${name}`);
  } catch {
    return null; // a browser that keeps nothing
  }
}

/**
 * @param {string} name
 * @param {string} value
 */
function store(name, value) {
  try {
    localStorage.setItem(`farfalia-${name}`, value);
  } catch {
    // It is not kept for the next time.
  }
}

/** @param {Replay} replay */
function listen(replay) {
  /** @type {Record<string, () => void>} */
  const actions = {
    ArrowRight: () => replay.go(replay.step + 1),
    ArrowLeft: () => replay.go(replay.step - 1),
    "Shift ArrowRight": () => replay.buttons.trickForward.click(),
    "Shift ArrowLeft": () => replay.buttons.trickBack.click(),
    " ": () => replay.toggle(),
  };
  document.addEventListener("keydown", (event) => {
    const on = /** @type {HTMLElement} */ (event.target);
    if (event.ctrlKey || event.altKey || event.metaKey || on.closest("input, select")) return;
    if (event.key === " " && on.closest("button, a, summary")) return;
    const action = actions[(event.shiftKey ? "Shift " : "") + event.key];
    if (!action) return;
    event.preventDefault();
    action();
  });
}

const root = document.getElementById("replay");
const data = document.getElementById("deal");
if (root && data) {
  const replay = new Replay(root, JSON.parse(data.textContent ?? ""));
  const [, t, c] = location.pathname.match(/\/(\d+)\.(\d+)$/) ?? [];
  const at = replay.steps.findIndex((step) => step.t === Number(t) - 1 && step.c === Number(c) - 1);
  replay.step = at + 1;
  replay.draw();
  listen(replay);
}
