// Generated from doc.yml; edit that file, not this.
// By: dolmen model generate --lang ts
// Source: sha256 4c7ffb4dae87f870b0bdfa447893b6849faed1ab051124c814c842054c4b153b
import * as dms from "./dolmen_support.js";

/** An item of the model Doc in the table docs. */
export interface Doc {
  id: string;
  tenant?: string;
  year: bigint;
  title?: string;
  /** a vector of 3 numbers */
  meaning: number[];
  /** a vector of 2 numbers */
  picture?: number[];
  /** counts the updates */
  version: number;
}

/** What a program says of a Doc. */
export interface NewDoc {
  id: string;
  tenant?: string | undefined;
  year?: bigint | number | undefined;
  title?: string | undefined;
  meaning: dms.Vector;
  picture?: dms.Vector | undefined;
  version?: number | undefined;
}

/** A Doc as the document client stores it. */
export interface DocItem {
  id: string;
  tenant?: string;
  year?: dms.Numeric;
  title?: string;
  meaning: dms.Numeric[];
  picture?: dms.Numeric[];
  version: dms.Numeric;
}

/** What an update may change. */
export type DocField = "tenant" | "year" | "title" | "meaning" | "picture";

export const docModel = new dms.Model<Doc, NewDoc, DocItem, DocField>({
  name: "Doc",
  table: "docs",
  partition: "id",
  attributes: [
    { name: "id", type: "S", required: true },
    { name: "tenant", type: "S", nullable: true },
    { name: "year", type: "N", format: "int" },
    { name: "title", type: "S", nullable: true },
    {
      name: "meaning",
      type: "L",
      required: true,
      format: "vector",
      dimensions: 3,
    },
    {
      name: "picture",
      type: "L",
      nullable: true,
      format: "vector",
      dimensions: 2,
    },
    { name: "version", type: "N", roles: ["version"], format: "int" },
  ],
});

/** The key of a Doc. */
export function docKey(id: string): dms.Item {
  return docModel.key(id);
}

/** A page of one partition of the table. */
export function docQuery(
  id: string,
  options: dms.QueryOptions = {},
): dms.QueryInput {
  return docModel.query(id, undefined, "", options);
}

/** A vector index of Doc, for SearchVectors. */
export const docIndexByMeaning = "by_meaning";

/** A vector index of Doc, for SearchVectors. */
export const docIndexByPicture = "by-picture";
