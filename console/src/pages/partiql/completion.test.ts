import { describe, expect, it } from "vitest";
import { placeAt, quoteName, tablesIn } from "./completion";

/** The place of the bar. */
const place = (text: string) => placeAt(text.replace("|", ""), text.indexOf("|"));

describe("placeAt", () => {
  it.each<[string, ReturnType<typeof placeAt>]>([
    ["SEL|", { from: 0, wants: "word" }],
    ["SELECT * FROM |", { from: 14, wants: "table" }],
    ["select * from no|", { from: 14, wants: "table" }],
    ['SELECT * FROM "my-|', { from: 14, wants: "table" }],
    ['SELECT * FROM "my-table".|', { from: 25, wants: "index", table: "my-table" }],
    ["SELECT * FROM notes WHERE to|", { from: 26, wants: "word" }],
    ["SELECT * FROM notes WHERE topic = 'from |", { from: 40, wants: "nothing" }],
    ["SELECT * FROM notes WHERE topic = 'it''s' AND |", { from: 46, wants: "word" }],
    ["UPDATE no|", { from: 7, wants: "table" }],
    ["INSERT INTO |", { from: 12, wants: "table" }],
  ])("%s", (text, expected) => {
    expect(place(text)).toEqual(expected);
  });
});

describe("tablesIn", () => {
  it("finds every table once", () => {
    expect(tablesIn('SELECT * FROM "a-b"."i" WHERE x IN [1] ; UPDATE notes SET x = 1; DELETE FROM notes')).toEqual(["a-b", "notes"]);
  });
});

describe("quoteName", () => {
  it.each([["notes", "notes"], ["my-table", '"my-table"'], ["order", '"order"'], ['a"b', '"a""b"']])("%s", (name, quoted) => {
    expect(quoteName(name)).toBe(quoted);
  });
});
