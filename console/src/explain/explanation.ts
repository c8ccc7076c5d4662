// What the server says about a read that it was asked to explain (docs/testing.md).

export interface ReadPart {
  table: string;
  index?: string;
  partitions_read: number;
  items_read: number;
  items_returned: number;
  items_fetched?: number;
  bytes_read: number;
  bytes_returned: number;
  capacity: number;
  way?: string;
  vectors_compared?: number;
}

export interface Explanation {
  operation: string;
  parts: ReadPart[];
  phases: { name: string; nanoseconds: number }[];
  warnings: { kind: string; message: string }[];
  left_out?: boolean;
}

const header = "x-dolmen-explain";

/** Asks for it. */
export const explainHeaders: Record<string, string> = { [header]: "true" };

/** Undefined when the answer has none. */
export function explanationOf(headers: Headers): Explanation | undefined {
  const text = headers.get(header);
  if (text === null) return undefined;
  try {
    return JSON.parse(text) as Explanation;
  } catch {
    return undefined;
  }
}

export interface Slice {
  name: string;
  /** Of the whole, from 0 to 1. */
  from: number;
  to: number;
  nanoseconds: number;
}

/** The phases side by side. */
export function slicesOf(explanation: Explanation): Slice[] {
  const total = explanation.phases.reduce((sum, { nanoseconds }) => sum + nanoseconds, 0);
  let before = 0;
  return explanation.phases.map(({ name, nanoseconds }) => {
    const slice = { name, from: total === 0 ? 0 : before / total, to: total === 0 ? 0 : (before + nanoseconds) / total, nanoseconds };
    before += nanoseconds;
    return slice;
  });
}

export function duration(nanoseconds: number): string {
  if (nanoseconds < 1000) return `${nanoseconds} ns`;
  if (nanoseconds < 1_000_000) return `${(nanoseconds / 1000).toFixed(1)} µs`;
  return `${(nanoseconds / 1_000_000).toFixed(2)} ms`;
}
