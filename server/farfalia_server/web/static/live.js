// Shows what happens at a table while it is played, from the stream of its events. Without it the page has a link instead.

/**
 * @typedef {{ type: string, entrants: string[], seat: number, position: number, number: number, card: string | null,
 *   points: number[], trumps?: string, deals: number }} TableEvent
 */

const table = /** @type {HTMLElement} */ (document.querySelector("[data-events]"));
const list = /** @type {HTMLElement} */ (table.querySelector("ol"));
const status = /** @type {HTMLElement} */ (table.querySelector("[role=status]"));
/** @type {string[]} */
let names = [];
/** @type {number[]} */
let seats = [];

/** @param {TableEvent & { seats?: number[] }} event @returns {string} */
function words(event) {
  switch (event.type) {
    case "deal":
      seats = event.seats ?? [];
      return `Deal ${event.number}: ${names[seats[0]]} deals.`;
    case "known":
      return event.trumps ? `Trumps: ${event.trumps}.` : "";
    case "play":
      return `${names[event.seat]} plays ${event.card}.`;
    case "trick":
      return `${names[seats[event.position]]} wins trick ${event.number}.`;
    case "collect":
      return event.card ? `${names[event.seat]} collects ${event.card}.` : `${names[event.seat]} collects nothing.`;
    case "score":
      return `Points of deal ${event.number}: ${event.points.map((points, seat) => `${names[seat]} ${points}`).join(", ")}.`;
    default:
      return "";
  }
}

/** @param {TableEvent} event */
function show(event) {
  if (event.type === "match") {
    names = event.entrants;
    list.replaceChildren();
  }
  const text = words(event);
  if (text) {
    const item = document.createElement("li");
    item.textContent = text;
    list.prepend(item);
  }
  if (event.type === "trick" || event.type === "score") status.textContent = text;
  if (event.type === "behind" && event.deals)
    status.textContent = "Other tables have the same cards to play: a deal is shown when the last of them has played it.";
  if (event.type === "over") status.textContent = "The match is over.";
}

function watch() {
  const source = new EventSource(/** @type {string} */ (table.dataset.events));
  source.onmessage = (message) => {
    const event = JSON.parse(message.data);
    if (event.type === "end") source.close();
    else show(event);
  };
  source.onerror = () => {
    // A browser comes back by itself, from its last event on, unless it was refused.
    if (source.readyState === EventSource.CLOSED) setTimeout(watch, 5000);
  };
}

table.hidden = false;
watch();
