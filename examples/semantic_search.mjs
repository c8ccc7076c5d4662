// The search of semantic_search.cc with the AWS SDK for JavaScript, at a Dolmen server or any other endpoint:
//
//   dolmen serve --memory &
//   AWS_ENDPOINT_URL_DYNAMODB=http://127.0.0.1:8000 node examples/semantic_search.mjs
import { DynamoDBClient, CreateTableCommand, waitUntilTableExists } from "@aws-sdk/client-dynamodb";
import { DynamoDBDocumentClient, PutCommand, SearchVectorsCommand } from "@aws-sdk/lib-dynamodb";

const DIMENSIONS = 128;
const NOTES = [
  { shelf: "history", title: "dolmen", text: "A dolmen is an old grave of upright stones under a large flat stone" },
  { shelf: "history", title: "castle", text: "Castles had walls, towers and a gate with a bridge" },
  { shelf: "computing", title: "tables", text: "A table store keeps items by their keys and finds them quickly" },
  { shelf: "kitchen", title: "bread", text: "Bread is baked at home from flour, water, salt and yeast" },
];

function hashOf(text) {
  let hash = 2166136261;
  for (const byte of Buffer.from(text)) hash = Math.imul(hash ^ byte, 16777619) >>> 0;
  return hash;
}

// Words, and groups of four letters in them, each add to one element; longer words count more.
function embed(text) {
  const vector = new Array(DIMENSIONS).fill(0);
  for (const word of text.toLowerCase().match(/[a-z]+/g) ?? []) {
    if (word.length > 3) vector[hashOf(word) % DIMENSIONS] += 1;
    for (let at = 0; at + 4 <= word.length; ++at) vector[hashOf(word.slice(at, at + 4)) % DIMENSIONS] += 0.5;
  }
  return vector;
}

const client = new DynamoDBClient({ region: process.env.AWS_REGION ?? "us-east-1" });
const documents = DynamoDBDocumentClient.from(client);
await client.send(
  new CreateTableCommand({
    TableName: "notes-js",
    BillingMode: "PAY_PER_REQUEST",
    AttributeDefinitions: [
      { AttributeName: "shelf", AttributeType: "S" },
      { AttributeName: "title", AttributeType: "S" },
    ],
    KeySchema: [
      { AttributeName: "shelf", KeyType: "HASH" },
      { AttributeName: "title", KeyType: "RANGE" },
    ],
    VectorIndexes: [
      {
        IndexName: "by_meaning",
        VectorAttribute: { AttributeName: "meaning" },
        Dimensions: DIMENSIONS,
        DistanceFunction: "COSINE",
        Projection: { ProjectionType: "ALL" },
      },
    ],
  }),
);
await waitUntilTableExists({ client, maxWaitTime: 60, minDelay: 0.1, maxDelay: 5 }, { TableName: "notes-js" });
for (const note of NOTES)
  await documents.send(new PutCommand({ TableName: "notes-js", Item: { ...note, meaning: embed(note.text) } }));
const question = "old graves made of big stones";
const { SearchResults } = await documents.send(
  new SearchVectorsCommand({ TableName: "notes-js", IndexName: "by_meaning", SearchVector: embed(question), TopK: 2 }),
);
console.log(question);
for (const { Item, Score } of SearchResults) console.log(`  ${Score.toFixed(3)}  ${Item.title}: ${Item.text}`);
