import { describe, expect, it } from "vitest";
import type { Item } from "../api/attribute";
import { type FetchPage, ItemPages } from "./pages";

/** Rows 0 to `rows` - 1, and a note of every request. */
function table(rows: number) {
  const asked: { start: number; limit: number; countOnly: boolean }[] = [];
  const fetch: FetchPage = async (start, limit, countOnly) => {
    const from = (start as number | undefined) ?? 0;
    asked.push({ start: from, limit, countOnly });
    const count = Math.min(limit, rows - from);
    const items: Item[] = Array.from({ length: count }, (_, at) => ({ id: { N: String(from + at) } }));
    return { ...(countOnly ? {} : { items }), count, next: from + count < rows ? from + count : undefined };
  };
  return { fetch, asked };
}

async function settled(pages: ItemPages): Promise<void> {
  while (pages.loading) await new Promise((resolve) => setTimeout(resolve));
}

const idAt = (pages: ItemPages, row: number) => (pages.rowAt(row)?.["id"] as { N: string } | undefined)?.N;

describe("ItemPages", () => {
  it("fetches only what somebody looks at", async () => {
    const { fetch, asked } = table(1000);
    const pages = new ItemPages({ fetch, rowsPerPage: 100 });
    pages.look(0, 30);
    await settled(pages);
    expect(asked).toEqual([{ start: 0, limit: 100, countOnly: false }]);
    expect([idAt(pages, 0), idAt(pages, 99), idAt(pages, 100)]).toEqual(["0", "99", undefined]);
    expect([pages.rowCount, pages.isComplete]).toEqual([101, false]);
  });

  it("counts pages that are only passed, and fetches the one that is looked at", async () => {
    const { fetch, asked } = table(10_000);
    const pages = new ItemPages({ fetch, rowsPerPage: 100, estimate: 10_000 });
    pages.look(5_050, 5_080);
    await settled(pages);
    expect(idAt(pages, 5_060)).toBe("5060");
    expect(asked.filter(({ countOnly }) => !countOnly)).toEqual([{ start: 5_000, limit: 100, countOnly: false }]);
    expect(asked.length).toBe(6);
    expect(pages.rowCount).toBe(10_000);
  });

  it("comes back to what it has passed or forgotten", async () => {
    const { fetch } = table(10_000);
    const pages = new ItemPages({ fetch, rowsPerPage: 100, rowsKeptMax: 300 });
    for (const row of [0, 9_999, 4_000, 7_050, 2_500, 0]) {
      pages.look(row, row + 1);
      await settled(pages);
      expect(idAt(pages, row)).toBe(String(row));
      expect([...pages.loadedRows()].length).toBeLessThanOrEqual(1300);
    }
    expect([pages.rowCount, pages.isComplete]).toEqual([10_000, true]);
  });

  it("corrects an estimate at the end", async () => {
    const { fetch } = table(250);
    const pages = new ItemPages({ fetch, rowsPerPage: 100, estimate: 5000 });
    pages.look(4_900, 4_930);
    await settled(pages);
    expect([pages.rowCount, pages.isComplete]).toEqual([250, true]);
  });

  it("keeps its places when rows go", async () => {
    const { fetch } = table(250);
    const pages = new ItemPages({ fetch, rowsPerPage: 100 });
    pages.look(0, 250);
    await settled(pages);
    pages.change((item) => (Number((item["id"] as { N: string }).N) % 2 === 0 ? undefined : item));
    expect([pages.rowCount, idAt(pages, 0), idAt(pages, 124)]).toEqual([125, "1", "249"]);
  });

  it("stops at an error and goes on when it is asked to", async () => {
    const good = table(50).fetch;
    let broken = true;
    const pages = new ItemPages({ fetch: (...args) => (broken ? Promise.reject(new Error("no")) : good(...args)) });
    pages.look(0, 10);
    await settled(pages);
    expect(pages.error).toEqual(new Error("no"));
    broken = false;
    pages.retry();
    await settled(pages);
    expect([pages.error, idAt(pages, 5)]).toEqual([undefined, "5"]);
  });

  it("skips pages without rows, as a filter makes them", async () => {
    const counts = [0, 0, 3, 0, 2];
    const pages = new ItemPages({ fetch: async (start) => {
      const at = (start as number | undefined) ?? 0;
      const count = counts[at]!;
      return { items: Array.from({ length: count }, (_, row) => ({ id: { N: `${at}${row}` } })), count, next: at + 1 < counts.length ? at + 1 : undefined };
    } });
    pages.look(0, 10);
    await settled(pages);
    expect([0, 1, 2, 3, 4].map((row) => idAt(pages, row))).toEqual(["20", "21", "22", "40", "41"]);
    expect(pages.isComplete).toBe(true);
  });
});
