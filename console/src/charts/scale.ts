// Axes: from values to places, and the values at which to draw lines.

/** Maps [from, to] to [start, end]. A domain without extent maps to the middle. */
export function linear(from: number, to: number, start: number, end: number): (value: number) => number {
  if (to === from) return () => (start + end) / 2;
  const factor = (end - start) / (to - from);
  return (value) => start + (value - from) * factor;
}

/** Round values from `from` to `to`, about `wanted` of them: steps of 1, 2 or 5 times a power of ten. */
export function ticks(from: number, to: number, wanted = 4): number[] {
  if (!(to > from) || !Number.isFinite(to - from)) return [from];
  const rough = (to - from) / Math.max(1, wanted);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((each) => each * power).find((each) => each >= rough * 0.999) ?? 10 * power;
  const values: number[] = [];
  for (let at = Math.ceil(from / step - 1e-9); at * step <= to + step * 1e-9; ++at) values.push(Number((at * step).toPrecision(12)));
  return values;
}

/** The least round value that is not below `value`, so that the highest line has its own tick. */
export function roundUp(value: number): number {
  if (!(value > 0)) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  return ([1, 1.5, 2, 3, 4, 5, 6, 8, 10].find((each) => each * power >= value * 0.999999) ?? 10) * power;
}

/** The same two for sizes, whose units are 1,024 times as large as the one before: 200 KB and not 195.3 KB. */
export function byteScale(value: number): { highest: number; ticks: number[] } {
  const unit = 1024 ** Math.max(0, Math.floor(Math.log2(Math.max(1, value)) / 10));
  const highest = roundUp(value / unit);
  return { highest: highest * unit, ticks: ticks(0, highest).map((each) => each * unit) };
}

const short = new Intl.NumberFormat("en", { maximumSignificantDigits: 3, notation: "compact" });

/** "1.2K": for the labels of an axis. */
export function shortNumber(value: number): string {
  return short.format(value);
}

/** A duration in the largest unit that leaves a number of one to three digits. */
export function shortSeconds(seconds: number): string {
  const units: [number, string][] = [[86400, "d"], [3600, "h"], [60, "min"], [1, "s"], [1e-3, "ms"], [1e-6, "µs"]];
  if (!(seconds > 0)) return "0 s";
  const [size, name] = units.find(([each]) => seconds >= each) ?? [1e-6, "µs"];
  return `${Number((seconds / size).toPrecision(3))} ${name}`;
}
