"use strict";

const assert = require("node:assert/strict");
const test = require("node:test");
const { client, keyOf, definitionsOf, sdk, streams, streamSdk, waiting } = require("./support.cjs");

async function makeTable(TableName) {
  const made = await client.createTable({
    TableName,
    BillingMode: "PAY_PER_REQUEST",
    KeySchema: keyOf("id"),
    AttributeDefinitions: definitionsOf({ id: "S" }),
    StreamSpecification: { StreamEnabled: true, StreamViewType: "NEW_AND_OLD_IMAGES" },
  });
  await sdk.waitUntilTableExists(waiting, { TableName });
  return made.TableDescription.LatestStreamArn;
}

// Every record of a stream, shard by shard, until a page is empty or the shard ends.
async function readAll(StreamArn) {
  const records = [];
  const { StreamDescription } = await streams.describeStream({ StreamArn });
  for (const { ShardId } of StreamDescription.Shards) {
    let { ShardIterator } = await streams.getShardIterator({ StreamArn, ShardId, ShardIteratorType: "TRIM_HORIZON" });
    while (ShardIterator) {
      const page = await streams.getRecords({ ShardIterator, Limit: 2 });
      records.push(...page.Records);
      ShardIterator = page.Records.length > 0 ? page.NextShardIterator : undefined;
    }
  }
  return records;
}

test("records of a stream", async () => {
  const StreamArn = await makeTable("streamed");
  for (const n of ["1", "2", "3"]) await client.putItem({ TableName: "streamed", Item: { id: { S: "a" }, n: { N: n } } });
  await client.deleteItem({ TableName: "streamed", Key: { id: { S: "a" } } });
  const records = await readAll(StreamArn);
  assert.deepEqual(records.map((record) => record.eventName), ["INSERT", "MODIFY", "MODIFY", "REMOVE"]);
  assert.deepEqual(records[1].dynamodb.OldImage, { id: { S: "a" }, n: { N: "1" } });
  assert.deepEqual(records[1].dynamodb.NewImage, { id: { S: "a" }, n: { N: "2" } });
  assert.deepEqual(records[3].dynamodb.Keys, { id: { S: "a" } });
  assert.ok(records[0].dynamodb.ApproximateCreationDateTime instanceof Date);
  assert.ok(BigInt(records[0].dynamodb.SequenceNumber) < BigInt(records[1].dynamodb.SequenceNumber));
});

test("a list of streams", async () => {
  const arn = await makeTable("listed");
  const { Streams } = await streams.listStreams({ TableName: "listed" });
  assert.deepEqual(Streams.map((stream) => stream.StreamArn), [arn]);
});

test("a filter of shards", async () => {
  const StreamArn = await makeTable("filtered");
  const { StreamDescription } = await streams.describeStream({ StreamArn });
  const { ShardId } = StreamDescription.Shards[0];
  const filtered = await streams.describeStream({ StreamArn, ShardFilter: { Type: "CHILD_SHARDS", ShardId } });
  assert.deepEqual(filtered.StreamDescription.Shards, []);
});

test("exceptions have their classes", async () => {
  const StreamArn = "arn:aws:dynamodb:us-east-1:000000000000:table/none/stream/2020-01-01T00:00:00.000";
  await assert.rejects(streams.describeStream({ StreamArn }), (error) => {
    assert.ok(error instanceof streamSdk.ResourceNotFoundException);
    assert.equal(error.message, `Requested resource not found: Stream: ${StreamArn} not found`);
    return true;
  });
  const arn = await makeTable("expiring");
  const ShardIterator = `${arn}|1|${Buffer.from([0, 1, 0]).toString("base64")}`;
  await assert.rejects(streams.getRecords({ ShardIterator }), (error) => {
    assert.ok(error instanceof streamSdk.ExpiredIteratorException);
    return true;
  });
});
