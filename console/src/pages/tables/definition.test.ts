import { describe, expect, it } from "vitest";
import { createInput, emptyIndex, emptyTable, problemsOf, type TableDraft } from "./definition";

const notes: TableDraft = {
  ...emptyTable(), name: "notes", partition: { name: "topic", kind: "S" }, sort: { name: "written", kind: "N" }, stream: "KEYS_ONLY",
  indexes: [
    { ...emptyIndex(), name: "by-author", partition: { name: "author", kind: "S" }, sort: { name: "written", kind: "N" }, projection: "INCLUDE", include: "text, tags" },
    { ...emptyIndex(), name: "by-title", local: true, sort: { name: "title", kind: "S" }, projection: "KEYS_ONLY" },
  ],
};

describe("createInput", () => {
  it("names every key attribute once", () => {
    expect(createInput(notes)).toEqual({
      TableName: "notes",
      KeySchema: [{ AttributeName: "topic", KeyType: "HASH" }, { AttributeName: "written", KeyType: "RANGE" }],
      AttributeDefinitions: [
        { AttributeName: "topic", AttributeType: "S" }, { AttributeName: "written", AttributeType: "N" },
        { AttributeName: "author", AttributeType: "S" }, { AttributeName: "title", AttributeType: "S" },
      ],
      BillingMode: "PAY_PER_REQUEST",
      LocalSecondaryIndexes: [{ IndexName: "by-title", KeySchema: [{ AttributeName: "topic", KeyType: "HASH" }, { AttributeName: "title", KeyType: "RANGE" }], Projection: { ProjectionType: "KEYS_ONLY" } }],
      GlobalSecondaryIndexes: [{
        IndexName: "by-author", KeySchema: [{ AttributeName: "author", KeyType: "HASH" }, { AttributeName: "written", KeyType: "RANGE" }],
        Projection: { ProjectionType: "INCLUDE", NonKeyAttributes: ["text", "tags"] },
      }],
      StreamSpecification: { StreamEnabled: true, StreamViewType: "KEYS_ONLY" },
    });
  });
  it("gives the throughput of a provisioned table to its indexes too", () => {
    const input = createInput({ ...notes, billing: "PROVISIONED", read: "3", write: "2" });
    expect(input["ProvisionedThroughput"]).toEqual({ ReadCapacityUnits: 3, WriteCapacityUnits: 2 });
    expect(input["GlobalSecondaryIndexes"]).toMatchObject([{ ProvisionedThroughput: { ReadCapacityUnits: 3 } }]);
  });
});

describe("problemsOf", () => {
  it("finds nothing in a good definition", () => {
    expect(problemsOf(notes)).toEqual({});
  });
  it.each<[string, Partial<TableDraft>, string]>([
    ["a short name", { name: "x" }, "name"],
    ["no partition key", { partition: { name: "", kind: "S" } }, "partition"],
    ["the same attribute twice", { sort: { name: "topic", kind: "S" } }, "sort"],
    ["one attribute with two types", { indexes: [{ ...emptyIndex(), name: "abc", partition: { name: "topic", kind: "N" } }] }, "index-0-partition"],
    ["two indexes with one name", { indexes: [notes.indexes[0]!, notes.indexes[0]!] }, "index-1-name"],
    ["an index without a key", { indexes: [{ ...emptyIndex(), name: "abc" }] }, "index-0-partition"],
    ["a local index without a sort key", { indexes: [{ ...emptyIndex(), name: "abc", local: true }] }, "index-0-sort"],
    ["no capacity", { billing: "PROVISIONED", read: "0" }, "read"],
  ])("finds %s", (_, change, field) => {
    expect(Object.keys(problemsOf({ ...notes, ...change }))).toContain(field);
  });
});
