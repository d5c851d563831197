// @ts-check
/* The button on the page of a bot by which somebody follows it, kept in this browser alone. */

import { keep, kept, STARS } from "./kept.js";

const button = /** @type {HTMLButtonElement} */ (document.querySelector("[data-star]"));
const name = button.dataset.star ?? "";
const stars = () => kept(STARS, /** @type {Record<string, object>} */ ({}));
const write = () => button.setAttribute("aria-pressed", String(name in stars()));
button.addEventListener("click", () => {
  const { [name]: own, ...others } = stars();
  keep(STARS, own ? others : { ...others, [name]: {} });
  write();
});
write();
button.hidden = false;
