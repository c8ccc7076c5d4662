import { expect, it } from "vitest";
import { age, duration } from "./format";

it.each([[0.2, "1 s"], [9, "9 s"], [120, "120 s"], [121, "3 min"], [7140, "119 min"], [7200, "2 h"], [86_380, "24 h"], [86_280, "23 h 58 min"], [172_800, "2 d"], [273_000, "3 d 4 h"]])("%d seconds are %s", (seconds, text) => {
  expect(duration(seconds)).toBe(text);
});

it("an age is never more than it is", () => expect([age(9.9), age(501), age(86_399)]).toEqual(["9 s", "8 min", "23 h 59 min"]));
