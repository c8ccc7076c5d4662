// The program under test: a server on a port of its own, and requests to it.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("../../", import.meta.url));
export const binary = process.env.DOLMEN_BIN ?? join(root, "build/release/bin/dolmen");
const prefixes = { dynamo: "DynamoDB_20120810", dolmen: "Dolmen_20261115", streams: "DynamoDBStreams_20120810" };

/** Runs `dolmen ARGUMENTS` to its end. Fails unless it succeeds. */
export async function run(args, options = {}) {
  const child = spawn(binary, args, { ...options, stdio: ["ignore", "pipe", "pipe"] });
  let out = "";
  let err = "";
  child.stdout.on("data", (data) => (out += data));
  child.stderr.on("data", (data) => (err += data));
  const [code] = await once(child, "close");
  if (code !== 0) throw new Error(`dolmen ${args.join(" ")} ended with ${code}: ${err}`);
  return out;
}

export class Server {
  /** `flags` are added to `dolmen serve`. The data is in a folder that goes with the server. */
  constructor({ flags = [], data } = {}) {
    this.flags = flags;
    this.folder = mkdtempSync(join(tmpdir(), "dolmen-console-"));
    this.data = data ?? join(this.folder, "data");
    this.port = 0;
  }

  async start() {
    const args = ["serve", "--host", "127.0.0.1", "--port", String(this.port), "--data", this.data, "--durability", "os", ...this.flags];
    this.child = spawn(binary, args, { stdio: ["ignore", "pipe", "pipe"], cwd: this.folder });
    this.log = "";
    this.child.stderr.on("data", (data) => (this.log += data));
    const lines = createInterface({ input: this.child.stdout });
    const ended = once(this.child, "exit").then(() => { throw new Error(`the server ended before it listened: ${this.log}`); });
    const listening = new Promise((resolve) => lines.on("line", (line) => {
      const found = /listening on (https?):\/\/[^ ]*:(\d+)/.exec(line);
      if (found) resolve(Number(found[2]));
    }));
    this.port = await Promise.race([listening, ended]);
    ended.catch(() => {}); // It ends later, when it is told to.
    return this;
  }

  get url() {
    return `http://127.0.0.1:${this.port}`;
  }

  async #end(signal) {
    if (this.child === undefined || this.child.exitCode !== null || this.child.signalCode !== null) return;
    const gone = once(this.child, "exit");
    this.child.kill(signal);
    await gone;
  }

  /** As a crash would. `start` takes the same port and data again. */
  kill() {
    return this.#end("SIGKILL");
  }

  async close() {
    await this.#end("SIGTERM");
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** `call("PutItem", {...})`, `call("PublishSchema", {...}, "dolmen")`. Fails unless it succeeds. */
  async call(operation, input, family = "dynamo") {
    const response = await fetch(this.url, {
      method: "POST",
      headers: { "content-type": "application/x-amz-json-1.0", "x-amz-target": `${prefixes[family]}.${operation}` },
      body: JSON.stringify(input),
    });
    const body = await response.json();
    if (!response.ok) throw new Error(`${operation}: ${JSON.stringify(body)}`);
    return body;
  }

  /** A table with a partition key `id` of type S, or the given keys. */
  async table(name, keys = [["id", "S"]], more = {}) {
    await this.call("CreateTable", {
      TableName: name,
      BillingMode: "PAY_PER_REQUEST",
      KeySchema: keys.map(([attribute], at) => ({ AttributeName: attribute, KeyType: at === 0 ? "HASH" : "RANGE" })),
      AttributeDefinitions: [...keys.map(([AttributeName, AttributeType]) => ({ AttributeName, AttributeType })), ...(more.attributes ?? [])],
      ...(more.request ?? {}),
    });
  }

  /** Puts items given as DynamoDB JSON. */
  async put(table, ...items) {
    for (const Item of items) await this.call("PutItem", { TableName: table, Item });
  }
}
