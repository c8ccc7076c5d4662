import { expect, it } from "vitest";
import type { Outcome } from "./experiment";
import { runMany } from "./experiment";

const outcome = (n: number): Outcome => ({ n, result: "ok", isFault: false, milliseconds: 1, reported: { seed: undefined, number: undefined, faults: [] } });

it("runMany makes each request once, and not more at a time", async () => {
  let now = 0;
  let most = 0;
  const seen: number[] = [];
  await runMany(20, 4, async (n) => {
    most = Math.max(most, ++now);
    await Promise.resolve();
    --now;
    return outcome(n);
  }, ({ n }) => seen.push(n), new AbortController().signal);
  expect(seen.sort((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, n) => n));
  expect(most).toBe(4);
});

it("runMany stops when it is told to", async () => {
  const abort = new AbortController();
  const seen: number[] = [];
  await runMany(100, 1, async (n) => outcome(n), ({ n }) => { seen.push(n); if (n === 4) abort.abort(); }, abort.signal);
  expect(seen).toHaveLength(5);
});
