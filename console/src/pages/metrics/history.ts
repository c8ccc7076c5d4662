// The readings of the last minutes. They outlive the page, so that a short look elsewhere loses nothing.

import { signal } from "@preact/signals";
import { getText } from "../../api/client";
import { bucketsBetween, type Exposition, growth, parseExposition, quantile, total, totalsBy } from "./exposition";

export const everyMs = 2000;
const pointsMax = 180;

/** What one reading says. */
export interface Gauges {
  storage: { files: number; memory: number; cache: number; level: Map<string, number> };
  refused: boolean;
  free: number | undefined;
  inFlight: number;
  connections: number;
  tables: number;
}

/** What was measured between two readings. */
export interface Point extends Gauges {
  time: number;
  /** Per second, by operation. */
  requests: Map<string, number>;
  /** Per second, by the code of the answer; 2xx is left out. */
  errors: Map<string, number>;
  /** Seconds; for all operations under "", and for each. */
  latency: Map<string, { p50?: number | undefined; p95?: number | undefined; p99?: number | undefined }>;
  sync: { p50?: number | undefined; p99?: number | undefined; perSecond: number; groupSize?: number | undefined };
}

export const points = signal<Point[]>([]);
let latest: { time: number; all: Exposition } | undefined;

function rates(before: Map<string, number>, after: Map<string, number>, seconds: number): Map<string, number> {
  const found = new Map<string, number>();
  for (const [name, value] of after) {
    const grown = growth(before.get(name), value);
    if (grown > 0) found.set(name, grown / seconds);
  }
  return found;
}

function latencies(before: Exposition, after: Exposition, operations: Iterable<string>): Point["latency"] {
  const of = (only: Record<string, string>) => {
    const buckets = bucketsBetween(before, after, "dolmen_request_seconds", only);
    return { p50: quantile(buckets, 0.5), p95: quantile(buckets, 0.95), p99: quantile(buckets, 0.99) };
  };
  const found: Point["latency"] = new Map([["", of({})]]);
  for (const operation of operations) found.set(operation, of({ operation }));
  return found;
}

export function gaugesOf(all: Exposition): Gauges {
  const now = (name: string) => total(all, name) ?? 0;
  return {
    storage: { files: now("dolmen_rocksdb_files_bytes"), memory: now("dolmen_rocksdb_memtable_bytes"), cache: now("dolmen_rocksdb_cache_bytes"), level: totalsBy(all, "dolmen_rocksdb_level_bytes", "level") },
    refused: now("dolmen_writes_refused") > 0,
    free: total(all, "dolmen_disk_free_bytes"),
    inFlight: now("dolmen_requests_in_flight"),
    connections: now("dolmen_connections"),
    tables: now("dolmen_tables"),
  };
}

/** A point from two readings. */
export function pointBetween(before: { time: number; all: Exposition }, after: { time: number; all: Exposition }): Point {
  const seconds = Math.max(0.001, (after.time - before.time) / 1000);
  const requests = rates(totalsBy(before.all, "dolmen_requests_total", "operation"), totalsBy(after.all, "dolmen_requests_total", "operation"), seconds);
  const errors = rates(totalsBy(before.all, "dolmen_requests_total", "code"), totalsBy(after.all, "dolmen_requests_total", "code"), seconds);
  for (const code of [...errors.keys()]) if (code === "OK" || /^2/.test(code)) errors.delete(code);
  const syncs = bucketsBetween(before.all, after.all, "dolmen_commit_seconds");
  const groups = growth(total(before.all, "dolmen_commit_group_size_count"), total(after.all, "dolmen_commit_group_size_count"));
  const commits = growth(total(before.all, "dolmen_commit_group_size_sum"), total(after.all, "dolmen_commit_group_size_sum"));
  return {
    time: after.time,
    requests,
    errors,
    latency: latencies(before.all, after.all, requests.keys()),
    sync: { p50: quantile(syncs, 0.5), p99: quantile(syncs, 0.99), perSecond: groups / seconds, groupSize: groups > 0 ? commits / groups : undefined },
    ...gaugesOf(after.all),
  };
}

/** Reads /metrics once and adds a point. */
export async function measure(signal: AbortSignal): Promise<Exposition> {
  const all = parseExposition(await getText("/metrics", { signal }));
  const reading = { time: Date.now(), all };
  // After a long pause the rate of the whole pause would stand as if it were of one moment.
  if (latest !== undefined && reading.time - latest.time < 10 * everyMs && reading.time > latest.time)
    points.value = [...points.value, pointBetween(latest, reading)].slice(-pointsMax);
  else points.value = [];
  latest = reading;
  return all;
}
