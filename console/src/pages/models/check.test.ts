import { describe, expect, it } from "vitest";
import type { Item } from "../../api/attribute";
import { violationsOf } from "./check";
import { parseDms } from "./dms";
import { bondsOf, guessPrefix, type Lens, ratio, see, sharedIndexes, tableDifferences } from "./kinds";

const models = parseDms(`dms_version: "0.2"
models:
  - name: User
    table: { name: shop }
    keys: { partition: { attribute: pk, type: S }, sort: { attribute: sk, type: S } }
    attributes:
      - { attribute: pk, type: S, required: true }
      - { attribute: sk, type: S, required: true }
      - { attribute: name, type: S, required: true }
      - { attribute: born, type: S, format: rfc3339nano }
      - { attribute: visits, type: N, format: int }
      - { attribute: secret, type: S, encryption: {} }
      - { attribute: extra, type: M, json: true }
    indexes: [{ name: gsi1, type: GSI, partition: { attribute: name, type: S } }]
  - name: Order
    table: { name: shop }
    keys: { partition: { attribute: pk, type: S }, sort: { attribute: sk, type: S } }
    attributes:
      - { attribute: pk, type: S, required: true }
      - { attribute: sk, type: S, required: true }
      - { attribute: total, type: N, required: true }
    indexes: [{ name: gsi1, type: GSI, partition: { attribute: pk, type: S } }]
`, "shop.yml");
const [user, order] = [models[0]!, models[1]!];
const good: Item = { pk: { S: "U#1" }, sk: { S: "PROFILE" }, name: { S: "Ada" } };
const rules = (item: Item) => violationsOf(user, item).map(({ path, rule }) => `${path} ${rule}`);

describe("violationsOf", () => {
  it("says nothing about an item that fits", () => expect(rules(good)).toEqual([]));
  it("knows types, what is missing and what is too much, sorted by path", () => {
    expect(rules({ pk: { S: "U#1" }, sk: { S: "P" }, visits: { S: "many" }, color: { S: "red" } })).toEqual(["color undeclared", "name required", "visits type"]);
  });
  it("knows whole numbers in every form", () => {
    for (const n of ["1", "-3", "1.0", "1E2", "1.50E1", "0"]) expect(rules({ ...good, visits: { N: n } })).toEqual([]);
    for (const n of ["1.5", "15E-1", "1.25E1"]) expect(rules({ ...good, visits: { N: n } })).toEqual(["visits format"]);
  });
  it("knows times", () => {
    expect(rules({ ...good, born: { S: "2026-01-16T01:02:03.5+02:00" } })).toEqual([]);
    expect(rules({ ...good, born: { S: "yesterday" } })).toEqual(["born format"]);
  });
  it("takes NULL for what is not required alone", () => {
    expect(rules({ ...good, visits: { NULL: true } })).toEqual([]);
    expect(rules({ ...good, name: { NULL: true } })).toEqual(["name null"]);
  });
  it("wants envelopes, and takes JSON as text", () => {
    expect(rules({ ...good, secret: { S: "hunter2" } })).toEqual(["secret encrypted"]);
    expect(rules({ ...good, secret: { M: { v: { N: "1" }, edk: { B: "AAAA" }, nonce: { B: "AAAAAAAAAAAAAAAA" }, ct: { B: "AAAAAAAAAAAAAAAAAAAAAA==" } } } })).toEqual([]);
    expect(rules({ ...good, extra: { S: '{"a":1}' } })).toEqual([]);
    expect(rules({ ...good, extra: { S: "{a" } })).toEqual(["extra json"]);
  });
});

describe("see", () => {
  const lens: Lens = { kinds: [{ model: user, partitionPrefix: "", sortPrefix: "PROFILE", value: undefined }, { model: order, partitionPrefix: "", sortPrefix: "ORDER#", value: undefined }], discriminator: undefined, partition: "pk", sort: "sk" };
  it("tells kinds apart by prefixes", () => {
    expect(see(lens, good).kind?.model.name).toBe("User");
    expect(see(lens, { ...good, sk: { S: "ORDER#1" } }).violations.map(({ rule }) => rule)).toEqual(["undeclared", "required"]);
    expect(see(lens, { ...good, sk: { S: "?" } })).toMatchObject({ kind: undefined, violations: [{ rule: "kind" }] });
  });
  it("tells kinds apart by a discriminator, which need not be declared", () => {
    const by: Lens = { ...lens, discriminator: "kind", kinds: [{ model: user, partitionPrefix: "", sortPrefix: "", value: "user" }, { model: order, partitionPrefix: "", sortPrefix: "", value: "order" }] };
    expect(see(by, { ...good, kind: { S: "user" } })).toMatchObject({ kind: { model: { name: "User" } }, violations: [] });
    expect(see(by, good).kind).toBeUndefined();
  });
  it("takes what fits best when nothing tells them apart", () => {
    const any: Lens = { ...lens, kinds: lens.kinds.map((kind) => ({ ...kind, sortPrefix: "" })) };
    expect(see(any, { pk: { S: "1" }, sk: { S: "2" }, total: { N: "3" } }).kind?.model.name).toBe("Order");
  });
  it("finds kinds that share partitions", () => {
    const items: Item[] = [good, ...[1, 2].map((n) => ({ pk: { S: "U#1" }, sk: { S: `ORDER#${n}` }, total: { N: "1" } })), { pk: { S: "U#2" }, sk: { S: "ORDER#1" }, total: { N: "1" } }];
    const bonds = bondsOf(items.map((item) => see(lens, item)), "pk");
    expect(bonds).toEqual([{ a: "Order", b: "User", partitions: 1, aMost: 2, bMost: 1 }]);
    expect(ratio(bonds[0]!)).toBe("n : 1");
  });
});

it("guessPrefix needs all to agree", () => {
  expect(guessPrefix([{ S: "USER#1" }, { S: "USER#2" }])).toBe("USER#");
  expect(guessPrefix([{ S: "USER#1" }, { S: "X#2" }])).toBe("");
  expect(guessPrefix([{ S: "PROFILE" }, { S: "PROFILE" }])).toBe("PROFILE");
  expect(guessPrefix([])).toBe("");
});

it("sharedIndexes and tableDifferences compare models with each other and with the table", () => {
  expect(sharedIndexes(models)).toEqual([{ index: "gsi1", models: ["User", "Order"] }]);
  expect(tableDifferences([user], { KeySchema: [{ AttributeName: "id", KeyType: "HASH" }] })).toEqual([
    "User: the partition key is id, the model says pk", "User: the sort key is missing, the model says sk", "User: the index gsi1 is missing",
  ]);
  expect(tableDifferences([order], { KeySchema: [{ AttributeName: "pk", KeyType: "HASH" }, { AttributeName: "sk", KeyType: "RANGE" }], GlobalSecondaryIndexes: [{ IndexName: "gsi1" }] })).toEqual([]);
});
