import { describe, expect, it } from "vitest";
import { type FanOut, type FanOutOptions, fresh, hasEnded, nextPage } from "./fan_out";

function options(more: Partial<FanOutOptions<number>> = {}): FanOutOptions<number> {
  let time = 0;
  return { limit: 100, throttle: 2, ask: async () => ({ items: 1, next: undefined }), onChange: () => {}, signal: new AbortController().signal, clock: () => ++time, ...more };
}

describe("nextPage", () => {
  it("asks every shard once, never more than the throttle at a time", async () => {
    let now = 0;
    let most = 0;
    const done = await nextPage(fresh<number>(["a", "b", "c", "d", "e"]), options({
      ask: async () => {
        most = Math.max(most, ++now);
        await Promise.resolve();
        --now;
        return { items: 2, next: undefined };
      },
    }));
    expect(most).toBe(2);
    expect(done).toMatchObject({ items: 10, calls: 5 });
    expect(hasEnded(done)).toBe(true);
  });
  it("stops when there are enough, and goes on where shards stand", async () => {
    const asked: [string, number | undefined][] = [];
    const ask = async (key: string, next: number | undefined) => {
      asked.push([key, next]);
      return { items: 5, next: next === undefined ? 1 : undefined };
    };
    const first = await nextPage(fresh<number>(["a", "b", "c"]), options({ limit: 5, throttle: 1, ask }));
    expect(first.lanes.map(({ state }) => state)).toEqual(["answered", "waiting", "waiting"]);
    const second = await nextPage(first, options({ limit: 100, throttle: 1, ask }));
    expect(asked).toEqual([["a", undefined], ["a", 1], ["b", undefined], ["c", undefined]]);
    expect(second.lanes.map(({ state }) => state)).toEqual(["ended", "answered", "answered"]);
    expect(second.items).toBe(15);
  });
  it("shows a shard that failed, and fails", async () => {
    let last: FanOut<number> | undefined;
    const ask = async (key: string) => {
      if (key === "b") throw new Error("throttled");
      return { items: 1, next: undefined };
    };
    await expect(nextPage(fresh<number>(["a", "b", "c"]), options({ throttle: 1, ask, onChange: (now) => (last = now) }))).rejects.toThrow("throttled");
    expect(last?.lanes.map(({ state }) => state)).toEqual(["ended", "failed", "waiting"]);
  });
});
