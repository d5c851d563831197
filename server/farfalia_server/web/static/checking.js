// Follows the check of a program: shows each step as it is taken, and ends with the last one.
import { refresh } from "./regions.js";

const timer = setInterval(async () => {
  if (document.visibilityState !== "visible") return;
  await refresh();
  if (!document.querySelector("[data-checking]")) clearInterval(timer);
}, 2000);
