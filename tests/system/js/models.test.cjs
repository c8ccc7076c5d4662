// Items of a model are exchanged with the SDK for JavaScript: what it reads is written down here by hand from the
// specification, and it writes what the implementation in TypeScript writes. MODEL_CLIENT is Dolmen's model layer.
"use strict";

const assert = require("node:assert/strict");
const { spawn } = require("node:child_process");
const crypto = require("node:crypto");
const readline = require("node:readline");
const { after, before, test } = require("node:test");
const { client, sdk } = require("./support.cjs");

const TableName = "users";
// Far in the future: the server removes what has expired.
const TTL = 4102444800;
const KEY = { PK: "USER#1", SK: "PROFILE" };
const RAW_KEY = { PK: { S: "USER#1" }, SK: { S: "PROFILE" } };

let model;
let answers;

before(async () => {
  model = spawn(process.env.MODEL_CLIENT, [process.env.DOLMEN_URL, process.env.MODELS, "User", TableName], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  answers = readline.createInterface({ input: model.stdout })[Symbol.asyncIterator]();
  await ask({ op: "get", key: KEY });
});

after(() => model.stdin.end());

async function ask(step) {
  model.stdin.write(`${JSON.stringify(step)}\n`);
  const { value, done } = await answers.next();
  assert.equal(done, false, "model_client ended");
  return JSON.parse(value);
}

const raw = async () => (await client.getItem({ TableName, Key: RAW_KEY, ConsistentRead: true })).Item;
const put = (item) => client.putItem({ TableName, Item: { ...RAW_KEY, ...item } });

test("the SDK reads what the model writes", async () => {
  const made = await ask({
    op: "create",
    item: { ...KEY, nickname: "Ada", tags: ["b", "a"], settings: { b: 1.5, a: [null] }, ttl: TTL, avatar: "AAE=" },
  });
  assert.equal(made.error, undefined, made.message);
  const { createdAt, updatedAt, tags, avatar, ...rest } = await raw();
  assert.match(createdAt.S, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{9}Z$/);
  assert.deepEqual(updatedAt, createdAt);
  assert.deepEqual([...tags.SS].sort(), ["a", "b"]);
  assert.deepEqual([...avatar.B], [0, 1]);
  assert.deepEqual(rest, {
    ...RAW_KEY,
    nickname: { S: "Ada" },
    settings: { S: '{"a":[null],"b":1.5}' },
    ttl: { N: `${TTL}` },
    version: { N: "0" },
  });
});

test("the model reads what the SDK writes", async () => {
  await put({
    nickname: { S: "Countess" },
    tags: { SS: ["x", "y"] },
    settings: { S: JSON.stringify({ 9: 2, 10: 1, a: "é" }) },
    avatar: { B: Uint8Array.of(255) },
    ttl: { N: `${TTL}` },
    createdAt: { S: "2026-01-16T01:02:03.100000000Z" },
    version: { N: "4" },
  });
  const read = await ask({ op: "get", key: KEY });
  assert.deepEqual(read.items, [
    {
      ...KEY,
      nickname: "Countess",
      tags: ["x", "y"],
      settings: { 9: 2, 10: 1, a: "é" },
      avatar: "/w==",
      ttl: TTL,
      createdAt: "2026-01-16T01:02:03.100000000Z",
      version: 4,
    },
  ]);
});

test("versions guard both against each other", async () => {
  await put({ nickname: { S: "a" }, version: { N: "0" } });
  const update = (nickname, version) =>
    client.updateItem({
      TableName,
      Key: RAW_KEY,
      UpdateExpression: "SET #f0 = :v0 ADD #ver :inc",
      ConditionExpression: "#ver = :expected",
      ExpressionAttributeNames: { "#f0": "nickname", "#ver": "version" },
      ExpressionAttributeValues: { ":v0": { S: nickname }, ":inc": { N: "1" }, ":expected": { N: `${version}` } },
    });
  const modelUpdate = async (nickname, version) =>
    (await ask({ op: "update", fields: ["nickname"], item: { ...KEY, nickname, version } })).error;
  await update("b", 0);
  assert.equal(await modelUpdate("late", 0), "ErrConditionFailed");
  assert.equal(await modelUpdate("c", 1), undefined);
  await assert.rejects(update("late", 1), sdk.ConditionalCheckFailedException);
  assert.deepEqual([(await raw()).nickname.S, (await raw()).version.N], ["c", "2"]);
});

test("cursors go on in both directions", async () => {
  for (let i = 0; i < 4; i += 1)
    await client.putItem({ TableName, Item: { PK: { S: `<${i}>` }, SK: { S: "P" }, emailHash: { S: "h" } } });
  const query = {
    TableName,
    IndexName: "gsi-email",
    KeyConditionExpression: "emailHash = :e",
    ExpressionAttributeValues: { ":e": { S: "h" } },
  };
  const all = (await client.query(query)).Items.map((item) => item.PK.S);
  assert.equal(all.length, 4);

  const first = await ask({ op: "query", index: "gsi-email", partition: "h", limit: 2 });
  assert.equal(first.cursor.length % 4, 0, "padded");
  const { lastKey, index, sort } = JSON.parse(Buffer.from(first.cursor, "base64url"));
  assert.deepEqual([index, sort], ["gsi-email", "ASC"]);
  const rest = await client.query({ ...query, ExclusiveStartKey: lastKey });
  assert.deepEqual([...first.items.map((item) => item.PK), ...rest.Items.map((item) => item.PK.S)], all);

  const page = await client.query({ ...query, Limit: 3 });
  const cursor = Buffer.from(JSON.stringify({ lastKey: page.LastEvaluatedKey, index: "gsi-email", sort: "ASC" }));
  const goesOn = await ask({ op: "query", index: "gsi-email", partition: "h", cursor_text: cursor.toString("base64url") });
  assert.deepEqual(goesOn.items?.map((item) => item.PK), all.slice(3), goesOn.message);
});

// The deterministic keys of the test: the data key is HMAC-SHA-256 of what is stored of it, under the hash of the seed.
const master = crypto.createHash("sha256").update("dolmen contract").digest();
const dataKey = (edk) => crypto.createHmac("sha256", master).update(edk).digest();
const AAD = Buffer.from("theorydb:encrypted:v1|attr=phone");

test("envelopes are opened and made by others", async () => {
  const made = await ask({ op: "create", item: { ...KEY, phone: "+33 2 98" } });
  assert.equal(made.error, undefined, made.message);
  const { v, edk, nonce, ct, ...others } = (await raw()).phone.M;
  assert.deepEqual([v, others], [{ N: "1" }, {}]);
  assert.equal(nonce.B.length, 12);
  const opening = crypto.createDecipheriv("aes-256-gcm", dataKey(edk.B), nonce.B).setAAD(AAD);
  opening.setAuthTag(ct.B.subarray(-16));
  const text = Buffer.concat([opening.update(ct.B.subarray(0, -16)), opening.final()]).toString();
  assert.equal(text, '{"t":"S","s":"+33 2 98"}');

  const seal = (plaintext, aad) => {
    const key = crypto.randomBytes(32);
    const iv = crypto.randomBytes(12);
    const sealing = crypto.createCipheriv("aes-256-gcm", dataKey(key), iv).setAAD(aad);
    const sealed = Buffer.concat([sealing.update(plaintext), sealing.final(), sealing.getAuthTag()]);
    return { M: { v: { N: "1" }, edk: { B: key }, nonce: { B: iv }, ct: { B: sealed } } };
  };
  await put({ phone: seal('{"t":"S","s":"from elsewhere"}', AAD) });
  assert.equal((await ask({ op: "get", key: KEY })).items?.[0].phone, "from elsewhere");
  await put({ phone: seal('{"t":"S","s":"moved"}', Buffer.from("theorydb:encrypted:v1|attr=nickname")) });
  const moved = await ask({ op: "get", key: KEY });
  assert.equal(moved.error, "ErrInvalidEncryptedEnvelope");
  assert.doesNotMatch(moved.message, /moved"/);
  await put({ phone: { S: "plain" } });
  assert.equal((await ask({ op: "get", key: KEY })).error, "ErrInvalidEncryptedEnvelope");
});
