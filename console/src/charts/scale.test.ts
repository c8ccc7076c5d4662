import { describe, expect, it } from "vitest";
import { byteScale, linear, roundUp, shortSeconds, ticks } from "./scale";

describe("linear", () => {
  it("maps the ends and what lies between", () => {
    const scale = linear(10, 20, 100, 0);
    expect([scale(10), scale(15), scale(20)]).toEqual([100, 50, 0]);
  });
  it("puts a domain without extent into the middle", () => expect(linear(3, 3, 0, 10)(3)).toBe(5));
});

describe("ticks", () => {
  it("are round and stay inside", () => expect(ticks(0, 10, 5)).toEqual([0, 2, 4, 6, 8, 10]));
  it("do not drift by the errors of doubles", () => expect(ticks(0, 0.6, 6)).toEqual([0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6]));
  it("of nothing are one", () => expect(ticks(5, 5)).toEqual([5]));
  it("never run away", () => expect(ticks(0, Number.POSITIVE_INFINITY)).toEqual([0]));
});

it("roundUp never goes below the value", () => {
  for (const value of [0.00031, 0.9, 1, 7, 42, 99, 101, 123456]) expect(roundUp(value)).toBeGreaterThanOrEqual(value);
  expect(roundUp(0)).toBe(1);
  expect(roundUp(42)).toBe(50);
});

it("shortSeconds chooses the unit", () => {
  expect(shortSeconds(0.00125)).toBe("1.25 ms");
  expect(shortSeconds(0.0000004)).toBe("0.4 µs");
  expect(shortSeconds(90)).toBe("1.5 min");
  expect(shortSeconds(0)).toBe("0 s");
});

it("byteScale has round sizes", () => {
  expect(byteScale(760 * 1024)).toEqual({ highest: 800 * 1024, ticks: [0, 200, 400, 600, 800].map((each) => each * 1024) });
  expect(byteScale(1.2 * 1024 ** 3)).toEqual({ highest: 1.5 * 1024 ** 3, ticks: [0, 0.5, 1, 1.5].map((each) => each * 1024 ** 3) });
  expect(byteScale(0).highest).toBe(1);
});
