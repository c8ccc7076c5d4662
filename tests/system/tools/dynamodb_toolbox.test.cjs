// DynamoDB-Toolbox: typed commands on entities of one table.
"use strict";

const test = require("node:test");
const { anHourAgo, assert, documentClient, enableTimeToLive, load, makeSingleTable, until } = require("./support.cjs");
const toolbox = load("dynamodb-toolbox");
const { $add, $append, $get, $remove, item, list, map, number, prefix, set, string } = toolbox;

const shop = new toolbox.Table({
  documentClient,
  name: "toolbox",
  partitionKey: { name: "pk", type: "string" },
  sortKey: { name: "sk", type: "string" },
  indexes: {
    gsi1: { type: "global", partitionKey: { name: "gsi1pk", type: "string" }, sortKey: { name: "gsi1sk", type: "string" } },
  },
});
const orders = new toolbox.Entity({
  name: "Order",
  table: shop,
  schema: item({
    customer: string().key().savedAs("pk").transform(prefix("CUSTOMER")),
    number: string().key().savedAs("sk"),
    state: string().enum("open", "paid").default("open").savedAs("gsi1pk"),
    day: string().savedAs("gsi1sk"),
    total: number().default(0),
    tags: set(string()).optional(),
    lines: list(string()).default([]),
    address: map({ city: string(), zip: string().optional() }).optional(),
    expires: number().optional(),
  }),
});
const order = (customer, number, day, more = {}) => ({ customer, number: String(number).padStart(3, "0"), day, ...more });

test.before(() => makeSingleTable("toolbox"));

test("an item is put, read, updated by paths and deleted", async () => {
  const first = order("ada", 1, "2026-01-01", { address: { city: "Carnac", zip: "56340" } });
  await orders.build(toolbox.PutItemCommand).item(first).options({ condition: { attr: "customer", exists: false } }).send();
  await assert.rejects(
    orders.build(toolbox.PutItemCommand).item(first).options({ condition: { attr: "customer", exists: false } }).send(),
    { name: "ConditionalCheckFailedException" });

  const { Attributes } = await orders.build(toolbox.UpdateItemCommand).item({
    customer: "ada", number: "001", total: $add(12.5), tags: $add(new Set(["gift"])), lines: $append(["menhir"]),
    day: $get("day"), address: { zip: $remove() },
  }).options({ returnValues: "ALL_NEW", condition: { attr: "total", lt: 1 } }).send();
  assert.deepEqual([Attributes.total, [...Attributes.tags], Attributes.lines, Attributes.address],
    [12.5, ["gift"], ["menhir"], { city: "Carnac" }]);

  const { Item } = await orders.build(toolbox.GetItemCommand).key({ customer: "ada", number: "001" })
    .options({ consistent: true, attributes: ["total", "address.city"] }).send();
  assert.deepEqual(Item, { total: 12.5, address: { city: "Carnac" } });
  await orders.build(toolbox.DeleteItemCommand).key({ customer: "ada", number: "001" }).send();
  assert.equal((await orders.build(toolbox.GetItemCommand).key({ customer: "ada", number: "001" }).send()).Item, undefined);
});

test("batches, pages and the index", async () => {
  const all = Array.from({ length: 25 }, (_, i) => order("bob", i, `2026-02-${String(i + 1).padStart(2, "0")}`, { total: i }));
  const puts = all.map((each) => orders.build(toolbox.BatchPutRequest).item(each));
  await toolbox.executeBatchWrite(shop.build(toolbox.BatchWriteCommand).requests(...puts));
  const gets = all.slice(0, 10).map(({ customer, number }) => orders.build(toolbox.BatchGetRequest).key({ customer, number }));
  const { Responses } = await toolbox.executeBatchGet(shop.build(toolbox.BatchGetCommand).requests(...gets));
  assert.deepEqual(Responses[0].map(({ total }) => total), all.slice(0, 10).map(({ total }) => total));

  const numbers = [];
  let exclusiveStartKey;
  do {
    const page = await shop.build(toolbox.QueryCommand).query({ partition: "CUSTOMER#bob", range: { gte: "005" } })
      .entities(orders).options({ limit: 8, exclusiveStartKey }).send();
    numbers.push(...page.Items.map(({ number }) => Number(number)));
    exclusiveStartKey = page.LastEvaluatedKey;
  } while (exclusiveStartKey);
  assert.deepEqual(numbers, Array.from({ length: 20 }, (_, i) => i + 5));

  const open = await shop.build(toolbox.QueryCommand)
    .query({ index: "gsi1", partition: "open", range: { between: ["2026-02-03", "2026-02-06"] } })
    .entities(orders).options({ reverse: true, filters: { Order: { attr: "total", gt: 2 } } }).send();
  assert.deepEqual(open.Items.map(({ total }) => total), [5, 4, 3]);
  const { Count } = await shop.build(toolbox.ScanCommand).entities(orders).options({ select: "COUNT" }).send();
  assert.equal(Count, 25);
});

test("a transaction does everything or nothing", async () => {
  const cy = order("cy", 1, "2026-03-01");
  const pay = (condition) => toolbox.executeTransactWrite(
    orders.build(toolbox.PutTransaction).item(cy),
    orders.build(toolbox.UpdateTransaction).item({ customer: "bob", number: "000", state: "paid" }).options({ condition }));
  await assert.rejects(pay({ attr: "total", gt: 1000 }), (error) => {
    assert.equal(error.name, "TransactionCanceledException");
    assert.deepEqual(error.CancellationReasons.map(({ Code }) => Code), ["None", "ConditionalCheckFailed"]);
    return true;
  });
  await pay({ attr: "total", eq: 0 });
  const { Responses } = await toolbox.executeTransactGet(
    orders.build(toolbox.GetTransaction).key({ customer: "cy", number: "001" }),
    orders.build(toolbox.GetTransaction).key({ customer: "bob", number: "000" }));
  assert.deepEqual(Responses.map(({ Item }) => Item.state), ["open", "paid"]);
});

test("an item whose time is over leaves the table", async () => {
  await enableTimeToLive("toolbox", "expires");
  await orders.build(toolbox.PutItemCommand).item(order("past", 1, "2020-01-01", { expires: anHourAgo() })).send();
  const read = () => orders.build(toolbox.GetItemCommand).key({ customer: "past", number: "001" }).send();
  await until(read, ({ Item }) => Item === undefined);
});
