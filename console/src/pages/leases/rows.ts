// The rows of leases and pages (docs/isr.md), and what they mean at a moment.

import type { AttributeValue, Item } from "../../api/attribute";

export interface Names {
  partition: string;
  sort: string;
}

export interface Lease {
  key: string;
  sort: string;
  token: string;
  expiresAt: number;
  generation: string | undefined;
}

export interface Page {
  key: string;
  /** Only pages that keep their names have one. */
  name: string | undefined;
  generatedAt: number;
  freshFor: number;
  body: string;
  tags: string[];
  version: string | undefined;
  versions: { id: string; generatedAt: number }[];
  requests: { id: string; status: string; expiresAt: number | undefined }[];
  etag: string | undefined;
}

const textOf = (value: AttributeValue | undefined) => (value && "S" in value ? value.S : undefined);
/** Times with a fraction, which others may write, are rounded down. */
const numberOf = (value: AttributeValue | undefined) => (value && "N" in value ? Math.floor(Number(value.N)) : undefined);

export function leaseIn(item: Item, { partition, sort }: Names): Lease | undefined {
  const key = textOf(item[partition]);
  const expiresAt = numberOf(item["lease_expires_at"]);
  const at = textOf(item[sort]);
  if (key === undefined || at === undefined || expiresAt === undefined || at.startsWith("REQ#")) return undefined;
  const generation = item["generation"];
  return { key, sort: at, token: textOf(item["lease_token"]) ?? "", expiresAt, generation: generation && "N" in generation ? generation.N : undefined };
}

/** Everything in rows that are about pages. Versions and requests of a page without metadata are left out. */
export function pagesIn(items: readonly Item[], { partition, sort }: Names): Page[] {
  const pages = new Map<string, Page>();
  const sorts = (item: Item) => textOf(item[sort]) ?? "";
  for (const item of items) {
    const key = textOf(item[partition]);
    const generatedAt = numberOf(item["generated_at"]);
    const freshFor = numberOf(item["revalidate_seconds"]);
    if (sorts(item) !== "META" || key === undefined || generatedAt === undefined || freshFor === undefined) continue;
    const tags = item["tags"];
    pages.set(key, { key, name: textOf(item["page_name"]), generatedAt, freshFor, body: textOf(item["s3_key"]) ?? "", tags: tags && "SS" in tags ? tags.SS : [], version: textOf(item["current_sk"]), versions: [], requests: [], etag: textOf(item["etag"]) });
  }
  for (const item of items) {
    const page = pages.get(textOf(item[partition]) ?? "");
    const at = sorts(item);
    if (page === undefined) continue;
    if (at.startsWith("VER#")) page.versions.push({ id: at.slice(4), generatedAt: numberOf(item["generated_at"]) ?? 0 });
    if (at.startsWith("REQ#")) page.requests.push({ id: at.slice(4), status: textOf(item["status"]) ?? "?", expiresAt: numberOf(item["lease_expires_at"]) });
  }
  for (const page of pages.values()) page.versions.sort((a, b) => b.generatedAt - a.generatedAt);
  return [...pages.values()];
}

/** A lease is held if and only if its end is after now. */
export const isHeld = (lease: Lease, now: number): boolean => lease.expiresAt > now;

/** A page is fresh if and only if now is before the moment it was generated plus the seconds it is fresh for. */
export const isFresh = (page: Page, now: number): boolean => now < page.generatedAt + page.freshFor;

/** "CACHE#f46b16ed5a…" for a key that ends with a hash. */
export function shortKey(key: string): string {
  return key.replace(/([0-9a-f]{10})[0-9a-f]{54}$/, "$1…");
}

export const nameOfKey = (key: string, pages: readonly Page[]): string => pages.find((page) => page.key === key)?.name ?? shortKey(key);

export interface Change {
  time: number;
  key: string;
  what: "acquired" | "taken over" | "refreshed" | "released" | "published" | "marked as stale" | "purged" | "version kept" | "request begun" | "request completed" | "request failed";
  token?: string;
  /** Of a lease: its end. */
  until?: number;
}

/** What happened between two states of a row; undefined for a change that says nothing to people. */
export function changeOf(before: Item | undefined, after: Item | undefined, names: Names, time: number): Change | undefined {
  const item = after ?? before;
  const key = textOf(item?.[names.partition]);
  const at = textOf(item?.[names.sort]);
  if (item === undefined || key === undefined || at === undefined) return undefined;
  if (at.startsWith("REQ#")) {
    const status = textOf(after?.["status"]);
    const what = { STARTED: "request begun", COMPLETED: "request completed", FAILED: "request failed" }[status ?? ""] as Change["what"] | undefined;
    return what === undefined || status === textOf(before?.["status"]) ? undefined : { time, key, what };
  }
  if (at.startsWith("VER#")) return before === undefined ? { time, key, what: "version kept" } : undefined;
  if (at === "META") {
    if (after === undefined) return { time, key, what: "purged" };
    const isStale = numberOf(after["revalidate_seconds"]) === 0 && numberOf(before?.["revalidate_seconds"]) !== 0;
    return { time, key, what: isStale && before !== undefined ? "marked as stale" : "published" };
  }
  const [old, now] = [before && leaseIn(before, names), after && leaseIn(after, names)];
  if (now === undefined || now.expiresAt === 0) return old === undefined || old.expiresAt === 0 ? undefined : { time, key, what: "released", token: old.token };
  const what = old === undefined || old.expiresAt === 0 ? "acquired" : old.token === now.token ? "refreshed" : old.expiresAt > time ? "taken over" : "acquired";
  return { time, key, what, token: now.token, until: now.expiresAt };
}

export interface Span {
  key: string;
  token: string;
  from: number;
  to: number;
}

/** From when to when each holder had a lease, oldest first. */
export function spansOf(changes: readonly Change[]): Span[] {
  const open = new Map<string, Span>();
  const spans: Span[] = [];
  for (const change of [...changes].sort((a, b) => a.time - b.time)) {
    const current = open.get(change.key);
    if (change.what === "acquired" || change.what === "taken over") {
      if (current) current.to = Math.min(current.to, change.time);
      const span = { key: change.key, token: change.token ?? "", from: change.time, to: change.until ?? change.time };
      open.set(change.key, span);
      spans.push(span);
    } else if (change.what === "refreshed" && current) current.to = change.until ?? current.to;
    else if (change.what === "refreshed") {
      const span = { key: change.key, token: change.token ?? "", from: change.time, to: change.until ?? change.time };
      open.set(change.key, span);
      spans.push(span);
    } else if (change.what === "released" && current) {
      current.to = Math.min(current.to, change.time);
      open.delete(change.key);
    }
  }
  return spans;
}
