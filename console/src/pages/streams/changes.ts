// What a record of a stream says, in the form that the page shows.

import { type AttributeValue, type Item, sameValue } from "../../api/attribute";

export interface StreamRecord {
  eventID: string;
  eventName: "INSERT" | "MODIFY" | "REMOVE";
  userIdentity?: { Type: string; PrincipalId: string };
  dynamodb: {
    ApproximateCreationDateTime: number;
    Keys: Item;
    NewImage?: Item;
    OldImage?: Item;
    SequenceNumber: string;
    SizeBytes: number;
    StreamViewType: string;
  };
}

export interface AttributeChange {
  name: string;
  kind: "added" | "removed" | "changed" | "same";
  before: AttributeValue | undefined;
  after: AttributeValue | undefined;
}

/** Every attribute of both, those that differ first, each group by name. */
export function changesBetween(before: Item, after: Item): AttributeChange[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
  const all = names.map((name): AttributeChange => {
    const old = Object.hasOwn(before, name) ? before[name] : undefined;
    const now = Object.hasOwn(after, name) ? after[name] : undefined;
    const kind = old === undefined ? "added" : now === undefined ? "removed" : sameValue(old, now) ? "same" : "changed";
    return { name, kind, before: old, after: now };
  });
  return [...all.filter(({ kind }) => kind !== "same"), ...all.filter(({ kind }) => kind === "same")];
}

/** Whether the time to live removed the item. */
export function hasExpired(record: StreamRecord): boolean {
  return record.userIdentity?.Type === "Service";
}

/** What one line says about a change: the names that differ, when both images are there. */
export function summaryOf(record: StreamRecord): string {
  const { NewImage, OldImage } = record.dynamodb;
  if (record.eventName === "REMOVE") return hasExpired(record) ? "its time was over" : "";
  if (NewImage === undefined || (record.eventName === "MODIFY" && OldImage === undefined)) return "";
  const changed = changesBetween(OldImage ?? {}, NewImage).filter(({ kind, name }) => kind !== "same" && !(name in record.dynamodb.Keys));
  return changed.map(({ name }) => name).join(", ");
}

/** Whether a record has the text in its key or in one of its images. */
export function mentions(record: StreamRecord, text: string): boolean {
  if (text === "") return true;
  const { Keys, NewImage, OldImage } = record.dynamodb;
  return JSON.stringify([Keys, NewImage, OldImage]).toLowerCase().includes(JSON.stringify(text).slice(1, -1).toLowerCase());
}

/** Newest first by their time; of one moment, those that came last. So records of one shard keep their order. */
export function newestFirst(seen: StreamRecord[], fresh: StreamRecord[], most: number): StreamRecord[] {
  const all = [...[...fresh].reverse(), ...seen];
  return all.sort((a, b) => b.dynamodb.ApproximateCreationDateTime - a.dynamodb.ApproximateCreationDateTime).slice(0, most);
}
