import { describe, expect, it } from "vitest";
import { parseDms } from "./dms";

const file = `dms_version: "0.2"
models:
  - name: "Note"
    table: { name: "notes" }
    keys: { partition: { attribute: "pk", type: "S" }, sort: { attribute: "sk", type: "S" } }
    write_policy: { mode: "write_once", protected_attributes: ["text"] }
    attributes:
      - { attribute: "pk", type: "S", required: true, roles: ["pk"] }
      - { attribute: "secret", type: "S", encryption: {} }
      - { attribute: "plain", type: "S", encryption: null }
      - { attribute: "at", type: "N", format: "unix_seconds" }
    indexes:
      - { name: "gsi1", type: "GSI", partition: { attribute: "at", type: "N" } }
`;

describe("parseDms", () => {
  it("reads keys, attributes, indexes and policies", () => {
    const [note] = parseDms(file, "notes.yml");
    expect(note).toMatchObject({ name: "Note", table: "notes", partition: "pk", sort: "sk", writeOnce: true, protectedAttributes: ["text"] });
    expect(note?.attributes.map(({ encrypted }) => encrypted)).toEqual([false, true, false, false]);
    expect(note?.indexes[0]).toEqual({ name: "gsi1", type: "GSI", partition: "at", sort: undefined });
  });
  it("reads JSON as well", () => expect(parseDms(JSON.stringify({ dms_version: "0.1", models: [{ name: "A", table: { name: "aaa" }, keys: { partition: { attribute: "id" } } }] }), "a.json")[0]?.name).toBe("A"));
  it("says where the text is wrong", () => expect(() => parseDms("a: [1,\nb: 2", "x.yml")).toThrow(/^x\.yml:\d+:\d+: /));
  it("says what is missing", () => {
    expect(() => parseDms("hello: 1", "x.yml")).toThrow("x.yml: dms_version is missing");
    expect(() => parseDms('dms_version: "0.1"\nmodels: []', "x.yml")).toThrow("it has no models");
    expect(() => parseDms('dms_version: "0.1"\nmodels: [{name: A, table: {name: t}, keys: {partition: {attribute: p}}, attributes: [{attribute: a, type: X}]}]', "x.yml")).toThrow("models[0].attributes[0].type: X is not a type");
    expect(() => parseDms("just text", "x.yml")).toThrow("the file is not a mapping");
  });
});
