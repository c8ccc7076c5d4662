// A query as somebody puts it together, which is also what a saved file holds.

import { type Json, Digits, parseJson } from "../../api/json_text";

export type ValueType = "S" | "N" | "B" | "BOOL" | "NULL";
export const valueTypes: readonly ValueType[] = ["S", "N", "B", "BOOL", "NULL"];

export interface Value {
  type: ValueType;
  text: string;
}

export type SortOperator = "none" | "=" | "<" | "<=" | ">" | ">=" | "between" | "begins_with";
export const sortOperators: readonly SortOperator[] = ["none", "=", "<", "<=", ">", ">=", "between", "begins_with"];

export type FilterOperator =
  | "=" | "<>" | "<" | "<=" | ">" | ">=" | "between" | "in" | "begins_with" | "contains" | "exists" | "not_exists" | "attribute_type" | "size=" | "size<" | "size>";
export const filterOperators: readonly { value: FilterOperator; text: string }[] = [
  { value: "=", text: "=" }, { value: "<>", text: "≠" }, { value: "<", text: "<" }, { value: "<=", text: "≤" }, { value: ">", text: ">" }, { value: ">=", text: "≥" },
  { value: "between", text: "between" }, { value: "in", text: "is one of" }, { value: "begins_with", text: "begins with" }, { value: "contains", text: "contains" },
  { value: "exists", text: "exists" }, { value: "not_exists", text: "does not exist" }, { value: "attribute_type", text: "has the type" },
  { value: "size=", text: "size =" }, { value: "size<", text: "size <" }, { value: "size>", text: "size >" },
];

/** How many values an operator takes; "many" is a list. */
export function valuesOf(operator: FilterOperator): 0 | 1 | 2 | "many" {
  if (operator === "exists" || operator === "not_exists") return 0;
  return operator === "between" ? 2 : operator === "in" ? "many" : 1;
}

export interface Condition {
  kind: "condition";
  path: string;
  operator: FilterOperator;
  values: Value[];
}

export interface Group {
  kind: "group";
  join: "AND" | "OR";
  not: boolean;
  parts: (Condition | Group)[];
}

export interface QueryModel {
  table: string;
  /** Empty: the table itself. */
  index: string;
  mode: "query" | "scan";
  partition: Value;
  sort: { operator: SortOperator; values: Value[] };
  filter: Group;
  /** Paths; empty: everything. */
  projection: string[];
  descending: boolean;
  consistent: boolean;
}

export const emptyValue = (type: ValueType = "S"): Value => ({ type, text: "" });
export const emptyGroup = (): Group => ({ kind: "group", join: "AND", not: false, parts: [] });
export const emptyCondition = (): Condition => ({ kind: "condition", path: "", operator: "=", values: [emptyValue()] });

export function emptyQuery(table = "", index = ""): QueryModel {
  return { table, index, mode: "query", partition: emptyValue(), sort: { operator: "none", values: [emptyValue(), emptyValue()] }, filter: emptyGroup(), projection: [], descending: false, consistent: false };
}

// ---- Files ----------------------------------------------------------------------------------------------------------

export const fileVersion = 1;

/** Text that git shows well: members in one order, a line for each, and an end of the last line. */
export function writeQueryFile(name: string, query: QueryModel): string {
  return JSON.stringify({ dolmen_query: fileVersion, name, ...query }, null, 2) + "\n";
}

class Members {
  constructor(private readonly json: Json, private readonly place: string) {
    if (!(json instanceof Map)) throw new Error(`${place} is not an object`);
  }
  get(name: string): Json | undefined {
    return (this.json as Map<string, Json>).get(name);
  }
  text(name: string): string {
    const value = this.get(name);
    if (typeof value !== "string") throw new Error(`${this.place}: "${name}" is not a text`);
    return value;
  }
  flag(name: string): boolean {
    const value = this.get(name);
    if (typeof value !== "boolean") throw new Error(`${this.place}: "${name}" is neither true nor false`);
    return value;
  }
  word<T extends string>(name: string, words: readonly T[]): T {
    const value = this.text(name);
    if (!words.includes(value as T)) throw new Error(`${this.place}: "${name}" is "${value}" instead of one of ${words.join(", ")}`);
    return value as T;
  }
  list<T>(name: string, read: (json: Json, place: string) => T): T[] {
    const value = this.get(name);
    if (!Array.isArray(value)) throw new Error(`${this.place}: "${name}" is not a list`);
    return value.map((each, at) => read(each, `${name}[${at}]`));
  }
}

const readValue = (json: Json, place: string): Value => {
  const members = new Members(json, place);
  return { type: members.word("type", valueTypes), text: members.text("text") };
};

const readText = (json: Json, place: string): string => {
  if (typeof json !== "string") throw new Error(`${place} is not a text`);
  return json;
};

const groupsDeepMax = 8;

function readPart(json: Json, place: string, depth: number): Condition | Group {
  const members = new Members(json, place);
  if (depth > groupsDeepMax) throw new Error(`${place}: groups are nested more than ${groupsDeepMax} deep`);
  if (members.word("kind", ["condition", "group"]) === "condition")
    return { kind: "condition", path: members.text("path"), operator: members.word("operator", filterOperators.map(({ value }) => value)), values: members.list("values", readValue) };
  return { kind: "group", join: members.word("join", ["AND", "OR"]), not: members.flag("not"), parts: members.list("parts", (each, where) => readPart(each, `${place}.${where}`, depth + 1)) };
}

/** Fails with what is wrong with the file. */
export function readQueryFile(text: string): { name: string; query: QueryModel } {
  const members = new Members(parseJson(text), "the file");
  const version = members.get("dolmen_query");
  if (!(version instanceof Digits) || version.text !== String(fileVersion)) throw new Error(`this is not a saved query of Dolmen: "dolmen_query" is not ${fileVersion}`);
  const filter = readPart(members.get("filter") ?? null, "filter", 0);
  if (filter.kind !== "group") throw new Error("filter: the outermost part is a group");
  const sort = new Members(members.get("sort") ?? null, "sort");
  return {
    name: members.text("name"),
    query: {
      table: members.text("table"),
      index: members.text("index"),
      mode: members.word("mode", ["query", "scan"]),
      partition: readValue(members.get("partition") ?? null, "partition"),
      sort: { operator: sort.word("operator", sortOperators), values: sort.list("values", readValue) },
      filter,
      projection: members.list("projection", readText),
      descending: members.flag("descending"),
      consistent: members.flag("consistent"),
    },
  };
}
