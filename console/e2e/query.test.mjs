import { readFile } from "node:fs/promises";
import { assert, check, scenario, shot } from "./harness.mjs";

const tall = { width: 1280, height: 1300 };

async function library(server) {
  await server.table("books", [["shelf", "S"], ["place", "N"]], {
    attributes: [{ AttributeName: "author", AttributeType: "S" }],
    request: { GlobalSecondaryIndexes: [{ IndexName: "by-author", KeySchema: [{ AttributeName: "author", KeyType: "HASH" }, { AttributeName: "place", KeyType: "RANGE" }], Projection: { ProjectionType: "ALL" } }] },
  });
  for (let place = 1; place <= 60; ++place)
    await server.put("books", {
      shelf: { S: place % 2 === 0 ? "stones" : "tables" }, place: { N: String(place) }, author: { S: `author ${place % 6}` }, title: { S: `Book ${place}` },
      pages: { N: String(100 + place) }, meta: { M: { stars: { L: [{ N: String(place % 5) }] } } }, ...(place % 4 === 0 ? { lent: { BOOL: true } } : {}),
    });
}

const titles = async (page) => {
  await page.getByRole("grid").getByRole("row").nth(1).waitFor();
  return page.getByRole("gridcell").filter({ hasText: /^Book \d+$/ }).allTextContents();
};

scenario("a query with a filter in groups finds what it should, and says what it cost", { prepare: library, viewport: tall }, async ({ page, open }) => {
  await open("/query?table=books");
  await page.getByLabel("Value of shelf").fill("stones");
  await page.getByLabel("Condition on place").selectOption("between");
  await page.getByLabel("Value of place", { exact: true }).fill("10");
  await page.getByLabel("Upper value of place").fill("40");
  await page.getByRole("button", { name: "Condition", exact: true }).click();
  const first = page.getByRole("group", { name: "Condition on an attribute" });
  await first.getByLabel("Attribute", { exact: true }).fill("meta.stars[0]");
  const stars = page.getByRole("group", { name: "Condition on meta.stars[0]" });
  await stars.getByLabel("Operator").selectOption(">=");
  await stars.getByLabel("Type of Value 1 for meta.stars[0]").selectOption("N");
  await stars.getByLabel("Value 1 for meta.stars[0]", { exact: true }).fill("2");
  await page.getByRole("button", { name: "Group", exact: true }).first().click();
  const group = page.getByRole("group", { name: "Group of conditions" });
  await group.getByLabel("Attribute", { exact: true }).fill("lent");
  await group.getByLabel("Operator").selectOption({ label: "exists" });
  await group.getByRole("button", { name: "Condition", exact: true }).click();
  await group.getByLabel("Attribute", { exact: true }).nth(1).fill("pages");
  await group.getByLabel("Operator").nth(1).selectOption("in");
  await group.getByLabel("Type of Value 1 for pages").selectOption("N");
  await group.getByLabel("Value 1 for pages", { exact: true }).fill("114");
  await page.getByLabel("Order").selectOption({ label: "descending" });
  await page.keyboard.press("Control+Enter");
  // Even places from 10 to 40 with at least 2 stars, that are lent or have 114 pages.
  const expected = [];
  for (let place = 40; place >= 10; place -= 2) if (place % 5 >= 2 && (place % 4 === 0 || place === 14)) expected.push(`Book ${place}`);
  assert.deepEqual(await titles(page), expected);
  await page.getByText("16 items").first().waitFor();
  await page.getByText(`${expected.length} items`).first().waitFor();
  await check(page);
  await shot(page, "query", { dark: true, height: 1040 });
});

scenario("the request is shown in every language", { prepare: library, viewport: tall }, async ({ page, server, open }) => {
  await open("/query?table=books&index=by-author");
  await page.getByLabel("Value of author").fill("author 3");
  await page.getByRole("button", { name: "Run" }).click();
  assert.equal((await titles(page)).length, 10);
  for (const [tab, text] of [["AWS CLI", "aws dynamodb query"], ["boto3", "get_paginator(\"query\")"], ["JavaScript", "paginateQuery"], ["C++", "db::key(\"author\") == \"author 3\""], ["PartiQL", 'FROM "books"."by-author"']]) {
    await page.getByRole("tab", { name: tab }).click();
    await page.getByRole("region", { name: `The request as ${tab}` }).getByText(text).waitFor();
  }
  // The statement finds the same.
  const statement = await page.getByRole("region", { name: "The request as PartiQL" }).innerText();
  assert.equal((await server.call("ExecuteStatement", { Statement: statement })).Items.length, 10);
  await page.getByRole("tab", { name: "PartiQL" }).press("ArrowLeft");
  await page.getByRole("tab", { name: "C++", selected: true }).waitFor();
});

scenario("a query is saved as a file and opened again", { prepare: library, viewport: tall }, async ({ page, open }) => {
  await open("/query?table=books");
  await page.getByLabel("Value of shelf").fill("tables");
  await page.getByLabel("Attributes").fill("title, meta.stars[0]");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByLabel("Name", { exact: true }).fill("Books on tables");
  await check(page);
  const waiting = page.waitForEvent("download");
  await page.getByRole("button", { name: "Save the file" }).click();
  const download = await waiting;
  assert.equal(download.suggestedFilename(), "Books-on-tables.query.json");
  const file = await download.path();
  assert.match(await readFile(file, "utf8"), /"name": "Books on tables",\n {2}"table": "books",/);
  await open("/query");
  await page.getByLabel("File of a saved query").setInputFiles(file);
  await page.getByRole("button", { name: "Run" }).click();
  assert.equal((await titles(page)).length > 10, true);
  assert.equal(await page.getByLabel("Value of shelf").inputValue(), "tables");
});

scenario("what is missing is said, and a query of nothing is no error", { prepare: library, expects: /400/ }, async ({ page, open }) => {
  await open("/query?table=books");
  await page.getByText("a value for shelf is missing").first().waitFor();
  assert.equal(await page.getByRole("button", { name: "Run" }).isDisabled(), true);
  await page.getByLabel("Value of shelf").fill("none");
  await page.getByRole("button", { name: "Run" }).click();
  await page.getByText("Nothing matches").waitFor();
  await page.getByRole("button", { name: "Condition", exact: true }).click();
  await page.getByLabel("Attribute", { exact: true }).fill("shelf");
  await page.getByRole("button", { name: "Run" }).click();
  // A filter on the key of the table is refused by the server.
  await page.getByRole("alert").getByText("Query:").waitFor();
  await check(page);
});

// When a person replaces coloured text, Chromium itself tries to keep its style for the new text, and the policy refuses that.
const editing = /Applying inline style/;

scenario("statements run, complete what one types, and say what they cost", { prepare: library, viewport: tall, expects: editing }, async ({ page, server, open }) => {
  await open("/partiql");
  const editor = page.getByRole("textbox", { name: "Statement" });
  await editor.click();
  await page.keyboard.press("Control+End");
  await page.keyboard.type("bo");
  await page.getByRole("option", { name: "books" }).waitFor();
  await shot(page, "partiql-completion");
  await page.getByRole("option", { name: "books" }).click();
  await page.keyboard.type(" WHERE sh");
  await page.getByRole("option", { name: "shelf" }).click();
  await page.keyboard.type(" = ? AND place < 10");
  await page.getByLabel("Parameters").fill('["stones"]');
  await editor.click();
  await page.keyboard.press("Control+Enter");
  assert.deepEqual(await titles(page), ["Book 2", "Book 4", "Book 6", "Book 8"]);
  await page.getByText("What it cost").waitFor();
  await check(page);
  await shot(page, "partiql", { dark: true, height: 760 });
  await editor.click();
  await page.getByLabel("Parameters").fill("");
  await editor.click();
  await page.keyboard.press("Control+a");
  await page.keyboard.type("UPDATE books SET title = 'New' WHERE shelf = 'stones' AND place = 2");
  await page.keyboard.press("Escape");
  await page.keyboard.press("Control+Enter");
  await page.getByText("Done; no rows came back").waitFor();
  assert.equal((await server.call("GetItem", { TableName: "books", Key: { shelf: { S: "stones" }, place: { N: "2" } } })).Item.title.S, "New");
});

scenario("a statement that is wrong is told in the server's words", { prepare: library, expects: /400|Applying inline style/ }, async ({ page, open }) => {
  await open("/partiql");
  await page.getByRole("textbox", { name: "Statement" }).click();
  await page.keyboard.press("Control+a");
  await page.keyboard.type("SELEKT *");
  await page.keyboard.press("Escape");
  await page.keyboard.press("Control+Enter");
  await page.getByRole("alert").getByText("ValidationException").waitFor();
  await page.getByLabel("Parameters").fill('{"a": 1}');
  await page.getByRole("button", { name: "Run" }).click();
  await page.getByText("the parameters are a list").waitFor();
});
