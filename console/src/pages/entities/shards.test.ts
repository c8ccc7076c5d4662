import { describe, expect, it } from "vitest";
import { type Bump, bumpOf, bumpsBetween, evenness, hashKeys, heat, timeline } from "./shards";

const bumps: Bump[] = [{ timestamp: 0, charBits: 1, chars: 0 }, { timestamp: 1704067200000, charBits: 4, chars: 1 }, { timestamp: 1735689600000, charBits: 4, chars: 2 }];

describe("hash keys", () => {
  it("are one without characters, and all combinations with them", () => {
    expect(hashKeys("user", "!", bumps[0]!)).toEqual(["user!"]);
    expect(hashKeys("user", "!", bumps[1]!)).toHaveLength(16);
    const many = hashKeys("user", "!", bumps[2]!);
    expect([many[0], many[15], many[255], many.length]).toEqual(["user!00", "user!0f", "user!ff", 256]);
    expect(hashKeys("u", "!", { timestamp: 0, charBits: 5, chars: 1 }).at(-1)).toBe("u!v");
  });
  it("say which bump they are of", () => {
    expect(bumpOf("user", "!", bumps, "user!")).toBe(bumps[0]);
    expect(bumpOf("user", "!", bumps, "user!7")).toBe(bumps[1]);
    expect(bumpOf("user", "!", bumps, "user!0f")).toBe(bumps[2]);
    expect(bumpOf("user", "!", bumps, "user!zz")).toBeUndefined();
    expect(bumpOf("user", "!", bumps, "email!7")).toBeUndefined();
  });
});

it("a window touches the bumps that were in force in it", () => {
  expect(bumpsBetween(bumps, undefined, undefined)).toHaveLength(3);
  expect(bumpsBetween(bumps, 1735689600000, undefined)).toEqual([bumps[2]]);
  expect(bumpsBetween(bumps, undefined, 1704067199999)).toEqual([bumps[0]]);
  expect(bumpsBetween(bumps, 1704067200000, 1704067200000)).toEqual([bumps[1]]);
});

it("evenness compares the fullest with the mean", () => {
  expect(evenness([2, 0, 4, 2])).toEqual({ shards: 4, items: 8, empty: 1, most: 4, skew: 2 });
  expect(evenness([0, 0]).skew).toBe(0);
});

it("heat tells few from none", () => expect([heat(0, 100), heat(1, 100), heat(50, 100), heat(100, 100)]).toEqual([0, 1, 3, 5]));

it("the time line is in order, without gaps, and knows what is in force", () => {
  const line = timeline(bumps, 1763376000000);
  expect(line.segments.map(({ isNow }) => isNow)).toEqual([false, false, true]);
  expect([line.segments[0]?.from, line.segments.at(-1)?.to]).toEqual([0, 1]);
  expect(line.segments[0]?.to).toBe(line.segments[1]?.from);
  expect(line.now).toBeGreaterThan(line.segments[2]!.from);
  expect(timeline([bumps[0]!], 1763376000000).segments).toMatchObject([{ from: 0, to: 1, isNow: true }]);
});
