// Values of attributes as the protocol writes them, and what the pages need to know about them.

export type AttributeValue =
  | { S: string }
  | { N: string }
  | { B: string }
  | { BOOL: boolean }
  | { NULL: true }
  | { M: { [name: string]: AttributeValue } }
  | { L: AttributeValue[] }
  | { SS: string[] }
  | { NS: string[] }
  | { BS: string[] };

export type Item = { [name: string]: AttributeValue };
export type TypeName = "S" | "N" | "B" | "BOOL" | "NULL" | "M" | "L" | "SS" | "NS" | "BS";

export const typeNames: readonly TypeName[] = ["S", "N", "B", "BOOL", "NULL", "M", "L", "SS", "NS", "BS"];

/** In words, for labels. */
export const typeWords: Record<TypeName, string> = {
  S: "text", N: "number", B: "bytes", BOOL: "true or false", NULL: "null", M: "map", L: "list",
  SS: "set of texts", NS: "set of numbers", BS: "set of bytes",
};

/** The same item without what every object inherits, so that attributes may be called "constructor" or "__proto__". */
export function ownItem(item: Item): Item {
  return Object.assign(Object.create(null) as Item, item);
}

export function typeOf(value: AttributeValue): TypeName {
  for (const name in value) return name as TypeName;
  throw new Error("an attribute value has no type");
}

/** The value without its type. */
export function contentOf(value: AttributeValue): unknown {
  return (value as Record<string, unknown>)[typeOf(value)];
}

/** The class of its colour (styles/controls.css). */
export function typeClass(type: TypeName): string {
  switch (type) {
    case "S": return "t-s";
    case "N": return "t-n";
    case "B": return "t-b";
    case "BOOL": return "t-bool";
    case "NULL": return "t-null";
    case "M": case "L": return "t-nest";
    default: return "t-set";
  }
}

const encoder = new TextEncoder();

/** Bytes of UTF-8. */
export function utf8Length(text: string): number {
  return encoder.encode(text).length;
}

/** Bytes that a base64 text stands for. */
export function base64Length(text: string): number {
  const padding = text.endsWith("==") ? 2 : text.endsWith("=") ? 1 : 0;
  return Math.max(0, Math.floor((text.length * 3) / 4) - padding);
}

function numberSize(text: string): number {
  const digits = text.replace(/[eE].*$/, "").replace(/[^0-9]/g, "").replace(/^0+/, "").replace(/0+$/, "").length;
  return Math.ceil(digits / 2) + (text.startsWith("-") ? 2 : 1);
}

/** About the size that DynamoDB counts, in bytes. */
export function valueSize(value: AttributeValue): number {
  if ("S" in value) return utf8Length(value.S);
  if ("N" in value) return numberSize(value.N);
  if ("B" in value) return base64Length(value.B);
  if ("BOOL" in value || "NULL" in value) return 1;
  if ("SS" in value) return value.SS.reduce((sum, each) => sum + utf8Length(each), 0);
  if ("NS" in value) return value.NS.reduce((sum, each) => sum + numberSize(each), 0);
  if ("BS" in value) return value.BS.reduce((sum, each) => sum + base64Length(each), 0);
  if ("L" in value) return 3 + value.L.reduce((sum, each) => sum + valueSize(each) + 1, 0);
  return 3 + Object.entries(value.M).reduce((sum, [name, each]) => sum + utf8Length(name) + valueSize(each) + 1, 0);
}

export function itemSize(item: Item): number {
  return Object.entries(item).reduce((sum, [name, value]) => sum + utf8Length(name) + valueSize(value), 0);
}

const shownCharactersMax = 200;

/** What has no look of its own: control characters, what turns the direction of the text after it, and what has no width. */
const unseen = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u200b\u202a-\u202e\u2060\u2066-\u2069\ufeff]/g;

/** The text with such characters as JSON escapes them, so that it reads as what it is. */
export function withoutDisguise(text: string): string {
  return text.replace(unseen, (each) => `\\u${each.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}`);
}

/** A text of JSON that says the same, and shows what it says. */
export const jsonText = (text: string): string => withoutDisguise(JSON.stringify(text));

function cut(text: string): string {
  return text.length > shownCharactersMax ? text.slice(0, shownCharactersMax) + "…" : text;
}

/** One short line: nested values are only counted. */
export function shortText(value: AttributeValue): string {
  if ("S" in value) return withoutDisguise(cut(value.S)).replace(/[\n\r\t]/g, "␣");
  if ("N" in value) return value.N;
  if ("B" in value) return `${base64Length(value.B)} B ${cut(value.B)}`;
  if ("BOOL" in value) return String(value.BOOL);
  if ("NULL" in value) return "null";
  if ("SS" in value) return withoutDisguise(cut(`{${value.SS.slice(0, 20).join(", ")}}`));
  if ("NS" in value) return cut(`{${value.NS.slice(0, 20).join(", ")}}`);
  if ("BS" in value) return `{${value.BS.length} × bytes}`;
  if ("L" in value) return `[ ${value.L.length} ]`;
  return `{ ${Object.keys(value.M).length} }`;
}

/** Whether two values are the same, with sets in any order. */
export function sameValue(a: AttributeValue | undefined, b: AttributeValue | undefined): boolean {
  return canonical(a) === canonical(b);
}

function canonical(value: AttributeValue | undefined): string {
  if (value === undefined) return "";
  const sorted = (texts: string[]) => JSON.stringify([...texts].sort());
  if ("SS" in value) return "SS" + sorted(value.SS);
  if ("NS" in value) return "NS" + sorted(value.NS);
  if ("BS" in value) return "BS" + sorted(value.BS);
  if ("L" in value) return "L[" + value.L.map(canonical).join(",") + "]";
  if ("M" in value)
    return "M{" + Object.keys(value.M).sort().map((name) => JSON.stringify(name) + ":" + canonical(value.M[name])).join(",") + "}";
  return JSON.stringify(value);
}

export function sameItem(a: Item | undefined, b: Item | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  return canonical({ M: a }) === canonical({ M: b });
}
