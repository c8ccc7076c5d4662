// The document client: items as plain JavaScript values.
"use strict";

const test = require("node:test");
const { assert, client, documents, makeOrders, sdk } = require("./support.cjs");

const TableName = "orders";
const documentClient = documents.DynamoDBDocument.from(client, { marshallOptions: { removeUndefinedValues: true } });

test.before(() => makeOrders(TableName));

test("plain values make the round trip", async () => {
  const Item = { customer: "ada", number: 1, text: "\u00e9", yes: true, nothing: null, list: [1, "two", [3]], map: { deep: { er: 1.5 } },
    bytes: Uint8Array.of(1, 2), strings: new Set(["a", "b"]), numbers: new Set([1, 2]), absent: undefined };
  await documentClient.put({ TableName, Item });
  const { absent, ...kept } = Item;
  assert.deepEqual((await documentClient.get({ TableName, Key: { customer: "ada", number: 1 } })).Item, kept);
});

test("an update, a failed condition and a delete speak plain values", async () => {
  const Key = { customer: "bob", number: 1 };
  const updated = await documentClient.update({ TableName, Key, ReturnValues: "ALL_NEW",
    UpdateExpression: "SET seen = if_not_exists(seen, :zero) + :one, tags = list_append(if_not_exists(tags, :none), :tags)",
    ExpressionAttributeValues: { ":zero": 0, ":one": 1, ":none": [], ":tags": ["new"] } });
  assert.deepEqual(updated.Attributes, { ...Key, seen: 1, tags: ["new"] });
  const error = await documentClient.delete({ TableName, Key, ConditionExpression: "seen = :n",
    ExpressionAttributeValues: { ":n": 7 }, ReturnValuesOnConditionCheckFailure: "ALL_OLD" }).then(assert.fail, (reason) => reason);
  assert.ok(error instanceof sdk.ConditionalCheckFailedException, String(error));
  assert.deepEqual(error.Item, { customer: { S: "bob" }, number: { N: "1" }, seen: { N: "1" }, tags: { L: [{ S: "new" }] } });
  const deleted = await documentClient.delete({ TableName, Key, ReturnValues: "ALL_OLD" });
  assert.deepEqual(deleted.Attributes, { ...Key, seen: 1, tags: ["new"] });
});

test("batches, transactions and paginators speak plain values", async () => {
  const item = (number) => ({ customer: "cleo", number, state: "open", total: number });
  await documentClient.batchWrite({ RequestItems: { [TableName]: [1, 2, 3].map((n) => ({ PutRequest: { Item: item(n) } })) } });
  const got = await documentClient.batchGet({ RequestItems: { [TableName]: { Keys: [{ customer: "cleo", number: 2 }] } } });
  assert.deepEqual(got.Responses[TableName], [item(2)]);
  await documentClient.transactWrite({ TransactItems: [{ Put: { TableName, Item: item(4) } },
    { Delete: { TableName, Key: { customer: "cleo", number: 1 } } }] });
  const read = await documentClient.transactGet({ TransactItems: [1, 4].map((number) => ({
    Get: { TableName, Key: { customer: "cleo", number } } })) });
  assert.deepEqual(read.Responses.map((response) => response.Item), [undefined, item(4)]);
  const seen = [];
  const input = { TableName, KeyConditionExpression: "customer = :c", ExpressionAttributeValues: { ":c": "cleo" } };
  for await (const page of documents.paginateQuery({ client: documentClient, pageSize: 1 }, input)) seen.push(...page.Items);
  assert.deepEqual(seen, [item(2), item(3), item(4)]);
  const scanned = await documentClient.scan({ TableName, IndexName: "by-state", FilterExpression: "#t > :t", ExpressionAttributeNames: { "#t": "total" },
    ExpressionAttributeValues: { ":t": 2 }, Select: "COUNT" });
  assert.equal(scanned.Count, 2);
});

test("numbers that JavaScript cannot hold are refused by the SDK or kept as text, never rounded", async () => {
  const Key = { customer: "big", number: 1 };
  await client.putItem({ TableName, Item: { customer: { S: "big" }, number: { N: "1" }, v: { N: "12345678901234567890" } } });
  const exact = documents.DynamoDBDocument.from(client, { unmarshallOptions: { wrapNumbers: true } });
  assert.equal((await exact.get({ TableName, Key })).Item.v.value, "12345678901234567890");
});
