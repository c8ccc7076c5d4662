// Points in time on a line, names for what is restored, and how a whole store is.

import { shellQuote } from "../../ui/format";

export interface Backup {
  BackupArn: string;
  BackupName: string;
  TableName: string;
  BackupStatus: "CREATING" | "AVAILABLE" | "DELETED";
  BackupType: "USER" | "SYSTEM" | "AWS_BACKUP";
  BackupCreationDateTime: number;
  BackupExpiryDateTime?: number;
  BackupSizeBytes?: number;
}

export interface Continuous {
  status: "ENABLED" | "DISABLED";
  /** Seconds since 1970. */
  earliest: number | undefined;
  latest: number | undefined;
  days: number | undefined;
}

export interface Mark {
  time: number;
  name: string;
  /** 0 to 1 along the line. */
  at: number;
}

export interface Line {
  begin: number;
  end: number;
  /** The part that can be restored to, 0 to 1; undefined when there is none. */
  from: number | undefined;
  to: number | undefined;
  marks: Mark[];
}

/** A line that has all backups, the window of the history, and now, with some room at its ends. */
export function lineOf(backups: readonly Backup[], continuous: Continuous | undefined, now: number): Line {
  const isOn = continuous?.status === "ENABLED" && continuous.earliest !== undefined;
  const times = [now, ...backups.map(({ BackupCreationDateTime }) => BackupCreationDateTime), ...(isOn ? [continuous.earliest!] : [])];
  const first = Math.min(...times);
  const last = Math.max(...times);
  const room = Math.max(30, (last - first) * 0.04);
  const begin = first - room;
  const end = last + room;
  const place = (time: number) => (time - begin) / (end - begin);
  return {
    begin, end,
    from: isOn ? place(continuous.earliest!) : undefined,
    to: isOn ? place(Math.min(continuous.latest ?? now, end)) : undefined,
    marks: backups.map(({ BackupName, BackupCreationDateTime }) => ({ time: BackupCreationDateTime, name: BackupName, at: place(BackupCreationDateTime) })),
  };
}

/** The moment at a part of the window, to the millisecond, and never outside of it. */
export function momentAt(continuous: Continuous, part: number): number | undefined {
  if (continuous.status !== "ENABLED" || continuous.earliest === undefined || continuous.latest === undefined) return undefined;
  const time = continuous.earliest + (continuous.latest - continuous.earliest) * Math.max(0, Math.min(1, part));
  return Math.max(continuous.earliest, Math.min(continuous.latest, Math.round(time * 1000) / 1000));
}

const two = (value: number) => String(value).padStart(2, "0");

/** A name for the restored table: free, allowed, and it says when. */
export function restoredName(table: string, seconds: number, taken: readonly string[]): string {
  const date = new Date(seconds * 1000);
  const base = `${table.slice(0, 230)}-${date.getUTCFullYear()}${two(date.getUTCMonth() + 1)}${two(date.getUTCDate())}-${two(date.getUTCHours())}${two(date.getUTCMinutes())}${two(date.getUTCSeconds())}`;
  let name = base;
  for (let n = 2; taken.includes(name); ++n) name = `${base}-${n}`;
  return name;
}

/** What is wrong with a name; empty when nothing is. */
export function nameProblem(name: string, taken: readonly string[] = []): string {
  if (!/^[A-Za-z0-9_.-]{3,255}$/.test(name)) return "3 to 255 of a-z, A-Z, 0-9, _, - and .";
  return taken.includes(name) ? "there is such a table already" : "";
}

/** "2026-11-17T10:15:30" in the person's own time, for a field of the browser. */
export function localText(seconds: number): string {
  const date = new Date(seconds * 1000);
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}T${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;
}

/** What to type on the machine of the server: a new directory is made of the backup, and served. */
export function restoreCommands(folder: string, id: number, data: string): string {
  return `dolmen backup restore ${shellQuote(folder)} \\\n  --id ${id} --data ${shellQuote(data)}\ndolmen serve --data ${shellQuote(data)}\n`;
}
