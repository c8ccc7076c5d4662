import { describe, expect, it } from "vitest";
import type { VectorIndexDescription } from "../../charts/tables";
import { coloursFor, idOf, nearness, parseVector, searchRequest, vectorOf } from "./search";

const index: VectorIndexDescription = { IndexName: "by", VectorAttribute: { AttributeName: "v" }, Dimensions: 2, DistanceFunction: "COSINE" };

describe("vectors", () => {
  it("are lists of so many numbers", () => {
    expect(vectorOf({ L: [{ N: "1" }, { N: "-0.5" }] }, 2)).toEqual([1, -0.5]);
    expect(vectorOf({ L: [{ N: "1" }] }, 2)).toBeUndefined();
    expect(vectorOf({ L: [{ N: "1" }, { S: "2" }] }, 2)).toBeUndefined();
    expect(vectorOf({ S: "[1,2]" }, 2)).toBeUndefined();
  });
  it("can be written in several ways", () => {
    expect(parseVector("[1, -2.5]", 2)).toEqual([1, -2.5]);
    expect(parseVector("1 2", 2)).toEqual([1, 2]);
    expect(() => parseVector("1, two", 2)).toThrow('"two" is not a number');
    expect(() => parseVector("1", 2)).toThrow("2 dimensions, and these are 1");
  });
});

it("a search names its conditions by placeholders", () => {
  expect(searchRequest({ table: "t", index, vector: [1, 0], topK: 5, where: { "a b": { S: "x" } } })).toEqual({
    TableName: "t", IndexName: "by", SearchVector: [{ N: "1" }, { N: "0" }], TopK: 5,
    SearchConditionExpression: "#n0 = :v0", ExpressionAttributeNames: { "#n0": "a b" }, ExpressionAttributeValues: { ":v0": { S: "x" } },
  });
  expect(searchRequest({ table: "t", index, vector: [1, 0], topK: 5, where: {} })).not.toHaveProperty("SearchConditionExpression");
});

it("nearness grows as things get nearer, whatever the measure", () => {
  const hits = [{ item: {}, score: 1 }, { item: {}, score: 3 }];
  expect(nearness(1, hits, "COSINE")).toBe(1);
  expect(nearness(1, hits, "COSINE")).toBeGreaterThan(nearness(3, hits, "COSINE"));
  expect(nearness(1, [hits[0]!], "EUCLIDEAN")).toBe(1);
  expect(nearness(1, hits, "EUCLIDEAN")).toBeGreaterThan(nearness(3, hits, "EUCLIDEAN"));
  expect(nearness(3, hits, "DOT_PRODUCT")).toBeGreaterThan(nearness(1, hits, "DOT_PRODUCT"));
});

it("colours go to the most frequent", () => {
  const colours = coloursFor(["b", "a", "b", ...Array.from({ length: 9 }, (_, at) => `x${at}`)]);
  expect(colours.get("b")).toBe(1);
  expect(colours.size).toBe(7);
});

it("ids tell keys apart that read the same", () => {
  const table = { KeySchema: [{ AttributeName: "id", KeyType: "HASH" as const }] };
  expect(idOf({ id: { S: "1" } }, table)).not.toBe(idOf({ id: { N: "1" } }, table));
});
