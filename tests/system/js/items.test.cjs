// PutItem, GetItem, UpdateItem, DeleteItem.
"use strict";

const test = require("node:test");
const { assert, client, makeOrders, order, orderKey, refused, refusedAs, sdk } = require("./support.cjs");

const TableName = "orders";
test.before(() => makeOrders(TableName));

test("every type makes the round trip", async () => {
  const Item = {
    ...orderKey("types", 1),
    string: { S: "text \u00e9\u{1f5ff}" }, empty: { S: "" }, decimal: { N: "-12.5" }, binary: { B: Uint8Array.of(0, 1, 255) },
    yes: { BOOL: true }, nothing: { NULL: true }, tree: { M: { leaf: { L: [{ N: "1" }, { M: {} }] } } },
    strings: { SS: ["a", "b"] }, numbers: { NS: ["-2.5", "1"] }, binaries: { BS: [Uint8Array.of(1), Uint8Array.of(2)] },
  };
  await client.putItem({ TableName, Item });
  const got = await client.getItem({ TableName, Key: orderKey("types", 1), ConsistentRead: true });
  assert.deepEqual(got.Item, Item);
  const projected = await client.getItem({ TableName, Key: orderKey("types", 1),
    ProjectionExpression: "#t.leaf[0], strings", ExpressionAttributeNames: { "#t": "tree" } });
  assert.deepEqual(projected.Item, { tree: { M: { leaf: { L: [{ N: "1" }] } } }, strings: { SS: ["a", "b"] } });
  assert.equal((await client.getItem({ TableName, Key: orderKey("nobody", 1) })).Item, undefined);
});

test("a put and a delete return the old item if asked", async () => {
  const Key = orderKey("old", 1);
  const v = (N) => ({ ...Key, v: { N } });
  assert.equal((await client.putItem({ TableName, Item: v("1"), ReturnValues: "ALL_OLD" })).Attributes, undefined);
  assert.equal((await client.putItem({ TableName, Item: v("2"), ReturnValues: "NONE" })).Attributes, undefined);
  assert.deepEqual((await client.putItem({ TableName, Item: v("3"), ReturnValues: "ALL_OLD" })).Attributes, v("2"));
  assert.deepEqual((await client.deleteItem({ TableName, Key, ReturnValues: "ALL_OLD" })).Attributes, v("3"));
  assert.equal((await client.deleteItem({ TableName, Key, ReturnValues: "ALL_OLD" })).Attributes, undefined);
  await refusedAs("ValidationException", "1 validation error detected: ReturnValues can only be ALL_OLD or NONE",
    client.putItem({ TableName, Item: v("1"), ReturnValues: "ALL_NEW" }));
});

test("an update returns what was asked for", async () => {
  const Key = orderKey("update", 1);
  const before = { ...Key, a: { N: "1" }, tree: { M: { x: { N: "1" }, y: { N: "2" } } } };
  const after = { ...Key, a: { N: "2" }, tree: { M: { x: { N: "9" }, y: { N: "2" } } } };
  const part = (a, x) => ({ a: { N: a }, tree: { M: { x: { N: x } } } });
  const expected = { NONE: undefined, ALL_OLD: before, ALL_NEW: after, UPDATED_OLD: part("1", "1"), UPDATED_NEW: part("2", "9") };
  for (const [ReturnValues, attributes] of Object.entries(expected)) {
    await client.putItem({ TableName, Item: before });
    const updated = await client.updateItem({ TableName, Key, ReturnValues, UpdateExpression: "SET tree.x = :nine ADD a :one",
      ExpressionAttributeValues: { ":nine": { N: "9" }, ":one": { N: "1" } } });
    assert.deepEqual(updated.Attributes, attributes, ReturnValues);
  }
  assert.deepEqual((await client.getItem({ TableName, Key })).Item, after);
});

test("a failed condition is an exception that can carry the item", async () => {
  const Item = { ...orderKey("condition", 1), v: { N: "1" } };
  await client.putItem({ TableName, Item });
  const wrong = { TableName, ConditionExpression: "v = :v", ExpressionAttributeValues: { ":v": { N: "2" } } };
  const Key = orderKey("condition", 1);
  const calls = {
    put: (more) => client.putItem({ ...wrong, Item: { ...Key }, ...more }),
    remove: (more) => client.deleteItem({ ...wrong, Key, ...more }),
    update: (more) => client.updateItem({ ...wrong, Key, UpdateExpression: "REMOVE v", ...more }),
  };
  for (const call of Object.values(calls)) {
    const bare = await refused(sdk.ConditionalCheckFailedException, "The conditional request failed", call({}));
    assert.equal(bare.Item, undefined);
    const full = await refused(sdk.ConditionalCheckFailedException, "The conditional request failed",
      call({ ReturnValuesOnConditionCheckFailure: "ALL_OLD" }));
    assert.deepEqual(full.Item, Item);
  }
  const absent = await refused(sdk.ConditionalCheckFailedException, "The conditional request failed",
    client.deleteItem({ ...wrong, Key: orderKey("absent", 1), ReturnValuesOnConditionCheckFailure: "ALL_OLD" }));
  assert.equal(absent.Item, undefined);
  assert.deepEqual((await client.getItem({ TableName, Key })).Item, Item);
});

test("capacity and the size of an item collection are told if asked for", async () => {
  const put = await client.putItem({ TableName, Item: order("capacity", 1), ReturnConsumedCapacity: "INDEXES",
    ReturnItemCollectionMetrics: "SIZE" });
  const one = { CapacityUnits: 1 };
  assert.deepEqual(put.ConsumedCapacity, { TableName, CapacityUnits: 4, Table: one, LocalSecondaryIndexes: { "by-day": one },
    GlobalSecondaryIndexes: { "by-state": one, "by-state-and-day": one } });
  assert.deepEqual(put.ItemCollectionMetrics.ItemCollectionKey, { customer: { S: "capacity" } });
  const [low, high] = put.ItemCollectionMetrics.SizeEstimateRangeGB;
  assert.ok(low >= 0 && high >= low);
  for (const [ConsistentRead, CapacityUnits] of [[false, 0.5], [true, 1]]) {
    const got = await client.getItem({ TableName, Key: orderKey("capacity", 1), ConsistentRead, ReturnConsumedCapacity: "TOTAL" });
    assert.deepEqual(got.ConsumedCapacity, { TableName, CapacityUnits });
  }
});

test("errors of a request are told in DynamoDB's words", async () => {
  const Key = orderKey("a", 1);
  await refused(sdk.ResourceNotFoundException, "Requested resource not found", client.getItem({ TableName: "missing", Key }));
  await refusedAs("ValidationException", "The provided key element does not match the schema",
    client.getItem({ TableName, Key: { customer: { S: "a" } } }));
  await refusedAs("ValidationException", "One or more parameter values were invalid: Missing the key number in the item",
    client.putItem({ TableName, Item: { customer: { S: "a" } } }));
  await refusedAs("ValidationException", "One or more parameter values were invalid: Cannot update attribute number. " +
    "This attribute is part of the key", client.updateItem({ TableName, Key, UpdateExpression: "SET #n = :n",
    ExpressionAttributeNames: { "#n": "number" }, ExpressionAttributeValues: { ":n": { N: "1" } } }));
  await refusedAs("ValidationException", "1 validation error detected: Value provided in ExpressionAttributeValues unused in " +
    "expressions: keys: {:u}", client.putItem({ TableName, Item: Key, ConditionExpression: "attribute_exists(x)",
      ExpressionAttributeValues: { ":u": { N: "1" } } }));
  await refusedAs("SerializationException", "NUMBER_VALUE cannot be converted to String",
    client.putItem({ TableName, Item: { ...Key, v: { N: 1 } } }));
});
