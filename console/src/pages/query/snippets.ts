// The same request in the languages of programs.

import type { AttributeValue } from "../../api/attribute";
import { keyType, type TableDescription } from "../../items/key";
import { shellQuote } from "../../ui/format";
import { attributeValue, buildRequest, keysOf, parsePath, type ReadRequest } from "./build";
import type { Condition, Group, QueryModel, Value } from "./model";

const kebab = (name: string): string => name.replace(/([a-z])([A-Z])/g, "$1-$2").toLowerCase();

export function awsCli({ operation, input }: ReadRequest, endpoint: string): string {
  const lines = [`aws dynamodb ${kebab(operation)}`];
  for (const [name, value] of Object.entries(input)) {
    if (typeof value === "boolean") lines.push(value ? `--${kebab(name)}` : `--no-${kebab(name)}`);
    else lines.push(`--${kebab(name)} ${shellQuote(typeof value === "string" ? value : JSON.stringify(value))}`);
  }
  lines.push(`--endpoint-url ${shellQuote(endpoint)}`);
  return lines.join(" \\\n  ");
}

function pythonText(text: string): string {
  // What JSON escapes, Python reads alike, except for halves of pairs.
  return JSON.stringify(text);
}

function python(value: unknown, indent: number): string {
  if (typeof value === "string") return pythonText(value);
  if (typeof value === "boolean") return value ? "True" : "False";
  if (Array.isArray(value)) return `[${value.map((each) => python(each, indent)).join(", ")}]`;
  if (value === null || typeof value !== "object") return String(value);
  return `{${Object.entries(value).map(([name, each]) => `${pythonText(name)}: ${python(each, indent)}`).join(", ")}}`;
}

export function boto3({ operation, input }: ReadRequest, endpoint: string): string {
  const parameters = Object.entries(input).map(([name, value]) => `    ${name}=${python(value, 4)},\n`).join("");
  return `import boto3

dynamodb = boto3.client("dynamodb", endpoint_url=${pythonText(endpoint)}, region_name="us-east-1")
pages = dynamodb.get_paginator("${operation.toLowerCase()}").paginate(
${parameters})
for page in pages:
    for item in page["Items"]:
        print(item)
`;
}

export function javaScript({ operation, input }: ReadRequest, endpoint: string): string {
  const parameters = JSON.stringify(input, null, 2).replace(/^( *)"([A-Za-z]+)":/gm, "$1$2:");
  return `import { DynamoDBClient, paginate${operation} } from "@aws-sdk/client-dynamodb";

const client = new DynamoDBClient({ endpoint: ${JSON.stringify(endpoint)}, region: "us-east-1" });
for await (const page of paginate${operation}({ client }, ${parameters})) {
  for (const item of page.Items) console.log(item);
}
`;
}

// ---- C++ ------------------------------------------------------------------------------------------------------------

function cppText(text: string): string {
  const escapes: Record<string, string> = { "\\": "\\\\", '"': '\\"', "\n": "\\n", "\t": "\\t", "\r": "\\r" };
  return `"${text.replace(/[\\"\n\t\r]/g, (character) => escapes[character]!)}"`;
}

function cppValue(value: AttributeValue): string {
  if ("S" in value) return cppText(value.S);
  if ("N" in value) return /^-?\d{1,18}$/.test(value.N) ? value.N : /^\d{1,30}\.\d{1,7}$/.test(value.N) ? `${value.N}_n` : `db::Number::parse(${cppText(value.N)}).value()`;
  if ("BOOL" in value) return String(value.BOOL);
  if ("B" in value) return `db::Bytes(${cppText(value.B)} /* of base64 */)`;
  return "nullptr";
}

const cppPath = (path: string, word = "attr"): string =>
  parsePath(path).map((step, at) => (at === 0 ? `db::${word}(${cppText(String(step))})` : `[${typeof step === "number" ? step : cppText(step)}]`)).join("");

const typeWords: Record<string, string> = { S: "kString", N: "kNumber", B: "kBinary", BOOL: "kBool", NULL: "kNull", L: "kList", M: "kMap", SS: "kStringSet", NS: "kNumberSet", BS: "kBinarySet" };

function cppCondition(condition: Condition): string {
  const path = cppPath(condition.path);
  const value = (at: number) => cppValue(attributeValue(condition.values[at] ?? { type: "S", text: "" }));
  switch (condition.operator) {
    case "=": return `${path} == ${value(0)}`;
    case "<>": return `${path} != ${value(0)}`;
    case "between": return `${path}.between(${value(0)}, ${value(1)})`;
    case "in": return `${path}.in({${condition.values.map((_, at) => value(at)).join(", ")}})`;
    case "begins_with": case "contains": return `${path}.${condition.operator}(${value(0)})`;
    case "exists": case "not_exists": return `${path}.${condition.operator}()`;
    case "attribute_type": return `${path}.is(db::Type::${typeWords[condition.values[0]?.text ?? "S"] ?? "kString"})`;
    case "size=": return `${path}.size() == ${condition.values[0]?.text}`;
    case "size<": case "size>": return `${path}.size() ${condition.operator.slice(4)} ${condition.values[0]?.text}`;
    default: return `${path} ${condition.operator} ${value(0)}`;
  }
}

function cppGroup(group: Group, inner = false): string {
  const parts = group.parts.map((part) => (part.kind === "group" ? cppGroup(part, true) : cppCondition(part))).filter((text) => text !== "");
  if (parts.length === 0) return "";
  const joined = parts.join(group.join === "AND" ? " && " : " || ");
  if (group.not) return `!(${joined})`;
  return inner && parts.length > 1 ? `(${joined})` : joined;
}

/** The conditions on the key as parts of a filter, which is how C++ and PartiQL write them. */
function keyConditions(query: QueryModel, table: TableDescription): Condition[] {
  if (query.mode === "scan") return [];
  const { partition, sort } = keysOf(query, table);
  const typed = (name: string, value: Value): Value => ({ type: keyType(table, name) as Value["type"], text: value.text });
  const path = (name: string) => JSON.stringify(name);
  const conditions: Condition[] = [{ kind: "condition", path: path(partition), operator: "=", values: [typed(partition, query.partition)] }];
  if (sort !== undefined && query.sort.operator !== "none")
    conditions.push({ kind: "condition", path: path(sort), operator: query.sort.operator, values: query.sort.values.slice(0, query.sort.operator === "between" ? 2 : 1).map((value) => typed(sort, value)) });
  return conditions;
}

export function cpp(query: QueryModel, table: TableDescription, endpoint: string): string {
  const key = keyConditions(query, table).map((condition) => cppCondition(condition).replace(/^db::attr/, "db::key")).join(" && ");
  const filter = cppGroup(query.filter);
  const projection = query.projection.filter((path) => path.trim() !== "").map((path) => cppPath(path)).join(", ");
  const options = [
    key !== "" && `.key = ${key}`,
    query.index !== "" && `.index = ${cppText(query.index)}`,
    filter !== "" && `.filter = ${filter}`,
    projection !== "" && `.projection = {${projection}}`,
    query.mode === "query" && query.descending && ".descending = true",
    query.consistent && ".consistent_read = true",
  ].filter(Boolean);
  return `#include <dolmen/dolmen.h>
namespace db = dolmen;
using namespace db::literals;

auto store = db::open(${cppText(endpoint)}).value();
for (const db::Result<db::Item>& item : store->${query.mode}(${cppText(query.table)}, {${options.join(",\n                                          ")}})) {
  if (!item) return item.error();
}
`;
}

// ---- PartiQL --------------------------------------------------------------------------------------------------------

const sqlName = (name: string): string => `"${name.replace(/"/g, '""')}"`;
const sqlPath = (path: string): string => parsePath(path).map((step, at) => (typeof step === "number" ? `[${step}]` : (at > 0 ? "." : "") + sqlName(step))).join("");

function sqlValue(value: AttributeValue): string {
  if ("S" in value) return `'${value.S.replace(/'/g, "''")}'`;
  if ("N" in value) return value.N;
  if ("BOOL" in value) return String(value.BOOL);
  if ("NULL" in value) return "null";
  throw new Error("bytes are parameters of a statement, not a part of its text");
}

function sqlCondition(condition: Condition): string {
  const path = sqlPath(condition.path);
  const value = (at: number) => sqlValue(attributeValue(condition.values[at] ?? { type: "S", text: "" }));
  switch (condition.operator) {
    case "between": return `${path} BETWEEN ${value(0)} AND ${value(1)}`;
    case "in": return `${path} IN [${condition.values.map((_, at) => value(at)).join(", ")}]`;
    case "begins_with": case "contains": return `${condition.operator}(${path}, ${value(0)})`;
    case "exists": return `${path} IS NOT MISSING`;
    case "not_exists": return `${path} IS MISSING`;
    case "attribute_type": return `attribute_type(${path}, '${condition.values[0]?.text ?? "S"}')`;
    case "size=": case "size<": case "size>": return `size(${path}) ${condition.operator.slice(4)} ${condition.values[0]?.text}`;
    default: return `${path} ${condition.operator} ${value(0)}`;
  }
}

function sqlGroup(group: Group, inner = false): string {
  const parts = group.parts.map((part) => (part.kind === "group" ? sqlGroup(part, true) : sqlCondition(part))).filter((text) => text !== "");
  if (parts.length === 0) return "";
  const joined = parts.join(` ${group.join} `);
  if (group.not) return `NOT (${joined})`;
  return inner && parts.length > 1 ? `(${joined})` : joined;
}

/** Fails for bytes, which a statement cannot have in its text. */
export function partiql(query: QueryModel, table: TableDescription): string {
  const columns = query.projection.filter((path) => path.trim() !== "").map(sqlPath).join(", ") || "*";
  const hasKey = query.mode === "query";
  const filter = sqlGroup(query.filter, hasKey);
  const where = [...keyConditions(query, table).map(sqlCondition), ...(filter === "" ? [] : [filter])].join("\n  AND ");
  const { sort } = keysOf(query, table);
  const order = hasKey && query.descending && sort !== undefined ? `\nORDER BY ${sqlName(sort)} DESC` : "";
  return `SELECT ${columns}\nFROM ${sqlName(query.table)}${query.index === "" ? "" : "." + sqlName(query.index)}${where === "" ? "" : `\nWHERE ${where}`}${order}`;
}

export type Language = "json" | "cli" | "boto3" | "js" | "cpp" | "partiql";
export const languages: readonly { id: Language; text: string }[] = [
  { id: "json", text: "Request" }, { id: "cli", text: "AWS CLI" }, { id: "boto3", text: "boto3" }, { id: "js", text: "JavaScript" }, { id: "cpp", text: "C++" }, { id: "partiql", text: "PartiQL" },
];

/** Fails when the query is not complete. */
export function snippet(language: Language, query: QueryModel, table: TableDescription, endpoint: string): string {
  const request = buildRequest(query, table);
  switch (language) {
    case "json": return `${request.operation}\n${JSON.stringify(request.input, null, 2)}`;
    case "cli": return awsCli(request, endpoint);
    case "boto3": return boto3(request, endpoint);
    case "js": return javaScript(request, endpoint);
    case "cpp": return cpp(query, table, endpoint);
    case "partiql": return partiql(query, table);
  }
}
