// From a query to the request of Query or Scan.

import type { AttributeValue } from "../../api/attribute";
import { numberProblem } from "../../api/json_forms";
import { keyNames, keyType, type TableDescription } from "../../items/key";
import type { Condition, Group, QueryModel, Value } from "./model";

/** A step of a path: a name, or a place in a list. */
export type Step = string | number;

/** `a.b[0]."c.d"` becomes its steps. A name in double quotes may have any characters. Fails with what is wrong. */
export function parsePath(text: string): Step[] {
  const steps: Step[] = [];
  const pattern = /"((?:[^"\\]|\\.)+)"|\[(\d+)\]|([^.[\]"]+)|\./gy;
  let wantsName = true;
  for (let at = 0; at < text.length; at = pattern.lastIndex) {
    pattern.lastIndex = at;
    const found = pattern.exec(text);
    if (found === null) throw new Error(`"${text}" is not a path such as address.lines[0]`);
    if (found[2] !== undefined) {
      if (wantsName) throw new Error(`"${text}": a name is missing before [${found[2]}]`);
      steps.push(Number(found[2]));
    } else if (found[0] === ".") {
      if (wantsName) throw new Error(`"${text}": a name is missing before a dot`);
      wantsName = true;
      continue;
    } else {
      if (!wantsName) throw new Error(`"${text}" is not a path such as address.lines[0]`);
      steps.push(found[1] !== undefined ? found[1].replace(/\\(.)/g, "$1") : found[3]!.trim());
    }
    wantsName = false;
  }
  if (wantsName) throw new Error(text === "" ? "the name of an attribute is missing" : `"${text}" ends with a dot`);
  return steps;
}

/** Fails with what is wrong. */
export function attributeValue(value: Value): AttributeValue {
  switch (value.type) {
    case "S": return { S: value.text };
    case "N": {
      const problem = numberProblem(value.text);
      if (problem) throw new Error(problem);
      return { N: value.text.trim() };
    }
    case "B": return { B: value.text };
    case "BOOL":
      if (value.text !== "true" && value.text !== "false") throw new Error(`"${value.text}" is neither true nor false`);
      return { BOOL: value.text === "true" };
    case "NULL": return { NULL: true };
  }
}

/** Gives out placeholders; the same name or value always has the same one. */
export class Placeholders {
  readonly names: Record<string, string> = {};
  readonly values: Record<string, AttributeValue> = {};

  name(name: string): string {
    for (const [placeholder, known] of Object.entries(this.names)) if (known === name) return placeholder;
    const word = /^[A-Za-z][A-Za-z0-9]*$/.test(name) ? name : `n${Object.keys(this.names).length}`;
    const placeholder = `#${word}`;
    if (placeholder in this.names) return this.add(`#n${Object.keys(this.names).length}`, name);
    return this.add(placeholder, name);
  }
  private add(placeholder: string, name: string): string {
    this.names[placeholder] = name;
    return placeholder;
  }
  path(path: string): string {
    return parsePath(path).map((step, at) => (typeof step === "number" ? `[${step}]` : (at > 0 ? "." : "") + this.name(step))).join("");
  }
  value(value: Value): string {
    const wanted = attributeValue(value);
    const text = JSON.stringify(wanted);
    for (const [placeholder, known] of Object.entries(this.values)) if (JSON.stringify(known) === text) return placeholder;
    const placeholder = `:v${Object.keys(this.values).length}`;
    this.values[placeholder] = wanted;
    return placeholder;
  }
}

function conditionText(condition: Condition, given: Placeholders): string {
  const path = given.path(condition.path);
  const value = (at: number) => given.value(condition.values[at] ?? { type: "S", text: "" });
  switch (condition.operator) {
    case "between": return `${path} BETWEEN ${value(0)} AND ${value(1)}`;
    case "in": return `${path} IN (${condition.values.map((each) => given.value(each)).join(", ")})`;
    case "begins_with": case "contains": return `${condition.operator}(${path}, ${value(0)})`;
    case "attribute_type": return `attribute_type(${path}, ${given.value({ type: "S", text: condition.values[0]?.text ?? "S" })})`;
    case "exists": return `attribute_exists(${path})`;
    case "not_exists": return `attribute_not_exists(${path})`;
    case "size=": case "size<": case "size>": return `size(${path}) ${condition.operator.slice(4)} ${given.value({ type: "N", text: condition.values[0]?.text ?? "" })}`;
    default: return `${path} ${condition.operator} ${value(0)}`;
  }
}

/** Empty for a group without parts. */
export function groupText(group: Group, given: Placeholders, inner = false): string {
  const parts = group.parts.map((part) => (part.kind === "group" ? groupText(part, given, true) : conditionText(part, given))).filter((text) => text !== "");
  if (parts.length === 0) return "";
  const joined = parts.join(` ${group.join} `);
  if (group.not) return `NOT (${joined})`;
  return inner && parts.length > 1 ? `(${joined})` : joined;
}

export interface ReadRequest {
  operation: "Query" | "Scan";
  input: Record<string, unknown>;
}

/** The keys of what is read: the table's or the index's. */
export function keysOf(query: QueryModel, table: TableDescription): { partition: string; sort: string | undefined; isLocal: boolean; isGlobal: boolean } {
  const global = table.GlobalSecondaryIndexes?.find((index) => index.IndexName === query.index);
  const local = table.LocalSecondaryIndexes?.find((index) => index.IndexName === query.index);
  const [partition, sort] = keyNames((global ?? local ?? table).KeySchema);
  return { partition: partition!, sort, isLocal: local !== undefined, isGlobal: global !== undefined };
}

function keyConditionText(query: QueryModel, table: TableDescription, given: Placeholders): string {
  const { partition, sort } = keysOf(query, table);
  const typed = (name: string, value: Value | undefined): Value => ({ type: keyType(table, name) as Value["type"], text: value?.text ?? "" });
  const of = (name: string, value: Value | undefined): string => {
    const whole = typed(name, value);
    if (whole.text === "") throw new Error(`a value for ${name} is missing`);
    return given.value(whole);
  };
  const first = `${given.name(partition)} = ${of(partition, query.partition)}`;
  if (sort === undefined || query.sort.operator === "none") return first;
  const name = given.name(sort);
  const low = of(sort, query.sort.values[0]);
  if (query.sort.operator === "between") return `${first} AND ${name} BETWEEN ${low} AND ${of(sort, query.sort.values[1])}`;
  if (query.sort.operator === "begins_with") return `${first} AND begins_with(${name}, ${low})`;
  return `${first} AND ${name} ${query.sort.operator} ${low}`;
}

/** Fails with the first thing that is wrong. */
export function buildRequest(query: QueryModel, table: TableDescription): ReadRequest {
  const given = new Placeholders();
  const key = query.mode === "query" ? keyConditionText(query, table, given) : "";
  const filter = groupText(query.filter, given);
  const projection = query.projection.filter((path) => path.trim() !== "").map((path) => given.path(path)).join(", ");
  return {
    operation: query.mode === "query" ? "Query" : "Scan",
    input: {
      TableName: query.table,
      ...(query.index === "" ? {} : { IndexName: query.index }),
      ...(key === "" ? {} : { KeyConditionExpression: key }),
      ...(filter === "" ? {} : { FilterExpression: filter }),
      ...(projection === "" ? {} : { ProjectionExpression: projection }),
      ...(Object.keys(given.names).length > 0 ? { ExpressionAttributeNames: given.names } : {}),
      ...(Object.keys(given.values).length > 0 ? { ExpressionAttributeValues: given.values } : {}),
      ...(query.mode === "query" && query.descending ? { ScanIndexForward: false } : {}),
      ...(query.consistent && !keysOf(query, table).isGlobal ? { ConsistentRead: true } : {}),
    },
  };
}
