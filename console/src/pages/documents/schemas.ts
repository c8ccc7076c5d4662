// Published schemas: what two versions differ in, and examples of documents.

import { dolmen } from "../../api/client";

export interface Field {
  type: "string" | "int" | "bool" | "float" | "object" | "array";
  required?: boolean;
  fields?: Record<string, Field>;
  element_type?: Field;
}

export interface Schema {
  schema_id: string;
  schema_version: string | number;
  description?: string;
  fields: Record<string, Field>;
}

export interface SchemaRef {
  schema_id: string;
  schema_version: string;
}

export interface Described extends SchemaRef {
  sha256: string;
  text: string;
  indexes: { field: string; state: "building" | "ready" | "failed" | "dropping"; reason?: string }[];
}

export interface Collection {
  id: string;
  versions: string[];
}

/** Versions in the order in which people count: numbers by value, the rest by its parts. */
export function inOrder(versions: readonly string[]): string[] {
  return [...versions].sort((a, b) => a.localeCompare(b, "en", { numeric: true }));
}

export async function listCollections(signal: AbortSignal): Promise<Collection[]> {
  const { schemas } = await dolmen<{ schemas: SchemaRef[] }>("ListSchemas", {}, { signal });
  const ids = new Map<string, string[]>();
  for (const { schema_id, schema_version } of schemas) ids.set(schema_id, [...(ids.get(schema_id) ?? []), schema_version]);
  return [...ids].map(([id, versions]) => ({ id, versions: inOrder(versions) }));
}

export interface FieldChange {
  path: string;
  kind: "added" | "removed" | "changed";
  before: string | undefined;
  after: string | undefined;
  /** Why documents of the old version do not fit the new one as they are; undefined when they do. */
  breaks: string | undefined;
}

const wordsOf = (field: Field) => `${field.type}${field.required === undefined ? "" : field.required ? ", required" : ", optional"}`;

/** Every field at every depth, by its path: `a.b[].c`. */
export function flatten(fields: Record<string, Field>, before = ""): Map<string, Field> {
  const found = new Map<string, Field>();
  const add = (path: string, field: Field) => {
    found.set(path, field);
    for (const [name, each] of flatten(field.fields ?? {}, `${path}.`)) found.set(name, each);
    if (field.element_type) add(`${path}[]`, field.element_type);
  };
  for (const [name, field] of Object.entries(fields)) add(before + name, field);
  return found;
}

export function compareSchemas(before: Schema, after: Schema): FieldChange[] {
  const old = flatten(before.fields);
  const now = flatten(after.fields);
  const changes: FieldChange[] = [];
  for (const path of [...new Set([...old.keys(), ...now.keys()])].sort()) {
    const a = old.get(path);
    const b = now.get(path);
    if (a && b && a.type === b.type && a.required === b.required) continue;
    const breaks = a && !b ? "documents that have it do not fit" : !a && b?.required ? "documents lack it" : a && b && a.type !== b.type ? "its values have another type" : a && b?.required && !a.required ? "documents without it do not fit" : undefined;
    changes.push({ path, kind: a && b ? "changed" : a ? "removed" : "added", before: a && wordsOf(a), after: b && wordsOf(b), breaks });
  }
  return changes;
}

function example(field: Field): unknown {
  switch (field.type) {
    case "string": return "";
    case "int": return 0;
    case "bool": return false;
    case "float": return 0.5;
    case "array": return field.element_type && field.element_type.type !== "array" ? [example(field.element_type)] : [];
    case "object": return Object.fromEntries(Object.entries(field.fields ?? {}).filter(([, each]) => each.required).map(([name, each]) => [name, example(each)]));
  }
}

/** A document to begin with: everything that is required. */
export function skeleton(schema: Schema): string {
  return JSON.stringify(example({ type: "object", fields: schema.fields }), null, 2);
}

/** The text of the next version: the number at its end is one higher. */
export function nextVersion(version: string): string {
  const found = /^(.*?)(\d+)$/.exec(version);
  return found ? `${found[1]}${Number(found[2]) + 1}` : `${version}-2`;
}

/** The same text with another version, so that the rest stays byte for byte. */
export function withVersion(text: string, version: string): string {
  return text.replace(/("schema_version"\s*:\s*)("(?:[^"\\]|\\.)*"|-?\d+)/, (_, name: string, old: string) => name + (old.startsWith('"') || !/^\d+$/.test(version) ? JSON.stringify(version) : version));
}

export interface Violation {
  path: string;
  rule: string;
  message: string;
}

/**
 * The line, counted from 0, on which the value of a path begins in a text of JSON; undefined when it is not there. `$root` is the first
 * line. A missing field is shown on the line of the object that lacks it.
 */
export function lineOfPath(text: string, path: string): number | undefined {
  const steps = path === "$root" ? [] : path.split(/\.|(?=\[)/).map((step) => (/^\[\d+\]$/.test(step) ? Number(step.slice(1, -1)) : step));
  let at = 0;
  const lineAt = (place: number) => text.slice(0, place).split("\n").length - 1;
  const space = () => { while (/\s/.test(text[at] ?? "")) ++at; };
  const skipString = () => { const begin = at++; while (at < text.length && text[at] !== '"') at += text[at] === "\\" ? 2 : 1; ++at; return text.slice(begin, at); };
  const skip = (): void => {
    space();
    if (text[at] === '"') { skipString(); return; }
    if (text[at] !== "{" && text[at] !== "[") { while (at < text.length && !/[,\]}\s]/.test(text[at]!)) ++at; return; }
    let depth = 0;
    do {
      if (text[at] === '"') { skipString(); continue; }
      if (text[at] === "{" || text[at] === "[") ++depth;
      else if (text[at] === "}" || text[at] === "]") --depth;
      ++at;
    } while (depth > 0 && at < text.length);
  };
  let line = 0;
  for (const step of steps) {
    space();
    line = lineAt(at);
    const isList = text[at] === "[";
    if (text[at] !== "{" && !isList) return line;
    ++at;
    let found = false;
    for (let index = 0; at < text.length; ++index) {
      space();
      if (text[at] === "}" || text[at] === "]") break;
      const begin = at;
      if (!isList) {
        if (text[at] !== '"') return line;
        const name = skipString();
        space();
        ++at;
        space();
        let plain = name;
        try { plain = JSON.parse(name) as string; } catch { return line; }
        found = plain === step;
      } else found = index === step;
      if (found) { line = lineAt(begin); break; }
      skip();
      space();
      if (text[at] === ",") ++at;
    }
    if (!found) return line;
  }
  return line;
}
