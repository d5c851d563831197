// @ts-check
/* The page of a deal that is over: steps through the events that the page holds, and the address follows.

   Without this script the page has the deal as text, which stays below the table. */

import { held, Player, PLAYING } from "./player.js";
import { lastTrick } from "./table_state.js";

const root = document.getElementById("replay");
const deal = held("deal");
if (root && deal) {
  const base = root.dataset.address;
  const plays = location.hash === PLAYING;
  const player = new Player(root, held("words"), {
    next: /** @type {HTMLLinkElement | null} */ (document.querySelector("link[rel=next]"))?.href,
    stepped(table) {
      const trick = lastTrick(table);
      if (!base) return;
      try {
        history.replaceState(null, "", trick ? `${base}/${trick.number}.${trick.plays.length}` : base);
      } catch {
        // Browsers refuse many changes in a short time; the next step writes the address again.
      }
    },
  });
  player.add(deal.events);
  const [, trick, place] = location.pathname.match(/\/(\d+)\.(\d+)$/) ?? [];
  player.step = Math.max(0, trick ? player.at(Number(trick), Number(place)) : 0);
  player.draw();
  player.listen();
  if (plays) player.toggle();
}
