import { assert, check, scenario, shot } from "./harness.mjs";
import { fillWithDemo } from "./demo.mjs";

const of = { schema_id: "articles", schema_version: "v1" };

async function fill(server) {
  await fillWithDemo(server);
  for (const [id, title, words] of [["b1", "<script>alert(1)</script>", 1200], ["b2", "Menhirs of Carnac", 9007199254740993n]])
    await server.call("InsertDocument", { ...of, text: `{"_id": "${id}", "title": ${JSON.stringify(title)}, "words": ${words}}` }, "dolmen");
}

scenario("a document is checked while one writes, and saved", { prepare: fill, expects: /400/ }, async ({ page, server, open }) => {
  await open("/documents/articles?version=v1");
  const list = page.getByRole("list", { name: "Documents" });
  await list.getByText("<script>alert(1)</script>").waitFor();
  await list.getByRole("button", { name: /^b2/ }).click();
  const editor = page.getByRole("textbox", { name: "Document" });
  await page.getByText("fits the schema").waitFor();
  assert.match(await editor.inputValue(), /9007199254740993/, "no digit is lost");
  await editor.fill('{\n  "_id": "b2",\n  "titel": "Menhirs",\n  "words": "many"\n}');
  await page.getByText("3 problems").waitFor();
  await page.getByRole("listitem").filter({ hasText: "line 4" }).getByText("type", { exact: true }).waitFor();
  assert.equal(await page.getByRole("button", { name: "Save" }).isDisabled(), true);
  await check(page);
  await shot(page, "documents", { dark: true });
  await editor.fill('{\n  "_id": "b2",\n  "title": "Menhirs",\n  "words": 7\n}');
  await page.getByText("fits the schema").waitFor();

  // Somebody else is faster: both are shown.
  await server.call("UpdateDocument", { ...of, document: { _id: "b2", title: "Theirs" } }, "dolmen");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("Somebody has changed the document").waitFor();
  await page.getByRole("region", { name: "stored now and yours side by side" }).getByText('"title": "Theirs"').waitFor();
  await check(page);
  await page.getByRole("button", { name: "Replace theirs" }).click();
  await page.getByText("Saved.").waitFor();
  const { document } = await server.call("GetDocument", { ...of, _id: "b2" }, "dolmen");
  assert.deepEqual(document, { _id: "b2", title: "Menhirs", words: 7 });

  await page.getByRole("textbox", { name: "Filter on indexed fields" }).fill('{"words": {"$gte": 1000}}');
  await page.getByRole("button", { name: "Filter" }).click();
  await page.getByText("3 documents", { exact: true }).waitFor();
  await page.getByRole("textbox", { name: "Filter on indexed fields" }).fill('{"title": "x"}');
  await page.keyboard.press("Enter");
  await page.getByRole("alert").getByText("QUERY_INVALID").waitFor();
});

scenario("a version is published with its differences, and versions stand side by side", { prepare: fill, expects: /400/ }, async ({ page, open }) => {
  await open("/documents/articles?version=v1");
  await page.getByRole("button", { name: "Publish a version" }).click();
  const dialog = page.getByRole("dialog");
  const editor = dialog.getByRole("textbox", { name: "Schema" });
  const text = await editor.inputValue();
  assert.match(text, /"schema_version": "v3"/);
  await editor.fill(text.replace('"words": {"type": "int", "required": false},', '"words": {"type": "int", "required": true},\n    "author": {"type": "string", "required": false},'));
  await dialog.getByRole("row", { name: /^author added/ }).getByText("fit as they are").waitFor();
  await dialog.getByRole("row", { name: /^words changed/ }).getByText("documents without it do not fit").waitFor();
  await check(page);
  await shot(page, "documents-publish", { dark: true });
  await dialog.getByRole("checkbox").check();
  await dialog.getByRole("button", { name: "Publish" }).click();
  await page.getByText("Published articles v3.").waitFor();
  await page.getByRole("tab", { name: "Versions (3)" }).click();
  await page.getByRole("region", { name: "v2 and v3 side by side" }).waitFor();
  await check(page);
  await shot(page, "documents-versions");
  await page.getByRole("tab", { name: "Schema and indexes" }).click();
  await page.getByRole("button", { name: "Add an index on author" }).click();
  await page.getByRole("row", { name: /^author/ }).getByText("ready").waitFor();

  // The same version again is refused, and a text that is no JSON is told of.
  await page.getByRole("button", { name: "Publish a version" }).click();
  await editor.fill(text);
  await dialog.getByRole("checkbox").check();
  await dialog.getByRole("button", { name: "Publish" }).click();
  await dialog.getByText("SCHEMA_IMMUTABLE").waitFor();
  await editor.fill("{");
  await dialog.getByText("line 1, column").waitFor();
});

scenario("a store without schemas begins with one", { expects: /400/, viewport: { width: 380, height: 800 } }, async ({ page, open }) => {
  await open("/documents");
  await page.getByText("No schema is published yet").waitFor();
  await page.getByRole("button", { name: "New schema" }).click();
  await page.getByRole("checkbox").check();
  await page.getByRole("button", { name: "Publish" }).click();
  await page.getByText(/^No documents in /).waitFor();
  await page.getByRole("button", { name: "New", exact: true }).click();
  await page.getByRole("textbox", { name: "Document" }).fill('{"_id": "one", "title": "First"}');
  await page.getByRole("button", { name: "Insert" }).click();
  await page.getByRole("list", { name: "Documents" }).getByText("one").waitFor();
  await check(page);
});
