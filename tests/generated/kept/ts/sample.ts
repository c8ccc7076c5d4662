// Generated from sample.yml; edit that file, not this.
// By: dolmen model generate --lang ts
// Source: sha256 7ab14f230363421e838edbba08913f1c1f59331fa100cafc79656f4e5a3cf08a
import * as dms from "./dolmen_support.js";

/** An item of the model Sample in the table samples. */
export interface Sample {
  PK: string;
  SK: dms.NumberValue;
  text: string;
  number: dms.NumberValue;
  flag: boolean;
  blob: Uint8Array;
  nothing: null;
  list: dms.Native[];
  map: dms.Item;
  strings: Set<string>;
  numbers: Set<dms.NumberValue>;
  blobs: Set<Uint8Array>;
  /** stored as JSON */
  json: dms.Json;
  textOrNot: string;
  numberOrNot: dms.NumberValue;
  flagOrNot: boolean;
  blobOrNot: Uint8Array;
  listOrNot: dms.Native[];
  mapOrNot: dms.Item;
  stringsOrNot: Set<string>;
  /** stored as JSON */
  jsonOrNot: dms.Json;
  /** a time in RFC 3339 format */
  moment?: string;
  /** seconds since 1970 */
  seconds: number;
  whole: bigint;
  exact: dms.NumberValue;
  /** a vector of 3 numbers */
  vector?: number[];
  /** seconds since 1970 */
  expires?: number;
  group?: string;
  rank?: dms.NumberValue;
  /** encrypted */
  secretText: string;
  /** encrypted */
  secretNumber: dms.NumberValue;
  /** encrypted */
  secretFlag: boolean;
  /** encrypted */
  secretBlob: Uint8Array;
  /** encrypted */
  secretList: dms.Native[];
  /** encrypted */
  secretMap: dms.Item;
  /** encrypted */
  secretStrings: Set<string>;
  /** encrypted */
  secretNumbers: Set<dms.NumberValue>;
  /** encrypted */
  secretBlobs: Set<Uint8Array>;
  /** stored as JSON, encrypted */
  secretJson: dms.Json;
  /** encrypted */
  secretOrNot: string;
  /** filled in when the item is put */
  createdAt: string;
  /** filled in whenever the item is written */
  updatedAt: string;
  /** counts the updates */
  version: number;
}

/** What a program says of a Sample. */
export interface NewSample {
  PK: string;
  SK: dms.Numeric;
  text?: string | undefined;
  number?: dms.Numeric | undefined;
  flag?: boolean | undefined;
  blob?: Uint8Array | undefined;
  nothing?: null | undefined;
  list?: dms.Native[] | undefined;
  map?: dms.Item | undefined;
  strings?: Set<string> | undefined;
  numbers?: Set<dms.Numeric> | undefined;
  blobs?: Set<Uint8Array> | undefined;
  json?: dms.Json | undefined;
  textOrNot?: string | undefined;
  numberOrNot?: dms.Numeric | undefined;
  flagOrNot?: boolean | undefined;
  blobOrNot?: Uint8Array | undefined;
  listOrNot?: dms.Native[] | undefined;
  mapOrNot?: dms.Item | undefined;
  stringsOrNot?: Set<string> | undefined;
  jsonOrNot?: dms.Json | undefined;
  moment?: string | undefined;
  seconds?: number | undefined;
  whole?: bigint | number | undefined;
  exact?: dms.Numeric | undefined;
  vector?: dms.Vector | undefined;
  expires?: number | undefined;
  group?: string | undefined;
  rank?: dms.Numeric | undefined;
  secretText?: string | undefined;
  secretNumber?: dms.Numeric | undefined;
  secretFlag?: boolean | undefined;
  secretBlob?: Uint8Array | undefined;
  secretList?: dms.Native[] | undefined;
  secretMap?: dms.Item | undefined;
  secretStrings?: Set<string> | undefined;
  secretNumbers?: Set<dms.Numeric> | undefined;
  secretBlobs?: Set<Uint8Array> | undefined;
  secretJson?: dms.Json | undefined;
  secretOrNot?: string | undefined;
  createdAt?: string | undefined;
  updatedAt?: string | undefined;
  version?: number | undefined;
}

/** A Sample as the document client stores it. */
export interface SampleItem {
  PK: string;
  SK: dms.Numeric;
  text?: string;
  number?: dms.Numeric;
  flag?: boolean;
  blob?: Uint8Array;
  nothing?: null;
  list?: dms.Native[];
  map?: dms.Item;
  strings?: Set<string> | null;
  numbers?: Set<dms.Numeric> | null;
  blobs?: Set<Uint8Array> | null;
  json?: string | null;
  textOrNot?: string;
  numberOrNot?: dms.Numeric;
  flagOrNot?: boolean;
  blobOrNot?: Uint8Array;
  listOrNot?: dms.Native[];
  mapOrNot?: dms.Item;
  stringsOrNot?: Set<string> | null;
  jsonOrNot?: string | null;
  moment?: string;
  seconds?: dms.Numeric;
  whole?: dms.Numeric;
  exact?: dms.Numeric;
  vector?: dms.Numeric[];
  expires?: dms.Numeric;
  group?: string;
  rank?: dms.Numeric;
  secretText?: dms.Envelope;
  secretNumber?: dms.Envelope;
  secretFlag?: dms.Envelope;
  secretBlob?: dms.Envelope;
  secretList?: dms.Envelope;
  secretMap?: dms.Envelope;
  secretStrings?: dms.Envelope;
  secretNumbers?: dms.Envelope;
  secretBlobs?: dms.Envelope;
  secretJson?: dms.Envelope;
  secretOrNot?: dms.Envelope;
  createdAt: string;
  updatedAt: string;
  version: dms.Numeric;
}

/** What an update may change. */
export type SampleField =
  | "text"
  | "number"
  | "flag"
  | "blob"
  | "nothing"
  | "list"
  | "map"
  | "strings"
  | "numbers"
  | "blobs"
  | "json"
  | "textOrNot"
  | "numberOrNot"
  | "flagOrNot"
  | "blobOrNot"
  | "listOrNot"
  | "mapOrNot"
  | "stringsOrNot"
  | "jsonOrNot"
  | "moment"
  | "seconds"
  | "whole"
  | "exact"
  | "vector"
  | "expires"
  | "group"
  | "rank"
  | "secretText"
  | "secretNumber"
  | "secretFlag"
  | "secretBlob"
  | "secretList"
  | "secretMap"
  | "secretStrings"
  | "secretNumbers"
  | "secretBlobs"
  | "secretJson"
  | "secretOrNot";

export const sampleModel = new dms.EncryptedModel<
  Sample,
  NewSample,
  SampleItem,
  SampleField
>({
  name: "Sample",
  table: "samples",
  partition: "PK",
  sort: "SK",
  attributes: [
    { name: "PK", type: "S", required: true },
    { name: "SK", type: "N", required: true },
    { name: "text", type: "S" },
    { name: "number", type: "N" },
    { name: "flag", type: "BOOL" },
    { name: "blob", type: "B" },
    { name: "nothing", type: "NULL" },
    { name: "list", type: "L" },
    { name: "map", type: "M" },
    { name: "strings", type: "SS" },
    { name: "numbers", type: "NS" },
    { name: "blobs", type: "BS" },
    { name: "json", type: "S", json: true },
    { name: "textOrNot", type: "S", omitEmpty: true },
    { name: "numberOrNot", type: "N", omitEmpty: true },
    { name: "flagOrNot", type: "BOOL", omitEmpty: true },
    { name: "blobOrNot", type: "B", omitEmpty: true },
    { name: "listOrNot", type: "L", omitEmpty: true },
    { name: "mapOrNot", type: "M", omitEmpty: true },
    { name: "stringsOrNot", type: "SS", omitEmpty: true },
    { name: "jsonOrNot", type: "S", omitEmpty: true, json: true },
    { name: "moment", type: "S", nullable: true, format: "rfc3339nano" },
    { name: "seconds", type: "N", format: "unix_seconds" },
    { name: "whole", type: "N", format: "int" },
    { name: "exact", type: "N", format: "decimal_string" },
    {
      name: "vector",
      type: "L",
      nullable: true,
      format: "vector",
      dimensions: 3,
    },
    {
      name: "expires",
      type: "N",
      nullable: true,
      omitEmpty: true,
      roles: ["ttl"],
      format: "unix_seconds",
    },
    { name: "group", type: "S", nullable: true },
    { name: "rank", type: "N", nullable: true },
    { name: "secretText", type: "S", encrypted: true },
    { name: "secretNumber", type: "N", encrypted: true },
    { name: "secretFlag", type: "BOOL", encrypted: true },
    { name: "secretBlob", type: "B", encrypted: true },
    { name: "secretList", type: "L", encrypted: true },
    { name: "secretMap", type: "M", encrypted: true },
    { name: "secretStrings", type: "SS", encrypted: true },
    { name: "secretNumbers", type: "NS", encrypted: true },
    { name: "secretBlobs", type: "BS", encrypted: true },
    { name: "secretJson", type: "S", json: true, encrypted: true },
    { name: "secretOrNot", type: "S", omitEmpty: true, encrypted: true },
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
  indexes: [
    { name: "by-group", partition: "group", sort: "rank" },
    { name: "by-rank", partition: "PK", sort: "rank" },
  ],
});

/** The key of a Sample. */
export function sampleKey(pk: string, sk: dms.Numeric): dms.Item {
  return sampleModel.key(pk, sk);
}

/** A page of one partition of the table. */
export function sampleQuery(
  pk: string,
  sk?: dms.Sort<dms.Numeric>,
  options: dms.QueryOptions = {},
): dms.QueryInput {
  return sampleModel.query(pk, sk, "", options);
}

/** A page of one partition of the index by-group. */
export function sampleQueryByGroup(
  group: string,
  rank?: dms.Sort<dms.Numeric>,
  options: dms.QueryOptions = {},
): dms.QueryInput {
  return sampleModel.query(group, rank, "by-group", options);
}

/** A page of one partition of the index by-rank. */
export function sampleQueryByRank(
  pk: string,
  rank?: dms.Sort<dms.Numeric>,
  options: dms.QueryOptions = {},
): dms.QueryInput {
  return sampleModel.query(pk, rank, "by-rank", options);
}

/** An item of the model Reserved in the table reserved. */
export interface Reserved {
  name: string;
  status: string;
  size: dms.NumberValue;
  values: dms.Native[];
  count: dms.NumberValue;
  /** filled in whenever the item is written */
  updated_at: string;
}

/** What a program says of a Reserved. */
export interface NewReserved {
  name: string;
  status: string;
  size?: dms.Numeric | undefined;
  values?: dms.Native[] | undefined;
  count?: dms.Numeric | undefined;
  updated_at?: string | undefined;
}

/** A Reserved as the document client stores it. */
export interface ReservedItem {
  name: string;
  status: string;
  size?: dms.Numeric;
  values?: dms.Native[];
  count?: dms.Numeric;
  updated_at: string;
}

/** What an update may change. */
export type ReservedField = never;

export const reservedModel = new dms.Model<
  Reserved,
  NewReserved,
  ReservedItem,
  ReservedField
>({
  name: "Reserved",
  table: "reserved",
  partition: "name",
  attributes: [
    { name: "name", type: "S", required: true },
    { name: "status", type: "S", required: true },
    { name: "size", type: "N" },
    { name: "values", type: "L" },
    { name: "count", type: "N" },
    { name: "updated_at", type: "S", roles: ["updated_at"] },
  ],
});

/** The key of a Reserved. */
export function reservedKey(name: string): dms.Item {
  return reservedModel.key(name);
}

/** A page of one partition of the table. */
export function reservedQuery(
  name: string,
  options: dms.QueryOptions = {},
): dms.QueryInput {
  return reservedModel.query(name, undefined, "", options);
}
