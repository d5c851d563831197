// Shows parts of a page as they are now, in place: those with `data-live` and an id. What is read and unfolded, where
// the focus is and how far the page is scrolled stay as they are. Parts with `data-unready` have nothing to show yet.

/** Fetches this page again and takes over its live parts. */
export async function refresh() {
  const answer = await fetch(location.href, { headers: { accept: "text/html" } }).catch(() => null);
  if (!answer?.ok) return;
  const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
  for (const region of document.querySelectorAll("[data-live]")) {
    const next = fresh.getElementById(region.id);
    if (next && !next.matches("[data-unready]") && next.innerHTML !== region.innerHTML) replace(region, next);
  }
}

/** @param {Element} region @param {Element} next */
function replace(region, next) {
  const focused = region.contains(document.activeElement) ? document.activeElement : null;
  const link = focused?.getAttribute("href");
  const label = focused?.getAttribute("aria-label");
  const scrolled = [...region.querySelectorAll(".wide")].map((one) => one.scrollLeft);
  const unfolded = [...region.querySelectorAll("details")].map((one) => one.open);
  region.replaceChildren(...next.cloneNode(true).childNodes);
  region.querySelectorAll("details").forEach((one, at) => (one.open = unfolded[at] ?? one.open));
  region.querySelectorAll(".wide").forEach((one, at) => (one.scrollLeft = scrolled[at] ?? 0));
  if (!focused) return;
  const same = [...region.querySelectorAll("a[href], [tabindex]")].find((one) =>
    link ? one.getAttribute("href") === link : one.getAttribute("aria-label") === label,
  );
  if (same instanceof HTMLElement) same.focus({ preventScroll: true });
}

/** Refreshes the page at this interval while somebody can see it. @param {number} seconds */
export function refreshEvery(seconds) {
  setInterval(() => document.visibilityState === "visible" && void refresh(), seconds * 1000);
}
