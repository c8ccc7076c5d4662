import { describe, expect, it } from "vitest";
import { allOff, fileOf, headerOf, parseReport, rulesOf } from "./plan";

const some = { ...allOff(), throttle: { on: true, percent: 10, setting: 0 }, latency: { on: true, percent: 100, setting: 20 } };

describe("headerOf", () => {
  it("is empty when nothing is on", () => expect(headerOf(allOff(), 42)).toBe(""));
  it("lists what is on, with what differs from the defaults", () => {
    expect(headerOf(some, 42)).toBe("seed=42, throttle=0.1, latency, latency-ms=20");
    expect(headerOf(some, undefined)).toBe("throttle=0.1, latency, latency-ms=20");
    expect(headerOf(some, 42, 17)).toBe("seed=42, number=17, throttle=0.1, latency, latency-ms=20");
  });
  it("keeps probabilities between nothing and always", () => expect(headerOf({ ...allOff(), conflict: { on: true, percent: -5, setting: 0 } }, undefined)).toBe("conflict=0"));
});

it("rules are what a file of the server has", () => {
  expect(rulesOf(some)).toEqual([{ fault: "throttle", probability: 0.1 }, { fault: "latency", milliseconds: 20 }]);
  expect(fileOf(some, 42)).toBe("seed: 42\nrules:\n  - fault: throttle\n    probability: 0.1\n  - fault: latency\n    milliseconds: 20\n");
  expect(fileOf(allOff(), 1)).toBe("");
});

it("parseReport tells what happened from what decided", () => {
  expect(parseReport("seed=42, number=17, throttle")).toEqual({ seed: "42", number: "17", faults: ["throttle"] });
  expect(parseReport("seed=42, number=18, none")).toEqual({ seed: "42", number: "18", faults: [] });
  expect(parseReport(null)).toEqual({ seed: undefined, number: undefined, faults: [] });
});
