import { describe, expect, it } from "vitest";
import { compareSchemas, flatten, inOrder, lineOfPath, nextVersion, type Schema, skeleton, withVersion } from "./schemas";

const v1: Schema = { schema_id: "a", schema_version: "v1", fields: { _id: { type: "string", required: true }, words: { type: "int", required: false }, tags: { type: "array", required: false, element_type: { type: "string" } }, old: { type: "bool", required: false } } };
const v2: Schema = { schema_id: "a", schema_version: "v2", fields: { _id: { type: "string", required: true }, words: { type: "int", required: true }, tags: { type: "array", required: false, element_type: { type: "int" } }, home: { type: "object", required: true, fields: { city: { type: "string", required: true } } }, note: { type: "string", required: false } } };

describe("compareSchemas", () => {
  it("names every change by its path, and what it breaks", () => {
    expect(compareSchemas(v1, v2).map(({ path, kind, breaks }) => [path, kind, breaks !== undefined])).toEqual([
      ["home", "added", true], ["home.city", "added", true], ["note", "added", false], ["old", "removed", true], ["tags[]", "changed", true], ["words", "changed", true],
    ]);
  });
  it("of the same schema is empty", () => expect(compareSchemas(v1, v1)).toEqual([]));
  it("reaches into lists of objects", () => {
    const fields = { list: { type: "array" as const, element_type: { type: "object" as const, fields: { x: { type: "int" as const, required: true } } } } };
    expect([...flatten(fields).keys()]).toEqual(["list", "list[]", "list[].x"]);
  });
});

describe("versions", () => {
  it("count up", () => {
    expect(nextVersion("v9")).toBe("v10");
    expect(nextVersion("3")).toBe("4");
    expect(nextVersion("draft")).toBe("draft-2");
  });
  it("sort as people count", () => expect(inOrder(["v10", "v2", "v1"])).toEqual(["v1", "v2", "v10"]));
  it("are replaced in the text alone", () => {
    expect(withVersion('{ "schema_version" : "v1", "x": "v1" }', "v2")).toBe('{ "schema_version" : "v2", "x": "v1" }');
    expect(withVersion('{"schema_version": 3}', "4")).toBe('{"schema_version": 4}');
  });
});

it("skeleton has what is required", () => expect(JSON.parse(skeleton(v2))).toEqual({ _id: "", words: 0, home: { city: "" } }));

describe("lineOfPath", () => {
  const text = '{\n  "_id": "a, \\"b\\"",\n  "home": {"city":\n    7},\n  "tags": [\n    "x",\n    {"y": 1}\n  ]\n}';
  it("finds values at any depth", () => {
    expect(lineOfPath(text, "_id")).toBe(1);
    expect(lineOfPath(text, "home.city")).toBe(2);
    expect(lineOfPath(text, "tags[1]")).toBe(6);
    expect(lineOfPath(text, "tags[1].y")).toBe(6);
    expect(lineOfPath(text, "$root")).toBe(0);
  });
  it("points at the object that lacks a field", () => {
    expect(lineOfPath(text, "title")).toBe(0);
    expect(lineOfPath(text, "home.street")).toBe(2);
  });
  it("does not run away in a text that is no JSON", () => {
    for (const broken of ["", "{", '{"a', "{a: 1}", '{"a": [1,', "]]"]) expect(() => lineOfPath(broken, "a.b[2]")).not.toThrow();
  });
});
