// @ts-check
/* What this browser keeps for somebody, by name; a browser that keeps nothing forgets it with the page. */

/** Bots with a star, by name. */
export const STARS = "farfalia-stars";
/** What somebody wants to be told of: `bot:NAME`, `match:NUMBER`, `tournament:NUMBER` for its incidents, `stars`. */
export const NOTICES = "farfalia-notices";

/**
 * Returns what is kept, or what stands for nothing.
 * @template T
 * @param {string} name
 * @param {T} nothing
 * @returns {T}
 */
export function kept(name, nothing) {
  try {
    const found = JSON.parse(localStorage.getItem(name) ?? "null");
    return found && Array.isArray(found) === Array.isArray(nothing) ? found : nothing;
  } catch {
    return nothing; // nothing of ours
  }
}

/** Keeps something, and tells this page as the browser tells the others. @param {string} name @param {unknown} value */
export function keep(name, value) {
  try {
    localStorage.setItem(name, JSON.stringify(value));
  } catch {
    return;
  }
  dispatchEvent(new Event("storage"));
}
