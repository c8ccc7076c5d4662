import { describe, expect, it } from "vitest";
import type { Item } from "../../api/attribute";
import { changeOf, isFresh, isHeld, leaseIn, pagesIn, shortKey, spansOf } from "./rows";

const names = { partition: "pk", sort: "sk" };
const lock = (token: string, until: number, more: Item = {}): Item => ({ pk: { S: "K" }, sk: { S: "LOCK" }, lease_token: { S: token }, lease_expires_at: { N: String(until) }, ...more });
const meta = (generated: number, fresh: number): Item => ({ pk: { S: "P" }, sk: { S: "META" }, generated_at: { N: `${generated}.7` }, revalidate_seconds: { N: String(fresh) }, s3_key: { S: "b" } });

describe("rows", () => {
  it("a lease is held until the second of its end", () => {
    const lease = leaseIn(lock("a", 100, { generation: { N: "9007199254740993" } }), names)!;
    expect(lease.generation).toBe("9007199254740993");
    expect(isHeld(lease, 99)).toBe(true);
    expect(isHeld(lease, 100)).toBe(false);
    expect(leaseIn({ pk: { S: "K" }, sk: { S: "LOCK" } }, names)).toBeUndefined();
    expect(leaseIn({ ...lock("a", 1), sk: { S: "REQ#1" } }, names)).toBeUndefined();
  });
  it("a page has its versions and requests, and times are rounded down", () => {
    const [page, ...rest] = pagesIn([meta(50, 10), { pk: { S: "P" }, sk: { S: "VER#1" }, generated_at: { N: "40" } }, { pk: { S: "P" }, sk: { S: "VER#2" }, generated_at: { N: "50" } }, { pk: { S: "P" }, sk: { S: "REQ#x" }, status: { S: "STARTED" } }, { pk: { S: "Q" }, sk: { S: "VER#1" } }], names);
    expect(rest).toEqual([]);
    expect(page).toMatchObject({ generatedAt: 50, versions: [{ id: "2" }, { id: "1" }], requests: [{ id: "x", status: "STARTED" }] });
    expect(isFresh(page!, 59)).toBe(true);
    expect(isFresh(page!, 60)).toBe(false);
  });
  it("hashes are shortened, other keys are not", () => {
    expect(shortKey(`CACHE#${"0123456789abcdef".repeat(4)}`)).toBe("CACHE#0123456789…");
    expect(shortKey("nightly")).toBe("nightly");
  });
});

describe("changeOf", () => {
  const what = (before: Item | undefined, after: Item | undefined, time = 50) => changeOf(before, after, names, time)?.what;
  it("tells what happened to a lease", () => {
    expect(what(undefined, lock("a", 100))).toBe("acquired");
    expect(what(lock("a", 100), lock("a", 120))).toBe("refreshed");
    expect(what(lock("a", 40), lock("b", 100))).toBe("acquired");
    expect(what(lock("a", 90), lock("b", 100))).toBe("taken over");
    expect(what(lock("a", 100), undefined)).toBe("released");
    expect(what(lock("a", 100), lock("a", 0))).toBe("released");
    expect(what(lock("a", 0), undefined)).toBeUndefined();
  });
  it("tells what happened to a page", () => {
    expect(what(undefined, meta(1, 60))).toBe("published");
    expect(what(meta(1, 60), meta(1, 0))).toBe("marked as stale");
    expect(what(meta(1, 0), undefined)).toBe("purged");
    expect(what({ pk: { S: "P" }, sk: { S: "REQ#1" }, status: { S: "STARTED" } }, { pk: { S: "P" }, sk: { S: "REQ#1" }, status: { S: "COMPLETED" } })).toBe("request completed");
  });
});

describe("spansOf", () => {
  it("joins refreshes, and ends with a release or the next holder", () => {
    expect(spansOf([
      { time: 30, key: "K", what: "released", token: "b" }, { time: 0, key: "K", what: "acquired", token: "a", until: 10 }, { time: 5, key: "K", what: "refreshed", token: "a", until: 20 },
      { time: 15, key: "K", what: "taken over", token: "b", until: 45 },
    ])).toEqual([{ key: "K", token: "a", from: 0, to: 15 }, { key: "K", token: "b", from: 15, to: 30 }]);
  });
  it("takes a refresh for a beginning that was not seen", () => {
    expect(spansOf([{ time: 5, key: "K", what: "refreshed", token: "a", until: 20 }])).toEqual([{ key: "K", token: "a", from: 5, to: 20 }]);
  });
});
