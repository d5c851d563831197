// @ts-check
/* What a list of a match's events comes to: the table as it stands. Nothing here knows of a page.

   docs/watching.md lists the events. They are the same for a deal that is over and for a table that plays. */

/** @typedef {{ suit: string, words: string, butterfly?: boolean }} Face */
/**
 * What is known of a decision: milliseconds taken and left in the bank, and why it was not the bot's.
 * @typedef {{ ms?: number, bank?: number, forced?: boolean, instead?: string, strikes?: number }} Decision
 */
/** @typedef {Decision & { position: number, card: string }} Play */
/**
 * `collected` is a card, null for a side that declines, and undefined as long as nothing is decided or to decide.
 * @typedef {{ number: number, plays: Play[], winner: number | null, why: string, may: string[], burned: string[],
 *   onlyPlayed: boolean, collected?: string | null, collect?: Decision }} Trick
 */
/** @typedef {{ card: string, up: boolean }} Lying */
/** @typedef {Decision & { position: number, kind: string, text: string, cards: string[] }} Choice */
/**
 * By position are `seats` to `dealt`; `dealt` is null where hands are hidden. `stacks` are a dummy's cards, what lies on
 * top first. `before`, `totals` and `places` are by seat. `own` is what the reader's own seat holds. `limit` and `bank`
 * are milliseconds for each decision and for those that take longer; `deals` is 0 where their number is not fixed.
 * @typedef {{ names: string[], faces: Record<string, Face>, deals: number, limit: number, bank: number, deal: number, collecting: boolean, seats: number[],
 *   sides: number[], dummies: number[], held: number[], dealt: string[][] | null, hands: string[][] | null,
 *   stacks: Record<number, Lying[][]>, before: number[], totals: number[], trumps: string, trumpsWords: string,
 *   own: { seat: number, cards: string[] } | null, how: string, kind: string, proposal: string, doubled: number[], wilds: number[], shown: string[],
 *   choices: Choice[], tricks: Trick[], worth: number[], asked: number[], asks: string, points: number[] | null,
 *   places: number[], over: boolean }} Table
 */
/** @typedef {{ type: string, id?: string, [name: string]: any }} TableEvent */

/** Under a card of a dummy that nobody may see. */
export const UNKNOWN = "?";

/** @returns {Table} */
export const nothing = () => ({
  names: [],
  faces: {},
  deals: 0,
  limit: 0,
  bank: 0,
  ...noDeal(),
  totals: [],
  places: [],
  over: false,
});

const noDeal = () => ({
  deal: 0,
  collecting: true,
  seats: /** @type {number[]} */ ([]),
  sides: /** @type {number[]} */ ([]),
  dummies: /** @type {number[]} */ ([]),
  held: /** @type {number[]} */ ([]),
  dealt: /** @type {string[][] | null} */ (null),
  hands: /** @type {string[][] | null} */ (null),
  stacks: /** @type {Record<number, Lying[][]>} */ ({}),
  own: /** @type {{ seat: number, cards: string[] } | null} */ (null),
  before: /** @type {number[]} */ ([]),
  trumps: "",
  trumpsWords: "",
  how: "",
  kind: "",
  proposal: "",
  doubled: /** @type {number[]} */ ([]),
  wilds: /** @type {number[]} */ ([]),
  shown: /** @type {string[]} */ ([]),
  choices: /** @type {Choice[]} */ ([]),
  tricks: /** @type {Trick[]} */ ([]),
  worth: /** @type {number[]} */ ([]),
  asked: /** @type {number[]} */ ([]),
  asks: "",
  points: /** @type {number[] | null} */ (null),
});

/**
 * Returns the table after an event; the one before stays as it is.
 * @param {Table} table
 * @param {TableEvent} event
 * @returns {Table}
 */
export function after(table, event) {
  switch (event.type) {
    case "match": {
      const { entrants: names, faces, deals = 0, limit_ms: limit = 0, bank_ms: bank = 0 } = event;
      return { ...nothing(), names, faces, deals, limit, bank };
    }
    case "deal": {
      const { seats, sides, dummies, held, totals, collecting, number } = event;
      return { ...table, ...noDeal(), deal: number, seats, sides, dummies, held, totals, before: totals, collecting };
    }
    case "hands":
      return { ...table, dealt: event.hands, hands: event.hands, stacks: event.stacks ? stacked(table, event) : table.stacks };
    case "own":
      return { ...table, own: { seat: event.seat, cards: event.cards } };
    case "known":
      return known(table, event);
    case "asked":
      return { ...table, asked: event.seats, asks: event.kind };
    case "decide":
      return decided(table, event);
    case "play":
      return played(table, event);
    case "trick":
      return won(table, event);
    case "collect":
      return collected(table, event);
    case "score":
      return { ...table, points: event.points, totals: event.totals, asked: [] };
    case "over":
      return { ...table, over: true, places: event.places ?? [], asked: [] };
    default:
      return table;
  }
}

/**
 * Returns the tables of a match or deal, step by step: a card and what follows from it is a step, as is a new deal.
 * @param {TableEvent[]} events
 * @param {Table[]} steps those before these events
 * @returns {Table[]}
 */
export function stepped(events, steps = []) {
  const made = [...steps];
  for (const event of events) {
    const last = made.at(-1) ?? nothing();
    const begins = !made.length || event.type === "play" || (event.type === "deal" && last.deal > 0);
    if (begins) made.push(after(last, event));
    else made[made.length - 1] = after(last, event);
  }
  return made;
}

/** @param {Table} table @returns {Trick | undefined} */
export const lastTrick = (table) => table.tricks.at(-1);

/**
 * Returns the position that is to act, -1 if that is nobody's turn alone.
 * @param {Table} table
 */
export function turn(table) {
  const trick = lastTrick(table);
  const n = table.seats.length;
  if (table.points || table.over) return -1;
  if (trick && trick.winner === null) return (trick.plays[trick.plays.length - 1].position + 1) % n;
  if (trick) return trick.winner ?? -1;
  if (table.asked.length !== 1) return -1;
  return table.seats.indexOf(table.asked[0]);
}

/**
 * Returns what a side has collected, in the order in which it came.
 * @param {Table} table
 * @param {number} side
 */
export const collection = (table, side) =>
  table.tricks.flatMap(({ winner, collected }) => (winner !== null && collected && table.sides[winner] === side ? [collected] : []));

/** A place for a card of a family in a side's collection. @typedef {{ family: string, card: string }} Slot */

/**
 * Returns the places that the proposal gives a side, in its order, with the cards that fill them.
 * @param {Table} table
 * @param {number} side
 * @returns {Slot[]}
 */
export function slots(table, side) {
  const places = [...table.proposal].map((family) => ({ family, card: "" }));
  for (const card of collection(table, side)) {
    const face = table.faces[card];
    const family = face?.butterfly ? "B" : face?.suit;
    const open = places.find((place) => !place.card && place.family === family);
    if (open) open.card = card;
  }
  return places;
}

/**
 * @param {Table} table
 * @param {number} position
 */
export const tricksOf = (table, position) => table.tricks.filter(({ winner }) => winner === position).length;

/** @param {Table} table @param {TableEvent} event */
function stacked(table, event) {
  /** @type {Record<number, Lying[][]>} */
  const stacks = {};
  table.dummies.forEach((position, index) => {
    stacks[position] = event.stacks[index].map((/** @type {string[]} */ cards) => cards.map((card, place) => ({ card, up: place === 0 })));
  });
  return stacks;
}

/** @param {Table} table @param {TableEvent} event @returns {Table} */
function known(table, event) {
  const { trumps, subjects, doubled, wilds, shown, kind, held } = event;
  return {
    ...table,
    trumps: trumps ?? table.trumps,
    trumpsWords: event.trumps_words ?? table.trumpsWords,
    how: event.how ?? table.how,
    kind: kind ?? table.kind,
    proposal: subjects ?? table.proposal,
    doubled: doubled ?? table.doubled,
    wilds: wilds ?? table.wilds,
    shown: shown ?? table.shown,
    held: held ?? table.held,
    stacks: event.face_up ? turnedUp(table, event.face_up, event.covering) : table.stacks,
  };
}

/**
 * Returns the dummies' cards once those are face up that everybody sees; each stays where it lies.
 * @param {Table} table
 * @param {string[][]} faceUp
 * @param {string[][] | undefined} covering
 */
function turnedUp(table, faceUp, covering) {
  const stacks = { ...table.stacks };
  table.dummies.forEach((position, index) => {
    const before = stacks[position];
    if (!before?.length) {
      const above = new Set(covering?.[index] ?? []);
      stacks[position] = faceUp[index].map((card) => [{ card, up: true }, ...(above.has(card) ? [{ card: UNKNOWN, up: false }] : [])]);
      return;
    }
    const seen = new Set(before.flatMap((stack) => stack.filter(({ up }) => up).map(({ card }) => card)));
    const fresh = faceUp[index].filter((card) => !seen.has(card));
    stacks[position] = before.map((stack) => {
      if (stack.length !== 1 || stack[0].up) return stack;
      const at = fresh.findIndex((card) => stack[0].card === card || stack[0].card === UNKNOWN);
      return at < 0 ? stack : [{ card: fresh.splice(at, 1)[0], up: true }];
    });
  });
  return stacks;
}

/** @param {Table} table @param {TableEvent} event @returns {Table} */
function decided(table, event) {
  const { position, kind, text, cards = [] } = event;
  const choice = { ...decision(event), position, kind, text, cards };
  const hands = table.hands?.map((hand, at) => (at === position ? hand.filter((card) => !cards.includes(card)) : hand)) ?? null;
  return { ...table, hands, choices: [...table.choices, choice] };
}

/** @param {TableEvent} event @returns {Decision} */
function decision({ ms, bank, forced, instead, strikes }) {
  return Object.fromEntries(Object.entries({ ms, bank, forced, instead, strikes }).filter(([, value]) => value !== undefined));
}

/** @param {Table} table @param {TableEvent} event @returns {Table} */
function played(table, event) {
  const { position, card } = event;
  const play = { ...decision(event), position, card };
  const last = lastTrick(table);
  const open = last && last.winner === null;
  const trick = open
    ? { ...last, plays: [...last.plays, play] }
    : { number: table.tricks.length + 1, plays: [play], winner: null, why: "", may: [], burned: [], onlyPlayed: false };
  const stacks = { ...table.stacks };
  if (stacks[position]) stacks[position] = stacks[position].map((stack) => stack.filter((lying) => !(lying.up && lying.card === card)));
  return {
    ...table,
    stacks,
    tricks: [...(open ? table.tricks.slice(0, -1) : table.tricks), trick],
    held: table.held.map((held, at) => (at === position ? held - 1 : held)),
    hands: table.hands?.map((hand, at) => (at === position ? without(hand, card) : hand)) ?? null,
    own: table.own && isOf(table, position, table.own.seat) ? { ...table.own, cards: without(table.own.cards, card) } : table.own,
  };
}

/** Whether a position has the hand of a seat. @param {Table} table @param {number} position @param {number} seat */
export const isOf = (table, position, seat) => table.seats[position] === seat && !table.dummies.includes(position);

/** Returns a hand without one card; a wild card may be there twice. @param {string[]} hand @param {string} card */
const without = (hand, card) => hand.filter((_, at) => at !== hand.indexOf(card));

/** @param {Table} table @param {(trick: Trick) => Trick} change */
const withLast = (table, change) => [...table.tricks.slice(0, -1), ...table.tricks.slice(-1).map(change)];

/** @param {Table} table @param {TableEvent} event @returns {Table} */
function won(table, event) {
  const { position, why, may, burned, only_played: onlyPlayed } = event;
  const tricks = withLast(table, (trick) => ({ ...trick, winner: position, why, may, burned, onlyPlayed }));
  return { ...table, tricks, worth: event.worth ?? table.worth };
}

/** @param {Table} table @param {TableEvent} event @returns {Table} */
function collected(table, event) {
  const tricks = withLast(table, (trick) => ({ ...trick, collected: event.card, collect: decision(event) }));
  return { ...table, tricks, worth: event.worth ?? table.worth };
}
