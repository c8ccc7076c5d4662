import { describe, expect, it } from "vitest";
import { type Item, ownItem } from "../api/attribute";
import { conflictsOf, merge, planChange, planNew } from "./edit_plan";
import { itemProblems, type TableDescription } from "./key";

const table: TableDescription = {
  TableName: "notes",
  TableStatus: "ACTIVE",
  KeySchema: [{ AttributeName: "written", KeyType: "RANGE" }, { AttributeName: "topic", KeyType: "HASH" }],
  AttributeDefinitions: [{ AttributeName: "topic", AttributeType: "S" }, { AttributeName: "written", AttributeType: "N" }, { AttributeName: "author", AttributeType: "S" }],
  GlobalSecondaryIndexes: [{ IndexName: "by-author", KeySchema: [{ AttributeName: "author", KeyType: "HASH" }] }],
};
const seen: Item = { topic: { S: "a" }, written: { N: "1" }, text: { S: "old" }, tags: { SS: ["x", "y"] }, gone: { BOOL: true } };

describe("planChange", () => {
  it("sends what changed, on the condition that it is as it was seen", () => {
    const wanted: Item = { topic: { S: "a" }, written: { N: "1" }, text: { S: "new" }, tags: { SS: ["y", "x"] }, added: { N: "2" } };
    expect(planChange(seen, wanted, table)?.input).toEqual({
      TableName: "notes",
      Key: { topic: { S: "a" }, written: { N: "1" } },
      UpdateExpression: "SET #a0 = :n0, #a2 = :n2 REMOVE #a1",
      ConditionExpression: "attribute_exists(#key) AND #a0 = :o0 AND #a1 = :o1 AND attribute_not_exists(#a2)",
      ExpressionAttributeNames: { "#key": "topic", "#a0": "text", "#a1": "gone", "#a2": "added" },
      ExpressionAttributeValues: { ":n0": { S: "new" }, ":o0": { S: "old" }, ":o1": { BOOL: true }, ":n2": { N: "2" } },
      ReturnValues: "ALL_NEW",
      ReturnValuesOnConditionCheckFailure: "ALL_OLD",
    });
  });
  it("sends nothing when nothing changed", () => {
    expect(planChange(seen, { ...seen, tags: { SS: ["y", "x"] } }, table)).toBeNull();
  });
});

describe("planNew", () => {
  it("does not replace an item that is there", () => {
    expect(planNew(seen, table).input).toMatchObject({ Item: seen, ConditionExpression: "attribute_not_exists(#key)", ExpressionAttributeNames: { "#key": "topic" } });
  });
});

describe("conflicts", () => {
  const mine: Item = { ...seen, text: { S: "mine" }, added: { N: "1" } };
  const theirs: Item = { ...seen, text: { S: "theirs" }, gone: { BOOL: false } };
  it("are what differs, and contested where both have changed it", () => {
    expect(conflictsOf(seen, mine, theirs).map(({ name, isContested }) => [name, isContested])).toEqual([["text", true], ["gone", false], ["added", false]]);
  });
  it("know attributes that are called like what every object has", () => {
    const odd = ownItem({ ...seen, constructor: { S: "c" } });
    expect(conflictsOf(ownItem(seen), odd, ownItem(seen)).map(({ name, theirs: other }) => [name, other])).toEqual([["constructor", undefined]]);
    const proto = ownItem(JSON.parse('{"__proto__": {"S": "p"}}') as Item);
    expect(Object.keys(merge(proto, ownItem({}), new Set(["__proto__"])))).toEqual(["__proto__"]);
  });
  it("are merged by attributes", () => {
    expect(merge(mine, theirs, new Set(["text", "added"]))).toEqual({ ...seen, text: { S: "mine" }, gone: { BOOL: false }, added: { N: "1" } });
    expect(merge(seen, { ...seen, extra: { N: "1" } }, new Set(["extra"]))).toEqual(seen);
  });
});

describe("itemProblems", () => {
  it.each<[string, Item, string[]]>([
    ["nothing", { topic: { S: "a" }, written: { N: "1" } }, []],
    ["a missing key", { topic: { S: "a" } }, ["written, a part of the key, is missing"]],
    ["a key of another type", { topic: { N: "1" }, written: { N: "1" } }, ["topic, a part of the key, has the type N instead of S"]],
    ["an empty key", { topic: { S: "" }, written: { N: "1" } }, ["topic, a part of the key, is empty"]],
    ["an index key of another type", { topic: { S: "a" }, written: { N: "1" }, author: { N: "1" } }, ["author, a key of the index by-author, has the type N instead of S"]],
    ["an item that is too large", { topic: { S: "a" }, written: { N: "1" }, x: { S: "x".repeat(410_000) } }, ["the item has 410016 bytes; at most 409600 are possible"]],
  ])("finds %s", (_, item, problems) => {
    expect(itemProblems(item, table)).toEqual(problems);
  });
});
