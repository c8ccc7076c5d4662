// The difference of two texts, line by line (the longest common subsequence).

export interface DiffLine {
  kind: "same" | "removed" | "added";
  text: string;
  /** Counted from 1; undefined where the line is not in that text. */
  before: number | undefined;
  after: number | undefined;
}

/** Texts of schemas: at most a few thousand lines. Longer ones are compared by what they begin and end with. */
const cellsMax = 4_000_000;

function lengths(a: string[], b: string[]): Uint32Array[] {
  const table = Array.from({ length: a.length + 1 }, () => new Uint32Array(b.length + 1));
  for (let i = a.length - 1; i >= 0; --i)
    for (let j = b.length - 1; j >= 0; --j) table[i]![j] = a[i] === b[j] ? table[i + 1]![j + 1]! + 1 : Math.max(table[i + 1]![j]!, table[i]![j + 1]!);
  return table;
}

export function diffLines(before: string, after: string): DiffLine[] {
  const a = before === "" ? [] : before.replace(/\n$/, "").split("\n");
  const b = after === "" ? [] : after.replace(/\n$/, "").split("\n");
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) ++start;
  let end = 0;
  while (end < a.length - start && end < b.length - start && a[a.length - 1 - end] === b[b.length - 1 - end]) ++end;
  const middleA = a.slice(start, a.length - end);
  const middleB = b.slice(start, b.length - end);
  const lines: DiffLine[] = a.slice(0, start).map((text, at) => ({ kind: "same", text, before: at + 1, after: at + 1 }));
  let i = 0;
  let j = 0;
  const table = middleA.length * middleB.length <= cellsMax ? lengths(middleA, middleB) : undefined;
  while (i < middleA.length || j < middleB.length) {
    if (i < middleA.length && j < middleB.length && middleA[i] === middleB[j]) {
      lines.push({ kind: "same", text: middleA[i]!, before: start + i + 1, after: start + j + 1 });
      ++i;
      ++j;
    } else if (j === middleB.length || (i < middleA.length && (table === undefined || table[i + 1]![j]! >= table[i]![j + 1]!))) {
      lines.push({ kind: "removed", text: middleA[i]!, before: start + i + 1, after: undefined });
      ++i;
    } else {
      lines.push({ kind: "added", text: middleB[j]!, before: undefined, after: start + j + 1 });
      ++j;
    }
  }
  for (let at = end; at > 0; --at) lines.push({ kind: "same", text: a[a.length - at]!, before: a.length - at + 1, after: b.length - at + 1 });
  return lines;
}
