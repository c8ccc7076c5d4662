// DMS files: models of the items of a table, in YAML or JSON. Dolmen itself judges them; the console reads what it shows.

import { load, YAMLException } from "js-yaml";
import { type TypeName, typeNames } from "../../api/attribute";

export interface ModelAttribute {
  name: string;
  type: TypeName;
  required: boolean;
  format: string | undefined;
  json: boolean;
  encrypted: boolean;
  roles: string[];
}

export interface ModelIndex {
  name: string;
  type: string;
  partition: string;
  sort: string | undefined;
}

export interface Model {
  name: string;
  table: string;
  partition: string;
  sort: string | undefined;
  attributes: ModelAttribute[];
  indexes: ModelIndex[];
  writeOnce: boolean;
  protectedAttributes: string[];
}

/** What is wrong with a file, and where. */
export class DmsProblem extends Error {
  constructor(message: string) {
    super(message);
    this.name = "DmsProblem";
  }
}

type Plain = Record<string, unknown>;

const isObject = (value: unknown): value is Plain => value !== null && typeof value === "object" && !Array.isArray(value);

function object(value: unknown, path: string): Plain {
  if (!isObject(value)) throw new DmsProblem(`${path} is not a mapping`);
  return value;
}

function text(value: unknown, path: string): string {
  if (typeof value !== "string" || value === "") throw new DmsProblem(`${path} is not a text`);
  return value;
}

const list = (value: unknown, path: string): unknown[] => {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) throw new DmsProblem(`${path} is not a list`);
  return value;
};

const keyName = (value: unknown, path: string): string => (typeof value === "string" ? value : text(object(value, path)["attribute"], `${path}.attribute`));

function attribute(value: unknown, path: string): ModelAttribute {
  const of = object(value, path);
  const type = text(of["type"], `${path}.type`);
  if (!typeNames.includes(type as TypeName)) throw new DmsProblem(`${path}.type: ${type} is not a type of DynamoDB`);
  return {
    name: text(of["attribute"] ?? of["name"], `${path}.attribute`),
    type: type as TypeName,
    required: of["required"] === true,
    format: typeof of["format"] === "string" ? of["format"] : undefined,
    json: of["json"] === true,
    encrypted: isObject(of["encryption"]),
    roles: list(of["roles"], `${path}.roles`).filter((each) => typeof each === "string"),
  };
}

function model(value: unknown, path: string): Model {
  const of = object(value, path);
  const keys = object(of["keys"], `${path}.keys`);
  const policy = isObject(of["write_policy"]) ? of["write_policy"] : {};
  return {
    name: text(of["name"], `${path}.name`),
    table: text(object(of["table"], `${path}.table`)["name"], `${path}.table.name`),
    partition: keyName(keys["partition"], `${path}.keys.partition`),
    sort: keys["sort"] === undefined ? undefined : keyName(keys["sort"], `${path}.keys.sort`),
    attributes: list(of["attributes"], `${path}.attributes`).map((each, at) => attribute(each, `${path}.attributes[${at}]`)),
    indexes: list(of["indexes"], `${path}.indexes`).map((each, at) => {
      const index = object(each, `${path}.indexes[${at}]`);
      return { name: text(index["name"], `${path}.indexes[${at}].name`), type: String(index["type"] ?? "GSI"), partition: keyName(index["partition"], `${path}.indexes[${at}].partition`), sort: index["sort"] === undefined ? undefined : keyName(index["sort"], `${path}.indexes[${at}].sort`) };
    }),
    writeOnce: policy["mode"] === "write_once",
    protectedAttributes: list(policy["protected_attributes"], `${path}.write_policy.protected_attributes`).filter((each) => typeof each === "string"),
  };
}

/** Fails with DmsProblem, which names the file. */
export function parseDms(content: string, file: string): Model[] {
  let read: unknown;
  try {
    read = load(content);
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error;
    const mark = (error as { mark?: { line: number; column: number } }).mark;
    throw new DmsProblem(`${file}${mark ? `:${mark.line + 1}:${mark.column + 1}` : ""}: ${(error as { reason?: string }).reason ?? error.message}`);
  }
  try {
    const top = object(read, "the file");
    if (top["dms_version"] === undefined) throw new DmsProblem('dms_version is missing; is it a DMS file?');
    const models = list(top["models"], "models");
    if (models.length === 0) throw new DmsProblem("it has no models");
    return models.map((each, at) => model(each, `models[${at}]`));
  } catch (error) {
    throw error instanceof DmsProblem ? new DmsProblem(`${file}: ${error.message}`) : error;
  }
}
