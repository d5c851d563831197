// @ts-check
/* Shares the card in view, whose address the page has: a button copies it, where browsers allow that, and a link leads to
   its picture. */

const button = /** @type {HTMLButtonElement | null} */ (document.querySelector("[data-copy]"));
const picture = /** @type {HTMLAnchorElement | null} */ (document.querySelector("[data-picture]"));

/** Returns the address of the card in view, without what follows a #. */
function address() {
  return location.href.replace(/#.*/, "");
}

if (button && navigator.clipboard) {
  button.hidden = false;
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(address());
    const status = button.parentElement?.querySelector("[role=status]");
    if (status) status.textContent = button.dataset.copy ?? "";
  });
}
picture?.addEventListener("click", () => {
  if (/\.\d+$/.test(location.pathname)) picture.href = `${location.pathname}.png`;
});
