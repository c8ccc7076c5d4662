// Query and Scan.
"use strict";

const test = require("node:test");
const { assert, client, makeOrders, order, orderKey, refused, refusedAs, sdk } = require("./support.cjs");

const TableName = "orders";
const COUNT = 20;
const of = (customer, more = {}) => ({ TableName, KeyConditionExpression: "customer = :c", ...more,
  ExpressionAttributeValues: { ":c": { S: customer }, ...more.ExpressionAttributeValues } });
const numbers = (items) => items.map((item) => Number(item.number.N));

test.before(async () => {
  await makeOrders(TableName);
  for (const customer of ["ada", "bob"])
    for (let number = 0; number < COUNT; ++number) await client.putItem({ TableName, Item: order(customer, number) });
});

test("a query follows its condition, order and filter", async () => {
  const found = await client.query(of("ada", {
    KeyConditionExpression: "customer = :c AND #n BETWEEN :low AND :high", FilterExpression: "#s = :s", ScanIndexForward: false,
    ExpressionAttributeNames: { "#n": "number", "#s": "state" },
    ExpressionAttributeValues: { ":low": { N: "5" }, ":high": { N: "9" }, ":s": { S: "open" } } }));
  assert.deepEqual(numbers(found.Items), [9, 7, 5]);
  assert.deepEqual([found.Count, found.ScannedCount, found.LastEvaluatedKey], [3, 5, undefined]);
});

test("a page ends at its limit and the next begins there", async () => {
  const first = await client.query(of("ada", { Limit: 3 }));
  assert.deepEqual([numbers(first.Items), first.LastEvaluatedKey], [[0, 1, 2], orderKey("ada", 2)]);
  const next = await client.query(of("ada", { Limit: 3, ExclusiveStartKey: first.LastEvaluatedKey }));
  assert.deepEqual(numbers(next.Items), [3, 4, 5]);
});

test("the SDK's paginators see everything once", async () => {
  const queries = {
    table: of("ada"),
    local: of("ada", { IndexName: "by-day" }),
    global: { TableName, IndexName: "by-state", KeyConditionExpression: "#s = :s", ExpressionAttributeNames: { "#s": "state" },
      ExpressionAttributeValues: { ":s": { S: "open" } } },
  };
  for (const [name, input] of Object.entries(queries)) {
    const whole = (await client.query(input)).Items;
    const seen = [];
    for await (const page of sdk.paginateQuery({ client, pageSize: 3 }, input)) seen.push(...page.Items);
    assert.deepEqual(seen, whole, name);
    assert.equal(seen.length, COUNT, name);
  }
  const scanned = new Set();
  for await (const page of sdk.paginateScan({ client, pageSize: 7 }, { TableName }))
    for (const item of page.Items) scanned.add(item.customer.S + item.number.N);
  assert.equal(scanned.size, 2 * COUNT);
});

test("what is selected is returned", async () => {
  const count = await client.query(of("ada", { Select: "COUNT" }));
  assert.deepEqual([count.Count, count.Items], [COUNT, undefined]);
  const specific = await client.query(of("ada", { Select: "SPECIFIC_ATTRIBUTES", ProjectionExpression: "note", Limit: 1 }));
  assert.deepEqual(specific.Items, [{ note: { S: "n" } }]);
  const projected = await client.query(of("ada", { IndexName: "by-day", Select: "ALL_PROJECTED_ATTRIBUTES", Limit: 1 }));
  assert.deepEqual(Object.keys(projected.Items[0]).sort(), ["customer", "day", "number"]);
  const fetched = await client.query(of("ada", { IndexName: "by-day", Select: "ALL_ATTRIBUTES", Limit: 1 }));
  assert.deepEqual(fetched.Items, [order("ada", 0)]);
  await refusedAs("ValidationException", "One or more parameter values were invalid: Select type ALL_ATTRIBUTES is not supported " +
    "for global secondary index by-state because its projection type is not ALL", client.query({ TableName, IndexName: "by-state",
    Select: "ALL_ATTRIBUTES", KeyConditionExpression: "#s = :s", ExpressionAttributeNames: { "#s": "state" },
    ExpressionAttributeValues: { ":s": { S: "open" } } }));
});

test("an index of several key attributes is asked for a prefix of them", async () => {
  const input = { TableName, IndexName: "by-state-and-day", ExpressionAttributeNames: { "#s": "state", "#d": "day" },
    KeyConditionExpression: "#s = :s AND #d = :d AND customer = :c",
    ExpressionAttributeValues: { ":s": { S: "open" }, ":d": { S: "day0" }, ":c": { S: "ada" } } };
  assert.deepEqual(numbers((await client.query(input)).Items), [3, 9, 15]);
});

test("the segments of a scan are the whole table", async () => {
  const segments = await Promise.all([0, 1, 2].map((Segment) => client.scan({ TableName, Segment, TotalSegments: 3 })));
  assert.equal(segments.reduce((sum, segment) => sum + segment.Count, 0), 2 * COUNT);
  const filtered = await client.scan({ TableName, IndexName: "by-state", FilterExpression: "#t >= :t",
    ExpressionAttributeNames: { "#t": "total" },
    ExpressionAttributeValues: { ":t": { N: "150" } } });
  assert.deepEqual([filtered.Count, filtered.ScannedCount], [10, 2 * COUNT]);
});

test("capacity is told for the table and its indexes", async () => {
  const table = await client.query(of("ada", { ReturnConsumedCapacity: "TOTAL", ConsistentRead: true }));
  assert.deepEqual(table.ConsumedCapacity, { TableName, CapacityUnits: 1 });
  const index = await client.query(of("ada", { IndexName: "by-day", ReturnConsumedCapacity: "INDEXES" }));
  assert.deepEqual(index.ConsumedCapacity, { TableName, CapacityUnits: 0.5, Table: { CapacityUnits: 0 },
    LocalSecondaryIndexes: { "by-day": { CapacityUnits: 0.5 } } });
});

test("errors are told in DynamoDB's words", async () => {
  await refused(sdk.ResourceNotFoundException, "Requested resource not found", client.scan({ TableName: "missing" }));
  await refusedAs("ValidationException", "The table does not have the specified index: none",
    client.scan({ TableName, IndexName: "none" }));
  await refusedAs("ValidationException", "Query condition missed key schema element: customer",
    client.query(of("ada", { KeyConditionExpression: "note = :c" })));
  await refusedAs("ValidationException", "Consistent reads are not supported on global secondary indexes",
    client.scan({ TableName, IndexName: "by-state", ConsistentRead: true }));
  await refusedAs("ValidationException", "The TotalSegments parameter is required but was not present in the request when " +
    "Segment parameter is present", client.scan({ TableName, Segment: 1 }));
});
