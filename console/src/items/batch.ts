// Many writes with BatchWriteItem: what a server leaves unprocessed is sent again, later each time.

import type { Item } from "../api/attribute";
import { dynamo } from "../api/client";

export type WriteRequest = { PutRequest: { Item: Item } } | { DeleteRequest: { Key: Item } };

/** Of one request. */
export const batchMax = 25;
const attemptsMax = 10;

export type SendBatch = (table: string, requests: WriteRequest[], signal?: AbortSignal) => Promise<WriteRequest[]>;

/** Sends once; returns what is unprocessed. */
export const sendBatch: SendBatch = async (table, requests, signal) => {
  const answer = await dynamo<{ UnprocessedItems?: Record<string, WriteRequest[]> }>(
    "BatchWriteItem", { RequestItems: { [table]: requests } }, signal ? { signal } : {});
  return answer.UnprocessedItems?.[table] ?? [];
};

const pause = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds));

/** Sends until nothing is left. Fails when the server takes nothing for ten attempts. */
export async function writeAll(table: string, requests: WriteRequest[], options: { send?: SendBatch; wait?: (milliseconds: number) => Promise<void>; signal?: AbortSignal } = {}): Promise<void> {
  const { send = sendBatch, wait = pause, signal } = options;
  let left = requests;
  for (let attempt = 0; left.length > 0; ) {
    const unprocessed = await send(table, left.slice(0, batchMax), signal);
    const progressed = unprocessed.length < Math.min(left.length, batchMax);
    left = [...unprocessed, ...left.slice(batchMax)];
    if (unprocessed.length === 0) continue;
    attempt = progressed ? 0 : attempt + 1;
    if (attempt >= attemptsMax) throw new Error(`the server has left ${unprocessed.length} writes unprocessed ${attemptsMax} times; it may be throttled`);
    await wait(Math.min(50 * 2 ** attempt, 5000));
  }
}
