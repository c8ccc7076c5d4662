import { describe, expect, it } from "vitest";
import { type Backup, type Continuous, lineOf, localText, momentAt, nameProblem, restoreCommands, restoredName } from "./points";

const backup = (name: string, time: number): Backup => ({ BackupArn: name, BackupName: name, TableName: "t", BackupStatus: "AVAILABLE", BackupType: "USER", BackupCreationDateTime: time });
const on: Continuous = { status: "ENABLED", earliest: 1000, latest: 2000, days: 35 };

describe("lineOf", () => {
  it("has all backups and the window, inside the line", () => {
    const line = lineOf([backup("a", 500), backup("b", 1500)], on, 2000);
    expect(line.marks.map(({ name }) => name)).toEqual(["a", "b"]);
    for (const at of [...line.marks.map((mark) => mark.at), line.from!, line.to!]) {
      expect(at).toBeGreaterThan(0);
      expect(at).toBeLessThan(1);
    }
    expect(line.from!).toBeLessThan(line.to!);
    expect(line.marks[0]!.at).toBeLessThan(line.from!);
  });
  it("is a line also when there is nothing", () => {
    const line = lineOf([], undefined, 2000);
    expect(line).toMatchObject({ from: undefined, marks: [] });
    expect(line.end).toBeGreaterThan(line.begin);
  });
});

it("momentAt stays inside the window", () => {
  expect(momentAt(on, 0.5)).toBe(1500);
  expect(momentAt(on, -1)).toBe(1000);
  expect(momentAt(on, 2)).toBe(2000);
  expect(momentAt({ ...on, status: "DISABLED" }, 0.5)).toBeUndefined();
});

it("names are free and allowed", () => {
  const name = restoredName("notes", 1_700_000_000, []);
  expect(name).toBe("notes-20231114-221320");
  expect(restoredName("notes", 1_700_000_000, [name])).toBe(`${name}-2`);
  expect(nameProblem(restoredName("x".repeat(255), 1_700_000_000, []))).toBe("");
  expect(nameProblem("a b")).not.toBe("");
  expect(nameProblem("abc", ["abc"])).toBe("there is such a table already");
});

it("localText is what a field of the browser reads back", () => expect(new Date(localText(1_700_000_000)).getTime() / 1000).toBe(1_700_000_000));

it("the commands that restore a store quote what a shell would read", () =>
  expect(restoreCommands("/mnt/my backups", 3, "./restored")).toBe("dolmen backup restore '/mnt/my backups' \\\n  --id 3 --data ./restored\ndolmen serve --data ./restored\n"));
