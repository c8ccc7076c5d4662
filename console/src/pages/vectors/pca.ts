// The two directions in which vectors differ most (principal components), and the vectors seen along them.

export interface Projection {
  /** One for each vector, in [-1, 1] on both axes, with one scale for both. */
  points: [number, number][];
  /** The part of all variance that each axis shows, 0 to 1. */
  explained: [number, number];
}

/** The same length for all, so that only directions differ; a vector of zeros stays. */
export function normalized(vectors: number[][]): number[][] {
  return vectors.map((vector) => {
    const length = Math.hypot(...vector);
    return length === 0 ? vector : vector.map((each) => each / length);
  });
}

function centred(vectors: number[][]): Float64Array[] {
  const size = vectors[0]?.length ?? 0;
  const mean = new Float64Array(size);
  for (const vector of vectors) for (let at = 0; at < size; ++at) mean[at]! += vector[at]! / vectors.length;
  return vectors.map((vector) => Float64Array.from(vector, (each, at) => each - mean[at]!));
}

const dot = (a: Float64Array, b: Float64Array) => {
  let sum = 0;
  for (let at = 0; at < a.length; ++at) sum += a[at]! * b[at]!;
  return sum;
};

function scale(vector: Float64Array): boolean {
  const length = Math.sqrt(dot(vector, vector));
  if (!(length > 1e-12)) return false;
  for (let at = 0; at < vector.length; ++at) vector[at]! /= length;
  return true;
}

/** The same numbers every time, so that a picture of the same sample is the same picture. */
function begin(size: number, seed: number): Float64Array {
  let state = seed;
  return Float64Array.from({ length: size }, () => {
    state = (state * 1103515245 + 12345) % 2147483648;
    return state / 2147483648 - 0.5;
  });
}

const roundsMax = 100;

/** The strongest direction that is at right angles to the one before, by power iteration; undefined when nothing is left. */
function component(rows: Float64Array[], before: Float64Array | undefined, seed: number): Float64Array | undefined {
  const size = rows[0]?.length ?? 0;
  let direction = begin(size, seed);
  const straighten = (vector: Float64Array) => {
    if (before === undefined) return;
    const along = dot(vector, before);
    for (let at = 0; at < size; ++at) vector[at]! -= along * before[at]!;
  };
  straighten(direction);
  if (!scale(direction)) return undefined;
  for (let round = 0; round < roundsMax; ++round) {
    const next = new Float64Array(size);
    for (const row of rows) {
      const along = dot(row, direction);
      for (let at = 0; at < size; ++at) next[at]! += along * row[at]!;
    }
    straighten(next);
    if (!scale(next)) return undefined;
    const turned = 1 - Math.abs(dot(next, direction));
    direction = next;
    if (turned < 1e-10) break;
  }
  return direction;
}

/** All vectors have the same length. */
export function project(vectors: number[][]): Projection {
  const rows = centred(vectors);
  const variance = rows.reduce((sum, row) => sum + dot(row, row), 0);
  const first = variance > 0 ? component(rows, undefined, 1) : undefined;
  const second = first && component(rows, first, 2);
  const along = (direction: Float64Array | undefined) => rows.map((row) => (direction ? dot(row, direction) : 0));
  const xs = along(first);
  const ys = along(second);
  const part = (values: number[]) => (variance > 0 ? values.reduce((sum, each) => sum + each * each, 0) / variance : 0);
  const explained: [number, number] = [part(xs), part(ys)];
  const most = Math.max(1e-12, ...xs.map(Math.abs), ...ys.map(Math.abs));
  return { points: xs.map((x, at) => [x / most, (ys[at] ?? 0) / most]), explained };
}

export type Direction = "left" | "right" | "up" | "down";

/** The point that somebody means who goes from one in a direction: near, and more ahead than aside. Up is a larger y. */
export function neighbour(points: readonly [number, number][], from: number, direction: Direction): number {
  const here = points[from];
  if (here === undefined) return from;
  let best = from;
  let least = Number.POSITIVE_INFINITY;
  points.forEach(([x, y], at) => {
    if (at === from) return;
    const dx = x - here[0];
    const dy = y - here[1];
    const ahead = { left: -dx, right: dx, up: dy, down: -dy }[direction];
    const aside = Math.abs(direction === "left" || direction === "right" ? dy : dx);
    if (ahead <= 1e-9 || aside > 2 * ahead) return;
    const cost = ahead + 2 * aside;
    if (cost < least) {
      least = cost;
      best = at;
    }
  });
  return best;
}
