import { writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { assert, check, drag, scenario, shot } from "./harness.mjs";

// All rows are in view, so that all of them exist.
const tall = { width: 1280, height: 1500 };
const cell = (page, text) => page.getByRole("gridcell", { name: text, exact: true });
const gridRow = (page, text) => page.getByRole("row").filter({ has: cell(page, text) });

async function notes(server) {
  await server.table("notes", [["topic", "S"], ["written", "N"]], {
    attributes: [{ AttributeName: "author", AttributeType: "S" }],
    request: {
      GlobalSecondaryIndexes: [{ IndexName: "by-author", KeySchema: [{ AttributeName: "author", KeyType: "HASH" }], Projection: { ProjectionType: "ALL" } }],
      StreamSpecification: { StreamEnabled: true, StreamViewType: "NEW_AND_OLD_IMAGES" },
    },
  });
  const people = ["ada", "bob", "eve", "grace", "alan"];
  for (let written = 1; written <= 40; ++written)
    await server.put("notes", {
      topic: { S: ["dolmen", "menhir", "cairn"][written % 3] }, written: { N: String(written) }, author: { S: people[written % 5] },
      text: { S: `Note number ${written} about stones and tables` }, tags: { SS: ["old", `t${written % 4}`] }, stars: { N: String((written * 7) % 5) },
      place: { M: { name: { S: "Carnac" }, at: { L: [{ N: "47.58" }, { N: "-3.07" }] } } }, draft: { BOOL: written % 2 === 0 },
    });
}

scenario("an empty server says that there are no tables", {}, async ({ page, open }) => {
  await open("/tables");
  await page.getByText("There are no tables yet").waitFor();
  await check(page);
});

scenario("a table is made with an index, a stream, a time to live and recovery, by the keyboard alone", {}, async ({ page, server, open }) => {
  await open("/tables");
  await page.getByRole("button", { name: "New table" }).focus();
  await page.keyboard.press("Enter");
  await page.getByRole("dialog").getByLabel("Name", { exact: true }).and(page.locator(":focus")).waitFor();
  await page.keyboard.type("orders");
  await page.keyboard.press("Tab");
  await page.keyboard.type("customer");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  await page.keyboard.type("placed");
  await page.keyboard.press("Tab");
  await page.keyboard.type("N");
  await page.getByRole("button", { name: "Index", exact: true }).focus();
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Index name").fill("by-state");
  await dialog.getByLabel("Partition key", { exact: true }).nth(1).fill("state");
  await dialog.getByLabel("Stream").selectOption({ label: "new and old images" });
  await dialog.getByLabel("Time to live").fill("expires");
  await dialog.getByLabel("Point-in-time recovery").check();
  await check(page);
  await shot(page, "table-create");
  await dialog.getByLabel("Time to live").press("Enter");
  await page.getByRole("heading", { name: "orders" }).waitFor();
  const { Table } = await server.call("DescribeTable", { TableName: "orders" });
  assert.deepEqual(Table.KeySchema.map(({ AttributeName }) => AttributeName), ["customer", "placed"]);
  assert.equal(Table.AttributeDefinitions.find(({ AttributeName }) => AttributeName === "placed").AttributeType, "N");
  assert.equal(Table.GlobalSecondaryIndexes[0].IndexName, "by-state");
  assert.equal(Table.StreamSpecification.StreamViewType, "NEW_AND_OLD_IMAGES");
  const { TimeToLiveDescription } = await server.call("DescribeTimeToLive", { TableName: "orders" });
  assert.equal(TimeToLiveDescription.AttributeName, "expires");
  const { ContinuousBackupsDescription } = await server.call("DescribeContinuousBackups", { TableName: "orders" });
  assert.equal(ContinuousBackupsDescription.PointInTimeRecoveryDescription.PointInTimeRecoveryStatus, "ENABLED");
});

scenario("what is wrong with a new table is said at its fields, and nothing is sent", {}, async ({ page, server, open }) => {
  await open("/tables");
  await page.getByRole("button", { name: "New table" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Create" }).click();
  await dialog.getByText("a table has a partition key").waitFor();
  await dialog.getByText("3 to 255 letters, digits, and _ . -").waitFor();
  await check(page);
  assert.deepEqual((await server.call("ListTables", {})).TableNames, []);
});

scenario("the tables are listed with what they are", { prepare: notes }, async ({ page, server, open }) => {
  await server.table("archive", [["id", "S"]]);
  await open("/tables");
  const row = page.getByRole("row").filter({ hasText: "notes" });
  await row.getByText("40", { exact: true }).waitFor();
  await row.getByText("on", { exact: true }).waitFor();
  await page.getByLabel("Find a table").fill("arch");
  await page.getByRole("row").filter({ hasText: "notes" }).waitFor({ state: "detached" });
  await page.getByLabel("Find a table").fill("");
  await row.waitFor();
  await check(page);
  await shot(page, "tables", { dark: true });
});

scenario("a table is changed and deleted with its name typed", { prepare: notes, expects: /400/ }, async ({ page, server, open }) => {
  await open("/tables/notes?tab=overview");
  await page.getByRole("button", { name: "Change: time to live" }).click();
  await page.getByLabel("Attribute", { exact: true }).fill("expires");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("Items expire by expires.").waitFor();
  await page.getByRole("button", { name: "Index", exact: true }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Index name").fill("by-stars");
  await dialog.getByLabel("Partition key", { exact: true }).fill("stars");
  await dialog.getByLabel("Type of partition key").selectOption("N");
  await dialog.getByRole("button", { name: "Create" }).click();
  await page.getByRole("row").filter({ hasText: "by-stars" }).getByText("active").waitFor();
  assert.equal((await server.call("Query", { TableName: "notes", IndexName: "by-stars", KeyConditionExpression: "stars = :s", ExpressionAttributeValues: { ":s": { N: "1" } } })).Count, 8);
  await page.getByRole("button", { name: "Change: protection from deletion" }).click();
  await page.getByRole("button", { name: "Turn on" }).click();
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await check(page);
  await shot(page, "table-overview", { dark: true });
  await page.getByRole("button", { name: "Delete", exact: true }).click();
  const remove = page.getByRole("button", { name: "Delete the table" });
  assert.equal(await remove.isDisabled(), true);
  await page.getByLabel("Type notes to confirm").fill("notes");
  await remove.click();
  await page.getByRole("alert").getByText("DeleteTable").waitFor();
  await check(page);
  await page.keyboard.press("Escape");
  await server.call("UpdateTable", { TableName: "notes", DeletionProtectionEnabled: false });
  await page.getByRole("button", { name: "Delete", exact: true }).click();
  await page.getByLabel("Type notes to confirm").fill("notes");
  await page.keyboard.press("Enter");
  await page.getByText("There are no tables yet").waitFor();
});

scenario("capacity, stream, recovery and indexes are changed and taken back", { prepare: notes }, async ({ page, server, open }) => {
  const table = async () => (await server.call("DescribeTable", { TableName: "notes" })).Table;
  await open("/tables/notes?tab=overview");
  const dialog = page.getByRole("dialog");
  const saved = () => dialog.waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Change: capacity" }).click();
  await dialog.getByLabel("Capacity", { exact: true }).selectOption("PROVISIONED");
  await dialog.getByLabel("Read capacity units").fill("0");
  assert.equal(await dialog.getByRole("button", { name: "Save" }).isDisabled(), true);
  await dialog.getByLabel("Read capacity units").fill("7");
  await check(page);
  await dialog.getByRole("button", { name: "Save" }).click();
  await saved();
  await page.getByText("7 read, 5 write").waitFor();
  assert.equal((await table()).GlobalSecondaryIndexes[0].ProvisionedThroughput.ReadCapacityUnits, 7);

  await page.getByRole("button", { name: "Change: stream" }).click();
  await dialog.getByLabel("Records have").selectOption("KEYS_ONLY");
  await dialog.getByText("The present stream ends").waitFor();
  await dialog.getByRole("button", { name: "Save" }).click();
  await saved();
  assert.equal((await table()).StreamSpecification.StreamViewType, "KEYS_ONLY");

  for (const [button, status] of [["Turn on", "ENABLED"], ["Turn off", "DISABLED"]]) {
    await page.getByRole("button", { name: "Change: point-in-time recovery" }).click();
    await dialog.getByRole("button", { name: button }).click();
    await saved();
    const { ContinuousBackupsDescription } = await server.call("DescribeContinuousBackups", { TableName: "notes" });
    assert.equal(ContinuousBackupsDescription.PointInTimeRecoveryDescription.PointInTimeRecoveryStatus, status);
    await page.locator("dd").filter({ has: page.getByRole("button", { name: "Change: point-in-time recovery" }) }).getByText(status === "ENABLED" ? "on" : "off", { exact: true }).waitFor();
  }

  await page.getByRole("button", { name: "Delete the index by-author" }).click();
  await dialog.getByLabel("Type by-author to confirm").fill("by-author");
  await page.keyboard.press("Enter");
  await saved();
  await page.getByText("The table has no indexes.").waitFor();
  assert.equal((await table()).GlobalSecondaryIndexes, undefined);
});

scenario("items are read, edited and saved in both forms of JSON", { viewport: tall, prepare: notes }, async ({ page, server, open }) => {
  await open("/tables/notes");
  await cell(page, "Note number 7 about stones and tables").waitFor();
  await check(page);
  await shot(page, "items", { dark: true, height: 640 });
  await gridRow(page, "Note number 7 about stones and tables").dblclick();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Value of text").fill("Rewritten");
  await check(page);
  await shot(page, "item-editor", { height: 800 });
  await dialog.getByRole("tab", { name: "Typed JSON" }).click();
  const typed = dialog.getByRole("textbox", { name: "Typed JSON" });
  assert.match(await typed.inputValue(), /"text": \{"S": "Rewritten"\}/);
  await typed.fill((await typed.inputValue()).replace('{"N": "4"}', '{"N": "four"}'));
  await dialog.getByText('stars: "four" is not a number').waitFor();
  assert.equal(await dialog.getByRole("button", { name: "Save" }).isDisabled(), true);
  await typed.fill((await typed.inputValue()).replace("four", "12345678901234567890"));
  await dialog.getByRole("button", { name: "Save" }).click();
  await cell(page, "Rewritten").waitFor();
  const { Item } = await server.call("GetItem", { TableName: "notes", Key: { topic: { S: "menhir" }, written: { N: "7" } } });
  assert.equal(Item.stars.N, "12345678901234567890");
  assert.deepEqual(Item.tags.SS.sort(), ["old", "t3"]);
});

scenario("an item that somebody else has changed is shown side by side", { viewport: tall, prepare: notes, expects: /400/ }, async ({ page, server, open }) => {
  const Key = { topic: { S: "dolmen" }, written: { N: "3" } };
  await open("/tables/notes");
  await gridRow(page, "Note number 3 about stones and tables").dblclick();
  const dialog = page.getByRole("dialog").first();
  await dialog.getByLabel("Value of text").fill("mine");
  await dialog.getByLabel("Value of stars").fill("5");
  await server.call("UpdateItem", { TableName: "notes", Key, UpdateExpression: "SET #t = :t, seen = :s", ExpressionAttributeNames: { "#t": "text" }, ExpressionAttributeValues: { ":t": { S: "theirs" }, ":s": { BOOL: true } } });
  await dialog.getByRole("button", { name: "Save" }).click();
  await page.getByText("Somebody else has changed this item").waitFor();
  await page.getByText("both changed").waitFor();
  await check(page);
  await shot(page, "conflict", { dark: true, height: 720 });
  await page.getByRole("radio", { name: "text: at the server" }).check();
  await page.getByRole("button", { name: "Save the chosen values" }).click();
  await page.getByText("Saved the item.").waitFor();
  const { Item } = await server.call("GetItem", { TableName: "notes", Key });
  assert.deepEqual([Item.text.S, Item.stars.N, Item.seen.BOOL], ["theirs", "5", true]);
});

scenario("items are added, copied, selected and deleted by the keyboard alone", { viewport: tall, prepare: notes }, async ({ page, server, open }) => {
  await open("/tables/notes");
  await cell(page, "Note number 7 about stones and tables").waitFor();
  await page.getByRole("button", { name: "New item" }).press("Enter");
  const dialog = page.getByRole("dialog");
  await dialog.getByText("topic, a part of the key, is empty").waitFor();
  await dialog.getByLabel("Value of topic").fill("aaa");
  await dialog.getByLabel("Value of written").fill("1");
  await dialog.getByLabel("Value of written").press("Enter");
  await page.getByText("Added the item.").waitFor();
  await cell(page, "aaa").waitFor();
  assert.equal((await server.call("Scan", { TableName: "notes", Select: "COUNT" })).Count, 41);
  const grid = page.getByRole("grid");
  await grid.focus();
  await page.keyboard.press("Control+Home");
  await page.keyboard.press("Enter");
  await dialog.getByRole("button", { name: "Copy" }).press("Enter");
  await page.getByRole("dialog", { name: "New item in notes" }).waitFor();
  const original = await dialog.getByLabel("Value of topic").inputValue();
  await dialog.getByLabel("Value of written").fill("1000");
  await dialog.getByLabel("Value of written").press("Enter");
  await dialog.waitFor({ state: "detached" });
  assert.equal((await server.call("GetItem", { TableName: "notes", Key: { topic: { S: original }, written: { N: "1000" } } })).Item.written.N, "1000");
  await server.call("DeleteItem", { TableName: "notes", Key: { topic: { S: original }, written: { N: "1000" } } });
  await page.getByRole("button", { name: "Read again" }).press("Enter");
  await page.getByText("41 rows").waitFor();
  await grid.focus();
  await page.keyboard.press("Control+Home");
  await page.keyboard.press(" ");
  for (let step = 0; step < 4; ++step) await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Shift+ ");
  await page.getByText("5 selected").waitFor();
  await check(page);
  await page.getByRole("button", { name: "Delete 5" }).press("Enter");
  await page.getByRole("dialog").getByRole("button", { name: "Delete", exact: true }).press("Enter");
  await page.getByText("Deleted 5 items.").waitFor();
  assert.equal((await server.call("Scan", { TableName: "notes", Select: "COUNT" })).Count, 36);
});

scenario("items are exported and imported again", { viewport: tall, prepare: notes }, async ({ page, server, open, context }) => {
  void context;
  await open("/tables/notes");
  await cell(page, "Note number 7 about stones and tables").waitFor();
  await page.getByRole("button", { name: "Export", exact: true }).click();
  await check(page);
  const waiting = page.waitForEvent("download");
  await page.getByRole("dialog").getByRole("button", { name: "Export", exact: true }).click();
  const path = await (await waiting).path();
  const lines = (await readFile(path, "utf8")).trimEnd().split("\n");
  assert.equal(lines.length, 40);
  await server.table("copy", [["topic", "S"], ["written", "N"]]);
  const file = join(server.folder, "notes.jsonl");
  writeFileSync(file, [...lines, '{"topic": "plain", "written": 99, "price": 12345678901234567890.5}', "{broken", '{"topic": "no sort key"}'].join("\n"));
  await open("/tables/copy");
  await page.getByText("The table is empty").waitFor();
  await page.getByLabel("File to import").setInputFiles(file);
  await page.getByRole("dialog").getByRole("button", { name: "Import" }).click();
  await page.getByText("41 items written, 2 lines refused; done").waitFor();
  await page.getByText("line 42, column 2: a text in quotes is missing here").waitFor();
  await page.getByText("line 43: written, a part of the key, is missing").waitFor();
  await check(page);
  await shot(page, "import");
  await page.getByRole("button", { name: "Close", exact: true }).last().click();
  await cell(page, "12345678901234567890.5").waitFor();
  assert.equal((await server.call("Scan", { TableName: "copy", Select: "COUNT" })).Count, 41);
});

scenario("what is selected is exported alone, in the plain form, and columns are hidden", { viewport: tall, prepare: notes }, async ({ page, open }) => {
  await open("/tables/notes");
  await cell(page, "Note number 7 about stones and tables").waitFor();
  for (const number of [7, 9]) await gridRow(page, `Note number ${number} about stones and tables`).getByRole("checkbox").check();
  await page.getByRole("button", { name: "Export 2" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Form").selectOption("plain");
  const waiting = page.waitForEvent("download");
  await dialog.getByRole("button", { name: "Export", exact: true }).click();
  const lines = (await readFile(await (await waiting).path(), "utf8")).trimEnd().split("\n").map((line) => JSON.parse(line));
  assert.deepEqual(lines.map(({ written }) => written).sort(), [7, 9]);
  assert.deepEqual(lines.find(({ written }) => written === 7).place, { name: "Carnac", at: [47.58, -3.07] });

  await page.getByRole("button", { name: "Columns" }).click();
  await dialog.getByLabel("Find").fill("t");
  await dialog.getByRole("button", { name: "Hide all" }).click();
  await dialog.getByRole("checkbox", { name: "topic" }).check();
  await check(page);
  await dialog.getByRole("button", { name: "Done" }).click();
  await page.getByText("6 columns hidden").waitFor();
  assert.deepEqual(await page.getByRole("columnheader").allTextContents(), ["Selected", "topic", "place"]);
});

scenario("files that are dropped on a table are imported one after the other", { prepare: (server) => server.table("notes", [["id", "S"]]) }, async ({ page, server, open }) => {
  const file = (name, lines) => {
    const path = join(server.folder, name);
    writeFileSync(path, lines);
    return path;
  };
  const many = file("many.jsonl", Array.from({ length: 1000 }, (_, at) => JSON.stringify({ id: `n${at}`, at })).join("\n"));
  const compressed = file("more.jsonl.gz", gzipSync('{"id": {"S": "n0"}, "at": {"S": "replaced"}}\n{"Item": {"id": {"S": "last"}}}\n'));
  await open("/tables/notes");
  const empty = page.getByText("The table is empty");
  await empty.waitFor();

  // What is held over the table shows where it would go, and no longer when it leaves.
  const held = await drag(page, [many, compressed], empty, page.getByRole("button", { name: "Columns" }));
  await page.locator(".drop-over").waitFor();
  await shot(page, "drop", { dark: true });
  await held.over(page.getByRole("navigation", { name: "Pages" }));
  await page.locator(".drop-over").waitFor({ state: "detached" });
  await held.over(empty);
  await held.drop();
  const dialog = page.getByRole("dialog");
  await dialog.getByText("many.jsonl").waitFor();
  await dialog.getByText("1 more file follows").waitFor();
  await check(page);
  await dialog.getByRole("button", { name: "Import" }).click();
  await dialog.getByText("1,000 items written; done").waitFor();
  await dialog.getByRole("button", { name: "Next file" }).click();
  await dialog.getByText("more.jsonl.gz").waitFor();
  await dialog.getByRole("button", { name: "Import" }).click();
  await dialog.getByText("2 items written; done").waitFor();
  await dialog.getByRole("button", { name: "Close", exact: true }).last().click();
  await page.getByText("1,001 rows").or(page.getByText("of about 1,001")).waitFor();
  assert.equal((await server.call("Scan", { TableName: "notes", Select: "COUNT" })).Count, 1001);
  assert.deepEqual((await server.call("GetItem", { TableName: "notes", Key: { id: { S: "n0" } } })).Item.at, { S: "replaced" });
});

scenario("a file that misses the table does not take the place of the console", { prepare: (server) => server.table("notes", [["id", "S"]]) }, async ({ page, server, open }) => {
  const path = join(server.folder, "page.html");
  writeFileSync(path, "<h1>not the console</h1>");
  await open("/tables/notes?tab=overview");
  await (await drag(page, [path], page.getByRole("navigation", { name: "Pages" }))).drop();
  await page.getByRole("heading", { name: "notes" }).waitFor();
  assert.match(page.url(), /#\/tables\/notes/);
  assert.equal(await page.getByRole("dialog").count(), 0);
});

scenario("an import that is stopped says how far it came", { prepare: (server) => server.table("notes", [["id", "N"]]) }, async ({ page, server, open }) => {
  await open("/tables/notes");
  const file = join(server.folder, "many.jsonl");
  writeFileSync(file, Array.from({ length: 5000 }, (_, id) => `{"id": ${id}}`).join("\n"));
  // The server takes its time from the third batch on.
  let batches = 0;
  await page.route("**/", (route) => (route.request().headers()["x-amz-target"]?.endsWith("BatchWriteItem") && ++batches > 2 ? undefined : route.continue()));
  await page.getByLabel("File to import").setInputFiles(file);
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Import" }).click();
  await dialog.getByText(/^50 items written/).waitFor();
  await dialog.getByRole("progressbar", { name: "Progress of the import" }).waitFor();
  await dialog.getByRole("button", { name: "Stop" }).click();
  await dialog.getByText("50 items written; stopped").waitFor();
  assert.equal(await dialog.getByRole("alert").count(), 0);
});

scenario("a table that does not exist, and a page that does not, say so", { expects: /400/ }, async ({ page, open }) => {
  await open("/tables/nothing");
  await page.getByText("There is no table nothing").waitFor();
  await check(page);
  await page.goto(page.url().replace(/#.*/, "#/nonsense"));
  await page.getByText('There is no page "nonsense"').waitFor();
});
