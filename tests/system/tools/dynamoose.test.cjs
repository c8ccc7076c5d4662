// Dynamoose: it makes its table, index and time to live by itself.
"use strict";

const test = require("node:test");
const { anHourAgo, assert, client, load, options, until } = require("./support.cjs");
const dynamoose = load("dynamoose");

dynamoose.aws.ddb.set(new dynamoose.aws.ddb.DynamoDB(options));

const Cat = dynamoose.model("Cat", new dynamoose.Schema({
  owner: { type: String, hashKey: true },
  name: { type: String, rangeKey: true },
  colour: { type: String, index: { name: "by-colour", type: "global", rangeKey: "age" } },
  age: { type: Number, default: 1 },
  likes: { type: Set, schema: [String] },
  home: { type: Object, schema: { city: String } },
  born: Date,
}, { timestamps: true, saveUnknown: ["extra"] }));
const cats = new dynamoose.Table("Cats", [Cat], {
  create: true,
  update: true,
  waitForActive: { enabled: true, check: { timeout: 30_000, frequency: 50 } },
  throughput: "ON_DEMAND",
  expires: { ttl: 3600 * 1000, attribute: "expires" },
  initialize: false,
});

test.before(() => cats.initialize());

test("the table has the index and the time to live of the schema", async () => {
  const { Table } = await client.describeTable({ TableName: "Cats" });
  assert.deepEqual(Table.GlobalSecondaryIndexes.map(({ IndexName }) => IndexName), ["by-colour"]);
  const { TimeToLiveDescription } = await client.describeTimeToLive({ TableName: "Cats" });
  assert.deepEqual(TimeToLiveDescription, { TimeToLiveStatus: "ENABLED", AttributeName: "expires" });
});

test("a document is created once, updated, queried and deleted", async () => {
  const born = new Date("2020-02-02T00:00:00Z");
  const tom = await Cat.create({ owner: "ada", name: "Tom", colour: "grey", likes: new Set(["fish"]), home: { city: "Carnac" }, born });
  assert.ok(tom.createdAt);
  await assert.rejects(Cat.create({ owner: "ada", name: "Tom" }), { name: "ConditionalCheckFailedException" });
  const stored = await client.getItem({ TableName: "Cats", Key: { owner: { S: "ada" }, name: { S: "Tom" } } });
  assert.ok(Number(stored.Item.expires.N) > Date.now() / 1000, "it expires in an hour");

  const updated = await Cat.update({ owner: "ada", name: "Tom" }, { $ADD: { age: 2 }, $SET: { colour: "white" }, $REMOVE: ["home"] },
    { condition: new dynamoose.Condition("age").lt(5) });
  assert.deepEqual([updated.age, updated.colour, updated.home], [3, "white", undefined]);
  const [white] = await Cat.query("colour").eq("white").using("by-colour").where("age").gt(1).exec();
  assert.deepEqual([white.name, white.born, [...white.likes]], ["Tom", born, ["fish"]]);
  await Cat.delete({ owner: "ada", name: "Tom" });
  assert.equal(await Cat.get({ owner: "ada", name: "Tom" }), undefined);
});

test("batches, pages and counts", async () => {
  const names = Array.from({ length: 25 }, (_, i) => `cat-${String(i).padStart(2, "0")}`);
  const { unprocessedItems } = await Cat.batchPut(names.map((name, age) => ({ owner: "bob", name, age, colour: "black" })));
  assert.deepEqual(unprocessedItems, []);
  assert.equal((await Cat.batchGet(names.map((name) => ({ owner: "bob", name })))).length, 25);

  const seen = [];
  let page;
  do {
    const query = Cat.query("owner").eq("bob").limit(10);
    page = await (page ? query.startAt(page.lastKey) : query).exec();
    seen.push(...page.map(({ name }) => name));
  } while (page.lastKey);
  assert.deepEqual(seen, names);
  const counted = await Cat.query("owner").eq("bob").where("name").between("cat-05", "cat-09").count().exec();
  assert.equal(counted.count, 5);
  assert.equal((await Cat.scan("age").ge(20).all().exec()).length, 5);
  assert.equal((await Cat.scan().parallel(4).exec()).length, 25);
  await Cat.batchDelete(names.map((name) => ({ owner: "bob", name })));
  assert.equal((await Cat.scan().count().exec()).count, 0);
});

test("a transaction does everything or nothing", async () => {
  await Cat.create({ owner: "cy", name: "Kit", age: 1 });
  const swap = (age) => dynamoose.transaction([
    Cat.transaction.create({ owner: "cy", name: "Kat" }),
    Cat.transaction.update({ owner: "cy", name: "Kit" }, { $ADD: { age: 1 } }),
    Cat.transaction.condition({ owner: "cy", name: "Zoe" }, new dynamoose.Condition("age").eq(age)),
  ]);
  await assert.rejects(swap(9), { name: "TransactionCanceledException" });
  assert.equal(await Cat.get({ owner: "cy", name: "Kat" }), undefined);
  await Cat.create({ owner: "cy", name: "Zoe", age: 9 });
  await swap(9);
  const read = await dynamoose.transaction([
    Cat.transaction.get({ owner: "cy", name: "Kat" }), Cat.transaction.get({ owner: "cy", name: "Kit" }),
  ]);
  assert.deepEqual(read.map(({ age }) => age), [1, 2]);
});

test("a document whose time is over leaves the table", async () => {
  await Cat.create({ owner: "past", name: "Old", expires: new Date(anHourAgo() * 1000) });
  const read = () => client.getItem({ TableName: "Cats", Key: { owner: { S: "past" }, name: { S: "Old" } } });
  await until(read, ({ Item }) => Item === undefined);
});
