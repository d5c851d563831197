// @ts-check
/* Follows a person's seat and answers without loading the page again. Without it the page's forms do the same. What is
   shown is made by the server alone: after an event that the page does not show yet, the seat is fetched and put in
   place. */

import { SeatTable } from "./play_table.js";

/** The seat as the page has it now. */
const seat = () => /** @type {HTMLElement} */ (document.querySelector("[data-seat]"));
/** Milliseconds until another attempt to follow the seat. */
const AGAIN = 2000;
/** How often an answer is sent once more that the server could not take. */
const TRIES = 15;
/** Milliseconds in which an event and the answer to a request that tell the same have both come. */
const SOON = 150;
/** @type {EventSource | undefined} */
let source;
const stage = /** @type {HTMLElement | null} */ (document.querySelector("[data-watch]"));
const table = stage && new SeatTable(stage, (question, action) => void choose(question.number, action));
/** The number of the question whose answer is on its way or has arrived. */
let sent = 0;
/** How many requests are on their way whose answer is the seat. */
let fetching = 0;
/** What the seat was told last. @type {{ type: string, state?: string, said?: string, question?: { number: number } } | undefined} */
let told;

/** Shows the seat as it is now if the page does not show what was told; the answer to a request on its way may. */
function catchUp() {
  if (!told || fetching) return;
  const { state, number } = seat().dataset;
  const shown = told.state === state && (!told.question || told.question.number <= Number(number)) && !told.said;
  if (!shown) void refresh();
}

/** Shows the seat as it is now. */
async function refresh() {
  fetching += 1;
  const before = told;
  await fetchSeat().finally(() => (fetching -= 1));
  if (told !== before) catchUp();
}

async function fetchSeat() {
  const answer = await fetch(location.href, { headers: { accept: "text/html" } }).catch(() => null);
  if (!answer?.ok) return;
  if (answer.redirected) {
    location.assign(answer.url);
    return;
  }
  take(new DOMParser().parseFromString(await answer.text(), "text/html"));
}

/** @param {Document} fresh */
function take(fresh) {
  const next = /** @type {HTMLElement | null} */ (fresh.querySelector("[data-seat]"));
  if (!next) return;
  const before = seat();
  // What was fetched before an answer was sent may come after it.
  const number = Number(next.dataset.number);
  const late = number < Number(before.dataset.number) || (number === sent && next.dataset.state === "asked");
  if (late && next.dataset.events && !next.querySelector("[role=alert]")) return;
  const asked = before.dataset.number !== next.dataset.number || before.dataset.state !== next.dataset.state;
  if (!asked && next.dataset.state === "asked" && !next.querySelector("[role=alert]")) return;
  const unfolded = before.querySelector("details.last")?.hasAttribute("open");
  before.replaceWith(next);
  next.querySelector("details.last")?.toggleAttribute("open", Boolean(unfolded));
  document.title = fresh.title;
  document.querySelector("h1")?.replaceWith(/** @type {HTMLElement} */ (fresh.querySelector("h1")));
  // Whoever listens hears what is asked; the first choice is one key away.
  if (asked && !document.body.matches(".drawn:not(.in-words)")) /** @type {HTMLElement | null} */ (next.querySelector("#asked"))?.focus({ preventScroll: true });
  if (next.dataset.events) return;
  priced();
  source?.close();
  document.body.classList.add("ended");
}

/** Looks again for prices that are being worked out. */
function priced() {
  if (seat().querySelector("[data-pricing]")) setTimeout(() => void refresh(), AGAIN);
}

function follow() {
  const events = seat().dataset.events;
  if (!events) return;
  source = new EventSource(events);
  source.onmessage = (message) => {
    told = JSON.parse(message.data);
    if (told?.type === "end") source?.close();
    else table?.told(/** @type {any} */ (told));
    catchUp();
  };
  source.onerror = () => {
    // A browser comes back by itself unless it was refused: then, for example, the server starts again.
    if (source?.readyState === EventSource.CLOSED) setTimeout(() => (follow(), void refresh()), AGAIN);
  };
}

/** Answers from the stage. @param {number} number @param {number} action */
function choose(number, action) {
  const proof = /** @type {HTMLInputElement | null} */ (seat().querySelector("[name=proof]"))?.value ?? "";
  return send(`${location.pathname}/answer${location.search}`, number, new URLSearchParams({ proof, number: String(number), action: String(action) }));
}

/** @param {string} address @param {number} number @param {URLSearchParams} body @param {number} tries */
async function send(address, number, body, tries = TRIES) {
  if (number === sent) return;
  sent = number;
  fetching += 1;
  try {
    const answer = await fetch(address, { method: "POST", body, headers: { accept: "text/html" } });
    if (answer.status === 503) throw new Error(String(answer.status)); // the server has just begun
    if (!answer.ok) sent = 0;
    // The answer is the seat as it is after it, or why the answer was not taken.
    if (answer.headers.get("content-type")?.startsWith("text/html")) {
      const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
      const after = /** @type {HTMLElement | null} */ (fresh.querySelector("[data-seat]"))?.dataset;
      if (after?.state === "asked" && Number(after.number) === number) sent = 0; // it is asked again
      take(fresh);
    }
  } catch {
    sent = 0; // the answer may have come or not: its number lets it count once
    if (tries) setTimeout(() => void sendAgain(address, number, body, tries - 1), AGAIN);
  } finally {
    fetching -= 1;
    setTimeout(catchUp, SOON); // the event that tells the same may come after the answer
  }
}

/** Sends an answer once more if it is still asked for. @param {string} address @param {number} number @param {URLSearchParams} body @param {number} tries */
async function sendAgain(address, number, body, tries) {
  await refresh();
  const { state, number: shown } = seat().dataset;
  if (Number(shown) > number || sent) return;
  if (state === "asked" && Number(shown) === number) void send(address, number, body, tries);
  else if (tries && (state === "others" || state === "waiting")) setTimeout(() => void sendAgain(address, number, body, tries - 1), AGAIN);
}

/** Shows the hint at what is asked, in its place. @param {string} address @param {URLSearchParams} body */
async function hinted(address, body) {
  const place = seat().querySelector(".hint");
  place?.setAttribute("aria-busy", "true");
  const answer = await fetch(address, { method: "POST", body, headers: { accept: "text/html" } }).catch(() => null);
  place?.removeAttribute("aria-busy");
  if (!answer) return;
  const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
  const hint = fresh.querySelector(".hint");
  const next = /** @type {HTMLElement | null} */ (fresh.querySelector("[data-seat]"));
  if (hint && place?.isConnected && next?.dataset.number === seat().dataset.number) place.replaceChildren(...hint.childNodes);
}

document.addEventListener("submit", (event) => {
  const form = /** @type {HTMLFormElement} */ (event.target);
  const action = form.getAttribute("action"); // its property is the button of that name
  if (action?.endsWith("/hint")) {
    event.preventDefault();
    void hinted(action, new URLSearchParams(/** @type {any} */ (new FormData(form))));
    return;
  }
  if (!action || !/\/(answer|take-back)$/.test(action.split("?")[0]) || !form.closest("[data-seat]")) return;
  event.preventDefault();
  void send(action, Number(seat().dataset.number), new URLSearchParams(/** @type {any} */ (new FormData(form, event.submitter))));
});

document.addEventListener("visibilitychange", () => {
  if (document.visibilityState === "visible") void refresh();
});

follow();
priced();
