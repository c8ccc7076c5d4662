// BatchGetItem and BatchWriteItem.
"use strict";

const test = require("node:test");
const { assert, client, makeOrders, order, orderKey, refused, refusedAs, sdk } = require("./support.cjs");

const TableName = "orders";
const put = (item) => ({ PutRequest: { Item: item } });
const remove = (key) => ({ DeleteRequest: { Key: key } });

test.before(() => Promise.all([TableName, "others"].map(makeOrders)));

test("a batch writes to several tables, and a batch reads it back", async () => {
  const written = await client.batchWriteItem({
    RequestItems: { [TableName]: [1, 2, 3].map((n) => put(order("ada", n))), others: [put(order("bob", 1))] },
    ReturnConsumedCapacity: "TOTAL", ReturnItemCollectionMetrics: "SIZE" });
  assert.deepEqual(written.UnprocessedItems, {});
  const units = new Map(written.ConsumedCapacity.map((capacity) => [capacity.TableName, capacity.CapacityUnits]));
  assert.deepEqual([units.get(TableName), units.get("others")], [12, 4]);
  assert.deepEqual(written.ItemCollectionMetrics.others[0].ItemCollectionKey, { customer: { S: "bob" } });

  const read = await client.batchGetItem({ ReturnConsumedCapacity: "TOTAL", RequestItems: {
    [TableName]: { Keys: [1, 2, 99].map((n) => orderKey("ada", n)), ProjectionExpression: "#n",
      ExpressionAttributeNames: { "#n": "number" }, ConsistentRead: true },
    others: { Keys: [orderKey("bob", 1)] } } });
  assert.deepEqual(read.Responses[TableName].map((item) => item.number.N).sort(), ["1", "2"]);
  assert.deepEqual(read.Responses.others, [order("bob", 1)]);
  assert.deepEqual(read.UnprocessedKeys, {});
  const reads = new Map(read.ConsumedCapacity.map((capacity) => [capacity.TableName, capacity.CapacityUnits]));
  assert.deepEqual([reads.get(TableName), reads.get("others")], [3, 0.5]);

  await client.batchWriteItem({ RequestItems: { [TableName]: [remove(orderKey("ada", 1)), put(order("ada", 4))] } });
  const left = await client.query({ TableName, KeyConditionExpression: "customer = :c",
    ExpressionAttributeValues: { ":c": { S: "ada" } } });
  assert.deepEqual(left.Items.map((item) => item.number.N), ["2", "3", "4"]);
});

test("what does not fit into one answer comes back to be asked for again", async () => {
  const large = (n) => ({ ...orderKey("large", n), blob: { B: new Uint8Array(380_000) } });
  const keys = Array.from({ length: 50 }, (_, n) => orderKey("large", n));
  for (let n = 0; n < keys.length; n += 10)
    await client.batchWriteItem({ RequestItems: { [TableName]: Array.from({ length: 10 }, (_, i) => put(large(n + i))) } });
  let asked = { [TableName]: { Keys: keys, ProjectionExpression: "customer, #n, #b",
    ExpressionAttributeNames: { "#n": "number", "#b": "blob" } } };
  const seen = new Set();
  let rounds = 0;
  while (Object.keys(asked).length > 0 && ++rounds < 10) {
    const read = await client.batchGetItem({ RequestItems: asked });
    for (const item of read.Responses[TableName]) seen.add(item.number.N);
    asked = read.UnprocessedKeys;
  }
  assert.equal(seen.size, keys.length);
  assert.equal(rounds, 2);
});

test("errors are told in DynamoDB's words", async () => {
  await refused(sdk.ResourceNotFoundException, "Requested resource not found",
    client.batchGetItem({ RequestItems: { missing: { Keys: [orderKey("a", 1)] } } }));
  await refusedAs("ValidationException", "Provided list of item keys contains duplicates",
    client.batchGetItem({ RequestItems: { [TableName]: { Keys: [orderKey("a", 1), orderKey("a", 1)] } } }));
  await refusedAs("ValidationException", "Provided list of item keys contains duplicates",
    client.batchWriteItem({ RequestItems: { [TableName]: [put(order("a", 1)), remove(orderKey("a", 1))] } }));
  await refusedAs("ValidationException", "Too many items requested for the BatchWriteItem call", client.batchWriteItem({
    RequestItems: { [TableName]: Array.from({ length: 20 }, (_, n) => put(order("a", n))),
      others: Array.from({ length: 6 }, (_, n) => put(order("a", n))) } }));
  await refusedAs("ValidationException", "The provided key element does not match the schema",
    client.batchWriteItem({ RequestItems: { [TableName]: [put({ customer: { S: "a" } })] } }));
});
