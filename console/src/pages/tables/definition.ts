// A table as somebody defines it in the form, and the request that makes it.

import { nameProblem } from "./tables";

export type KeyKind = "S" | "N" | "B";
export const keyKinds: readonly { value: KeyKind; text: string }[] = [{ value: "S", text: "S text" }, { value: "N", text: "N number" }, { value: "B", text: "B bytes" }];

export interface KeyDraft {
  name: string;
  kind: KeyKind;
}

export interface IndexDraft {
  name: string;
  local: boolean;
  partition: KeyDraft;
  /** An empty name: no sort key. */
  sort: KeyDraft;
  projection: "ALL" | "KEYS_ONLY" | "INCLUDE";
  /** Names of attributes with commas, for INCLUDE. */
  include: string;
}

export interface TableDraft {
  name: string;
  partition: KeyDraft;
  sort: KeyDraft;
  billing: "PAY_PER_REQUEST" | "PROVISIONED";
  read: string;
  write: string;
  indexes: IndexDraft[];
  stream: "" | "NEW_AND_OLD_IMAGES" | "NEW_IMAGE" | "OLD_IMAGE" | "KEYS_ONLY";
  timeToLive: string;
  recovery: boolean;
  protection: boolean;
}

export const emptyIndex = (): IndexDraft => ({ name: "", local: false, partition: { name: "", kind: "S" }, sort: { name: "", kind: "S" }, projection: "ALL", include: "" });

export const emptyTable = (): TableDraft => ({
  name: "", partition: { name: "", kind: "S" }, sort: { name: "", kind: "S" }, billing: "PAY_PER_REQUEST", read: "5", write: "5",
  indexes: [], stream: "", timeToLive: "", recovery: false, protection: false,
});

const unitsProblem = (text: string): string | undefined => (/^[1-9]\d{0,6}$/.test(text) ? undefined : "a whole number from 1 on");

/** What is wrong, by the field: "name", "partition", "index-0-name" and so on. */
export function problemsOf(draft: TableDraft): Record<string, string> {
  const problems: Record<string, string> = {};
  const add = (field: string, problem: string | undefined) => { if (problem) problems[field] ??= problem; };
  add("name", nameProblem(draft.name));
  add("partition", draft.partition.name === "" ? "a table has a partition key" : undefined);
  add("sort", draft.sort.name !== "" && draft.sort.name === draft.partition.name ? "the sort key is another attribute than the partition key" : undefined);
  if (draft.billing === "PROVISIONED") {
    add("read", unitsProblem(draft.read));
    add("write", unitsProblem(draft.write));
  }
  const kinds = new Map<string, KeyKind>();
  const see = (field: string, key: KeyDraft) => {
    if (key.name === "") return;
    add(field, (kinds.get(key.name) ?? key.kind) !== key.kind ? `${key.name} has the type ${kinds.get(key.name)} elsewhere` : undefined);
    kinds.set(key.name, kinds.get(key.name) ?? key.kind);
  };
  see("partition", draft.partition);
  see("sort", draft.sort);
  draft.indexes.forEach((index, at) => {
    for (const [part, problem] of Object.entries(indexProblems(index, draft))) add(`index-${at}-${part}`, problem);
    add(`index-${at}-name`, draft.indexes.findIndex((other) => other.name === index.name) < at ? "another index has this name" : undefined);
    see(`index-${at}-partition`, index.partition);
    see(`index-${at}-sort`, index.sort);
  });
  return problems;
}

export function indexProblems(index: IndexDraft, table: Pick<TableDraft, "partition" | "sort">): Record<string, string> {
  const problems: Record<string, string> = {};
  const name = nameProblem(index.name);
  if (name) problems["name"] = name;
  if (!index.local && index.partition.name === "") problems["partition"] = "an index has a partition key";
  if (index.local && index.sort.name === "") problems["sort"] = "a local index has a sort key of its own";
  if (index.local && table.sort.name === "") problems["name"] ??= "only a table with a sort key has local indexes";
  if (index.projection === "INCLUDE" && includedNames(index).length === 0) problems["include"] = "name at least one attribute";
  return problems;
}

const includedNames = (index: IndexDraft): string[] => index.include.split(",").map((name) => name.trim()).filter((name) => name !== "");

export function keySchema(partition: KeyDraft, sort: KeyDraft): object[] {
  return [{ AttributeName: partition.name, KeyType: "HASH" }, ...(sort.name === "" ? [] : [{ AttributeName: sort.name, KeyType: "RANGE" }])];
}

export function projectionOf(index: IndexDraft): object {
  return { ProjectionType: index.projection, ...(index.projection === "INCLUDE" ? { NonKeyAttributes: includedNames(index) } : {}) };
}

function indexInput(index: IndexDraft, draft: TableDraft): object {
  return {
    IndexName: index.name,
    KeySchema: keySchema(index.local ? draft.partition : index.partition, index.sort),
    Projection: projectionOf(index),
    ...(draft.billing === "PROVISIONED" && !index.local ? { ProvisionedThroughput: throughputOf(draft) } : {}),
  };
}

const throughputOf = (draft: TableDraft) => ({ ReadCapacityUnits: Number(draft.read), WriteCapacityUnits: Number(draft.write) });

/** The input of CreateTable. */
export function createInput(draft: TableDraft): Record<string, unknown> {
  const kinds = new Map<string, KeyKind>();
  for (const key of [draft.partition, draft.sort, ...draft.indexes.flatMap((index) => (index.local ? [index.sort] : [index.partition, index.sort]))])
    if (key.name !== "") kinds.set(key.name, key.kind);
  const local = draft.indexes.filter((index) => index.local).map((index) => indexInput(index, draft));
  const global = draft.indexes.filter((index) => !index.local).map((index) => indexInput(index, draft));
  return {
    TableName: draft.name,
    KeySchema: keySchema(draft.partition, draft.sort),
    AttributeDefinitions: [...kinds].map(([AttributeName, AttributeType]) => ({ AttributeName, AttributeType })),
    BillingMode: draft.billing,
    ...(draft.billing === "PROVISIONED" ? { ProvisionedThroughput: throughputOf(draft) } : {}),
    ...(local.length > 0 ? { LocalSecondaryIndexes: local } : {}),
    ...(global.length > 0 ? { GlobalSecondaryIndexes: global } : {}),
    ...(draft.stream === "" ? {} : { StreamSpecification: { StreamEnabled: true, StreamViewType: draft.stream } }),
    ...(draft.protection ? { DeletionProtectionEnabled: true } : {}),
  };
}
