import { describe, expect, it } from "vitest";
import type { TableDescription } from "../../items/key";
import { buildRequest, parsePath } from "./build";
import { emptyGroup, emptyQuery, type QueryModel, readQueryFile, writeQueryFile } from "./model";
import { shellQuote } from "../../ui/format";
import { awsCli, boto3, cpp, javaScript, partiql } from "./snippets";

const table: TableDescription = {
  TableName: "notes",
  TableStatus: "ACTIVE",
  KeySchema: [{ AttributeName: "topic", KeyType: "HASH" }, { AttributeName: "written", KeyType: "RANGE" }],
  AttributeDefinitions: [{ AttributeName: "topic", AttributeType: "S" }, { AttributeName: "written", AttributeType: "N" }, { AttributeName: "author", AttributeType: "S" }],
  GlobalSecondaryIndexes: [{ IndexName: "by-author", KeySchema: [{ AttributeName: "author", KeyType: "HASH" }, { AttributeName: "written", KeyType: "RANGE" }] }],
};

const full: QueryModel = {
  ...emptyQuery("notes", "by-author"),
  partition: { type: "S", text: "O'Hara" },
  sort: { operator: "between", values: [{ type: "S", text: "1" }, { type: "S", text: "20" }] },
  filter: {
    kind: "group", join: "AND", not: false,
    parts: [
      { kind: "condition", path: "meta.stars[0]", operator: ">=", values: [{ type: "N", text: "3.5" }] },
      { kind: "group", join: "OR", not: true, parts: [
        { kind: "condition", path: "tags", operator: "contains", values: [{ type: "S", text: 'a"b' }] },
        { kind: "condition", path: "draft", operator: "exists", values: [] },
      ] },
      { kind: "group", join: "OR", not: false, parts: [
        { kind: "condition", path: "state", operator: "in", values: [{ type: "S", text: "new" }, { type: "S", text: "old" }] },
        { kind: "condition", path: "text", operator: "size>", values: [{ type: "N", text: "10" }] },
      ] },
    ],
  },
  projection: ["topic", "meta.stars"],
  descending: true,
};

describe("parsePath", () => {
  it.each<[string, (string | number)[]]>([
    ["a", ["a"]], ["a.b[0].c", ["a", "b", 0, "c"]], ["a[1][2]", ["a", 1, 2]], ['"a.b".c', ["a.b", "c"]], ['"a\\"b"', ['a"b']], ["first name", ["first name"]],
  ])("reads %s", (text, steps) => {
    expect(parsePath(text)).toEqual(steps);
  });
  it.each(["", "a.", ".a", "[0]", "a..b", 'a"b"', "a[x]", '"a'])("refuses %j", (text) => {
    expect(() => parsePath(text)).toThrow();
  });
});

describe("buildRequest", () => {
  it("makes a Query of an index with everything", () => {
    expect(buildRequest(full, table)).toEqual({
      operation: "Query",
      input: {
        TableName: "notes",
        IndexName: "by-author",
        KeyConditionExpression: "#author = :v0 AND #written BETWEEN :v1 AND :v2",
        FilterExpression: "#meta.#stars[0] >= :v3 AND NOT (contains(#tags, :v4) OR attribute_exists(#draft)) AND (#state IN (:v5, :v6) OR size(#text) > :v7)",
        ProjectionExpression: "#topic, #meta.#stars",
        ExpressionAttributeNames: { "#author": "author", "#written": "written", "#meta": "meta", "#stars": "stars", "#tags": "tags", "#draft": "draft", "#state": "state", "#text": "text", "#topic": "topic" },
        ExpressionAttributeValues: { ":v0": { S: "O'Hara" }, ":v1": { N: "1" }, ":v2": { N: "20" }, ":v3": { N: "3.5" }, ":v4": { S: 'a"b' }, ":v5": { S: "new" }, ":v6": { S: "old" }, ":v7": { N: "10" } },
        ScanIndexForward: false,
      },
    });
  });
  it("makes the plainest Scan", () => {
    expect(buildRequest({ ...emptyQuery("notes"), mode: "scan" }, table)).toEqual({ operation: "Scan", input: { TableName: "notes" } });
  });
  it("asks for a consistent read where that is possible", () => {
    expect(buildRequest({ ...emptyQuery("notes"), mode: "scan", consistent: true }, table).input).toMatchObject({ ConsistentRead: true });
    expect(buildRequest({ ...full, consistent: true }, table).input).not.toHaveProperty("ConsistentRead");
  });
  it("gives names that are not words a placeholder of their own", () => {
    const filter = { ...emptyGroup(), parts: [{ kind: "condition" as const, path: '"first name"', operator: "exists" as const, values: [] }] };
    expect(buildRequest({ ...emptyQuery("notes"), mode: "scan", filter }, table).input).toMatchObject({ FilterExpression: "attribute_exists(#n0)", ExpressionAttributeNames: { "#n0": "first name" } });
  });
  it.each<[string, Partial<QueryModel>, string]>([
    ["no value of the partition key", { partition: { type: "S", text: "" } }, "a value for author is missing"],
    ["a sort key that is not a number", { sort: { operator: "=", values: [{ type: "S", text: "x" }] } }, '"x" is not a number'],
    ["a condition without an attribute", { filter: { ...emptyGroup(), parts: [{ kind: "condition", path: "", operator: "exists", values: [] }] } }, "the name of an attribute is missing"],
  ])("refuses %s", (_, change, message) => {
    expect(() => buildRequest({ ...full, ...change }, table)).toThrow(message);
  });
});

describe("snippets", () => {
  const request = buildRequest(full, table);
  it("quote for a shell", () => {
    expect(shellQuote("it's")).toBe("'it'\\''s'");
    expect(shellQuote("notes")).toBe("notes");
  });
  it("are a command of the AWS CLI", () => {
    const text = awsCli(request, "http://127.0.0.1:8000");
    expect(text).toContain("aws dynamodb query \\\n  --table-name notes \\\n  --index-name by-author");
    expect(text).toContain("--no-scan-index-forward");
    expect(text).toContain(`'{":v0":{"S":"O'\\''Hara"},`);
    expect(text.endsWith("--endpoint-url http://127.0.0.1:8000")).toBe(true);
  });
  it("are Python", () => {
    const text = boto3({ ...request, input: { ...request.input, ConsistentRead: true } }, "http://127.0.0.1:8000");
    expect(text).toContain('get_paginator("query")');
    expect(text).toContain("    ScanIndexForward=False,\n    ConsistentRead=True,\n");
  });
  it("are JavaScript", () => {
    expect(javaScript(request, "http://127.0.0.1:8000")).toContain('paginateQuery({ client }, {\n  TableName: "notes",');
  });
  it("are C++", () => {
    expect(cpp(full, table, "http://127.0.0.1:8000")).toContain(
      `{.key = db::key("author") == "O'Hara" && db::key("written").between(1, 20),\n                                          .index = "by-author",\n                                          .filter = db::attr("meta")["stars"][0] >= 3.5_n && !(db::attr("tags").contains("a\\"b") || db::attr("draft").exists()) && (db::attr("state").in({"new", "old"}) || db::attr("text").size() > 10),`);
  });
  it("are PartiQL", () => {
    expect(partiql(full, table)).toBe(
      `SELECT "topic", "meta"."stars"\nFROM "notes"."by-author"\nWHERE "author" = 'O''Hara'\n  AND "written" BETWEEN 1 AND 20\n  AND ("meta"."stars"[0] >= 3.5 AND NOT (contains("tags", 'a"b') OR "draft" IS NOT MISSING) AND ("state" IN ['new', 'old'] OR size("text") > 10))\nORDER BY "written" DESC`);
  });
});

describe("saved queries", () => {
  it("are read as they were written", () => {
    expect(readQueryFile(writeQueryFile("good notes", full))).toEqual({ name: "good notes", query: full });
  });
  it("end with the end of a line and have a member on each", () => {
    const text = writeQueryFile("x", emptyQuery("notes"));
    expect(text.startsWith('{\n  "dolmen_query": 1,\n  "name": "x",\n  "table": "notes",\n')).toBe(true);
    expect(text.endsWith("}\n")).toBe(true);
  });
  it.each<[string, string]>([
    ["{}", "not a saved query"],
    ["[]", "the file is not an object"],
    [writeQueryFile("x", full).replace('"query"', '"other"'), '"mode" is "other" instead of one of query, scan'],
    [writeQueryFile("x", full).replace('"contains"', '"evil"'), "evil"],
    [writeQueryFile("x", full).replace('"descending": true', '"descending": 1'), '"descending" is neither true nor false'],
  ])("are refused when they are something else", (text, message) => {
    expect(() => readQueryFile(text)).toThrow(message);
  });
});
