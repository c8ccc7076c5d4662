import { describe, expect, it } from "vitest";
import { changesBetween, mentions, newestFirst, type StreamRecord, summaryOf } from "./changes";

function record(name: StreamRecord["eventName"], more: Partial<StreamRecord["dynamodb"]> = {}): StreamRecord {
  return { eventID: "1", eventName: name, dynamodb: { ApproximateCreationDateTime: 1, Keys: { id: { S: "a" } }, SequenceNumber: "1", SizeBytes: 1, StreamViewType: "NEW_AND_OLD_IMAGES", ...more } };
}

describe("changesBetween", () => {
  it("says what came, went, changed and stayed, differences first", () => {
    const changes = changesBetween({ a: { S: "1" }, b: { N: "1" }, c: { SS: ["x", "y"] } }, { b: { N: "2" }, c: { SS: ["y", "x"] }, d: { BOOL: true } });
    expect(changes.map(({ name, kind }) => `${name} ${kind}`)).toEqual(["a removed", "b changed", "d added", "c same"]);
  });
  it("knows attributes with the names of members of objects", () => {
    expect(changesBetween({}, { constructor: { S: "x" } })[0]).toMatchObject({ name: "constructor", kind: "added", before: undefined });
  });
});

describe("summaryOf", () => {
  it("names what differs, without the key", () => {
    expect(summaryOf(record("MODIFY", { OldImage: { id: { S: "a" }, n: { N: "1" } }, NewImage: { id: { S: "a" }, n: { N: "2" } } }))).toBe("n");
  });
  it("says nothing that it does not know", () => expect(summaryOf(record("MODIFY", { NewImage: { n: { N: "2" } } }))).toBe(""));
  it("tells an expired item from a deleted one", () => {
    expect(summaryOf({ ...record("REMOVE"), userIdentity: { Type: "Service", PrincipalId: "dynamodb.amazonaws.com" } })).toBe("its time was over");
    expect(summaryOf(record("REMOVE"))).toBe("");
  });
});

it("mentions looks into keys and images", () => {
  const one = record("INSERT", { NewImage: { title: { S: 'Say "Stones"' } } });
  expect(mentions(one, "stones")).toBe(true);
  expect(mentions(one, 'say "st')).toBe(true);
  expect(mentions(one, "menhir")).toBe(false);
});

it("newestFirst keeps the latest", () => {
  const at = (time: number) => record("INSERT", { ApproximateCreationDateTime: time, SequenceNumber: String(time) });
  expect(newestFirst([at(2), at(1)], [at(3), at(4)], 3).map(({ dynamodb }) => dynamodb.SequenceNumber)).toEqual(["4", "3", "2"]);
});

it("newestFirst keeps the order of what a shard wrote at one moment, and sorts in what comes late", () => {
  const at = (time: number, id: string) => ({ ...record("INSERT", { ApproximateCreationDateTime: time }), eventID: id });
  expect(newestFirst([at(5, "b"), at(3, "a")], [at(4, "x"), at(5, "c"), at(5, "d")], 9).map(({ eventID }) => eventID)).toEqual(["d", "c", "b", "x", "a"]);
});
