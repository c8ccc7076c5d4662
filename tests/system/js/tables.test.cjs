// CreateTable, DescribeTable, ListTables, DeleteTable.
"use strict";

const test = require("node:test");
const { assert, client, definitionsOf, keyOf, makeOrders, ORDERS, refused, refusedAs, sdk, waiting } = require("./support.cjs");

test("a table is made, awaited, described, deleted and awaited", async () => {
  const TableName = "orders";
  const { TableDescription: created } = await client.createTable({ TableName, ...ORDERS });
  assert.equal(created.TableStatus, "CREATING");
  assert.ok(created.CreationDateTime instanceof Date);
  assert.deepEqual(created.GlobalSecondaryIndexes.map((index) => index.IndexStatus), ["CREATING", "CREATING"]);

  assert.equal((await sdk.waitUntilTableExists(waiting, { TableName })).state, "SUCCESS");
  const { Table: table } = await client.describeTable({ TableName });
  assert.equal(table.TableStatus, "ACTIVE");
  assert.equal(table.TableId, created.TableId);
  assert.deepEqual(table.KeySchema, ORDERS.KeySchema);
  assert.deepEqual(table.AttributeDefinitions,
    definitionsOf({ customer: "S", day: "S", number: "N", state: "S", total: "N" }));
  assert.equal(table.BillingModeSummary.BillingMode, "PAY_PER_REQUEST");
  assert.deepEqual(table.LocalSecondaryIndexes.map(({ IndexName, KeySchema, Projection }) => ({ IndexName, KeySchema, Projection })),
    ORDERS.LocalSecondaryIndexes);
  const globals = new Map(table.GlobalSecondaryIndexes.map((index) => [index.IndexName, index]));
  for (const { IndexName, KeySchema, Projection } of ORDERS.GlobalSecondaryIndexes) {
    const { KeySchema: keys, Projection: projection, IndexStatus, IndexArn } = globals.get(IndexName);
    assert.deepEqual({ keys, projection, IndexStatus }, { keys: KeySchema, projection: Projection, IndexStatus: "ACTIVE" });
    assert.equal(IndexArn, `${table.TableArn}/index/${IndexName}`);
  }

  const { TableDescription: deleted } = await client.deleteTable({ TableName });
  assert.equal(deleted.TableStatus, "DELETING");
  assert.equal((await sdk.waitUntilTableNotExists(waiting, { TableName })).state, "SUCCESS");
});

test("tables are listed page by page", async () => {
  const names = ["list-a", "list-b", "list-c", "list-d", "list-e"];
  for (const TableName of names)
    await client.createTable({ TableName, BillingMode: "PAY_PER_REQUEST", KeySchema: keyOf("pk"),
      AttributeDefinitions: definitionsOf({ pk: "S" }) });
  const pages = [];
  for await (const page of sdk.paginateListTables({ client, pageSize: 2 }, {})) pages.push(page.TableNames);
  assert.deepEqual(pages, [names.slice(0, 2), names.slice(2, 4), names.slice(4)]);
  const first = await client.listTables({ Limit: 1 });
  assert.deepEqual([first.TableNames, first.LastEvaluatedTableName], [["list-a"], "list-a"]);
  const rest = await client.listTables({ ExclusiveStartTableName: "list-c" });
  assert.deepEqual([rest.TableNames, rest.LastEvaluatedTableName], [["list-d", "list-e"], undefined]);
});

test("errors have the SDK's classes", async () => {
  const TableName = "twice";
  await makeOrders(TableName);
  await refused(sdk.ResourceInUseException, "Table already exists: twice", client.createTable({ TableName, ...ORDERS }));
  for (const call of ["describeTable", "deleteTable"])
    await refused(sdk.ResourceNotFoundException, "Requested resource not found: Table: missing not found",
      client[call]({ TableName: "missing" }));
  await refusedAs("ValidationException", "1 validation error detected: Value 'ab' at 'tableName' failed to satisfy constraint: " +
    "Member must have length greater than or equal to 3", client.createTable({ ...ORDERS, TableName: "ab" }));
  await refusedAs("ValidationException", "One or more parameter values were invalid: ReadCapacityUnits and WriteCapacityUnits " +
    "must both be specified when BillingMode is PROVISIONED",
    client.createTable({ ...ORDERS, TableName: "unpaid", BillingMode: "PROVISIONED" }));
});

test("a protected table is not deleted", async () => {
  const TableName = "protected";
  await client.createTable({ TableName, ...ORDERS, DeletionProtectionEnabled: true });
  await refusedAs("ValidationException", "Resource cannot be deleted as it is currently protected against deletion. " +
    "Disable deletion protection first.", client.deleteTable({ TableName }));
});
