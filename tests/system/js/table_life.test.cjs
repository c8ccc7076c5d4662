// The whole life of a table: CreateTable with everything, UpdateTable, tags, time to live, and its stream.
"use strict";

const test = require("node:test");
const { assert, client, definitionsOf, keyOf, refusedAs, sdk, streams, streamSdk, until, waiting } = require("./support.cjs");

const TableName = "life";
const key = (number) => ({ customer: { S: "ada" }, number: { N: String(number) } });
const order = (number) => ({ ...key(number), state: { S: number % 2 ? "open" : "paid" } });

const described = async () => (await client.describeTable({ TableName })).Table;
const isSettled = (table) =>
  table.TableStatus === "ACTIVE" && (table.GlobalSecondaryIndexes ?? []).every((index) => index.IndexStatus === "ACTIVE");
const settled = () => until(described, isSettled);

// The records of all shards, and whether all shards have ended.
async function readStream(StreamArn) {
  const records = [];
  let ended = true;
  const { StreamDescription } = await streams.describeStream({ StreamArn });
  for (const { ShardId } of StreamDescription.Shards) {
    let { ShardIterator } = await streams.getShardIterator({ StreamArn, ShardId, ShardIteratorType: "TRIM_HORIZON" });
    while (ShardIterator !== undefined) {
      const page = await streams.getRecords({ ShardIterator, Limit: 5 });
      ShardIterator = page.NextShardIterator;
      records.push(...page.Records);
      if (page.Records.length === 0) break;
    }
    ended &&= ShardIterator === undefined;
  }
  return { status: StreamDescription.StreamStatus, ended, records };
}

async function openOrders() {
  const { Items } = await client.query({
    TableName, IndexName: "by-state", KeyConditionExpression: "#s = :s", ExpressionAttributeNames: { "#s": "state" },
    ExpressionAttributeValues: { ":s": { S: "open" } },
  });
  return Items.map((item) => Number(item.number.N));
}

test("a table lives through every change", async (life) => {
  let arn, stream, records, expired;

  await life.test("it is made with tags, a stream and protection", async () => {
    const { TableDescription } = await client.createTable({
      TableName, BillingMode: "PAY_PER_REQUEST", KeySchema: keyOf("customer", "number"),
      AttributeDefinitions: definitionsOf({ customer: "S", number: "N" }), DeletionProtectionEnabled: true,
      Tags: [{ Key: "team", Value: "shop" }], StreamSpecification: { StreamEnabled: true, StreamViewType: "NEW_AND_OLD_IMAGES" },
    });
    assert.equal((await sdk.waitUntilTableExists(waiting, { TableName })).state, "SUCCESS");
    ({ TableArn: arn, LatestStreamArn: stream } = TableDescription);
    const table = await described();
    assert.deepEqual([table.DeletionProtectionEnabled, table.LatestStreamArn], [true, stream]);
    assert.deepEqual((await client.listTagsOfResource({ ResourceArn: arn })).Tags, [{ Key: "team", Value: "shop" }]);
    const { Streams } = await streams.listStreams({ TableName });
    assert.deepEqual(Streams, [{ StreamArn: stream, TableName, StreamLabel: table.LatestStreamLabel }]);
  });

  await life.test("it gets an index while it has items", async () => {
    for (let number = 0; number < 8; ++number) await client.putItem({ TableName, Item: order(number) });
    const { TableDescription } = await client.updateTable({
      TableName, AttributeDefinitions: definitionsOf({ state: "S", number: "N" }),
      GlobalSecondaryIndexUpdates: [
        { Create: { IndexName: "by-state", KeySchema: keyOf("state", "number"), Projection: { ProjectionType: "KEYS_ONLY" } } },
      ],
    });
    assert.deepEqual(TableDescription.GlobalSecondaryIndexes.map((index) => index.IndexStatus), ["CREATING"]);
    await client.putItem({ TableName, Item: order(9) });
    await settled();
    assert.deepEqual(await openOrders(), [1, 3, 5, 7, 9]);
  });

  await life.test("it gets provisioned throughput, and gives it up", async () => {
    const units = { ReadCapacityUnits: 2, WriteCapacityUnits: 3 };
    await client.updateTable({
      TableName, BillingMode: "PROVISIONED", ProvisionedThroughput: units,
      GlobalSecondaryIndexUpdates: [{ Update: { IndexName: "by-state", ProvisionedThroughput: units } }],
    });
    let table = await settled();
    assert.equal(table.ProvisionedThroughput.WriteCapacityUnits, 3);
    assert.equal(table.GlobalSecondaryIndexes[0].ProvisionedThroughput.ReadCapacityUnits, 2);
    await client.updateTable({ TableName, BillingMode: "PAY_PER_REQUEST" });
    table = await settled();
    assert.equal(table.BillingModeSummary.BillingMode, "PAY_PER_REQUEST");
    assert.ok(table.BillingModeSummary.LastUpdateToPayPerRequestDateTime instanceof Date);
  });

  await life.test("an expired item leaves it", async () => {
    await client.updateTimeToLive({ TableName, TimeToLiveSpecification: { Enabled: true, AttributeName: "until" } });
    const { TimeToLiveDescription } = await client.describeTimeToLive({ TableName });
    assert.deepEqual(TimeToLiveDescription, { TimeToLiveStatus: "ENABLED", AttributeName: "until" });
    expired = { ...order(11), until: { N: String(Math.floor(Date.now() / 1000) - 30) } };
    await client.putItem({ TableName, Item: expired });
    await until(() => client.getItem({ TableName, Key: key(11) }), (answer) => answer.Item === undefined);
    assert.deepEqual(await openOrders(), [1, 3, 5, 7, 9]);
  });

  await life.test("its stream has every change", async () => {
    await client.deleteItem({ TableName, Key: key(0) });
    ({ records } = await readStream(stream));
    assert.equal(new Set(records.map((record) => record.eventID)).size, records.length);
    const of = (number) => records.filter((record) => record.dynamodb.Keys.number.N === String(number));
    assert.deepEqual(of(0).map((record) => record.eventName), ["INSERT", "REMOVE"]);
    assert.equal(of(0)[1].userIdentity, undefined);
    const [insert, expiry] = of(11);
    assert.deepEqual(insert.dynamodb.NewImage, expired);
    assert.deepEqual([expiry.eventName, expiry.dynamodb.OldImage], ["REMOVE", expired]);
    assert.deepEqual(expiry.userIdentity, { PrincipalId: "dynamodb.amazonaws.com", Type: "Service" });
    assert.ok(expiry.dynamodb.ApproximateCreationDateTime instanceof Date);
  });

  await life.test("its index and its stream are taken away", async () => {
    await client.updateTable({ TableName, GlobalSecondaryIndexUpdates: [{ Delete: { IndexName: "by-state" } }] });
    await until(described, (table) => table.GlobalSecondaryIndexes === undefined && isSettled(table));
    await refusedAs("ValidationException", "The table does not have the specified index: by-state", openOrders());
    await client.updateTable({ TableName, StreamSpecification: { StreamEnabled: false } });
    const table = await settled();
    assert.deepEqual([table.StreamSpecification, table.LatestStreamArn], [undefined, stream]);
    await client.putItem({ TableName, Item: order(13) });
    assert.deepEqual(await readStream(stream), { status: "DISABLED", ended: true, records });
  });

  await life.test("it is deleted when it is no longer protected", async () => {
    await refusedAs("ValidationException", "Resource cannot be deleted as it is currently protected against deletion. " +
      "Disable deletion protection first.", client.deleteTable({ TableName }));
    await client.updateTable({ TableName, DeletionProtectionEnabled: false });
    await client.deleteTable({ TableName });
    assert.equal((await sdk.waitUntilTableNotExists(waiting, { TableName })).state, "SUCCESS");
    assert.deepEqual((await readStream(stream)).records, records);
  });

  await life.test("errors of streams have the SDK's classes", async () => {
    const StreamArn = `${arn}/stream/2020-01-01T00:00:00.000`;
    await assert.rejects(streams.describeStream({ StreamArn }), (error) => {
      assert.ok(error instanceof streamSdk.ResourceNotFoundException, String(error));
      assert.equal(error.message, `Requested resource not found: Stream: ${StreamArn} not found`);
      return true;
    });
  });
});
