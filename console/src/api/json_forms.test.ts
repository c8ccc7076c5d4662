import { describe, expect, it } from "vitest";
import { type Item, shortText } from "./attribute";
import { formOf, numberProblem, parseItem, plainLoses, writeItem } from "./json_forms";

const item: Item = {
  id: { S: "a\"b" }, n: { N: "12345678901234567890.5" }, b: { B: "AQID" }, yes: { BOOL: true }, none: { NULL: true },
  list: { L: [{ N: "1" }, { M: { deep: { S: "x" } } }] }, tags: { SS: ["x", "y"] }, empty: { M: {} },
};
const plainItem: Item = { id: { S: "a" }, n: { N: "0.10" }, list: { L: [{ BOOL: false }, { NULL: true }] }, map: { M: { x: { N: "-3" } } } };

describe("the typed form", () => {
  it.each([0, 2])("reads what it writes, with an indent of %i", (indent) => {
    expect(parseItem(writeItem(item, "typed", indent), "typed")).toEqual(item);
  });
  it.each([
    ['{"a": {"N": "x"}}', 'a: "x" is not a number'],
    ['{"a": {"S": 1}}', "a: the value of S is a text in quotes"],
    ['{"a": {"SS": []}}', "a: a set has at least one element"],
    ['{"a": {"SS": ["x", "x"]}}', "a: a set has every element once"],
    ['{"a": {"B": "?"}}', 'a: "?" is not base64'],
    ['{"a": {"L": [{"Q": 1}]}}', "a[0]: a typed value is an object with one of"],
    ['{"a": 1}', "a: a typed value is an object with one of"],
  ])("refuses %s", (text, message) => {
    expect(() => parseItem(text, "typed")).toThrow(message);
  });
});

describe("the plain form", () => {
  it("reads what it writes, where it has the types", () => {
    expect(parseItem(writeItem(plainItem, "plain"), "plain")).toEqual(plainItem);
  });
  it("keeps all digits of numbers", () => {
    expect(parseItem('{"n": 12345678901234567890.123456789}', "plain")).toEqual({ n: { N: "12345678901234567890.123456789" } });
  });
  it("keeps a member called __proto__", () => {
    const read = parseItem('{"__proto__": {"x": 1}}', "plain");
    expect(Object.keys(read)).toEqual(["__proto__"]);
    expect(writeItem(read, "typed", 0)).toBe('{"__proto__":{"M":{"x":{"N":"1"}}}}');
  });
  it("says which values lose their types", () => {
    expect(plainLoses(item["tags"]!)).toBe(true);
    expect(plainLoses({ L: [{ B: "AQID" }] })).toBe(true);
    expect(plainLoses({ M: plainItem })).toBe(false);
  });
  it.each([
    ["{", "line 1, column 2: a text in quotes is missing here"],
    ['{"a": 1,\n "a": 2}', 'line 2, column 5: "a" occurs twice'],
    ['{"a": tru}', 'line 1, column 7: "tru" is not a value of JSON'],
    ['{"a": 1} x', "line 1, column 10: there is more after the value"],
    ["[1]", "an item is an object in braces"],
    ['{"": 1}', "the name of an attribute is not empty"],
    [`{"a": ${"[".repeat(40)}${"]".repeat(40)}}`, "nested more than 32 deep"],
    [`{"a": ${"[".repeat(1000)}`, "nested more than 200 deep"],
  ])("refuses %s", (text, message) => {
    expect(() => parseItem(text, "plain")).toThrow(message);
  });
});

describe("numberProblem", () => {
  it.each(["0", "-1", "1e125", "9.9E+125", "1e-130", "0.00", "1".repeat(38), `${"1".repeat(38)}000`, ".5", "+5"])("accepts %s", (text) => {
    expect(numberProblem(text)).toBeUndefined();
  });
  it.each(["", "x", "1e126", "1e-131", "1".repeat(39), "NaN", "0x1", "1 2"])("refuses %s", (text) => {
    expect(numberProblem(text)).toBeTypeOf("string");
  });
});

describe("formOf", () => {
  it("takes an item for typed when every attribute is", () => {
    expect(formOf('{"a": {"S": "x"}, "b": {"N": "1"}}')).toBe("typed");
    expect(formOf('{"a": {"S": "x"}, "b": 1}')).toBe("plain");
    expect(formOf("{}")).toBe("plain");
  });
});

it("characters that would disguise a text are shown, and mean the same", () => {
  const item = { "a\u202Eb": { S: "\u202Egpj.exe\u202C \u05E9\u05DC\u05D5\u05DD \u0000\u200B\uFEFF" }, set: { SS: ["\u2066x\u2069"] } };
  for (const form of ["plain", "typed"] as const) {
    const text = writeItem(item, form);
    expect(text).toContain("\\u202Egpj.exe\\u202C \u05E9\u05DC\u05D5\u05DD \\u0000\\u200B\\uFEFF");
    expect(parseItem(text, form)["a\u202Eb"]).toEqual(item["a\u202Eb"]);
  }
  expect(parseItem(writeItem(item, "typed"), "typed")).toEqual(item);
  expect(shortText(item["a\u202Eb"])).toMatch(/^\\u202Egpj/);
});
