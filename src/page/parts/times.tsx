/** A moment, short for the eye and whole in its attributes. */
export function Moment({ at }: { at: string | null }) {
  if (at === null) return <>–</>;
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) return <>{at}</>;
  return (
    <time dateTime={at} title={at}>
      {shownMoment(date)}
    </time>
  );
}

/** `14:03` today, `1 Dec 14:03` this year, with the year before. */
export function shownMoment(date: Date, now = new Date()): string {
  const time = `${two(date.getHours())}:${two(date.getMinutes())}`;
  if (date.toDateString() === now.toDateString()) return time;
  const day = `${date.getDate()} ${MONTHS[date.getMonth()]}`;
  return date.getFullYear() === now.getFullYear() ? `${day} ${time}` : `${day} ${date.getFullYear()}`;
}

/** To the second, as a clock here shows it. */
export function shownClock(at: string): string {
  const date = new Date(at);
  return [date.getHours(), date.getMinutes(), date.getSeconds()].map(two).join(":");
}

/** A span of seconds: `8 s`, `3 min 20 s`, `2 h 5 min`. */
export function shownSpan(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  if (whole < 60) return `${whole} s`;
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
  const hours = Math.floor(whole / 3600);
  if (hours < 48) return `${hours} h ${Math.floor((whole % 3600) / 60)} min`;
  return `${Math.floor(hours / 24)} d ${hours % 24} h`;
}

/** From one moment to another, or to now. */
export function spanBetween(start: string | null, end: string | null): string {
  if (start === null) return "–";
  const until = end === null ? Date.now() : Date.parse(end);
  const seconds = (until - Date.parse(start)) / 1000;
  return Number.isFinite(seconds) ? shownSpan(seconds) : "–";
}

const MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(" ");

function two(number: number): string {
  return String(number).padStart(2, "0");
}
