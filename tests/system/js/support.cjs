// What the tests of the AWS SDK for JavaScript share: the SDK itself, a client of the server under test, and tables.
"use strict";

const assert = require("node:assert/strict");

const load = (name) => require(require.resolve(name, { paths: [process.env.SDK_MODULES] }));
const sdk = load("@aws-sdk/client-dynamodb");
const documents = load("@aws-sdk/lib-dynamodb");

const streamSdk = load("@aws-sdk/client-dynamodb-streams");

const options = {
  endpoint: process.env.DOLMEN_URL,
  region: "us-east-1",
  credentials: { accessKeyId: "local", secretAccessKey: "local" },
  maxAttempts: 1,
};
const client = new sdk.DynamoDB(options);
const streams = new streamSdk.DynamoDBStreams(options);

// How long a waiter waits at most, and how soon it looks again.
const waiting = { client, maxWaitTime: 30, minDelay: 0.05, maxDelay: 0.1 };

// Looks again and again; returns the first sight that is as wanted.
async function until(look, isWanted) {
  const deadline = Date.now() + 60_000;
  for (;;) {
    const seen = await look();
    if (isWanted(seen)) return seen;
    assert.ok(Date.now() < deadline, `this was still so after a minute: ${JSON.stringify(seen)}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

const keyOf = (...names) => names.map((AttributeName, i) => ({ AttributeName, KeyType: i === 0 ? "HASH" : "RANGE" }));
const definitionsOf = (types) =>
  Object.entries(types).map(([AttributeName, AttributeType]) => ({ AttributeName, AttributeType }));

// Orders of customers, with an index of each kind.
const ORDERS = {
  BillingMode: "PAY_PER_REQUEST",
  KeySchema: keyOf("customer", "number"),
  AttributeDefinitions: definitionsOf({ customer: "S", number: "N", day: "S", state: "S", total: "N" }),
  LocalSecondaryIndexes: [
    { IndexName: "by-day", KeySchema: keyOf("customer", "day"), Projection: { ProjectionType: "KEYS_ONLY" } },
  ],
  GlobalSecondaryIndexes: [
    {
      IndexName: "by-state",
      KeySchema: keyOf("state", "total"),
      Projection: { ProjectionType: "INCLUDE", NonKeyAttributes: ["note"] },
    },
    {
      IndexName: "by-state-and-day",
      KeySchema: [
        { AttributeName: "state", KeyType: "HASH" },
        { AttributeName: "day", KeyType: "HASH" },
        { AttributeName: "customer", KeyType: "RANGE" },
        { AttributeName: "number", KeyType: "RANGE" },
      ],
      Projection: { ProjectionType: "ALL" },
    },
  ],
};

// Makes the table of that name, and waits until it can be used.
async function makeOrders(TableName) {
  await client.createTable({ TableName, ...ORDERS });
  await sdk.waitUntilTableExists(waiting, { TableName });
}

const orderKey = (customer, number) => ({ customer: { S: customer }, number: { N: String(number) } });

// Order `number` of a customer: on one of three days, and open or paid by turns.
const order = (customer, number) => ({
  ...orderKey(customer, number),
  day: { S: `day${number % 3}` },
  state: { S: number % 2 ? "open" : "paid" },
  total: { N: String(number * 10) },
  note: { S: "n" },
  secret: { S: "s" },
});

// A call that has to fail with an exception of that class and message; the exception.
async function refused(Exception, message, promise) {
  const error = await promise.then(
    () => assert.fail(`${Exception.name} was expected`),
    (reason) => reason,
  );
  assert.ok(error instanceof Exception, `${Exception.name} was expected, but this came: ${error}`);
  assert.ok(error instanceof sdk.DynamoDBServiceException);
  assert.equal(error.message, message);
  assert.equal(error.$metadata.httpStatusCode, 400);
  assert.match(error.$metadata.requestId, /^[0-9A-Z]{52}$/);
  return error;
}

// The same for errors that have no class in the SDK, but a name.
async function refusedAs(name, message, promise) {
  const error = await refused(sdk.DynamoDBServiceException, message, promise);
  assert.equal(error.name, name);
  return error;
}

module.exports = {
  assert, client, definitionsOf, documents, keyOf, makeOrders, order, orderKey, ORDERS, refused, refusedAs, sdk, streams,
  streamSdk, until, waiting,
};
