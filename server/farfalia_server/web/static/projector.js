// @ts-check
/* Shows the scenes of a tournament on a wall, one after another, each as it is when it is shown. It holds with the space
   bar or the button, while somebody has the focus or the pointer in a scene, and where people do not want movement. */

import { filled } from "./filled.js";

/** Seconds for which a scene is shown, and between two looks at the tournament. */
const SHOWN = 12;
const LOOKED = 5;

const words = JSON.parse(document.getElementById("words")?.textContent ?? "{}");
const root = /** @type {HTMLElement} */ (document.getElementById("scenes"));
const hold = /** @type {HTMLButtonElement} */ (document.querySelector("[data-hold]"));
/** The scenes as they were at the last look. */
let scenes = /** @type {HTMLElement[]} */ ([...root.children]);
let kind = scenes.find((scene) => !scene.hidden)?.dataset.scene ?? "";
let scene = /** @type {HTMLElement} */ (scenes.find((one) => !one.hidden) ?? scenes[0]);
/** The page of each kind that comes next. @type {Map<string, number>} */
const next = new Map();
/** Where each entrant stood when its row was last shown. @type {Map<string, number>} */
const stood = new Map();
let stopped = matchMedia("(prefers-reduced-motion: reduce)").matches;

/** Puts a scene on the wall. @param {HTMLElement} found */
function show(found) {
  leave();
  scene = /** @type {HTMLElement} */ (found.cloneNode(true));
  kind = scene.dataset.scene ?? "";
  scene.hidden = false;
  draw(scene);
  frame(scene);
  root.replaceChildren(scene);
}

/** Remembers where those stood whose rows were shown. */
function leave() {
  for (const row of rows(scene)) stood.set(row.dataset.entrant ?? "", Number(row.dataset.place));
}

/** @param {HTMLElement} of */
function rows(of) {
  return /** @type {NodeListOf<HTMLElement>} */ (of.querySelectorAll("[data-entrant]"));
}

/** Says beside each entrant how far it has moved since its row was last shown. @param {HTMLElement} of */
function draw(of) {
  for (const row of rows(of)) {
    const moved = (stood.get(row.dataset.entrant ?? "") ?? Number(row.dataset.place)) - Number(row.dataset.place);
    const arrow = /** @type {HTMLElement} */ (row.querySelector(".moved"));
    if (!moved) continue;
    const said = document.createElement("span");
    said.className = "hidden";
    said.textContent = filled(moved > 0 ? words.up : words.down, { number: Math.abs(moved) });
    const sign = document.createElement("span");
    sign.setAttribute("aria-hidden", "true");
    sign.textContent = `${moved > 0 ? "▲" : "▼"}${Math.abs(moved)}`;
    arrow.classList.add(moved > 0 ? "up" : "down");
    arrow.replaceChildren(sign, said);
  }
}

/** Opens the table of a scene that has one. @param {HTMLElement} of */
function frame(of) {
  const place = of.querySelector(".frame");
  if (!(place instanceof HTMLElement) || !of.dataset.frame) return;
  const table = document.createElement("iframe");
  table.src = of.dataset.frame;
  table.title = place.dataset.title ?? "";
  place.replaceChildren(table);
}

/** The kinds of scenes, in their order. */
function kinds() {
  return [...new Set(scenes.map((one) => one.dataset.scene ?? ""))];
}

/** Goes on to the next kind of scene, or back; of one with pages each time to the following page. @param {number} by */
function turn(by) {
  const all = kinds();
  const at = all.indexOf(kind);
  const wanted = all[(Math.max(at, 0) + by + all.length) % all.length];
  const pages = scenes.filter((one) => one.dataset.scene === wanted);
  const page = (next.get(wanted) ?? 0) % pages.length;
  next.set(wanted, page + 1);
  show(pages[page]);
}

/** Looks how the tournament stands. What is on the wall follows, but for a table, which follows by itself. */
async function look() {
  const answer = await fetch(location.href, { headers: { accept: "text/html" } }).catch(() => null);
  if (!answer?.ok) return;
  const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
  const now = fresh.getElementById("scenes");
  if (!now || now.matches("[data-unready]")) return; // what is known already is more
  root.removeAttribute("data-unready");
  scenes = /** @type {HTMLElement[]} */ ([...now.children]);
  document.getElementById("state")?.replaceChildren(...(fresh.getElementById("state")?.childNodes ?? []));
  const same = scenes.find((one) => one.id === scene.id);
  if (!same) {
    if (!kinds().includes(kind)) turn(0);
  } else if (same.dataset.frame !== scene.dataset.frame) {
    return; // the table that was chosen is seen to the end of its time
  } else if (scene.dataset.frame) {
    for (const part of ["h2", ".beside"]) {
      const said = same.querySelector(part);
      if (said) scene.querySelector(part)?.replaceWith(said.cloneNode(true));
    }
  } else {
    const drawn = /** @type {HTMLElement} */ (same.cloneNode(true));
    draw(drawn);
    if (drawn.innerHTML !== scene.innerHTML) scene.replaceChildren(...drawn.childNodes);
  }
}

/** Whether somebody is looking at the scene more closely. */
function watched() {
  return scene.matches(":hover, :focus-within");
}

function write() {
  hold.textContent = stopped ? words.turn : words.stop;
}

function toggle() {
  stopped = !stopped;
  write();
}

function full() {
  if (document.fullscreenElement) void document.exitFullscreen();
  else void document.documentElement.requestFullscreen();
}

/** Writes how long it is until something begins. */
function count() {
  for (const time of /** @type {NodeListOf<HTMLTimeElement>} */ (scene.querySelectorAll("[data-countdown]"))) {
    const left = Math.max(0, Math.round((Date.parse(time.dateTime) - Date.now()) / 1000));
    const parts = [Math.floor(left / 3600), Math.floor(left / 60) % 60, left % 60];
    time.textContent = parts.map((part) => String(part).padStart(2, "0")).join(":");
  }
}

for (const button of /** @type {NodeListOf<HTMLButtonElement>} */ (document.querySelectorAll("[data-by]"))) {
  button.addEventListener("click", () => turn(Number(button.dataset.by)));
}
hold.addEventListener("click", toggle);
document.querySelector("[data-full]")?.addEventListener("click", full);
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey) return;
  if (event.key === "ArrowRight") turn(1);
  else if (event.key === "ArrowLeft") turn(-1);
  else if (event.key === "f") full();
  else if (event.key === "b") /** @type {HTMLAnchorElement} */ (document.querySelector("[data-black]")).click();
  else if (event.key === " " && !(event.target instanceof HTMLButtonElement)) {
    event.preventDefault();
    toggle();
  }
});
/** @type {HTMLElement} */ (document.querySelector(".turning")).hidden = false;
write();
next.set(kind, scenes.filter((one) => one.dataset.scene === kind).indexOf(scene) + 1);
show(scene);
count();
setInterval(count, 1000);
setInterval(() => stopped || watched() || turn(1), SHOWN * 1000);
setInterval(() => document.visibilityState === "visible" && void look(), LOOKED * 1000);
