// Writes, checks and updates one row with generated TypeScript (tests/system/generated_rows_test.py).
//
//   node rows.js URL write|check|update|cursor PK [NUMBER]
//
// A check compares with the record that every language has written down for itself.
import assert from "node:assert/strict";

import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { DynamoDBDocumentClient, GetCommand, NumberValue, PutCommand, UpdateCommand } from "@aws-sdk/lib-dynamodb";

import { clientOptions, decodeCursor, encodeCursor, type KeyProvider } from "./models/dolmen_support.js";
import { sampleKey, sampleModel, type NewSample } from "./models/sample.js";

const now = "2026-01-16T01:02:03.000000000Z";
// Keeps no secret: a key is stored as it is. Every language has its own keys, and reads those of the others.
const keys: KeyProvider = {
  generate(_model, attribute) {
    const key = Buffer.from(`typescript|${attribute}`.padEnd(32, "-"));
    return Promise.resolve({ key, encrypted: key });
  },
  decrypt: (encrypted) => Promise.resolve(encrypted),
};

const n = (text: string | number) => NumberValue.from(String(text));
const bytes = (...values: number[]) => Uint8Array.from(values);

const full = (pk: string): NewSample => ({
  PK: pk,
  SK: n(1),
  text: "Grüße <&> \u2028",
  number: n("12345678901234567890.5"),
  flag: true,
  blob: bytes(98, 0),
  list: [n(1), "two", null, [true]],
  map: { a: n("0.1"), b: { c: bytes(120) } },
  strings: new Set(["s", "t"]),
  numbers: new Set([n(1), n("2.5")]),
  blobs: new Set([bytes(120), bytes(121)]),
  json: { b: [1, 2.5, 1e-7, null], a: "é <&>" },
  moment: "2026-01-16T01:02:03.000000004Z",
  seconds: 1700000000,
  whole: -9007199254740993n,
  exact: n("0.00000000000000000000000000000001"),
  vector: [0.1, -1, 1e-7],
  expires: 4100000000,
  group: "g",
  rank: n(3),
  secretText: "hidden <&> é",
  secretNumber: n("1.5"),
  secretFlag: true,
  secretBlob: bytes(0, 255),
  secretList: [n(1), "x"],
  secretMap: { a: n(1) },
  secretStrings: new Set(["p", "q"]),
  secretNumbers: new Set([n(3)]),
  secretBlobs: new Set([bytes(122)]),
  secretJson: { k: [1] },
});

/** Sets have no order, and numbers several texts. */
function comparable(value: unknown): unknown {
  if (value instanceof NumberValue) return { n: value.toString() };
  if (value instanceof Uint8Array) return { b: Buffer.from(value).toString("hex") };
  if (value instanceof Set) return [...value].map((each) => JSON.stringify(comparable(each))).sort();
  if (typeof value === "bigint") return { i: String(value) };
  if (Array.isArray(value)) return value.map(comparable);
  if (typeof value === "object" && value !== null)
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, comparable(each)]));
  return value;
}

const [url = "", operation = "", pk = "", number] = process.argv.slice(2);
const client = DynamoDBDocumentClient.from(new DynamoDBClient({ endpoint: url, region: "us-east-1" }), clientOptions);
if (operation === "cursor") {
  const key = { PK: pk, SK: n(1) };
  const cursor = encodeCursor(key, "by-group", "DESC");
  assert.deepEqual(comparable(decodeCursor(cursor, "by-group", "DESC")), comparable(key));
  console.log(cursor);
} else if (operation === "write") {
  await client.send(new PutCommand(await sampleModel.create(full(pk), { now, keys })));
} else {
  const { Item: item } = await client.send(new GetCommand(sampleModel.get(sampleKey(pk, 1))));
  assert.ok(item);
  const found = await sampleModel.decode(item, keys);
  if (operation === "update") {
    const changed = { ...found, whole: BigInt(number ?? 0), textOrNot: "" };
    await client.send(new UpdateCommand(await sampleModel.update(changed, ["whole", "textOrNot"], { now, keys })));
  } else {
    const version = Number(number ?? 0);
    const wanted = { ...(await sampleModel.decode({ ...(await sampleModel.encode(full(pk), { now, keys })) }, keys)), version };
    if (number !== undefined) wanted.whole = BigInt(number);
    assert.deepEqual(comparable(found), comparable(wanted));
  }
}
