// Generated from hard_names.yml; edit that file, not this.
// By: dolmen model generate --lang ts
// Source: sha256 c57da139270d5e9c2986d6afa9c083ddc7d5640023f0f4761afc099988a39fed
import * as dms from "./dolmen_support.js";

/** An item of the model class in the table hard.names-1. */
export interface Class {
  'the "key", (quoted)': string;
  "2fa": bigint;
  class?: string;
  emailHash?: string;
  email_hash?: string;
  "email-hash 2"?: string;
  名前?: string;
  "back\\slash"?: string;
  "tab\tand ??/ trigraph"?: string;
  std: Set<string>;
  dolmen?: dms.Item;
  module?: dms.Native[];
  errno?: boolean;
}

/** What a program says of a Class. */
export interface NewClass {
  'the "key", (quoted)': string;
  "2fa": bigint | number;
  class?: string | undefined;
  emailHash?: string | undefined;
  email_hash?: string | undefined;
  "email-hash 2"?: string | undefined;
  名前?: string | undefined;
  "back\\slash"?: string | undefined;
  "tab\tand ??/ trigraph"?: string | undefined;
  std?: Set<string> | undefined;
  dolmen?: dms.Item | undefined;
  module?: dms.Native[] | undefined;
  errno?: boolean | undefined;
}

/** A Class as the document client stores it. */
export interface ClassItem {
  'the "key", (quoted)': string;
  "2fa": dms.Numeric;
  class?: string;
  emailHash?: string;
  email_hash?: string;
  "email-hash 2"?: string;
  名前?: string;
  "back\\slash"?: string;
  "tab\tand ??/ trigraph"?: string;
  std?: Set<string> | null;
  dolmen?: dms.Item;
  module?: dms.Native[];
  errno?: boolean;
}

/** What an update may change. */
export type ClassField = never;

export const classModel = new dms.Model<Class, NewClass, ClassItem, ClassField>(
  {
    name: "class",
    table: "hard.names-1",
    partition: 'the "key", (quoted)',
    sort: "2fa",
    attributes: [
      { name: 'the "key", (quoted)', type: "S", required: true },
      { name: "2fa", type: "N", required: true, format: "int" },
      { name: "class", type: "S", nullable: true },
      { name: "emailHash", type: "S", nullable: true },
      { name: "email_hash", type: "S", nullable: true },
      { name: "email-hash 2", type: "S", nullable: true },
      { name: "名前", type: "S", nullable: true },
      { name: "back\\slash", type: "S", nullable: true },
      { name: "tab\tand ??/ trigraph", type: "S", nullable: true },
      { name: "std", type: "SS" },
      { name: "dolmen", type: "M", nullable: true },
      { name: "module", type: "L", nullable: true },
      { name: "errno", type: "BOOL", nullable: true },
    ],
    indexes: [{ name: "by-name", partition: "名前" }],
  },
);

/** The key of a Class. */
export function classKey(
  theKeyQuoted: string,
  attribute2fa: bigint | number,
): dms.Item {
  return classModel.key(theKeyQuoted, attribute2fa);
}

/** A page of one partition of the table. */
export function classQuery(
  theKeyQuoted: string,
  attribute2fa?: dms.Sort<bigint | number>,
  options: dms.QueryOptions = {},
): dms.QueryInput {
  return classModel.query(theKeyQuoted, attribute2fa, "", options);
}

/** A page of one partition of the index by-name. */
export function classQueryByName(
  attribute: string,
  options: dms.QueryOptions = {},
): dms.QueryInput {
  return classModel.query(attribute, undefined, "by-name", options);
}

/** An item of the model Model in the table models. */
export interface Model {
  Model: string;
}

/** What a program says of a Model. */
export interface NewModel {
  Model: string;
}

/** A Model as the document client stores it. */
export interface ModelItem {
  Model: string;
}

/** What an update may change. */
export type ModelField = never;

export const modelModel = new dms.Model<Model, NewModel, ModelItem, ModelField>(
  {
    name: "Model",
    table: "models",
    partition: "Model",
    attributes: [{ name: "Model", type: "S" }],
  },
);

/** The key of a Model. */
export function modelKey(model: string): dms.Item {
  return modelModel.key(model);
}

/** A page of one partition of the table. */
export function modelQuery(
  model: string,
  options: dms.QueryOptions = {},
): dms.QueryInput {
  return modelModel.query(model, undefined, "", options);
}

/** An item of the model Class in the table classes. */
export interface Class_2 {
  pk: Uint8Array;
}

/** What a program says of a Class_2. */
export interface NewClass_2 {
  pk: Uint8Array;
}

/** A Class_2 as the document client stores it. */
export interface Class_2Item {
  pk: Uint8Array;
}

/** What an update may change. */
export type Class_2Field = never;

export const classModel_2 = new dms.Model<
  Class_2,
  NewClass_2,
  Class_2Item,
  Class_2Field
>({
  name: "Class",
  table: "classes",
  partition: "pk",
  attributes: [{ name: "pk", type: "B" }],
});

/** The key of a Class_2. */
export function classKey_2(pk: Uint8Array): dms.Item {
  return classModel_2.key(pk);
}

/** A page of one partition of the table. */
export function classQuery_2(
  pk: Uint8Array,
  options: dms.QueryOptions = {},
): dms.QueryInput {
  return classModel_2.query(pk, undefined, "", options);
}
