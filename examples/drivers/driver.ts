// A driver of scenarios in TypeScript, on the AWS SDK for JavaScript (docs/drivers.md).
//
//   npx esbuild examples/drivers/driver.ts --platform=node --format=cjs --outfile=driver.cjs
//   dolmen scenario run --models contract/models --scenarios contract --endpoint http://127.0.0.1:8000 \
//       --driver "node driver.cjs"
//
// It holds a small implementation of DMS that stands for the one that you want to be judged: creates, reads, updates
// with optimistic locking, deletes and queries. What it cannot do, it says.

import { createInterface } from "node:readline";
import { DynamoDB, type AttributeValue } from "@aws-sdk/client-dynamodb";

type Item = Record<string, unknown>;
type Stored = Record<string, AttributeValue>;

interface Attribute {
  attribute: string;
  type: string;
  required?: boolean;
  omit_empty?: boolean;
  json?: boolean;
  format?: string;
  roles?: string[];
  encryption?: object;
}

interface Key {
  attribute: string;
  type: string;
}

interface Model {
  name: string;
  keys: { partition: Key; sort?: Key };
  attributes: Attribute[];
}

interface Comparison {
  field?: string;
  op?: string;
  value?: unknown;
  values?: unknown[];
}

interface Request {
  id: number;
  op: string;
  endpoint: string;
  table: string;
  models: Model[];
  model: string;
  now: string;
  item: Item;
  key: Item;
  fields?: string[];
  if_not_exists?: boolean;
  version?: string | number;
  partition?: unknown;
  sort_key?: Comparison[];
  order?: "ASC" | "DESC";
  limit?: number;
  [other: string]: unknown;
}

/** An error that all implementations of DMS know by its name. */
class Failure extends Error {
  constructor(readonly errorName: string, message: string) {
    super(message);
  }
}

/** A step that this implementation cannot carry out. */
class Unsupported extends Error {}

// ---- Values ----

/** Texts of digits stay as they are: a number of JavaScript would round them. */
const NUMBER = /^-?(\d+)(?:\.(\d+))?(?:[eE][+-]?\d+)?$/;

/** DynamoDB holds 38 digits. */
function isNumber(text: string): boolean {
  const [, whole = "", fraction = ""] = NUMBER.exec(text) ?? [];
  const digits = (whole + fraction).replace(/^0+|0+$/g, "");
  return whole !== "" && digits.length <= 38;
}

function scalar(kind: string, value: unknown): string | Uint8Array {
  const text = kind === "N" && typeof value === "number" ? String(value) : value;
  if (typeof text !== "string" || (kind === "N" && !isNumber(text))) throw new TypeError();
  return kind === "B" ? Buffer.from(text, "base64") : text;
}

/** A value inside a list or map, where no model says its type. */
function document(value: unknown): AttributeValue {
  if (value === null) return { NULL: true };
  if (typeof value === "boolean") return { BOOL: value };
  if (typeof value === "number") return { N: String(value) };
  if (typeof value === "string") return { S: value };
  if (Array.isArray(value)) return { L: value.map(document) };
  return { M: Object.fromEntries(Object.entries(value as Item).map(([name, member]) => [name, document(member)])) };
}

const RFC3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d([.,]\d{1,9})?(Z|[+-]\d\d:\d\d)$/;

/** A value as the model stores it. */
function encode(attribute: Attribute, value: unknown): AttributeValue {
  if (attribute.encryption) throw new Unsupported("encrypted attributes");
  // JSON.parse has rounded its numbers already.
  if (attribute.json) throw new Unsupported("JSON blobs");
  const kind = attribute.type;
  const isIndexKey = attribute.roles?.some((role) => role.startsWith("index_"));
  if (value === null && !attribute.required && !isIndexKey) return { NULL: true };
  const wrong = new Failure("ErrInvalidModel", `${attribute.attribute} cannot be ${JSON.stringify(value)}`);
  if (["int", "unix_seconds"].includes(attribute.format ?? "") && !Number.isInteger(Number(value))) throw wrong;
  if (attribute.format === "rfc3339nano" && !RFC3339.test(String(value))) throw wrong;
  try {
    if (kind === "SS" || kind === "NS" || kind === "BS") {
      if (!Array.isArray(value)) throw new TypeError();
      const members = value.map((member) => scalar(kind[0]!, member));
      if (new Set(members.map((member) => (kind === "NS" ? Number(member) : String(member)))).size < members.length)
        throw new TypeError();
      return members.length === 0 ? { NULL: true } : ({ [kind]: members } as unknown as AttributeValue);
    }
    if (kind === "S" || kind === "N" || kind === "B")
      return { [kind]: scalar(kind, value) } as unknown as AttributeValue;
  } catch {
    throw wrong;
  }
  const found = kind === "NULL" ? ({ NULL: true } as AttributeValue) : document(value);
  if (!(kind in found)) throw wrong;
  return found;
}

function plain(stored: AttributeValue): unknown {
  if (stored.B !== undefined) return Buffer.from(stored.B).toString("base64");
  if (stored.BS !== undefined) return stored.BS.map((member) => Buffer.from(member).toString("base64"));
  if (stored.NULL) return null;
  if (stored.L !== undefined) return stored.L.map(plain);
  if (stored.M !== undefined)
    return Object.fromEntries(Object.entries(stored.M).map(([name, member]) => [name, plain(member)]));
  return stored.S ?? stored.N ?? stored.BOOL ?? stored.SS ?? stored.NS;
}

function decode(attribute: Attribute, stored: AttributeValue): unknown {
  if (stored.NULL) return ["SS", "NS", "BS"].includes(attribute.type) ? [] : null;
  return plain(stored);
}

function isEmpty(value: unknown): boolean {
  if (value === null || value === "" || value === 0 || value === "0" || value === false) return true;
  return typeof value === "object" && Object.keys(value).length === 0;
}

// ---- The model ----

const COMPARATORS: Record<string, string> = { EQ: "=", LT: "<", LE: "<=", GT: ">", GE: ">=" };
for (const comparator of Object.values(COMPARATORS)) COMPARATORS[comparator] = comparator;

/** The items of a model. */
class Table {
  private readonly attributes: Map<string, Attribute>;
  private readonly keys: string[];

  constructor(private readonly client: DynamoDB, private readonly table: string, private readonly model: Model) {
    this.attributes = new Map(model.attributes.map((each) => [each.attribute, each]));
    this.keys = [model.keys.partition, model.keys.sort].filter((key) => key !== undefined).map((key) => key.attribute);
  }

  private withRole(role: string): string | undefined {
    return this.model.attributes.find((each) => each.roles?.includes(role))?.attribute;
  }

  private attribute(name: string): Attribute {
    const found = this.attributes.get(name);
    if (!found) throw new Failure("ErrInvalidModel", `there is no attribute ${name}`);
    return found;
  }

  private key(item: Item): Stored {
    const missing = this.keys.find((name) => item[name] === undefined || item[name] === null || item[name] === "");
    if (missing) throw new Failure("ErrMissingPrimaryKey", `the key attribute ${missing} is missing`);
    return Object.fromEntries(this.keys.map((name) => [name, encode(this.attribute(name), item[name])]));
  }

  /** The item that a put stores. */
  private stored(item: Item, now: string): Stored {
    const out = this.key(item);
    Object.keys(item).forEach((name) => this.attribute(name));
    for (const [name, attribute] of this.attributes) {
      const roles = attribute.roles ?? [];
      if (roles.includes("created_at") || roles.includes("updated_at")) out[name] = { S: now };
      else if (roles.includes("version")) out[name] = { N: String(item[name] ?? 0) };
      else if (item[name] !== undefined && !(attribute.omit_empty && isEmpty(item[name])))
        out[name] = encode(attribute, item[name]);
      else if (attribute.required && out[name] === undefined)
        throw new Failure("ErrInvalidModel", `the required attribute ${name} is missing`);
    }
    return out;
  }

  private logical(item: Stored): Item {
    const known = Object.entries(item).filter(([name]) => this.attributes.has(name));
    return Object.fromEntries(known.map(([name, value]) => [name, decode(this.attribute(name), value)]));
  }

  async create(step: Request): Promise<object> {
    if (step.condition) throw new Unsupported("conditions of creates");
    const condition = step.if_not_exists
      ? { ConditionExpression: "attribute_not_exists(#pk)", ExpressionAttributeNames: { "#pk": this.keys[0]! } }
      : {};
    await this.client.putItem({ TableName: this.table, Item: this.stored(step.item, step.now), ...condition });
    return {};
  }

  async get(step: Request): Promise<object> {
    const found = await this.client.getItem({ TableName: this.table, Key: this.key(step.key), ConsistentRead: true });
    if (!found.Item) throw new Failure("ErrItemNotFound", "no item has that key");
    return { item: this.logical(found.Item) };
  }

  async update(step: Request): Promise<object> {
    if (step.protected_attributes) throw new Unsupported("protected attributes");
    const { item, fields = [] } = step;
    const version = this.withRole("version");
    const updated = this.withRole("updated_at");
    if (!version || item[version] === undefined || item[version] === null)
      throw new Failure("ErrInvalidModel", "an update needs a version");
    const names: Record<string, string> = { "#version": version };
    const values: Stored = { ":one": { N: "1" }, ":version": encode(this.attribute(version), item[version]) };
    const sets: string[] = [];
    const removes: string[] = [];
    if (updated) {
      names["#updated"] = updated;
      values[":now"] = { S: step.now };
      sets.push("#updated = :now");
    }
    fields.forEach((name, i) => {
      const attribute = this.attribute(name);
      const owned = attribute.roles?.some((role) => ["created_at", "updated_at", "version"].includes(role));
      if (owned || this.keys.includes(name) || item[name] === undefined || fields.indexOf(name) !== i)
        throw new Failure("ErrInvalidModel", `${name} cannot be updated`);
      names[`#f${i}`] = name;
      if (attribute.omit_empty && isEmpty(item[name])) {
        removes.push(`#f${i}`);
      } else {
        values[`:f${i}`] = encode(attribute, item[name]);
        sets.push(`#f${i} = :f${i}`);
      }
    });
    const clauses = ["ADD #version :one"];
    if (sets.length > 0) clauses.push(`SET ${sets.join(", ")}`);
    if (removes.length > 0) clauses.push(`REMOVE ${removes.join(", ")}`);
    await this.client.updateItem({
      TableName: this.table,
      Key: this.key(item),
      UpdateExpression: clauses.join(" "),
      ConditionExpression: "#version = :version",
      ExpressionAttributeNames: names,
      ExpressionAttributeValues: values,
    });
    return {};
  }

  async delete(step: Request): Promise<object> {
    if (step.condition || step.version !== undefined) throw new Unsupported("conditions of deletes");
    await this.client.deleteItem({ TableName: this.table, Key: this.key(step.key) });
    return {};
  }

  async query(step: Request): Promise<object> {
    const beyond = ["index", "filter", "project", "cursor", "consistent_read"].find((name) => step[name] !== undefined);
    if (beyond) throw new Unsupported(`queries with ${beyond}`);
    if (step.partition === undefined) throw new Failure("ErrInvalidOperator", "a query needs a partition");
    const names: Record<string, string> = { "#pk": this.keys[0]! };
    const values: Stored = { ":pk": encode(this.attribute(this.keys[0]!), step.partition) };
    let condition = "#pk = :pk";
    if (step.sort_key) {
      names["#sk"] = this.keys[1]!;
      condition += ` AND ${this.sortCondition(step.sort_key, values)}`;
    }
    const found = await this.client.query({
      TableName: this.table,
      KeyConditionExpression: condition,
      ExpressionAttributeNames: names,
      ExpressionAttributeValues: values,
      ScanIndexForward: step.order !== "DESC",
      Limit: step.limit,
    });
    if (found.LastEvaluatedKey) throw new Unsupported("cursors");
    return { items: found.Items!.map((item) => this.logical(item)), cursor: "" };
  }

  private sortCondition(parts: Comparison[], values: Stored): string {
    const { field, op = "", value, values: several } = parts.length === 1 ? parts[0]! : {};
    const given = several ?? [value];
    if (field === undefined || field !== this.keys[1])
      throw new Failure("ErrInvalidOperator", "this is not a condition on the sort key");
    given.forEach((each, i) => (values[`:sk${i}`] = encode(this.attribute(field), each)));
    const word = op.toUpperCase();
    if (COMPARATORS[word] && given.length === 1) return `#sk ${COMPARATORS[word]} :sk0`;
    if (word === "BETWEEN" && given.length === 2) return "#sk BETWEEN :sk0 AND :sk1";
    if (word === "BEGINS_WITH" && given.length === 1) return "begins_with(#sk, :sk0)";
    throw new Failure("ErrInvalidOperator", `${op} cannot compare the sort key`);
  }
}

// ---- The protocol ----

const ERRORS: Record<string, string> = {
  ConditionalCheckFailedException: "ErrConditionFailed",
  ResourceNotFoundException: "ErrTableNotFound",
};

let client: DynamoDB;
let tables = new Map<string, Table>();

async function carryOut(request: Request): Promise<object> {
  if (request.op === "hello") {
    // The SDK for JavaScript knows AWS_REGION only.
    const region = process.env.AWS_REGION ?? process.env.AWS_DEFAULT_REGION;
    client = new DynamoDB({ endpoint: request.endpoint, region });
    return {
      name: "typescript-aws-sdk",
      capabilities: ["crud", "omitempty", "lifecycle.timestamps", "optimistic_lock.version", "ttl.epoch_seconds"],
    };
  }
  if (request.op === "begin") {
    tables = new Map(request.models.map((model) => [model.name, new Table(client, request.table, model)]));
    return {};
  }
  const table = tables.get(request.model)!;
  switch (request.op) {
    case "create":
    case "save":
      return table.create(request);
    case "get":
      return table.get(request);
    case "update":
      return table.update(request);
    case "delete":
      return table.delete(request);
    case "query":
      return table.query(request);
    default:
      throw new Unsupported(`the op ${request.op}`);
  }
}

async function answer(request: Request): Promise<object> {
  try {
    return await carryOut(request);
  } catch (error) {
    if (error instanceof Unsupported) return { unsupported: error.message };
    const { name, message } = error as Error;
    return { error: { name: error instanceof Failure ? error.errorName : (ERRORS[name] ?? name), message } };
  }
}

async function main(): Promise<void> {
  for await (const line of createInterface({ input: process.stdin })) {
    const request = JSON.parse(line) as Request;
    process.stdout.write(`${JSON.stringify({ id: request.id, ...(await answer(request)) })}\n`);
  }
}

void main();
