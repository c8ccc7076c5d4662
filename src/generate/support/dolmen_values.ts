// How the attributes of models are stored: times, numbers, sets, JSON, envelopes of
// encrypted values, and cursors. Written by `dolmen model generate --lang ts`.
import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";

import { NumberValue, type PutCommandInput } from "@aws-sdk/lib-dynamodb";

export { NumberValue };

/** A value as the document client of the AWS SDK takes and returns it. */
export type Native = NonNullable<PutCommandInput["Item"]>[string];

/** An item or a key, as the document client has it. */
export type Item = Record<string, Native>;

/** A number that loses no digits. NumberValue.from("0.1") makes one. */
export type Numeric = NumberValue | number | bigint;

/** The numbers of a vector. */
export type Vector = readonly number[] | Float32Array;

export type Json =
  null | boolean | number | bigint | string | Json[] | { [name: string]: Json };

/** What is stored in the place of an encrypted value. */
export interface Envelope {
  v: Numeric;
  edk: Uint8Array;
  nonce: Uint8Array;
  ct: Uint8Array;
}

/** What is wrong. `code` is the same in every language that implements DMS. */
export class ModelError extends Error {
  constructor(
    readonly code: string,
    message: string,
  ) {
    super(message);
    this.name = "ModelError";
  }
}

/** The name that all implementations of DMS have for an error, of a model or of the
 * AWS SDK; that of AWS where they have none. */
export function errorName(error: unknown): string {
  if (error instanceof ModelError) return error.code;
  const { name, CancellationReasons: reasons } = error as {
    name?: string;
    CancellationReasons?: { Code?: string }[];
  };
  if (name === "TransactionCanceledException")
    return reasons?.some((each) => each.Code === "ConditionalCheckFailed")
      ? "ErrConditionFailed"
      : "ErrTransactionFailed";
  if (name === "ConditionalCheckFailedException") return "ErrConditionFailed";
  if (name === "ResourceNotFoundException") return "ErrTableNotFound";
  return name ?? String(error);
}

export type AttributeType =
  "S" | "N" | "B" | "BOOL" | "NULL" | "L" | "M" | "SS" | "NS" | "BS";

export interface Attribute {
  readonly name: string;
  readonly type: AttributeType;
  readonly required?: true;
  /** May be missing in a record. */
  readonly nullable?: true;
  readonly omitEmpty?: true;
  readonly roles?: readonly ("created_at" | "updated_at" | "version" | "ttl")[];
  readonly format?:
    "rfc3339nano" | "unix_seconds" | "int" | "decimal_string" | "vector";
  /** How many numbers a vector has. */
  readonly dimensions?: number;
  readonly json?: true;
  readonly encrypted?: true;
}

/** Where the keys of encrypted attributes come from. */
export interface KeyProvider {
  /** A key of 32 bytes that was never used, and the form of it to be stored. */
  generate(
    model: string,
    attribute: string,
  ): Promise<{ key: Uint8Array; encrypted: Uint8Array }>;
  /** The key that `generate` gave together with its stored form. */
  decrypt(
    encrypted: Uint8Array,
    model: string,
    attribute: string,
  ): Promise<Uint8Array>;
  /** Twelve bytes; random ones without it. */
  nonce?(model: string, attribute: string): Uint8Array;
}

const SETS: readonly AttributeType[] = ["SS", "NS", "BS"];
const FLOAT_MAX = 3.4028235e38;
const GO_ZERO_SECONDS = "-62135596800";

export const isSet = (attribute: Attribute) => SETS.includes(attribute.type);
export const hasRole = (attribute: Attribute, role: string) =>
  attribute.roles?.some((each) => each === role) ?? false;
export const isTime = (attribute: Attribute) =>
  hasRole(attribute, "created_at") || hasRole(attribute, "updated_at");
export const isOwned = (attribute: Attribute) =>
  isTime(attribute) || hasRole(attribute, "version");
const holdsSeconds = (attribute: Attribute) =>
  attribute.format === "unix_seconds" || hasRole(attribute, "ttl");
const holdsWhole = (attribute: Attribute) =>
  attribute.format === "int" ||
  holdsSeconds(attribute) ||
  hasRole(attribute, "version");

function invalid(message: string): ModelError {
  return new ModelError("ErrInvalidModel", message);
}

// ---- Times ----

/** UTC with nine digits, so that texts sort as the times do. */
export function formatTime(moment: Date): string {
  if (Number.isNaN(moment.getTime())) throw invalid("this is not a time");
  return moment.toISOString().replace("Z", "000000Z");
}

export function isTimeText(text: string): boolean {
  const parts =
    /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:[.,]\d{1,9})?(?:Z|[+-](\d\d):(\d\d))$/.exec(
      text,
    );
  if (parts === null) return false;
  const at = (index: number) => Number(parts[index] ?? 0);
  const leap = at(1) % 4 === 0 && (at(1) % 100 !== 0 || at(1) % 400 === 0);
  const days = [31, leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
  if (at(3) < 1 || at(3) > (days[at(2) - 1] ?? 0)) return false;
  if (at(4) > 23 || at(5) > 59 || at(6) > 59) return false;
  return at(7) <= 23 && at(8) <= 59;
}

export function nowText(now: Date | string | undefined): string {
  if (typeof now !== "string") return formatTime(now ?? new Date());
  if (!isTimeText(now)) throw invalid(`"${now}" is not a time`);
  return now;
}

// ---- Values ----

/** The digits of a number that DynamoDB can hold. */
function numberText(value: unknown): string {
  let text: string;
  if (value instanceof NumberValue) text = value.toString();
  else if (typeof value === "bigint" || typeof value === "string")
    text = String(value);
  else if (typeof value === "number" && Number.isFinite(value))
    text = String(Object.is(value, -0) ? 0 : value);
  else throw invalid(`${String(value)} is not a number`);
  const parts = /^[+-]?(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d+))?$/.exec(text);
  const whole = parts?.[1] ?? "";
  const fraction = parts?.[2] ?? "";
  if (parts === null || whole + fraction === "")
    throw invalid(`"${text}" is not a number`);
  const digits = (whole + fraction).replace(/^0+/, "");
  if (digits === "") return "0";
  const zeros = (whole + fraction).length - digits.length;
  const magnitude = whole.length - zeros - 1 + Number(parts[3] ?? 0);
  if (
    digits.replace(/0+$/, "").length > 38 ||
    magnitude > 125 ||
    magnitude < -130
  )
    throw invalid(`DynamoDB cannot hold the number ${text}`);
  return text;
}

function isWhole(text: string): boolean {
  const [mantissa = "", exponent = "0"] = text.toLowerCase().split("e");
  const fraction = (mantissa.split(".")[1] ?? "").replace(/0+$/, "");
  if (fraction !== "") return fraction.length <= Number(exponent);
  const zeros = /0*$/.exec(mantissa.split(".")[0] ?? "")?.[0].length ?? 0;
  return Number(exponent) >= -zeros || /^[+-]?0*$/.test(mantissa);
}

const isPlainObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" &&
  value !== null &&
  [Object.prototype, null].includes(
    Object.getPrototypeOf(value) as object | null,
  );

/** A value inside a list or map, where the model says nothing of types. */
function document(value: unknown): Native {
  if (value === null || typeof value === "boolean" || typeof value === "string")
    return value;
  if (value instanceof Uint8Array) return value;
  if (
    value instanceof NumberValue ||
    typeof value === "number" ||
    typeof value === "bigint"
  )
    return NumberValue.from(numberText(value));
  if (Array.isArray(value)) return value.map(document);
  if (value instanceof Set && value.size > 0)
    return new Set([...value].map(document)) as Native;
  if (isPlainObject(value))
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [name, document(member)]),
    );
  throw invalid(`${String(value)} cannot be stored`);
}

/** By code points, which is the order of the bytes of UTF-8. */
function byCodePoints(a: string, b: string): number {
  const left = [...a];
  const right = [...b];
  for (let i = 0; i < left.length && i < right.length; ++i) {
    const order =
      (left[i]?.codePointAt(0) ?? 0) - (right[i]?.codePointAt(0) ?? 0);
    if (order !== 0) return order;
  }
  return left.length - right.length;
}

/** The one text of a JSON value: names sorted by their code points, no spaces. */
export function jsonText(value: unknown): string {
  if (typeof value === "bigint") return String(value);
  if (
    value === null ||
    typeof value === "boolean" ||
    typeof value === "string" ||
    (typeof value === "number" && Number.isFinite(value))
  )
    return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(jsonText).join(",")}]`;
  if (isPlainObject(value)) {
    const names = Object.keys(value).sort(byCodePoints);
    const members = names.map(
      (name) => `${JSON.stringify(name)}:${jsonText(value[name])}`,
    );
    return `{${members.join(",")}}`;
  }
  throw invalid(`${String(value)} cannot be written as JSON`);
}

function fits(type: AttributeType, value: unknown): boolean {
  switch (type) {
    case "S":
      return typeof value === "string";
    case "N":
      return (
        value instanceof NumberValue ||
        typeof value === "number" ||
        typeof value === "bigint"
      );
    case "B":
      return value instanceof Uint8Array;
    case "BOOL":
      return typeof value === "boolean";
    case "NULL":
      return value === null;
    case "L":
      return Array.isArray(value);
    case "M":
      return isPlainObject(value);
    default:
      return value instanceof Set;
  }
}

function wrong(attribute: Attribute): ModelError {
  return invalid(
    `attribute "${attribute.name}" is of type ${attribute.type} and cannot hold this value`,
  );
}

const memberKey = (member: unknown) =>
  member instanceof Uint8Array
    ? Buffer.from(member).toString("base64")
    : String(member);

function encodeSet(attribute: Attribute, value: unknown): Native {
  if (!(value instanceof Set) && !Array.isArray(value)) throw wrong(attribute);
  const kind = attribute.type.charAt(0) as AttributeType;
  const members = [...(value as Iterable<unknown>)].map((member) =>
    kind === "N" ? NumberValue.from(numberText(member)) : member,
  );
  if (!members.every((member) => fits(kind, member))) throw wrong(attribute);
  if (new Set(members.map(memberKey)).size < members.length)
    throw invalid(`"${attribute.name}" has an element twice`);
  return members.length === 0 ? null : (new Set(members) as Native);
}

/** The shortest digits that name a 32-bit float, or those of the number itself. */
function floatText(value: number): string {
  for (let digits = 1; Math.fround(value) === value && digits < 10; ++digits) {
    const text = value.toPrecision(digits);
    if (Math.fround(Number(text)) === value) return text;
  }
  return String(value);
}

function encodeVector(attribute: Attribute, value: unknown): Native {
  const { name, dimensions } = attribute;
  const what = `attribute "${name}" is a vector of ${String(dimensions)} 32-bit floats`;
  if (!Array.isArray(value) && !(value instanceof Float32Array))
    throw wrong(attribute);
  if (value.length !== dimensions)
    throw invalid(`${what}: found ${String(value.length)} elements`);
  return Array.from(value as ArrayLike<unknown>, (each, place) => {
    if (typeof each !== "number" || !(Math.abs(each) <= FLOAT_MAX))
      throw invalid(`${what}: found ${String(each)} at [${String(place)}]`);
    return NumberValue.from(numberText(floatText(each)));
  });
}

export function encodeValue(attribute: Attribute, value: unknown): Native {
  if (attribute.json) {
    if (value === null) return null;
    const text = jsonText(value);
    const native = attribute.type === "S" ? text : document(value);
    if (!fits(attribute.type, native)) throw wrong(attribute);
    return native;
  }
  if (isSet(attribute)) return encodeSet(attribute, value);
  if (attribute.type === "NULL") return null;
  if (attribute.format === "vector") return encodeVector(attribute, value);
  if (attribute.type === "N") {
    const text = numberText(value);
    if (holdsWhole(attribute) && !isWhole(text))
      throw invalid(`attribute "${attribute.name}" takes whole numbers only`);
    return NumberValue.from(text);
  }
  const native = document(value);
  if (!fits(attribute.type, native)) throw wrong(attribute);
  if (attribute.format === "rfc3339nano" && !isTimeText(native as string))
    throw invalid(
      `attribute "${attribute.name}": "${String(native)}" is not a time`,
    );
  return native;
}

/** What the SDK returns for a number, whether or not it was told to wrap them. */
function readNumber(attribute: Attribute, stored: unknown): Numeric {
  const text = numberText(stored);
  if (hasRole(attribute, "version") || holdsSeconds(attribute)) {
    const value = Number(text);
    if (Number.isSafeInteger(value)) return value;
    throw invalid(
      `attribute "${attribute.name}": ${text} is not a safe integer`,
    );
  }
  if (attribute.format !== "int") return NumberValue.from(text);
  return BigInt(/^[+-]?\d+$/.test(text) ? text : Number(text));
}

function plainJson(stored: unknown): Json {
  if (fits("N", stored)) return Number(numberText(stored));
  if (Array.isArray(stored)) return stored.map(plainJson);
  if (isPlainObject(stored))
    return Object.fromEntries(
      Object.entries(stored).map(([name, value]) => [name, plainJson(value)]),
    );
  return stored as Json;
}

/** What the SDK returns for numbers inside lists and maps becomes exact ones. */
export function decodeValue(attribute: Attribute, stored: unknown): unknown {
  const { name, type } = attribute;
  if (attribute.json) {
    if (typeof stored !== "string") return plainJson(stored);
    try {
      return JSON.parse(stored) as Json;
    } catch (error) {
      throw invalid(
        `attribute "${name}" is not stored as JSON: ${String(error)}`,
      );
    }
  }
  if (type === "NULL") return null;
  if (isSet(attribute)) {
    if (stored === null) return new Set();
    // Lists are what one implementation writes for sets.
    if (stored instanceof Set || Array.isArray(stored)) {
      const kind = type.charAt(0) as AttributeType;
      const members = [...(stored as Iterable<unknown>)];
      if (members.every((member) => fits(kind, member)))
        return new Set(
          kind === "N"
            ? members.map((each) => NumberValue.from(numberText(each)))
            : members,
        );
    }
  } else if (type === "B" && Array.isArray(stored)) {
    // So are lists of numbers for bytes.
    return Uint8Array.from(stored.map((each) => Number(numberText(each))));
  } else if (fits(type, stored)) {
    if (type === "N") return readNumber(attribute, stored);
    if (attribute.format === "vector" && Array.isArray(stored))
      return stored.map((each) => Number(numberText(each)));
    return type === "L" || type === "M" ? document(stored) : stored;
  }
  throw invalid(
    `attribute "${name}" is not stored as the ${type} that the model says`,
  );
}

/** In the sense of omit_empty. */
export function isEmpty(attribute: Attribute, value: unknown): boolean {
  if (value === null || value === "" || value === false) return true;
  if (fits("N", value)) {
    const text = numberText(value);
    return (
      text === "0" || (holdsSeconds(attribute) && text === GO_ZERO_SECONDS)
    );
  }
  if (typeof value === "string")
    return (
      attribute.format === "rfc3339nano" &&
      /^0001-01-01T00:00:00([.,]0+)?(Z|[+-]00:00)$/.test(value)
    );
  if (
    value instanceof Uint8Array ||
    value instanceof Float32Array ||
    Array.isArray(value)
  )
    return value.length === 0;
  if (value instanceof Set) return value.size === 0;
  return isPlainObject(value) && Object.keys(value).length === 0;
}

// ---- Encryption ----

const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString("base64");
const fromBase64 = (text: string) =>
  Uint8Array.from(Buffer.from(text, "base64"));

/** The value with the name of its type, as it stands inside an envelope. */
function typed(value: unknown): Json {
  if (value === null) return { t: "NULL", null: true };
  if (typeof value === "boolean") return { t: "BOOL", bool: value };
  if (typeof value === "string") return { t: "S", s: value };
  if (fits("N", value)) return { t: "N", n: numberText(value) };
  if (value instanceof Uint8Array) return { t: "B", b: base64(value) };
  if (Array.isArray(value)) return { t: "L", l: value.map(typed) };
  if (value instanceof Set) {
    const members = [...(value as Set<unknown>)];
    if (typeof members[0] === "string")
      return { t: "SS", ss: members as string[] };
    if (members[0] instanceof Uint8Array)
      return { t: "BS", bs: (members as Uint8Array[]).map(base64) };
    return { t: "NS", ns: members.map(numberText) };
  }
  const map = value as Record<string, unknown>;
  const names = Object.keys(map).sort(byCodePoints);
  return {
    t: "M",
    m: Object.fromEntries(names.map((name) => [name, typed(map[name])])),
  };
}

interface Typed {
  t: string;
  s?: string;
  n?: string;
  b?: string;
  bool?: boolean;
  l?: Typed[];
  m?: Record<string, Typed>;
  ss?: string[];
  ns?: string[];
  bs?: string[];
}

function untyped(value: Typed): Native {
  switch (value.t) {
    case "NULL":
      return null;
    case "BOOL":
      return value.bool === true;
    case "S":
      return value.s ?? "";
    case "N":
      return NumberValue.from(numberText(value.n ?? "0"));
    case "B":
      return fromBase64(value.b ?? "");
    case "L":
      return (value.l ?? []).map(untyped);
    case "M":
      return Object.fromEntries(
        Object.entries(value.m ?? {}).map(([name, each]) => [
          name,
          untyped(each),
        ]),
      );
    case "SS":
      return new Set(value.ss);
    case "NS":
      return new Set(
        value.ns?.map((each) => NumberValue.from(numberText(each))),
      ) as Native;
    case "BS":
      return new Set(value.bs?.map(fromBase64)) as Native;
    default:
      throw new Error("no such type");
  }
}

const associated = (attribute: string) =>
  Buffer.from(`theorydb:encrypted:v1|attr=${attribute}`);

/** The envelope that is stored in the place of an encrypted value. */
export async function seal(
  value: Native,
  model: string,
  attribute: string,
  keys: KeyProvider,
): Promise<Envelope> {
  const { key, encrypted } = await keys.generate(model, attribute);
  const nonce = keys.nonce?.(model, attribute) ?? randomBytes(12);
  const cipher = createCipheriv("aes-256-gcm", key, nonce);
  cipher.setAAD(associated(attribute));
  const text = JSON.stringify(typed(value));
  const sealed = Buffer.concat([
    cipher.update(text, "utf8"),
    cipher.final(),
    cipher.getAuthTag(),
  ]);
  return {
    v: 1,
    edk: Uint8Array.from(encrypted),
    nonce: Uint8Array.from(nonce),
    ct: Uint8Array.from(sealed),
  };
}

/** The value that `seal`, in this or another language, made the envelope of. */
export async function unseal(
  envelope: unknown,
  model: string,
  attribute: string,
  keys: KeyProvider,
): Promise<Native> {
  const broken = (why: string) =>
    new ModelError(
      "ErrInvalidEncryptedEnvelope",
      `attribute "${attribute}" cannot be decrypted: ${why}`,
    );
  if (
    !isPlainObject(envelope) ||
    !fits("N", envelope["v"]) ||
    numberText(envelope["v"]) !== "1"
  )
    throw broken("it is not stored as an envelope of version 1");
  const { edk, nonce, ct } = envelope;
  if (
    !(edk instanceof Uint8Array) ||
    !(nonce instanceof Uint8Array) ||
    !(ct instanceof Uint8Array)
  )
    throw broken("a part of its envelope is missing");
  if (nonce.length !== 12 || ct.length < 16 || edk.length === 0)
    throw broken("its envelope has parts of a wrong size");
  const key = await keys.decrypt(edk, model, attribute);
  let text: string;
  try {
    const cipher = createDecipheriv("aes-256-gcm", key, nonce);
    cipher.setAAD(associated(attribute));
    cipher.setAuthTag(ct.subarray(ct.length - 16));
    const plain = cipher.update(ct.subarray(0, ct.length - 16));
    text = Buffer.concat([plain, cipher.final()]).toString("utf8");
  } catch {
    throw broken("it is damaged, or belongs to another attribute");
  }
  try {
    return untyped(JSON.parse(text) as Typed);
  } catch {
    throw broken("its text is not an attribute value");
  }
}

// ---- Cursors ----

const escapes: Record<string, string> = {
  "<": "\\u003c",
  ">": "\\u003e",
  "&": "\\u0026",
  "\u2028": "\\u2028",
  "\u2029": "\\u2029",
};

/** Where a page ended, in the form that all implementations of DMS share. */
export function encodeCursor(lastKey: Item, index = "", order = ""): string {
  const parts = Object.keys(lastKey)
    .sort(byCodePoints)
    .map((name) => {
      const value: unknown = lastKey[name];
      const av =
        typeof value === "string"
          ? { S: value }
          : value instanceof Uint8Array
            ? { B: base64(value) }
            : { N: numberText(value) };
      return `${JSON.stringify(name)}:${JSON.stringify(av)}`;
    });
  let text = `{"lastKey":{${parts.join(",")}}`;
  if (index !== "") text += `,"index":${JSON.stringify(index)}`;
  if (order !== "") text += `,"sort":${JSON.stringify(order)}`;
  text = `${text}}`.replace(
    /[<>&\u2028\u2029]/g,
    (each) => escapes[each] ?? "",
  );
  return Buffer.from(text)
    .toString("base64")
    .replaceAll("+", "-")
    .replaceAll("/", "_");
}

/** The key to go on from. A cursor of another index or direction is refused. */
export function decodeCursor(cursor: string, index = "", order = ""): Item {
  const key: Item = {};
  let content: {
    lastKey: Record<string, { S?: string; N?: string; B?: string }>;
    index?: unknown;
    sort?: unknown;
  };
  try {
    content = JSON.parse(
      Buffer.from(cursor.trim(), "base64").toString("utf8"),
    ) as typeof content;
    for (const [name, { S, N, B }] of Object.entries(content.lastKey)) {
      if (S !== undefined) key[name] = S;
      else if (N !== undefined) key[name] = NumberValue.from(numberText(N));
      else if (B !== undefined) key[name] = fromBase64(B);
      else throw new Error("this is no key");
    }
  } catch {
    throw new ModelError("ErrInvalidOperator", "this is not a cursor");
  }
  const sort =
    typeof content.sort === "string" ? content.sort.toUpperCase() : order;
  if ((content.index ?? "") !== index || sort !== order)
    throw new ModelError("ErrInvalidOperator", "the cursor is of another read");
  return key;
}
