// Shows moments in the reader's time zone, and how long it is until then.

/** @type {[Intl.RelativeTimeFormatUnit, number][]} */
const STEPS = [
  ["day", 86_400],
  ["hour", 3600],
  ["minute", 60],
];

const shown = new Intl.DateTimeFormat(document.documentElement.lang, { dateStyle: "medium", timeStyle: "short" });
const distance = new Intl.RelativeTimeFormat(document.documentElement.lang, { numeric: "always" });

/** @param {Date} moment */
function until(moment) {
  const seconds = Math.round((moment.getTime() - Date.now()) / 1000);
  for (const [unit, length] of STEPS) {
    if (Math.abs(seconds) >= 2 * length) return distance.format(Math.round(seconds / length), unit);
  }
  return distance.format(seconds, "second");
}

function show() {
  for (const time of /** @type {NodeListOf<HTMLTimeElement>} */ (document.querySelectorAll("time[data-local]"))) {
    const moment = new Date(time.dateTime);
    if (!time.title) {
      time.title = time.textContent ?? "";
      time.textContent = shown.format(moment);
    }
    const left = time.parentElement?.querySelector("[data-until]");
    if (left) left.textContent = `(${until(moment)})`;
  }
}

show();
setInterval(show, 1000);
