// Prometheus's text format, as far as /metrics writes it, and numbers that follow from two readings.

export interface Sample {
  labels: Record<string, string>;
  value: number;
}

/** Samples by the name of their metric. */
export type Exposition = Map<string, Sample[]>;

const linePattern = /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})?\s+(\S+)(?:\s+-?\d+)?$/;
const labelPattern = /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\]|\\.)*)"\s*,?\s*/gy;

function labelsOf(text: string): Record<string, string> | undefined {
  const labels: Record<string, string> = Object.create(null) as Record<string, string>;
  labelPattern.lastIndex = 0;
  let end = 0;
  for (let found = labelPattern.exec(text); found !== null; found = labelPattern.exec(text)) {
    labels[found[1]!] = found[2]!.replace(/\\(.)/g, (_, each: string) => (each === "n" ? "\n" : each));
    end = labelPattern.lastIndex;
  }
  return end === text.length ? labels : undefined;
}

function valueOf(text: string): number {
  if (text === "+Inf") return Number.POSITIVE_INFINITY;
  return text === "-Inf" ? Number.NEGATIVE_INFINITY : Number(text);
}

/** Lines that are not of the format are left out. */
export function parseExposition(text: string): Exposition {
  const all: Exposition = new Map();
  for (const line of text.split("\n")) {
    if (line === "" || line.startsWith("#")) continue;
    const found = linePattern.exec(line.trim());
    const labels = found === null ? undefined : labelsOf(found[2] ?? "");
    const value = found === null ? Number.NaN : valueOf(found[3]!);
    if (found === null || labels === undefined || Number.isNaN(value)) continue;
    const samples = all.get(found[1]!);
    if (samples === undefined) all.set(found[1]!, [{ labels, value }]);
    else samples.push({ labels, value });
  }
  return all;
}

/** The sum of the samples of a metric, or of those with the labels; undefined when there are none. */
export function total(all: Exposition, name: string, only: Record<string, string> = {}): number | undefined {
  const samples = all.get(name)?.filter(({ labels }) => Object.entries(only).every(([label, value]) => labels[label] === value));
  return samples === undefined || samples.length === 0 ? undefined : samples.reduce((sum, { value }) => sum + value, 0);
}

/** Sums by the values of one label. */
export function totalsBy(all: Exposition, name: string, label: string): Map<string, number> {
  const sums = new Map<string, number>();
  for (const { labels, value } of all.get(name) ?? []) sums.set(labels[label] ?? "", (sums.get(labels[label] ?? "") ?? 0) + value);
  return sums;
}

/** What a counter grew by. A counter that has become smaller began anew with a restart, and what it has is new. */
export function growth(before: number | undefined, after: number | undefined): number {
  if (after === undefined) return 0;
  return before === undefined || after < before ? after : after - before;
}

export interface Bucket {
  /** Infinity is the last. */
  upTo: number;
  /** How many have come in it, not in those below. */
  count: number;
}

/** What has come into the buckets of a histogram between two readings, summed over all other labels. */
export function bucketsBetween(before: Exposition | undefined, after: Exposition, name: string, only: Record<string, string> = {}): Bucket[] {
  const sums = (all: Exposition | undefined) => {
    const found = new Map<number, number>();
    for (const { labels, value } of all?.get(`${name}_bucket`) ?? []) {
      if (!Object.entries(only).every(([label, wanted]) => labels[label] === wanted)) continue;
      const edge = valueOf(labels["le"] ?? "");
      found.set(edge, (found.get(edge) ?? 0) + value);
    }
    return found;
  };
  const old = sums(before);
  const edges = [...sums(after)].sort(([a], [b]) => a - b);
  const began = edges.some(([edge, value]) => value < (old.get(edge) ?? 0));
  let below = 0;
  return edges.map(([upTo, value]) => {
    const here = value - (began ? 0 : (old.get(upTo) ?? 0));
    const bucket = { upTo, count: Math.max(0, here - below) };
    below = here;
    return bucket;
  });
}

/** The value below which the part `q` lies, by a straight line within its bucket; undefined when nothing has come. */
export function quantile(buckets: Bucket[], q: number): number | undefined {
  const all = buckets.reduce((sum, { count }) => sum + count, 0);
  if (all === 0) return undefined;
  const wanted = q * all;
  let seen = 0;
  let from = 0;
  for (const { upTo, count } of buckets) {
    if (seen + count >= wanted && count > 0) return Number.isFinite(upTo) ? from + (upTo - from) * ((wanted - seen) / count) : from;
    seen += count;
    if (Number.isFinite(upTo)) from = upTo;
  }
  return from;
}
