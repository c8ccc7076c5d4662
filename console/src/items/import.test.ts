import { describe, expect, it } from "vitest";
import type { Item } from "../api/attribute";
import type { SendBatch } from "./batch";
import { importFile } from "./import";
import type { TableDescription } from "./key";

const table: TableDescription = { TableName: "notes", KeySchema: [{ AttributeName: "id", KeyType: "HASH" }], AttributeDefinitions: [{ AttributeName: "id", AttributeType: "N" }], TableStatus: "ACTIVE" };
const fileOf = (...lines: object[]) => new File([lines.map((line) => JSON.stringify(line)).join("\n")], "notes.jsonl");

/** A server whose first answer comes after all others. */
function slowFirst() {
  const stored = new Map<string, Item>();
  let calls = 0;
  const send: SendBatch = async (_, requests) => {
    if (++calls === 1) for (let turn = 0; turn < 50; ++turn) await Promise.resolve();
    for (const request of requests) if ("PutRequest" in request) stored.set(JSON.stringify(request.PutRequest.Item["id"]), request.PutRequest.Item);
    return [];
  };
  return { stored, send };
}

describe("importFile", () => {
  it("lets the later of two items with one key win, in whichever batches they are", async () => {
    const many = Array.from({ length: 25 }, (_, id) => ({ id, turn: 1 }));
    const { stored, send } = slowFirst();
    const done = await importFile(fileOf(...many, { id: 0, turn: 2 }, { id: 99, turn: 1 }, { id: 99, turn: 2 }), table, () => {}, new AbortController().signal, send);
    expect(done).toMatchObject({ written: 28, refused: 0 });
    expect(stored.get('{"N":"0"}')).toEqual({ id: { N: "0" }, turn: { N: "2" } });
    expect(stored.get('{"N":"99"}')).toEqual({ id: { N: "99" }, turn: { N: "2" } });
  });
  it("ends without an error when it is stopped, and with that of the server when it fails", async () => {
    const stop = new AbortController();
    const send: SendBatch = async () => {
      stop.abort();
      throw new Error("aborted");
    };
    const lines = Array.from({ length: 60 }, (_, id) => ({ id }));
    expect(await importFile(fileOf(...lines), table, () => {}, stop.signal, send)).toMatchObject({ written: 0 });
    await expect(importFile(fileOf(...lines), table, () => {}, new AbortController().signal, async () => { throw new Error("the disk is full"); })).rejects.toThrow("the disk is full");
  });
});
