// TransactWriteItems and TransactGetItems.
"use strict";

const test = require("node:test");
const { assert, client, makeOrders, orderKey, refused, refusedAs, sdk } = require("./support.cjs");

const TableName = "orders";
const put = (n, more = {}) => ({ Put: { TableName, Item: { ...orderKey("t", n), v: { N: String(n) } }, ...more } });
const check = (n, more = {}) => ({ ConditionCheck: { TableName, Key: orderKey("t", n),
  ConditionExpression: "attribute_exists(customer)", ...more } });
const get = (n) => ({ Get: { TableName, Key: orderKey("t", n) } });
const add = (n, amount) => ({ Update: { TableName, Key: orderKey("t", n), UpdateExpression: "ADD v :v",
  ExpressionAttributeValues: { ":v": { N: String(amount) } } } });
const remove = (n) => ({ Delete: { TableName, Key: orderKey("t", n) } });
const values = async (...ns) => (await client.transactGetItems({ TransactItems: ns.map(get) })).Responses
  .map((response) => response.Item?.v.N);
const cancelled = (codes, TransactItems) => refused(sdk.TransactionCanceledException,
  `Transaction cancelled, please refer cancellation reasons for specific reasons [${codes.join(", ")}]`,
  client.transactWriteItems({ TransactItems }));

test.before(() => makeOrders(TableName));
test.beforeEach(() => client.transactWriteItems({ TransactItems: [put(1), put(2), remove(3), remove(4)] }));

test("all four actions happen together", async () => {
  await client.transactWriteItems({ TransactItems: [check(1), add(2, 40), put(3), remove(4)] });
  assert.deepEqual(await values(1, 2, 3, 4), ["1", "42", "3", undefined]);
});

test("a failed condition undoes everything and gives its reasons in order", async () => {
  const error = await cancelled(["None", "ConditionalCheckFailed", "None", "ConditionalCheckFailed", "ConditionalCheckFailed"], [
    put(3),
    put(1, { ConditionExpression: "attribute_not_exists(customer)", ReturnValuesOnConditionCheckFailure: "ALL_OLD" }),
    add(5, 1),
    check(4, { ReturnValuesOnConditionCheckFailure: "ALL_OLD" }),
    put(2, { ConditionExpression: "attribute_not_exists(customer)" }),
  ]);
  const failed = { Code: "ConditionalCheckFailed", Message: "The conditional request failed" };
  assert.deepEqual(error.CancellationReasons, [{ Code: "None" },
    { ...failed, Item: { ...orderKey("t", 1), v: { N: "1" } } }, { Code: "None" }, failed, failed]);
  assert.deepEqual(await values(1, 2, 3, 5), ["1", "2", undefined, undefined]);
});

test("what cannot be done is a reason too", async () => {
  const text = { Update: { TableName, Key: orderKey("t", 1), UpdateExpression: "SET v = v + :s",
    ExpressionAttributeValues: { ":s": { S: "x" } } } };
  await refusedAs("ValidationException", "Invalid UpdateExpression: Incorrect operand type for operator or function; " +
    "operator or function: +, operand type: S", client.transactWriteItems({ TransactItems: [text] }));
  const wrong = { Put: { TableName, Item: { customer: { N: "1" }, number: { N: "1" } } } };
  const error = await cancelled(["None", "ValidationError"], [put(3), wrong]);
  assert.deepEqual(error.CancellationReasons[1], { Code: "ValidationError",
    Message: "One or more parameter values were invalid: Type mismatch for key customer expected: S actual: N" });
});

test("a token makes a transaction happen once", async () => {
  const once = (amount) => client.transactWriteItems({ ClientRequestToken: "token", TransactItems: [add(1, amount)] });
  await once(10);
  await once(10);
  assert.deepEqual(await values(1), ["11"]);
  const error = await once(20).then(assert.fail, (reason) => reason);
  assert.ok(error instanceof sdk.IdempotentParameterMismatchException, String(error));
});

test("capacity is twice that of single calls", async () => {
  const written = await client.transactWriteItems({ TransactItems: [put(1), check(2)], ReturnConsumedCapacity: "TOTAL",
    ReturnItemCollectionMetrics: "SIZE" });
  assert.deepEqual(written.ConsumedCapacity, [{ TableName, CapacityUnits: 4, WriteCapacityUnits: 4 }]);
  assert.deepEqual(written.ItemCollectionMetrics[TableName][0].ItemCollectionKey, { customer: { S: "t" } });
  const read = await client.transactGetItems({ TransactItems: [get(1), get(9)], ReturnConsumedCapacity: "TOTAL" });
  assert.deepEqual(read.ConsumedCapacity, [{ TableName, CapacityUnits: 4, ReadCapacityUnits: 4 }]);
  assert.equal(read.Responses[1].Item, undefined);
});

test("a projection of a read is obeyed", async () => {
  const read = await client.transactGetItems({ TransactItems: [{ Get: { TableName, Key: orderKey("t", 2),
    ProjectionExpression: "#v", ExpressionAttributeNames: { "#v": "v" } } }] });
  assert.deepEqual(read.Responses, [{ Item: { v: { N: "2" } } }]);
});

test("errors of the request are told in DynamoDB's words", async () => {
  await refusedAs("ValidationException", "Transaction request cannot include multiple operations on one item",
    client.transactWriteItems({ TransactItems: [put(1), remove(1)] }));
  await refusedAs("ValidationException", "Transaction request cannot include multiple operations on one item",
    client.transactGetItems({ TransactItems: [get(1), get(1)] }));
  await refused(sdk.ResourceNotFoundException, "Requested resource not found",
    client.transactWriteItems({ TransactItems: [{ Delete: { TableName: "missing", Key: orderKey("t", 1) } }] }));
  await refusedAs("ValidationException", "1 validation error detected: Value at 'TransactItems' failed to satisfy " +
    "constraint: Member must have length greater than or equal to 1", client.transactGetItems({ TransactItems: [] }));
});
