import { describe, expect, it } from "vitest";
import { writeAll, type WriteRequest } from "./batch";
import { itemOfLine, LineCutter } from "./import_lines";

function cut(...chunks: string[]) {
  const cutter = new LineCutter();
  return [...chunks.flatMap((chunk) => cutter.add(chunk)), ...cutter.finish()].map(({ number, text }) => [number, text]);
}

describe("LineCutter", () => {
  it("puts lines together that came in pieces", () => {
    expect(cut('{"a":', '1}\n{"a"', ':2}\n\n{"a":3}')).toEqual([[1, '{"a":1}'], [2, '{"a":2}'], [4, '{"a":3}']]);
  });
  it("reads an array with an element on each line", () => {
    expect(cut('[\n  {"a": [1]},\r\n  {"a": 2}\n]\n')).toEqual([[2, '{"a": [1]}'], [3, '{"a": 2}']]);
    expect(cut('[{"a": 1},\n{"a": 2}]')).toEqual([[1, '{"a": 1}'], [2, '{"a": 2}']]);
  });
});

describe("itemOfLine", () => {
  const item = { a: { S: "x" } };
  it.each(['{"a": "x"}', '{"a": {"S": "x"}}', '{"Item": {"a": {"S": "x"}}}'])("reads %s", (text) => {
    expect(itemOfLine(text)).toEqual(item);
  });
  it("reads an attribute called Item", () => {
    expect(itemOfLine('{"Item": {"a": "x"}}')).toEqual({ Item: { M: item } });
  });
});

describe("writeAll", () => {
  const requests = (count: number): WriteRequest[] => Array.from({ length: count }, (_, at) => ({ DeleteRequest: { Key: { id: { N: String(at) } } } }));
  it("sends what was left unprocessed again, at most 25 at a time", async () => {
    const done: WriteRequest[] = [];
    const waits: number[] = [];
    await writeAll("t", requests(60), {
      send: async (_, batch) => {
        expect(batch.length).toBeLessThanOrEqual(25);
        done.push(...batch.slice(0, 10));
        return batch.slice(10);
      },
      wait: async (milliseconds) => void waits.push(milliseconds),
    });
    expect(new Set(done).size).toBe(60);
    expect(done.length).toBe(60);
    expect(waits.length).toBeGreaterThan(0);
  });
  it("gives up when nothing is taken", async () => {
    await expect(writeAll("t", requests(3), { send: async (_, batch) => batch, wait: async () => {} })).rejects.toThrow("3 writes unprocessed 10 times");
  });
});
