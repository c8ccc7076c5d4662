// What the tests of other people's tools share: packages from build/peers, clients of the server under test, and waiting.
"use strict";

const assert = require("node:assert/strict");

const load = (name) => require(require.resolve(name, { paths: [process.env.TOOL_MODULES] }));
const sdk = load("@aws-sdk/client-dynamodb");
const documents = load("@aws-sdk/lib-dynamodb");

const options = {
  endpoint: process.env.DOLMEN_URL,
  region: "us-east-1",
  credentials: { accessKeyId: "local", secretAccessKey: "local" },
  maxAttempts: 1,
};
const client = new sdk.DynamoDB(options);
const documentClient = documents.DynamoDBDocumentClient.from(client);

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

// One table for many kinds of records: keys pk and sk, and the index gsi1 by gsi1pk and gsi1sk.
async function makeSingleTable(TableName) {
  const key = (hash, range) => [{ AttributeName: hash, KeyType: "HASH" }, { AttributeName: range, KeyType: "RANGE" }];
  await client.createTable({
    TableName,
    BillingMode: "PAY_PER_REQUEST",
    AttributeDefinitions: ["pk", "sk", "gsi1pk", "gsi1sk"].map((AttributeName) => ({ AttributeName, AttributeType: "S" })),
    KeySchema: key("pk", "sk"),
    GlobalSecondaryIndexes: [
      { IndexName: "gsi1", KeySchema: key("gsi1pk", "gsi1sk"), Projection: { ProjectionType: "ALL" } },
    ],
  });
  await sdk.waitUntilTableExists({ client, maxWaitTime: 30, minDelay: 0.05, maxDelay: 0.1 }, { TableName });
}

async function enableTimeToLive(TableName, AttributeName) {
  await client.updateTimeToLive({ TableName, TimeToLiveSpecification: { AttributeName, Enabled: true } });
}

const anHourAgo = () => Math.floor(Date.now() / 1000) - 3600;

module.exports = { anHourAgo, assert, client, documentClient, enableTimeToLive, load, makeSingleTable, options, sdk, until };
