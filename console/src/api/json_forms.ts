// Items as the two forms of JSON that people write. Plain: {"topic": "a", "written": 1}. Typed, as in the protocol:
// {"topic": {"S": "a"}}. The plain form has no sets and no bytes: they become lists and texts of base64.

import { type AttributeValue, type Item, jsonText, type TypeName, typeNames, typeOf, withoutDisguise } from "./attribute";
import { Digits, type Json, parseJson } from "./json_text";

/** What is wrong with a text, in words for the person who wrote it. */
export class FormProblem extends Error {
  override name = "FormProblem";
}

const nestingMax = 32;

export const numberProblem = (text: string): string | undefined => {
  const found = /^[+-]?(\d+\.?\d*|\.\d+)([eE]([+-]?\d+))?$/.exec(text.trim());
  if (found === null) return `"${text}" is not a number`;
  const digits = (found[1] ?? "").replace(".", "").replace(/^0+/, "").replace(/0+$/, "");
  if (digits.length > 38) return `${text.slice(0, 20)}… has ${digits.length} digits; at most 38 are possible`;
  if (digits === "") return undefined;
  const [before = "", after = ""] = (found[1] ?? "").split(".");
  const significant = before.replace(/^0+/, "");
  const leading = significant !== "" ? significant.length - 1 : -((/^0*/.exec(after)?.[0].length ?? 0) + 1);
  const magnitude = leading + Number(found[3] ?? 0);
  if (magnitude > 125) return `${text.slice(0, 20)} is too large; the limit is 9.9…E+125`;
  if (magnitude < -130) return `${text.slice(0, 20)} is too close to zero; the limit is 1E-130`;
  return undefined;
};

const isBase64 = (text: string): boolean => /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(text);

// ---- Reading --------------------------------------------------------------------------------------------------------

function plainValue(json: Json, path: string, depth: number): AttributeValue {
  if (depth > nestingMax) throw new FormProblem(`${path}: values are nested more than ${nestingMax} deep`);
  if (json === null) return { NULL: true };
  if (typeof json === "boolean") return { BOOL: json };
  if (typeof json === "string") return { S: json };
  if (json instanceof Digits) {
    const problem = numberProblem(json.text);
    if (problem) throw new FormProblem(`${path}: ${problem}`);
    return { N: json.text };
  }
  if (Array.isArray(json)) return { L: json.map((each, at) => plainValue(each, `${path}[${at}]`, depth + 1)) };
  return { M: objectOf([...json].map(([name, each]) => [name, plainValue(each, `${path}.${name}`, depth + 1)])) };
}

/** Object.fromEntries, safe for a member called __proto__. */
function objectOf(entries: [string, AttributeValue][]): Item {
  const item: Item = Object.create(null) as Item;
  for (const [name, value] of entries) item[name] = value;
  return item;
}

function texts(json: Json, path: string, check: (text: string) => string | undefined): string[] {
  if (!Array.isArray(json) || json.some((each) => typeof each !== "string")) throw new FormProblem(`${path}: a set is a list of texts`);
  const set = json as string[];
  if (set.length === 0) throw new FormProblem(`${path}: a set has at least one element`);
  if (new Set(set).size < set.length) throw new FormProblem(`${path}: a set has every element once`);
  for (const each of set) {
    const problem = check(each);
    if (problem) throw new FormProblem(`${path}: ${problem}`);
  }
  return set;
}

const checkBase64 = (text: string) => (isBase64(text) ? undefined : `"${text.slice(0, 30)}" is not base64`);

function typedText(type: "S" | "N" | "B", json: Json, path: string): AttributeValue {
  if (typeof json !== "string") throw new FormProblem(`${path}: the value of ${type} is a text in quotes`);
  const problem = type === "N" ? numberProblem(json) : type === "B" ? checkBase64(json) : undefined;
  if (problem) throw new FormProblem(`${path}: ${problem}`);
  return { [type]: json } as AttributeValue;
}

function typedValue(json: Json, path: string, depth: number): AttributeValue {
  if (depth > nestingMax) throw new FormProblem(`${path}: values are nested more than ${nestingMax} deep`);
  const only = json instanceof Map && json.size === 1 ? [...json][0] : undefined;
  if (only === undefined || !typeNames.includes(only[0] as TypeName))
    throw new FormProblem(`${path}: a typed value is an object with one of ${typeNames.join(", ")}, such as {"S": "text"}`);
  const [type, content] = only as [TypeName, Json];
  switch (type) {
    case "S": case "N": case "B": return typedText(type, content, path);
    case "BOOL":
      if (typeof content !== "boolean") throw new FormProblem(`${path}: the value of BOOL is true or false`);
      return { BOOL: content };
    case "NULL":
      if (content !== true) throw new FormProblem(`${path}: the value of NULL is true`);
      return { NULL: true };
    case "SS": return { SS: texts(content, path, () => undefined) };
    case "NS": return { NS: texts(content, path, numberProblem) };
    case "BS": return { BS: texts(content, path, checkBase64) };
    case "L":
      if (!Array.isArray(content)) throw new FormProblem(`${path}: the value of L is a list`);
      return { L: content.map((each, at) => typedValue(each, `${path}[${at}]`, depth + 1)) };
    case "M":
      if (!(content instanceof Map)) throw new FormProblem(`${path}: the value of M is an object`);
      return { M: objectOf([...content].map(([name, each]) => [name, typedValue(each, `${path}.${name}`, depth + 1)])) };
  }
}

export type Form = "plain" | "typed";

/** Fails with JsonProblem or FormProblem. */
export function parseItem(text: string, form: Form): Item {
  const json = parseJson(text);
  if (!(json instanceof Map)) throw new FormProblem("an item is an object in braces");
  return objectOf([...json].map(([name, each]) => {
    if (name === "") throw new FormProblem("the name of an attribute is not empty");
    return [name, form === "plain" ? plainValue(each, name, 1) : typedValue(each, name, 1)];
  }));
}

/** One value. Fails like parseItem. */
export function parseValue(text: string, form: Form): AttributeValue {
  const json = parseJson(text);
  return form === "plain" ? plainValue(json, "value", 1) : typedValue(json, "value", 1);
}

/** The form that a text seems to have: typed when every attribute is an object with the name of a type. */
export function formOf(text: string): Form {
  const json = parseJson(text);
  const isTyped = (each: Json) => each instanceof Map && each.size === 1 && typeNames.includes([...each.keys()][0] as TypeName);
  return json instanceof Map && json.size > 0 && [...json.values()].every(isTyped) ? "typed" : "plain";
}

// ---- Writing --------------------------------------------------------------------------------------------------------

/** True when the plain form loses the types of some values: sets and bytes. */
export function plainLoses(value: AttributeValue): boolean {
  if ("L" in value) return value.L.some(plainLoses);
  if ("M" in value) return Object.values(value.M).some(plainLoses);
  return ["B", "SS", "NS", "BS"].includes(typeOf(value));
}

interface Layout {
  /** Spaces for each depth; 0 is one line. */
  indent: number;
}

function bracketed(open: string, close: string, parts: string[], layout: Layout, depth: number): string {
  if (parts.length === 0) return open + close;
  if (layout.indent === 0) return open + parts.join(",") + close;
  const inner = "\n" + " ".repeat(layout.indent * (depth + 1));
  return open + inner + parts.join("," + inner) + "\n" + " ".repeat(layout.indent * depth) + close;
}

function writePlain(value: AttributeValue, layout: Layout, depth: number): string {
  if ("S" in value) return jsonText(value.S);
  if ("N" in value) return jsonNumber(value.N);
  if ("B" in value) return JSON.stringify(value.B);
  if ("BOOL" in value) return String(value.BOOL);
  if ("NULL" in value) return "null";
  const list = (parts: string[]) => bracketed("[", "]", parts, layout, depth);
  if ("SS" in value) return list(value.SS.map(jsonText));
  if ("BS" in value) return list(value.BS.map((each) => JSON.stringify(each)));
  if ("NS" in value) return list(value.NS.map(jsonNumber));
  if ("L" in value) return list(value.L.map((each) => writePlain(each, layout, depth + 1)));
  return members(value.M, layout, depth, (each) => writePlain(each, layout, depth + 1));
}

/** Servers send numbers in JSON's own form; others may not. */
function jsonNumber(text: string): string {
  return /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/.test(text) ? text : JSON.stringify(text);
}

function members(item: Item, layout: Layout, depth: number, write: (value: AttributeValue) => string): string {
  const colon = layout.indent === 0 ? ":" : ": ";
  return bracketed("{", "}", Object.keys(item).map((name) => jsonText(name) + colon + write(item[name]!)), layout, depth);
}

function writeTyped(value: AttributeValue, layout: Layout, depth: number): string {
  const colon = layout.indent === 0 ? ":" : ": ";
  const typed = (content: string) => `{"${typeOf(value)}"${colon}${content}}`;
  if ("L" in value) return typed(bracketed("[", "]", value.L.map((each) => writeTyped(each, layout, depth + 1)), layout, depth));
  if ("M" in value) return typed(members(value.M, layout, depth, (each) => writeTyped(each, layout, depth + 1)));
  return withoutDisguise(JSON.stringify(value)).replace(/^(\{"[A-Z]+":)/, layout.indent === 0 ? "$1" : "$1 ");
}

export function writeValue(value: AttributeValue, form: Form, indent = 0): string {
  return form === "plain" ? writePlain(value, { indent }, 0) : writeTyped(value, { indent }, 0);
}

export function writeItem(item: Item, form: Form, indent = 2): string {
  const layout = { indent };
  return members(item, layout, 0, (value) => (form === "plain" ? writePlain(value, layout, 1) : writeTyped(value, layout, 1)));
}
