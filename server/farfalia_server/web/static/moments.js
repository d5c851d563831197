// Shows moments in the reader's time zone, and how long it is until then.

const STEPS = [
  ["day", 86_400],
  ["hour", 3600],
  ["minute", 60],
  ["second", 1],
];

const shown = new Intl.DateTimeFormat(document.documentElement.lang, { dateStyle: "medium", timeStyle: "short" });
const distance = new Intl.RelativeTimeFormat(document.documentElement.lang, { numeric: "always" });

function until(moment) {
  const seconds = Math.round((moment - Date.now()) / 1000);
  const [unit, length] = STEPS.find(([, length]) => Math.abs(seconds) >= 2 * length) ?? STEPS[STEPS.length - 1];
  return distance.format(Math.round(seconds / length), unit);
}

for (const time of document.querySelectorAll("time[data-local]")) {
  const moment = new Date(time.dateTime);
  time.title = time.textContent;
  time.textContent = shown.format(moment);
  const left = time.parentElement.querySelector("[data-until]");
  const tick = () => {
    left.textContent = `(${until(moment)})`;
  };
  if (left) {
    tick();
    setInterval(tick, 1000);
  }
}
