// Numbers, sizes and times for people, and words for shells.

const decimal = new Intl.NumberFormat("en", { maximumFractionDigits: 1 });
const whole = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });

export function count(value: number): string {
  return whole.format(value);
}

/** "3 items". */
export function counted(value: number, one: string, many = one + "s"): string {
  return `${whole.format(value)} ${value === 1 ? one : many}`;
}

export function bytes(value: number): string {
  const units = ["B", "KB", "MB", "GB", "TB"];
  let unit = 0;
  while (value >= 1024 && unit < units.length - 1) {
    value /= 1024;
    ++unit;
  }
  return `${unit === 0 ? whole.format(value) : decimal.format(value)} ${units[unit]}`;
}

export function milliseconds(value: number): string {
  return value < 1000 ? `${decimal.format(value)} ms` : `${decimal.format(value / 1000)} s`;
}

/** The same for what is past, never more than it is. */
export const age = (seconds: number): string => duration(seconds, Math.floor);

/** "9 s", "5 min", "23 h 59 min", "3 d 4 h": what is left, never less than it is. */
export function duration(seconds: number, round: (value: number) => number = Math.ceil): string {
  const parts = (value: number, large: string, small: string, each: number) => [`${Math.floor(value / each)} ${large}`, ...(value % each > 0 ? [`${value % each} ${small}`] : [])].join(" ");
  if (seconds <= 120) return `${round(seconds)} s`;
  const minutes = round(seconds / 60);
  if (minutes < 120) return `${minutes} min`;
  if (minutes < 48 * 60) return parts(minutes, "h", "min", 60);
  return parts(round(minutes / 60), "d", "h", 24);
}

/** "2026-11-17 10:15:30" in the person's own time. */
export function time(date: Date): string {
  if (Number.isNaN(date.getTime())) return "an unknown time";
  const two = (value: number) => String(value).padStart(2, "0");
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())} ${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;
}

/** Of the seconds since 1970 that the protocol sends. */
export function timeOf(seconds: number): string {
  return time(new Date(seconds * 1000));
}

/** For a shell of POSIX. */
export const shellQuote = (text: string): string => (/^[A-Za-z0-9_\-./:=@%+,]+$/.test(text) ? text : `'${text.replace(/'/g, `'\\''`)}'`);
