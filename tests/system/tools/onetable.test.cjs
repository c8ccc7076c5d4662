// OneTable (dynamodb-onetable): a schema of several models in one table.
"use strict";

const test = require("node:test");
const { anHourAgo, assert, client, load, options, sdk, until } = require("./support.cjs");
const { Table } = load("dynamodb-onetable");
const { Dynamo } = load("dynamodb-onetable/Dynamo");

const schema = {
  format: "onetable:1.1.0",
  version: "0.0.1",
  indexes: { primary: { hash: "pk", sort: "sk" }, gs1: { hash: "gs1pk", sort: "gs1sk", project: "all" } },
  models: {
    Account: {
      pk: { type: String, value: "account#${id}" },
      sk: { type: String, value: "account#" },
      id: { type: String, generate: "ulid" },
      name: { type: String, required: true, unique: true },
      balance: { type: Number, default: 0 },
    },
    User: {
      pk: { type: String, value: "account#${account}" },
      sk: { type: String, value: "user#${email}" },
      gs1pk: { type: String, value: "user#" },
      gs1sk: { type: String, value: "user#${email}" },
      account: { type: String, required: true },
      email: { type: String, required: true },
      role: { type: String, enum: ["admin", "user"], default: "user" },
      tags: { type: Set },
      joined: { type: Date },
      expires: { type: Date, ttl: true },
    },
  },
  params: { isoDates: true, timestamps: true },
};
const table = new Table({ client: new Dynamo({ client: new sdk.DynamoDBClient(options) }), name: "onetable", schema, partial: true });
const Account = table.getModel("Account");
const User = table.getModel("User");

test.before(async () => {
  await table.createTable();
  await sdk.waitUntilTableExists({ client, maxWaitTime: 30, minDelay: 0.05, maxDelay: 0.1 }, { TableName: "onetable" });
});

test("the table has the keys and the index of the schema", async () => {
  const { Table: made } = await table.describeTable();
  assert.deepEqual(made.KeySchema.map(({ AttributeName }) => AttributeName), ["pk", "sk"]);
  assert.deepEqual(made.GlobalSecondaryIndexes.map(({ IndexName }) => IndexName), ["gs1"]);
  assert.ok((await table.listTables()).includes("onetable"));
});

test("an account is unique by name, and changes only as allowed", async () => {
  const account = await Account.create({ name: "Acme" });
  await assert.rejects(Account.create({ name: "Acme" }), /unique/i);
  await Account.update({ id: account.id }, { add: { balance: 10 } });
  await Account.update({ id: account.id, balance: 25 }, { where: "${balance} < {20}" });
  await assert.rejects(Account.update({ id: account.id, balance: 0 }, { where: "${balance} < {20}" }));
  assert.equal((await Account.get({ id: account.id })).balance, 25);
  await Account.update({ id: account.id, name: "Acme 2" });
  await Account.create({ name: "Acme" });
});

test("batches, pages and the index", async () => {
  const emails = Array.from({ length: 20 }, (_, i) => `u${String(i).padStart(2, "0")}@example.org`);
  const batch = {};
  for (const email of emails)
    await User.create({ account: "a1", email, joined: new Date(0), tags: new Set(["x"]) }, { batch });
  await table.batchWrite(batch);
  const gets = {};
  for (const email of emails.slice(0, 3)) await User.get({ account: "a1", email }, { batch: gets });
  assert.equal((await table.batchGet(gets, { parse: true })).length, 3);

  const seen = [];
  let next;
  do {
    const page = await User.find({ account: "a1" }, { limit: 8, next });
    seen.push(...page.map(({ email }) => email));
    next = page.next;
  } while (next);
  assert.deepEqual(seen, emails);
  const some = await User.find({ gs1pk: "user#", gs1sk: { begins: "user#u1" } }, { index: "gs1", hidden: false });
  assert.equal(some.length, 10);
  assert.ok(some[0].joined instanceof Date);
  assert.deepEqual(some[0].tags, new Set(["x"]));
  assert.equal((await User.scan({ role: "user" }, { count: true })).count, 20);
});

test("a transaction does everything or nothing", async () => {
  const { id } = await Account.create({ name: "Bank", balance: 5 });
  const hire = async (balance) => {
    const transaction = {};
    await User.create({ account: id, email: "cy@example.org" }, { transaction });
    await Account.update({ id }, { transaction, add: { balance: -5 }, where: `\${balance} = {${balance}}` });
    await table.transact("write", transaction);
  };
  await assert.rejects(hire(99));
  assert.equal(await User.get({ account: id, email: "cy@example.org" }), undefined);
  await hire(5);
  assert.equal((await Account.get({ id })).balance, 0);
  assert.equal((await User.get({ account: id, email: "cy@example.org" })).role, "user");
  await User.remove({ account: id, email: "cy@example.org" });
});

test("a record whose time is over leaves the table", async () => {
  await client.updateTimeToLive({ TableName: "onetable", TimeToLiveSpecification: { AttributeName: "expires", Enabled: true } });
  await User.create({ account: "past", email: "old@example.org", expires: new Date(anHourAgo() * 1000) });
  await until(() => User.get({ account: "past", email: "old@example.org" }), (user) => user === undefined);
});

test.after(() => table.deleteTable("DeleteTableForever"));
