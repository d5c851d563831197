// @ts-check
/* Follows the table, or the tournament, in which somebody waits for a match. Without it the page is loaded again from time to time. */

import { refresh } from "./regions.js";

/** Milliseconds until another attempt to follow the table. */
const AGAIN = 2000;
const box = /** @type {HTMLElement} */ (document.getElementById("gathered"));

function follow() {
  if (!box.dataset.events) return;
  const source = new EventSource(box.dataset.events);
  source.onmessage = (message) => {
    /** @type {{ state: string, match: number }} */
    const told = JSON.parse(message.data);
    if (told.state === "open") void refresh();
    else location.assign(told.match ? `/play/${told.match}` : location.href);
  };
  source.onerror = () => {
    // A browser comes back by itself unless it was refused: then, for example, the server starts again.
    if (source.readyState === EventSource.CLOSED) setTimeout(follow, AGAIN);
  };
}

follow();
