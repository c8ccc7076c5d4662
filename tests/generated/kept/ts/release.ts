// Generated from release.yml; edit that file, not this.
// By: dolmen model generate --lang ts
// Source: sha256 3073b01bbdd4ef1fd70792c09a64748742a292b4f84595fa2246ab3b8aaeac25
import * as dms from "./dolmen_support.js";

/** An item of the model ReleaseActual in the table releases. */
export interface ReleaseActual {
  PK: string;
  SK: string;
  status: string;
  pinnedReleaseId?: string;
  /** stored as JSON */
  provenance: dms.Json;
  /** stored as JSON */
  score: dms.Json;
  /** stored as JSON */
  notes: dms.Json;
  /** filled in when the item is put */
  createdAt: string;
  /** filled in whenever the item is written */
  updatedAt: string;
  /** counts the updates */
  version: number;
}

/** What a program says of a ReleaseActual. */
export interface NewReleaseActual {
  PK: string;
  SK: string;
  status: string;
  pinnedReleaseId?: string | undefined;
  provenance?: dms.Json | undefined;
  score?: dms.Json | undefined;
  notes?: dms.Json | undefined;
  createdAt?: string | undefined;
  updatedAt?: string | undefined;
  version?: number | undefined;
}

/** A ReleaseActual as the document client stores it. */
export interface ReleaseActualItem {
  PK: string;
  SK: string;
  status: string;
  pinnedReleaseId?: string;
  provenance?: dms.Native;
  score?: dms.Native;
  notes?: string | null;
  createdAt: string;
  updatedAt: string;
  version: dms.Numeric;
}

/** What an update may change. */
export type ReleaseActualField = "status" | "provenance" | "score" | "notes";

export const releaseActualModel = new dms.Model<
  ReleaseActual,
  NewReleaseActual,
  ReleaseActualItem,
  ReleaseActualField
>({
  name: "ReleaseActual",
  table: "releases",
  partition: "PK",
  sort: "SK",
  attributes: [
    { name: "PK", type: "S", required: true },
    { name: "SK", type: "S", required: true },
    { name: "status", type: "S", required: true },
    { name: "pinnedReleaseId", type: "S", nullable: true, omitEmpty: true },
    { name: "provenance", type: "M", omitEmpty: true, json: true },
    { name: "score", type: "N", json: true },
    { name: "notes", type: "S", json: true },
    {
      name: "createdAt",
      type: "S",
      roles: ["created_at"],
      format: "rfc3339nano",
    },
    {
      name: "updatedAt",
      type: "S",
      roles: ["updated_at"],
      format: "rfc3339nano",
    },
    { name: "version", type: "N", roles: ["version"], format: "int" },
  ],
  protected: ["pinnedReleaseId"],
});

/** The key of a ReleaseActual. */
export function releaseActualKey(pk: string, sk: string): dms.Item {
  return releaseActualModel.key(pk, sk);
}

/** A page of one partition of the table. */
export function releaseActualQuery(
  pk: string,
  sk?: dms.Sort<string>,
  options: dms.QueryOptions = {},
): dms.QueryInput {
  return releaseActualModel.query(pk, sk, "", options);
}

/** An item of the model ReleaseEvent in the table releases. */
export interface ReleaseEvent {
  PK: string;
  SK: string;
  eventType?: string;
  /** seconds since 1970 */
  ttl?: number;
}

/** What a program says of a ReleaseEvent. */
export interface NewReleaseEvent {
  PK: string;
  SK: string;
  eventType?: string | undefined;
  ttl?: number | undefined;
}

/** A ReleaseEvent as the document client stores it. */
export interface ReleaseEventItem {
  PK: string;
  SK: string;
  eventType?: string;
  ttl?: dms.Numeric;
}

/** What an update may change. */
export type ReleaseEventField = never;

export const releaseEventModel = new dms.Model<
  ReleaseEvent,
  NewReleaseEvent,
  ReleaseEventItem,
  ReleaseEventField
>({
  name: "ReleaseEvent",
  table: "releases",
  partition: "PK",
  sort: "SK",
  attributes: [
    { name: "PK", type: "S", required: true },
    { name: "SK", type: "S", required: true },
    { name: "eventType", type: "S", nullable: true, omitEmpty: true },
    {
      name: "ttl",
      type: "N",
      nullable: true,
      omitEmpty: true,
      roles: ["ttl"],
      format: "unix_seconds",
    },
  ],
  writeOnce: true,
});

/** The key of a ReleaseEvent. */
export function releaseEventKey(pk: string, sk: string): dms.Item {
  return releaseEventModel.key(pk, sk);
}

/** A page of one partition of the table. */
export function releaseEventQuery(
  pk: string,
  sk?: dms.Sort<string>,
  options: dms.QueryOptions = {},
): dms.QueryInput {
  return releaseEventModel.query(pk, sk, "", options);
}
