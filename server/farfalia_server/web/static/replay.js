// @ts-check
/* The page of a deal that is over: steps through the events that the page holds, and the address follows.

   Without this script the page has the deal as text, which stays below the table. */

import { held, Player, PLAYING } from "./player.js";
import { lastTrick } from "./table_state.js";

/** Returns a step as addresses have it, empty before the first card. @param {import("./table_state.js").Table} table */
function stepOf(table) {
  const trick = lastTrick(table);
  return trick ? `${trick.number}.${trick.plays.length}` : "";
}

/**
 * Shows, of what each choice was worth, what belongs to a step, closed again, and where the step is among the prices.
 * @param {string} at the step
 * @param {number} number of the deal
 */
function showPrices(at, number) {
  let none = true;
  for (const choice of document.querySelectorAll("#guess [data-at]")) {
    const belongs = choice.getAttribute("data-at") === at;
    choice.toggleAttribute("hidden", !belongs);
    choice.querySelector("details")?.removeAttribute("open");
    none &&= !belongs;
  }
  document.querySelector("#guess [data-none]")?.toggleAttribute("hidden", !none);
  const card = at ? `${number}/${at}` : `${number}`;
  for (const mark of document.querySelectorAll(".band [data-card]")) {
    mark.classList.toggle("now", mark.getAttribute("data-card") === card);
  }
}

/** Returns the address of a neighbouring deal. @param {"next" | "prev"} which */
const to = (which) => /** @type {HTMLLinkElement | null} */ (document.querySelector(`link[rel=${which}]`))?.href;

const root = document.getElementById("replay");
const deal = held("deal");
if (root && deal) {
  const base = root.dataset.address;
  const plays = location.hash === PLAYING;
  const player = new Player(root, held("words"), {
    next: to("next"),
    turn(by) {
      const address = to(by > 0 ? "next" : "prev");
      if (address) location.assign(address);
    },
    stepped(table) {
      const at = stepOf(table);
      showPrices(at, deal.deal);
      if (!base) return;
      try {
        history.replaceState(null, "", at ? `${base}/${at}` : base);
      } catch {
        // Browsers refuse many changes in a short time; the next step writes the address again.
      }
    },
  });
  player.add(deal.events);
  const [, trick, place] = location.pathname.match(/\/(\d+)\.(\d+)$/) ?? [];
  player.step = Math.max(0, trick ? player.at(Number(trick), Number(place)) : 0);
  player.draw();
  showPrices(stepOf(player.steps[player.step]), deal.deal);
  player.listen();
  if (plays) player.toggle();
}
