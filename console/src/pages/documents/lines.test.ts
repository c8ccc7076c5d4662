import { describe, expect, it } from "vitest";
import { diffLines } from "./lines";

const marks = { same: " ", removed: "-", added: "+" };
const text = (before: string, after: string) => diffLines(before, after).map(({ kind, text: line }) => marks[kind] + line);

describe("diffLines", () => {
  it("keeps what both have", () => expect(text("a\nb\nc\n", "a\nx\nc\ny\n")).toEqual([" a", "-b", "+x", " c", "+y"]));
  it("finds the longest common part", () => expect(text("a\nb\nc\nd", "b\nd\na")).toEqual(["-a", " b", "-c", " d", "+a"]));
  it("numbers the lines of both", () => {
    expect(diffLines("a\nb", "b")).toEqual([{ kind: "removed", text: "a", before: 1, after: undefined }, { kind: "same", text: "b", before: 2, after: 1 }]);
  });
  it("takes empty texts", () => {
    expect(text("", "a")).toEqual(["+a"]);
    expect(text("a", "")).toEqual(["-a"]);
    expect(text("", "")).toEqual([]);
  });
  it("gives both texts back, whatever they are", () => {
    let state = 11;
    const random = (most: number) => (state = (state * 1103515245 + 12345) % 2147483648) % most;
    for (let round = 0; round < 100; ++round) {
      const [a, b] = [0, 1].map(() => Array.from({ length: random(9) }, () => "xyz"[random(3)]!).join("\n"));
      const lines = diffLines(a!, b!);
      expect(lines.filter(({ kind }) => kind !== "added").map((each) => each.text).join("\n")).toBe(a);
      expect(lines.filter(({ kind }) => kind !== "removed").map((each) => each.text).join("\n")).toBe(b);
    }
  });
});
