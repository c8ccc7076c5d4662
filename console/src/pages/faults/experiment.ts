// Requests that meet faults on purpose, and change nothing.

import type { Item } from "../../api/attribute";
import { keyNames, type TableDescription } from "../../charts/descriptions";
import { parseReport, type Reported } from "./plan";

export interface Probe {
  name: string;
  operation: string;
  body: (table: TableDescription, n: number) => Record<string, unknown>;
  /** The type of the error that the request gets when no fault meets it. */
  expected?: string;
}

/** A key that no item has. */
function noKey(table: TableDescription, n: number): Item {
  const value = (name: string) => {
    const type = table.AttributeDefinitions.find(({ AttributeName }) => AttributeName === name)?.AttributeType ?? "S";
    return type === "N" ? { N: String(-900_000_000 - n) } : type === "B" ? { B: btoa(`dolmen console probe ${n}`) } : { S: `dolmen console probe ${n}` };
  };
  const { partition, sort } = keyNames(table);
  return { [partition]: value(partition), ...(sort === undefined ? {} : { [sort]: value(sort) }) } as Item;
}

const names = (table: TableDescription) => ({ "#k": keyNames(table).partition });

export const probes: readonly Probe[] = [
  { name: "Scan", operation: "Scan", body: (table) => ({ TableName: table.TableName, Limit: 5 }) },
  { name: "GetItem", operation: "GetItem", body: (table, n) => ({ TableName: table.TableName, Key: noKey(table, n) }) },
  { name: "BatchGetItem", operation: "BatchGetItem", body: (table, n) => ({ RequestItems: { [table.TableName]: { Keys: [0, 1, 2, 3].map((each) => noKey(table, n * 4 + each)) } } }) },
  { name: "PutItem, on a condition that never holds", operation: "PutItem", expected: "ConditionalCheckFailedException",
    body: (table, n) => ({ TableName: table.TableName, Item: noKey(table, n), ConditionExpression: "attribute_exists(#k)", ExpressionAttributeNames: names(table) }) },
  { name: "TransactWriteItems, a check alone", operation: "TransactWriteItems",
    body: (table, n) => ({ ClientRequestToken: `console-${n}-${Math.random().toString(36).slice(2, 12)}`, TransactItems: [{ ConditionCheck: { TableName: table.TableName, Key: noKey(table, n), ConditionExpression: "attribute_not_exists(#k)", ExpressionAttributeNames: names(table) } }] }) },
];

export interface Outcome {
  n: number;
  /** "ok", the type of an error, "cut", or "unprocessed". */
  result: string;
  isFault: boolean;
  milliseconds: number;
  reported: Reported;
}

/** One request. It goes past the client of the console, so that a cut connection is not taken for a server that stopped. */
export async function send(probe: Probe, table: TableDescription, n: number, header: string, signal: AbortSignal): Promise<Outcome> {
  const started = performance.now();
  const done = (result: string, isFault: boolean, report: string | null): Outcome => ({ n, result, isFault, milliseconds: performance.now() - started, reported: parseReport(report) });
  let response: Response;
  try {
    response = await fetch("/", {
      method: "POST", cache: "no-store", credentials: "omit", signal, body: JSON.stringify(probe.body(table, n)),
      headers: { "content-type": "application/x-amz-json-1.0", "x-amz-target": `DynamoDB_20120810.${probe.operation}`, ...(header === "" ? {} : { "x-dolmen-fault": header }) },
    });
  } catch (error) {
    if (signal.aborted) throw error;
    return done("connection cut", true, null);
  }
  const report = response.headers.get("x-dolmen-fault");
  const body = (await response.json()) as { __type?: string; UnprocessedKeys?: object };
  if (response.ok) return Object.keys(body.UnprocessedKeys ?? {}).length > 0 ? done("unprocessed keys", true, report) : done("ok", false, report);
  const type = (body.__type ?? `status ${response.status}`).replace(/^.*#/, "");
  return type === probe.expected ? done("ok", false, report) : done(type, true, report);
}

/** So many requests, a few at a time. */
export async function runMany(count: number, atATime: number, one: (n: number) => Promise<Outcome>, onOutcome: (outcome: Outcome) => void, signal: AbortSignal): Promise<void> {
  let next = 0;
  const worker = async () => {
    while (next < count && !signal.aborted) onOutcome(await one(next++));
  };
  await Promise.all(Array.from({ length: atATime }, worker));
}
