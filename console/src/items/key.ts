// Keys of items and what a table says about its attributes.

import { type AttributeValue, type Item, type TypeName, itemSize, ownItem, typeOf, utf8Length } from "../api/attribute";

export interface KeyElement {
  AttributeName: string;
  KeyType: "HASH" | "RANGE";
}

export interface IndexDescription {
  IndexName: string;
  KeySchema: KeyElement[];
  Projection?: { ProjectionType?: string; NonKeyAttributes?: string[] };
  IndexStatus?: string;
  ItemCount?: number;
  IndexSizeBytes?: number;
  Backfilling?: boolean;
}

/** The members of DescribeTable's Table that the console uses. */
export interface TableDescription {
  TableName: string;
  TableArn?: string;
  TableStatus: string;
  KeySchema: KeyElement[];
  AttributeDefinitions: { AttributeName: string; AttributeType: "S" | "N" | "B" }[];
  ItemCount?: number;
  TableSizeBytes?: number;
  CreationDateTime?: number;
  GlobalSecondaryIndexes?: IndexDescription[];
  LocalSecondaryIndexes?: IndexDescription[];
  StreamSpecification?: { StreamEnabled: boolean; StreamViewType?: string };
  LatestStreamArn?: string;
  BillingModeSummary?: { BillingMode?: string };
  ProvisionedThroughput?: { ReadCapacityUnits?: number; WriteCapacityUnits?: number };
  DeletionProtectionEnabled?: boolean;
}

/** The partition key, then the sort key if there is one. */
export function keyNames(schema: KeyElement[]): string[] {
  return [...schema].sort((a, b) => (a.KeyType === b.KeyType ? 0 : a.KeyType === "HASH" ? -1 : 1)).map(({ AttributeName }) => AttributeName);
}

export function indexesOf(table: TableDescription): IndexDescription[] {
  return [...(table.GlobalSecondaryIndexes ?? []), ...(table.LocalSecondaryIndexes ?? [])];
}

export function keyOf(item: Item, table: TableDescription): Item {
  const key = ownItem({});
  for (const name of keyNames(table.KeySchema)) {
    const value = item[name];
    if (value !== undefined) key[name] = value;
  }
  return key;
}

/** A text that two items share only when they have the same key. */
export function keyText(item: Item, table: TableDescription): string {
  return JSON.stringify(keyNames(table.KeySchema).map((name) => item[name]));
}

export function keyType(table: TableDescription, attribute: string): TypeName | undefined {
  return table.AttributeDefinitions.find(({ AttributeName }) => AttributeName === attribute)?.AttributeType;
}

const itemBytesMax = 400 * 1024;
const partitionBytesMax = 2048;
const sortBytesMax = 1024;

function keyProblem(name: string, value: AttributeValue | undefined, type: TypeName | undefined, bytesMax: number): string | undefined {
  if (value === undefined) return `${name}, a part of the key, is missing`;
  if (typeOf(value) !== type) return `${name}, a part of the key, has the type ${typeOf(value)} instead of ${type}`;
  if ("S" in value && value.S === "") return `${name}, a part of the key, is empty`;
  if ("B" in value && value.B === "") return `${name}, a part of the key, is empty`;
  if ("S" in value && utf8Length(value.S) > bytesMax) return `${name}, a part of the key, has ${utf8Length(value.S)} bytes; at most ${bytesMax} are possible`;
  return undefined;
}

/** What a server would refuse about an item, found before it is sent. */
export function itemProblems(item: Item, table: TableDescription): string[] {
  const problems: string[] = [];
  const keys = keyNames(table.KeySchema);
  keys.forEach((name, at) => {
    const problem = keyProblem(name, item[name], keyType(table, name), at === 0 ? partitionBytesMax : sortBytesMax);
    if (problem) problems.push(problem);
  });
  for (const index of indexesOf(table))
    for (const name of keyNames(index.KeySchema)) {
      const value = item[name];
      if (keys.includes(name) || value === undefined) continue;
      const type = keyType(table, name);
      if (typeOf(value) !== type) problems.push(`${name}, a key of the index ${index.IndexName}, has the type ${typeOf(value)} instead of ${type}`);
      else if (("S" in value && value.S === "") || ("B" in value && value.B === "")) problems.push(`${name}, a key of the index ${index.IndexName}, is empty`);
    }
  const bytes = itemSize(item);
  if (bytes > itemBytesMax) problems.push(`the item has ${bytes} bytes; at most ${itemBytesMax} are possible`);
  return problems;
}
