// dynamodb-admin: the web interface, as its buttons use it.
"use strict";

const test = require("node:test");
const { spawn } = require("node:child_process");
const path = require("node:path");
const { assert, client, enableTimeToLive } = require("./support.cjs");

let program, url;

test.before(async () => {
  const main = path.join(process.env.TOOL_MODULES, "dynamodb-admin/dist/dynamodb-admin.js");
  program = spawn(process.execPath, [main, "--host", "127.0.0.1", "--port", "0", "--dynamo-endpoint", process.env.DOLMEN_URL],
    { stdio: ["ignore", "pipe", "inherit"], env: { ...process.env, AWS_REGION: "us-east-1" } });
  let text = "";
  for await (const chunk of program.stdout) {
    text += chunk;
    const found = text.match(/http:\/\/[\w.:-]+:(\d+)/g)?.find((each) => each !== process.env.DOLMEN_URL);
    if (found) {
      url = found.replace("localhost", "127.0.0.1");
      return;
    }
  }
  assert.fail(`dynamodb-admin did not start: ${text}`);
});
test.after(() => program.kill());

async function ask(method, address, body) {
  const answer = await fetch(url + address,
    { method, headers: { "content-type": "application/json" }, body: body && JSON.stringify(body) });
  const text = await answer.text();
  assert.ok(answer.ok, `${method} ${address}: ${answer.status} ${text}`);
  return text;
}
const items = async (query) => JSON.parse(await ask("GET", `/tables/shelf/items?${new URLSearchParams(query)}`));

test("a table with an index is created, listed, described and deleted", async () => {
  await ask("POST", "/create-table", {
    TableDefinition: { TableName: "shelf", HashAttributeName: "author", HashAttributeType: "S", RangeAttributeName: "year",
      RangeAttributeType: "N", ReadCapacityUnits: 5, WriteCapacityUnits: 5 },
    SecondaryIndexes: [{ IndexName: "by-genre", IndexType: "global", HashAttributeName: "genre", HashAttributeType: "S",
      ReadCapacityUnits: 5, WriteCapacityUnits: 5 }],
  });
  const tables = JSON.parse(await ask("GET", "/api/tables"));
  assert.deepEqual(tables.map(({ TableName }) => TableName), ["shelf"]);
  for (const address of ["/", "/create-table", "/tables/shelf", "/tables/shelf/get", "/tables/shelf/add-item"])
    assert.match(await ask("GET", address), /<html/);
  assert.match(await ask("GET", "/tables/shelf/meta"), /by-genre/);
  await enableTimeToLive("shelf", "expires");
  assert.match(await ask("GET", "/tables/shelf/ttl"), /expires/);
});

test("items are added, shown, filtered page by page, changed and purged", async () => {
  for (let year = 1901; year <= 1930; ++year)
    await ask("PUT", "/tables/shelf/add-item", { author: "ada", year, genre: year % 2 ? "verse" : "prose", title: `t${year}` });
  const first = await items({ operationType: "scan", pageSize: 25 });
  assert.equal(first.Items.length, 25);
  const rest = await items({ operationType: "scan", startKey: decodeURIComponent(first.nextKey), pageNum: 2 });
  assert.equal(rest.Items.length, 5);
  const query = { author: { value: "ada", operator: "=", type: "S" }, year: { value: "1928", operator: ">=", type: "N" } };
  assert.equal((await items({ operationType: "query", queryableSelection: "table", filters: JSON.stringify(query) })).Items.length, 3);
  const verse = { genre: { value: "verse", operator: "=", type: "S" } };
  assert.equal((await items({ operationType: "query", queryableSelection: "by-genre", filters: JSON.stringify(verse) })).Items.length, 15);

  await ask("PUT", "/tables/shelf/items/ada,1901", { author: "ada", year: 1901, title: "changed" });
  assert.match(await ask("GET", "/tables/shelf/items/ada,1901"), /changed/);
  await ask("DELETE", "/tables/shelf/items/ada,1901");
  await ask("DELETE", "/tables/shelf/all");
  assert.equal((await items({ operationType: "scan" })).Items.length, 0);
  await ask("DELETE", "/tables/shelf");
  assert.deepEqual((await client.listTables({})).TableNames, []);
});
