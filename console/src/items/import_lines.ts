// Items out of files: one JSON object on each line, or one array of them; plain, typed, or as AWS exports them ({"Item": {...}}).

import type { Item } from "../api/attribute";
import { formOf, type Form, parseItem } from "../api/json_forms";

/** The items of a file's text are cut into lines as it comes in. */
export class LineCutter {
  private rest = "";
  number = 0;

  /** The lines that are complete now, with their numbers, without empty ones. */
  add(text: string): { number: number; text: string }[] {
    const parts = (this.rest + text).split("\n");
    this.rest = parts.pop() ?? "";
    return parts.flatMap((line) => this.keep(line));
  }

  /** What stands after the last end of a line. */
  finish(): { number: number; text: string }[] {
    const last = this.rest;
    this.rest = "";
    return this.keep(last);
  }

  private keep(line: string): { number: number; text: string }[] {
    ++this.number;
    // An array that has each element on a line of its own can be read line by line as well.
    const text = line.trim().replace(/^\[(?=\s*\{)/, "").replace(/^\[$|^\]$|^,$/, "").replace(/\}\s*\]$/, "}").replace(/,$/, "").trim();
    return text === "" ? [] : [{ number: this.number, text }];
  }
}

const exported = /^\{\s*"Item"\s*:\s*(\{.*\})\s*\}$/s;

/** Fails like parseItem. `form` undefined: found out for each line. */
export function itemOfLine(text: string, form?: Form): Item {
  const wrapped = exported.exec(text);
  if (wrapped !== null && formOf(wrapped[1]!) === "typed") return parseItem(wrapped[1]!, "typed");
  return parseItem(text, form ?? formOf(text));
}
