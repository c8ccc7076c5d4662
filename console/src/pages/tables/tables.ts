// What the console asks about tables.

import { type Answer, call, dynamo } from "../../api/client";
import { explainHeaders } from "../../explain/explanation";
import type { FetchPage } from "../../items/pages";
import { type Item, ownItem } from "../../api/attribute";
import type { TableDescription } from "../../items/key";

/** The names of all tables. */
export async function listTables(signal?: AbortSignal): Promise<string[]> {
  const names: string[] = [];
  let after: string | undefined;
  do {
    const page: { TableNames: string[]; LastEvaluatedTableName?: string } =
      await dynamo("ListTables", after === undefined ? {} : { ExclusiveStartTableName: after }, signal ? { signal } : {});
    names.push(...page.TableNames);
    after = page.LastEvaluatedTableName;
  } while (after !== undefined);
  return names;
}

export async function describeTable(name: string, signal?: AbortSignal): Promise<TableDescription> {
  return (await dynamo<{ Table: TableDescription }>("DescribeTable", { TableName: name }, signal ? { signal } : {})).Table;
}

export interface TimeToLive {
  TimeToLiveStatus: string;
  AttributeName?: string;
}

export interface Recovery {
  PointInTimeRecoveryStatus: string;
  EarliestRestorableDateTime?: number;
  LatestRestorableDateTime?: number;
}

export interface WholeTable {
  table: TableDescription;
  timeToLive: TimeToLive;
  recovery: Recovery;
  backups: number;
}

/** The table with what other operations know about it. */
export async function describeWhole(name: string, signal?: AbortSignal): Promise<WholeTable> {
  const options = signal ? { signal } : {};
  const [table, life, continuous, backups] = await Promise.all([
    describeTable(name, signal),
    dynamo<{ TimeToLiveDescription: TimeToLive }>("DescribeTimeToLive", { TableName: name }, options),
    dynamo<{ ContinuousBackupsDescription: { PointInTimeRecoveryDescription: Recovery } }>("DescribeContinuousBackups", { TableName: name }, options),
    dynamo<{ BackupSummaries: unknown[] }>("ListBackups", { TableName: name }, options),
  ]);
  return {
    table,
    timeToLive: life.TimeToLiveDescription,
    recovery: continuous.ContinuousBackupsDescription.PointInTimeRecoveryDescription,
    backups: backups.BackupSummaries.length,
  };
}

/** All rows of a table, in the order of a Scan. */
export function scanPages(table: string, more: Record<string, unknown> = {}): FetchPage {
  return readPages("Scan", { TableName: table, ...more });
}

/** All rows of a Query or a Scan. With `onAnswer`, each answer is explained. */
export function readPages(operation: "Query" | "Scan", input: Record<string, unknown>, onAnswer?: (answer: Answer<ReadAnswer>) => void): FetchPage {
  return async (start, limit, countOnly, signal) => {
    const { ProjectionExpression: _, ...counting } = input;
    const answer = await call<ReadAnswer>("dynamo", operation, {
      ...(countOnly ? counting : input),
      Limit: limit,
      ...(start === undefined ? {} : { ExclusiveStartKey: start }),
      ...(countOnly ? { Select: "COUNT" } : {}),
    }, { signal, ...(onAnswer ? { headers: explainHeaders } : {}) });
    onAnswer?.(answer);
    const { Items, Count, LastEvaluatedKey } = answer.data;
    return { ...(Items ? { items: Items.map(ownItem) } : {}), count: Count, next: LastEvaluatedKey };
  };
}

export interface ReadAnswer {
  Items?: Item[];
  Count: number;
  ScannedCount: number;
  LastEvaluatedKey?: Item;
}

export const isActive = (table: TableDescription): boolean => table.TableStatus === "ACTIVE";

export const billingOf = (table: TableDescription): "on demand" | "provisioned" =>
  table.BillingModeSummary?.BillingMode === "PAY_PER_REQUEST" ? "on demand" : "provisioned";

const nameProblem = (name: string): string | undefined =>
  /^[a-zA-Z0-9_.-]{3,255}$/.test(name) ? undefined : "3 to 255 letters, digits, and _ . -";

export { nameProblem };
