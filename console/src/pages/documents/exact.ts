// Documents with every digit as it was written: 30.0 is a float and 30 an int, and an int has 64 bits.

import { callText } from "../../api/client";
import { Digits, type Json, parseJson } from "../../api/json_text";

export function writeJson(value: Json, depth = 0): string {
  const inner = "\n" + "  ".repeat(depth + 1);
  const outer = "\n" + "  ".repeat(depth);
  if (value instanceof Digits) return value.text;
  if (Array.isArray(value)) return value.length === 0 ? "[]" : `[${inner}${value.map((each) => writeJson(each, depth + 1)).join("," + inner)}${outer}]`;
  if (value instanceof Map) return value.size === 0 ? "{}" : `{${inner}${[...value].map(([name, each]) => `${JSON.stringify(name)}: ${writeJson(each, depth + 1)}`).join("," + inner)}${outer}}`;
  return JSON.stringify(value);
}

export interface Stored {
  id: string;
  revision: string;
  text: string;
}

export interface DocumentPage {
  documents: Stored[];
  cursor: string | undefined;
}

function stored(document: Json, revision: Json): Stored {
  const id = document instanceof Map ? document.get("_id") : undefined;
  return { id: typeof id === "string" ? id : "", revision: typeof revision === "string" ? revision : "", text: writeJson(document) };
}

/** The answer of ListDocuments and QueryDocuments. */
export function readPage(text: string): DocumentPage {
  const answer = parseJson(text);
  const [documents, revisions, cursor] = ["documents", "revisions", "cursor"].map((name) => (answer instanceof Map ? answer.get(name) : undefined));
  const all = Array.isArray(documents) ? documents : [];
  return { documents: all.map((each, at) => stored(each, Array.isArray(revisions) ? (revisions[at] ?? null) : null)), cursor: typeof cursor === "string" ? cursor : undefined };
}

export async function documentPage(operation: "ListDocuments" | "QueryDocuments", input: Record<string, unknown>, signal: AbortSignal): Promise<DocumentPage> {
  return readPage((await callText("dolmen", operation, input, { signal })).data);
}

export async function getDocument(input: Record<string, unknown>, signal?: AbortSignal): Promise<Stored> {
  const answer = parseJson((await callText("dolmen", "GetDocument", input, signal ? { signal } : {})).data);
  if (!(answer instanceof Map)) throw new Error("GetDocument answered without a document");
  return stored(answer.get("document") ?? null, answer.get("revision") ?? null);
}

/** A short line about a document: its other fields. */
export function preview(text: string): string {
  const document = parseJson(text);
  if (!(document instanceof Map)) return text;
  return [...document].filter(([name]) => name !== "_id").map(([name, value]) => `${name}: ${value instanceof Map ? "{…}" : Array.isArray(value) ? `[${value.length}]` : value instanceof Digits ? value.text : String(value)}`).join("  ").slice(0, 160);
}
