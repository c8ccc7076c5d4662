// Notes in a table of a Dolmen server, with the AWS SDK for JavaScript alone: conditions, an index, pages, a transaction,
// and the changes of the table as its stream tells them.
//
//     node notes.mjs [ENDPOINT]        by default http://127.0.0.1:8000, where `./dev run` serves
//
// It needs: npm install @aws-sdk/client-dynamodb @aws-sdk/lib-dynamodb @aws-sdk/client-dynamodb-streams
import assert from "node:assert/strict";
import { ConditionalCheckFailedException, DynamoDB, waitUntilTableExists } from "@aws-sdk/client-dynamodb";
import { DynamoDBStreams } from "@aws-sdk/client-dynamodb-streams";
import { DynamoDBDocument, paginateQuery } from "@aws-sdk/lib-dynamodb";

const options = {
  endpoint: process.argv[2] ?? "http://127.0.0.1:8000",
  region: "us-east-1",
  // A server that does not check signatures takes any credentials.
  credentials: { accessKeyId: "any", secretAccessKey: "any" },
};
const client = new DynamoDB(options);
const streams = new DynamoDBStreams(options);
const db = DynamoDBDocument.from(client);
const TableName = "js-notes";

async function makeTable() {
  const key = (hash, range) => [{ AttributeName: hash, KeyType: "HASH" }, { AttributeName: range, KeyType: "RANGE" }];
  const { TableDescription } = await client.createTable({
    TableName,
    BillingMode: "PAY_PER_REQUEST",
    KeySchema: key("topic", "written"),
    AttributeDefinitions: [["topic", "S"], ["written", "N"], ["author", "S"]]
      .map(([AttributeName, AttributeType]) => ({ AttributeName, AttributeType })),
    GlobalSecondaryIndexes: [
      { IndexName: "by-author", KeySchema: key("author", "written"), Projection: { ProjectionType: "ALL" } },
    ],
    StreamSpecification: { StreamEnabled: true, StreamViewType: "NEW_AND_OLD_IMAGES" },
  });
  await waitUntilTableExists({ client, maxWaitTime: 30 }, { TableName });
  return TableDescription.LatestStreamArn;
}

// True when the note is new.
async function addOnce(Item) {
  try {
    await db.put({ TableName, Item, ConditionExpression: "attribute_not_exists(topic)" });
    return true;
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return false;
    throw error;
  }
}

// All notes of an author, page by page.
async function* notesOf(author) {
  const query = { TableName, IndexName: "by-author", KeyConditionExpression: "author = :author",
    ExpressionAttributeValues: { ":author": author } };
  for await (const page of paginateQuery({ client: db, pageSize: 7 }, query)) yield* page.Items;
}

// Everything that the stream has so far, shard by shard.
async function changes(StreamArn) {
  const { StreamDescription } = await streams.describeStream({ StreamArn });
  const found = [];
  for (const { ShardId } of StreamDescription.Shards) {
    let { ShardIterator } = await streams.getShardIterator({ StreamArn, ShardId, ShardIteratorType: "TRIM_HORIZON" });
    for (let more = true; more;) {
      const { Records, NextShardIterator } = await streams.getRecords({ ShardIterator });
      found.push(...Records);
      more = Records.length > 0 && NextShardIterator;
      ShardIterator = NextShardIterator;
    }
  }
  return found;
}

const stream = await makeTable();
for (let written = 0; written < 20; ++written)
  assert.ok(await addOnce({ topic: "stones", written, author: written % 2 ? "ada" : "bob", tags: new Set(["old"]) }));
assert.ok(!(await addOnce({ topic: "stones", written: 1 })));

const ofAda = [];
for await (const note of notesOf("ada")) ofAda.push(note);
console.log(`ada has written ${ofAda.length} notes`);
assert.equal(ofAda.length, 10);

// Moves a note to another topic: all or nothing.
await db.transactWrite({
  TransactItems: [
    { Put: { TableName, Item: { ...ofAda[0], topic: "moss" } } },
    { Delete: { TableName, Key: { topic: "stones", written: ofAda[0].written }, ConditionExpression: "attribute_exists(topic)" } },
  ],
});
const happened = (await changes(stream)).map(({ eventName }) => eventName);
console.log(`the stream has ${happened.length} changes, ${happened.filter((name) => name === "REMOVE").length} of them a removal`);
assert.equal(happened.length, 22);
await client.deleteTable({ TableName });
