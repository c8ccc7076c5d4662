// The stories of tests/engine/vectors/cases with the newest AWS SDK for JavaScript: every request as the SDK sends it, and
// what it makes of the answers. Cases with a body of their own (`raw`) are not the SDK's.
"use strict";

const assert = require("node:assert/strict");
const fs = require("node:fs");
const path = require("node:path");
const test = require("node:test");

const folder = path.join(__dirname, "../../engine/vectors/cases");
const load = (name) => require(require.resolve(name, { paths: [process.env.SDK_NEWEST ?? "/nowhere"] }));

let sdk;
try {
  sdk = load("@aws-sdk/client-dynamodb");
} catch {
  sdk = undefined;
}
const missing = sdk?.SearchVectorsCommand ? false : "there is no AWS SDK that knows vectors (tools/fetch_peers fetches it)";

function differences(wanted, found, at = "") {
  if (Array.isArray(wanted)) {
    if (!Array.isArray(found) || found.length !== wanted.length) return [`${at}: ${JSON.stringify(found)}`];
    return wanted.flatMap((one, i) => differences(one, found[i], `${at}[${i}]`));
  }
  if (wanted !== null && typeof wanted === "object") {
    if (found === undefined || found === null) return [`${at} is missing`];
    return Object.entries(wanted).flatMap(([name, one]) => differences(one, found[name], `${at}.${name}`));
  }
  if (typeof wanted === "number")
    return Math.abs(wanted - found) <= 1e-6 * Math.max(1, Math.abs(wanted)) ? [] : [`${at}: ${found}, not ${wanted}`];
  return wanted === found ? [] : [`${at}: ${JSON.stringify(found)}, not ${JSON.stringify(wanted)}`];
}

const at = (answer, steps) => steps.split(".").reduce((value, step) => value?.[step], answer);

async function check(client, one) {
  const send = () => client.send(new sdk[`${one.call}Command`](one.with ?? {}));
  if (one.error) {
    await assert.rejects(send, (error) => {
      assert.equal(error.name, one.error, error.message);
      if (one.message) assert.equal(error.message, one.message);
      if (one.contains) assert.ok(error.message.includes(one.contains), error.message);
      return true;
    });
    return;
  }
  const deadline = Date.now() + 30_000;
  for (;;) {
    const answer = await send();
    const wrong = differences(one.until ?? one.answer ?? {}, answer);
    if (one.until && wrong.length > 0 && Date.now() < deadline) continue;
    assert.deepEqual(wrong, [], JSON.stringify(answer));
    for (const steps of one.absent ?? []) assert.equal(at(answer, steps), undefined, steps);
    return;
  }
}

for (const file of fs.readdirSync(folder).sort())
  test(file, { skip: missing }, async (story) => {
    const client = new sdk.DynamoDBClient({
      endpoint: process.env.DOLMEN_URL,
      region: "us-east-1",
      credentials: { accessKeyId: "local", secretAccessKey: "local" },
      maxAttempts: 1,
    });
    for (const one of JSON.parse(fs.readFileSync(path.join(folder, file), "utf8")))
      if (!one.raw) await story.test(one.rule, () => check(client, one));
    const { TableNames } = await client.send(new sdk.ListTablesCommand({}));
    for (const TableName of TableNames) await client.send(new sdk.DeleteTableCommand({ TableName }));
  });
