// What can stand at a place of a statement.

export const keywords = [
  "SELECT", "FROM", "WHERE", "AND", "OR", "NOT", "IN", "BETWEEN", "IS", "MISSING", "NULL", "ORDER BY", "ASC", "DESC", "INSERT INTO", "VALUE", "UPDATE", "SET",
  "REMOVE", "DELETE FROM", "RETURNING", "ALL OLD *", "ALL NEW *", "MODIFIED OLD *", "MODIFIED NEW *", "EXISTS",
] as const;
export const functions = ["begins_with", "contains", "size", "attribute_type", "attribute_exists", "attribute_not_exists", "list_append", "set_add", "set_delete", "if_not_exists"] as const;

export interface Place {
  /** Where the word begins that is being typed. */
  from: number;
  wants: "table" | "index" | "word" | "nothing";
  /** Of an index: the table before the dot. */
  table?: string;
}

const unquoted = (text: string): string => (text.startsWith('"') ? text.slice(1).replace(/"$/, "").replace(/""/g, '"') : text);

/** The tables that a statement names. */
export function tablesIn(statement: string): string[] {
  const found = statement.matchAll(/\b(?:from|into|update)\s+("(?:[^"]|"")+"|[A-Za-z_$][\w$]*)/gi);
  return [...new Set([...found].map((match) => unquoted(match[1]!)))];
}

/** True inside a text in single quotes. */
const isInText = (before: string): boolean => (before.replace(/"(?:[^"]|"")*"/g, "").match(/'/g)?.length ?? 0) % 2 === 1;

export function placeAt(statement: string, at: number): Place {
  const before = statement.slice(0, at);
  if (isInText(before)) return { from: at, wants: "nothing" };
  const quotes = before.replace(/'(?:[^']|'')*'/g, (text) => "'".repeat(text.length)).match(/"/g)?.length ?? 0;
  const word = (quotes % 2 === 1 ? /"[^"]*$/ : /[A-Za-z_$][\w$]*$/).exec(before)?.[0] ?? "";
  const from = at - word.length;
  const rest = before.slice(0, from);
  const dotted = /\b(?:from|into|update)\s+("(?:[^"]|"")+"|[A-Za-z_$][\w$]*)\.$/i.exec(rest);
  if (dotted) return { from, wants: "index", table: unquoted(dotted[1]!) };
  if (/\b(?:from|into|update)\s+$/i.test(rest)) return { from, wants: "table" };
  return { from, wants: "word" };
}

const reserved = new Set(keywords.flatMap((each) => each.split(" ")).map((each) => each.toUpperCase()));

/** A name as a statement has it. */
export function quoteName(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) && !reserved.has(name.toUpperCase()) ? name : `"${name.replace(/"/g, '""')}"`;
}
