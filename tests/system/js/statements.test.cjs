// ExecuteStatement, BatchExecuteStatement and ExecuteTransaction.
"use strict";

const test = require("node:test");
const { assert, client, makeOrders, orderKey, refused, sdk } = require("./support.cjs");

const TableName = "orders";
const run = async (Statement, Parameters, more = {}) =>
  (await client.executeStatement({ Statement, ...(Parameters ? { Parameters } : {}), ...more })).Items;
const [HASH, RANGE] = Object.keys(orderKey("s", 1));
const key = (n) => Object.values(orderKey("s", n));
const WHERE = `WHERE "${HASH}" = ? AND "${RANGE}" = ?`;

test.before(() => makeOrders(TableName));

test("statements write and read an item", async () => {
  const [hash, range] = key(1);
  const insert = `INSERT INTO ${TableName} VALUE {'${HASH}': ?, '${RANGE}': ?, 'v': 1}`;
  assert.deepEqual(await run(insert, [hash, range]), []);
  await refused(sdk.DuplicateItemException, "Duplicate primary key exists in table",
    client.executeStatement({ Statement: insert, Parameters: [hash, range] }));
  assert.deepEqual(await run(`SELECT v FROM ${TableName} ${WHERE}`, key(1)), [{ v: { N: "1" } }]);
  assert.deepEqual(await run(`UPDATE ${TableName} SET v = v + 1 ${WHERE} RETURNING MODIFIED NEW *`, key(1)), [{ v: { N: "2" } }]);
  assert.deepEqual(await run(`DELETE FROM ${TableName} ${WHERE}`, key(1)), []);
});

test("a failed condition returns its item", async () => {
  await run(`INSERT INTO ${TableName} VALUE {'${HASH}': ?, '${RANGE}': ?, 'v': 1}`, key(2));
  const error = await refused(sdk.ConditionalCheckFailedException, "The conditional request failed",
    client.executeStatement({ Statement: `UPDATE ${TableName} SET v = 2 ${WHERE} AND v = 7`, Parameters: key(2),
      ReturnValuesOnConditionCheckFailure: "ALL_OLD" }));
  assert.deepEqual(error.Item.v, { N: "1" });
});

test("a batch has a response for each statement", async () => {
  const { Responses } = await client.batchExecuteStatement({ Statements: [
    { Statement: `SELECT v FROM ${TableName} ${WHERE}`, Parameters: key(99) },
    { Statement: "SELECT * FROM nowhere WHERE pk = 'a'" }] });
  assert.deepEqual(Responses, [{ TableName },
    { Error: { Code: "ResourceNotFound", Message: "Requested resource not found" } }]);
});

test("a transaction is canceled with its reasons", async () => {
  const error = await refused(sdk.TransactionCanceledException,
    "Transaction cancelled, please refer cancellation reasons for specific reasons [None, ConditionalCheckFailed]",
    client.executeTransaction({ TransactStatements: [
      { Statement: `INSERT INTO ${TableName} VALUE {'${HASH}': ?, '${RANGE}': ?}`, Parameters: key(3) },
      { Statement: `UPDATE ${TableName} SET v = 1 ${WHERE}`, Parameters: key(4) }] }));
  assert.deepEqual(error.CancellationReasons.map((reason) => reason.Code), ["None", "ConditionalCheckFailed"]);
  assert.deepEqual((await client.executeTransaction({ TransactStatements: [
    { Statement: `SELECT * FROM ${TableName} ${WHERE}`, Parameters: key(3) }] })).Responses, [{}]);
});
