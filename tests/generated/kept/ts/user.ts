// Generated from user.yml; edit that file, not this.
// By: dolmen model generate --lang ts
// Source: sha256 1a8a14104e3cf33118b1090dde5b827ee4f388f8874d40b855959ac5a2c30b91
import * as dms from "./dolmen_support.js";

/** An item of the model User in the table users. */
export interface User {
  PK: string;
  SK: string;
  emailHash?: string;
  nickname?: string;
  tags: Set<string>;
  /** stored as JSON */
  settings: dms.Json;
  avatar?: Uint8Array;
  /** encrypted */
  phone?: string;
  /** filled in when the item is put */
  createdAt: string;
  /** filled in whenever the item is written */
  updatedAt: string;
  /** counts the updates */
  version: number;
  /** seconds since 1970 */
  ttl?: number;
}

/** What a program says of a User. */
export interface NewUser {
  PK: string;
  SK: string;
  emailHash?: string | undefined;
  nickname?: string | undefined;
  tags?: Set<string> | undefined;
  settings?: dms.Json | undefined;
  avatar?: Uint8Array | undefined;
  phone?: string | undefined;
  createdAt?: string | undefined;
  updatedAt?: string | undefined;
  version?: number | undefined;
  ttl?: number | undefined;
}

/** A User as the document client stores it. */
export interface UserItem {
  PK: string;
  SK: string;
  emailHash?: string;
  nickname?: string;
  tags?: Set<string> | null;
  settings?: string | null;
  avatar?: Uint8Array;
  phone?: dms.Envelope;
  createdAt: string;
  updatedAt: string;
  version: dms.Numeric;
  ttl?: dms.Numeric;
}

/** What an update may change. */
export type UserField =
  "emailHash" | "nickname" | "tags" | "settings" | "avatar" | "phone" | "ttl";

export const userModel = new dms.EncryptedModel<
  User,
  NewUser,
  UserItem,
  UserField
>({
  name: "User",
  table: "users",
  partition: "PK",
  sort: "SK",
  attributes: [
    { name: "PK", type: "S", required: true },
    { name: "SK", type: "S", required: true },
    { name: "emailHash", type: "S", nullable: true, omitEmpty: true },
    { name: "nickname", type: "S", nullable: true, omitEmpty: true },
    { name: "tags", type: "SS", omitEmpty: true },
    { name: "settings", type: "S", json: true },
    { name: "avatar", type: "B", nullable: true },
    { name: "phone", type: "S", nullable: true, encrypted: true },
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
    {
      name: "ttl",
      type: "N",
      nullable: true,
      omitEmpty: true,
      roles: ["ttl"],
      format: "unix_seconds",
    },
  ],
  indexes: [
    { name: "gsi-email", partition: "emailHash" },
    { name: "lsi-created", partition: "PK", sort: "createdAt" },
  ],
});

/** The key of a User. */
export function userKey(pk: string, sk: string): dms.Item {
  return userModel.key(pk, sk);
}

/** A page of one partition of the table. */
export function userQuery(
  pk: string,
  sk?: dms.Sort<string>,
  options: dms.QueryOptions = {},
): dms.QueryInput {
  return userModel.query(pk, sk, "", options);
}

/** A page of one partition of the index gsi-email. */
export function userQueryGsiEmail(
  emailHash: string,
  options: dms.QueryOptions = {},
): dms.QueryInput {
  return userModel.query(emailHash, undefined, "gsi-email", options);
}

/** A page of one partition of the index lsi-created. */
export function userQueryLsiCreated(
  pk: string,
  createdAt?: dms.Sort<string>,
  options: dms.QueryOptions = {},
): dms.QueryInput {
  return userModel.query(pk, createdAt, "lsi-created", options);
}

/** An item of the model PageMetadata in the table pages. */
export interface PageMetadata {
  pk: string;
  s3_key: string;
  generated_at: dms.NumberValue;
}

/** What a program says of a PageMetadata. */
export interface NewPageMetadata {
  pk: string;
  s3_key: string;
  generated_at: dms.Numeric;
}

/** A PageMetadata as the document client stores it. */
export interface PageMetadataItem {
  pk: string;
  s3_key: string;
  generated_at: dms.Numeric;
}

/** What an update may change. */
export type PageMetadataField = never;

export const pageMetadataModel = new dms.Model<
  PageMetadata,
  NewPageMetadata,
  PageMetadataItem,
  PageMetadataField
>({
  name: "PageMetadata",
  table: "pages",
  partition: "pk",
  attributes: [
    { name: "pk", type: "S", required: true },
    { name: "s3_key", type: "S", required: true },
    { name: "generated_at", type: "N", required: true },
  ],
});

/** The key of a PageMetadata. */
export function pageMetadataKey(pk: string): dms.Item {
  return pageMetadataModel.key(pk);
}

/** A page of one partition of the table. */
export function pageMetadataQuery(
  pk: string,
  options: dms.QueryOptions = {},
): dms.QueryInput {
  return pageMetadataModel.query(pk, undefined, "", options);
}
