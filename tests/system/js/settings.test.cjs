// Resource policies, Contributor Insights and Kinesis destinations.
"use strict";

const test = require("node:test");
const { assert, client, definitionsOf, keyOf, sdk } = require("./support.cjs");

const TableName = "settings";
const StreamArn = "arn:aws:kinesis:us-east-1:000000000000:stream/changes";
const statement = (Action) => ({ Effect: "Deny", Principal: "*", Action, Resource: "*" });

test("a table has a policy, insights and a destination", async () => {
  const { TableDescription: { TableArn: ResourceArn } } = await client.createTable({
    TableName, BillingMode: "PAY_PER_REQUEST", KeySchema: keyOf("pk"), AttributeDefinitions: definitionsOf({ pk: "S" }),
    ResourcePolicy: JSON.stringify({ Statement: [statement("dynamodb:DeleteTable")] }),
  });
  const first = await client.getResourcePolicy({ ResourceArn });
  assert.equal(JSON.parse(first.Policy).Version, "2008-10-17");
  const { RevisionId } = await client.putResourcePolicy({
    ResourceArn, Policy: JSON.stringify({ Statement: statement("dynamodb:UpdateTable") }), ExpectedRevisionId: first.RevisionId,
  });
  assert.notEqual(RevisionId, first.RevisionId);
  await client.deleteResourcePolicy({ ResourceArn, ExpectedRevisionId: RevisionId });
  await assert.rejects(client.getResourcePolicy({ ResourceArn }), sdk.PolicyNotFoundException);

  await client.updateContributorInsights({ TableName, ContributorInsightsAction: "ENABLE", ContributorInsightsMode: "THROTTLED_KEYS" });
  const insights = await client.describeContributorInsights({ TableName });
  assert.equal(insights.ContributorInsightsMode, "THROTTLED_KEYS");
  assert.ok(insights.LastUpdateDateTime instanceof Date);

  const EnableKinesisStreamingConfiguration = { ApproximateCreationDateTimePrecision: "MICROSECOND" };
  const enabled = await client.enableKinesisStreamingDestination({ TableName, StreamArn, EnableKinesisStreamingConfiguration });
  assert.deepEqual(enabled.EnableKinesisStreamingConfiguration, EnableKinesisStreamingConfiguration);
  const { KinesisDataStreamDestinations: [destination] } = await client.describeKinesisStreamingDestination({ TableName });
  assert.equal(destination.StreamArn, StreamArn);
});
