// A reader of JSON that keeps the digits of numbers, which JSON.parse rounds, and says where a text is wrong.

export class JsonProblem extends Error {
  readonly column: number;

  constructor(readonly what: string, readonly at: number, text: string) {
    const before = text.slice(0, at);
    const column = at - before.lastIndexOf("\n");
    super(`line ${before.split("\n").length}, column ${column}: ${what}`);
    this.name = "JsonProblem";
    this.column = column;
  }
}

/** A number as it was written. */
export class Digits {
  constructor(readonly text: string) {}
}

export type Json = null | boolean | string | Digits | Json[] | Map<string, Json>;

/** Deeper values would exhaust the stack; DynamoDB refuses them at 32. */
const depthMax = 200;
const numberPattern = /-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?/y;
const stringPattern = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;
const words: Record<string, Json> = { true: true, false: false, null: null };

class Reader {
  at = 0;
  constructor(readonly text: string) {}

  fail(message: string): never {
    throw new JsonProblem(message, this.at, this.text);
  }

  skipSpace(): void {
    while (this.at < this.text.length && " \t\r\n".includes(this.text[this.at]!)) ++this.at;
  }

  take(character: string): boolean {
    this.skipSpace();
    if (this.text[this.at] !== character) return false;
    ++this.at;
    return true;
  }

  match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text)?.[0];
    if (found !== undefined) this.at += found.length;
    return found;
  }

  string(): string {
    this.skipSpace();
    const found = this.match(stringPattern);
    if (found === undefined) this.fail(this.text[this.at] === '"' ? "a text does not end, or has a character that must be escaped" : "a text in quotes is missing here");
    return JSON.parse(found) as string;
  }

  value(depth: number): Json {
    this.skipSpace();
    if (depth > depthMax) this.fail(`values are nested more than ${depthMax} deep`);
    const next = this.text[this.at];
    if (next === undefined) this.fail("the text ends where a value is missing");
    if (next === "{") return this.object(depth);
    if (next === "[") return this.array(depth);
    if (next === '"') return this.string();
    const number = this.match(numberPattern);
    if (number !== undefined) return new Digits(number);
    const word = this.match(/[A-Za-z]+/y);
    if (word !== undefined && Object.hasOwn(words, word)) return words[word]!;
    if (word !== undefined) this.at -= word.length;
    return this.fail(`${JSON.stringify((word ?? next).slice(0, 20))} is not a value of JSON`);
  }

  object(depth: number): Map<string, Json> {
    ++this.at;
    const members = new Map<string, Json>();
    if (this.take("}")) return members;
    do {
      const name = this.string();
      if (members.has(name)) this.fail(`${JSON.stringify(name)} occurs twice`);
      if (!this.take(":")) this.fail(`":" is missing after ${JSON.stringify(name)}`);
      members.set(name, this.value(depth + 1));
    } while (this.take(","));
    if (!this.take("}")) this.fail('"," or "}" is missing here');
    return members;
  }

  array(depth: number): Json[] {
    ++this.at;
    const elements: Json[] = [];
    if (this.take("]")) return elements;
    do elements.push(this.value(depth + 1));
    while (this.take(","));
    if (!this.take("]")) this.fail('"," or "]" is missing here');
    return elements;
  }
}

/** Fails with JsonProblem. */
export function parseJson(text: string): Json {
  const reader = new Reader(text);
  const value = reader.value(0);
  reader.skipSpace();
  if (reader.at < text.length) reader.fail("there is more after the value");
  return value;
}
