// Checking every item of a table against a contract, page by page: by the server where it can, else in the browser.

import type { Item } from "../../api/attribute";
import { dolmen, dynamo } from "../../api/client";
import { isMissing } from "../../charts/missing";
import type { Violation } from "./check";
import { type Lens, see } from "./kinds";

/** The parts of a contract, as BindContract takes them. */
export interface Definition {
  models: { file: string; text: string }[];
  discriminator?: string;
  kinds?: { model?: string; schema_id?: string; schema_version?: string; partition_prefix?: string; sort_prefix?: string; value?: string }[];
}

export interface Finding {
  key: Item;
  kind: string | undefined;
  violations: { path: string; rule: string; message: string }[];
}

export interface Drift {
  checked: number;
  violating: number;
  /** The first of them. */
  findings: Finding[];
  /** How often each rule is broken, by kind, path and rule. */
  counts: Map<string, { kind: string; path: string; rule: string; items: number }>;
  by: "server" | "browser";
  state: "running" | "stopped" | "done";
}

export const noDrift = (by: Drift["by"]): Drift => ({ checked: 0, violating: 0, findings: [], counts: new Map(), by, state: "running" });
const pageSize = 500;
const findingsMax = 200;

export function add(before: Drift, checked: number, found: readonly Finding[]): Drift {
  const counts = new Map(before.counts);
  for (const { kind, violations } of found)
    for (const { path, rule } of violations) {
      const id = JSON.stringify([kind, path, rule]);
      counts.set(id, { kind: kind ?? "no kind", path, rule, items: (counts.get(id)?.items ?? 0) + 1 });
    }
  return { ...before, checked: before.checked + checked, violating: before.violating + found.length, findings: [...before.findings, ...found].slice(0, findingsMax), counts };
}

const keyOf = (item: Item, lens: Lens): Item => Object.fromEntries([lens.partition, lens.sort].filter((name) => name !== undefined && item[name] !== undefined).map((name) => [name, item[name!]!]));

interface VerifyPage {
  checked: number;
  /** A kind is called "model User" or "schema users v1". */
  items: { key: Item; kind?: string; violations: Violation[] }[];
  next?: Item;
}

async function byServer(table: string, definition: Definition, after: Item | undefined, signal: AbortSignal): Promise<{ checked: number; found: Finding[]; next: Item | undefined }> {
  const page = await dolmen<VerifyPage>("VerifyContract", { table, ...definition, limit: pageSize, ...(after ? { start: after } : {}) }, { signal });
  return { checked: page.checked, found: page.items.map(({ key, kind, violations }) => ({ key, kind: kind?.replace(/^model /, ""), violations })), next: page.next };
}

async function byBrowser(table: string, lens: Lens, after: Item | undefined, signal: AbortSignal): Promise<{ checked: number; found: Finding[]; next: Item | undefined }> {
  const page = await dynamo<{ Items: Item[]; LastEvaluatedKey?: Item }>("Scan", { TableName: table, Limit: pageSize, ...(after ? { ExclusiveStartKey: after } : {}) }, { signal });
  const found = page.Items.map((item) => see(lens, item)).filter(({ violations }) => violations.length > 0).map(({ item, kind, violations }) => ({ key: keyOf(item, lens), kind: kind?.model.name, violations }));
  return { checked: page.Items.length, found, next: page.LastEvaluatedKey };
}

/** Calls `onProgress` after every page. Ends early, and says so, when the signal is aborted. */
export async function findDrift(table: string, lens: Lens, definition: Definition | undefined, signal: AbortSignal, onProgress: (drift: Drift) => void): Promise<void> {
  let drift = noDrift(definition === undefined ? "browser" : "server");
  let after: Item | undefined;
  do {
    try {
      const page = drift.by === "server" && definition !== undefined ? await byServer(table, definition, after, signal) : await byBrowser(table, lens, after, signal);
      drift = { ...add(drift, page.checked, page.found), state: page.next === undefined ? "done" : "running" };
      after = page.next;
    } catch (error) {
      if (signal.aborted) {
        onProgress({ ...drift, state: "stopped" });
        return;
      }
      if (drift.by === "browser" || drift.checked > 0 || !isMissing(error)) throw error;
      drift = noDrift("browser");
    }
    onProgress(drift);
  } while (drift.state === "running");
}

/** What the server says about all items at once: how many break the contract. */
export function serverVerdict(table: string, definition: Definition, signal: AbortSignal): Promise<{ checked: number; violating: number; examples: string[] }> {
  return dolmen("BindContract", { table, version: `console-${Date.now()}`, mode: "warn", dry_run: true, ...definition }, { signal });
}
