import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { join } from "node:path";
import { assert, check, scenario, shot } from "./harness.mjs";
import { root, run } from "./server.mjs";

const cell = (page, text) => page.getByRole("gridcell", { name: text, exact: true });

const deep = (levels) => (levels === 0 ? { S: "the bottom" } : levels % 2 === 0 ? { M: { in: deep(levels - 1) } } : { L: [deep(levels - 1)] });

async function hostile(server) {
  await server.table("hostile", [["id", "S"]]);
  await server.put("hostile",
    { id: { S: "<img src=x onerror=alert(1)>" }, text: { S: "</script><script>window.broken = true</script>" }, "<b>name</b>": { S: "\"'&<>`${window.broken = 1}" } },
    { id: { S: "rtl" }, text: { S: "\u202Eevil\u202C \u0634\u0644\u0627\u0645 \u05E9\u05DC\u05D5\u05DD" }, "\u05E9\u05DD": { S: "name" } },
    { id: { S: "control" }, text: { S: "line one\nline two\ttab\u0000nul\u0007bell \u{1F5FF} e\u0301 \u200Bzero" } },
    { id: { S: "huge" }, text: { S: "x".repeat(390_000) } },
    { id: { S: "deep" }, text: deep(30) },
    { id: { S: "proto" }, __proto__x: { S: "p" }, constructor: { S: "c" }, toString: { S: "t" } },
    { id: { S: "wide" }, ...Object.fromEntries(Array.from({ length: 600 }, (_, at) => [`attribute${at}`, { N: String(at) }])) },
    { id: { S: "number" }, text: { N: "-12345678901234567890123456789012345678e87" } });
  await server.call("PutItem", { TableName: "hostile", Item: JSON.parse('{"id": {"S": "own proto"}, "__proto__": {"M": {"polluted": {"BOOL": true}}}}') });
}

scenario("hostile data is shown as text and nothing else", { prepare: hostile, viewport: { width: 1280, height: 900 } }, async ({ page, server, open }) => {
  await open("/tables/hostile");
  await cell(page, "<img src=x onerror=alert(1)>").waitFor();
  await check(page);
  await page.getByRole("gridcell").filter({ hasText: "\\u202Eevil\\u202C \u0634" }).waitFor();
  await shot(page, "hostile");
  const widths = await page.evaluate(() => ["[role=columnheader]", ".cells [role=gridcell]"].map((cells) => [...document.querySelectorAll(cells)].slice(0, 20).map((cell) => cell.offsetWidth)));
  assert.deepEqual(widths[1], widths[0], "cells stand under the names of their columns");
  const openItem = async (id) => {
    await page.getByRole("row").filter({ has: cell(page, id) }).dblclick();
    return page.getByRole("dialog");
  };
  for (const id of ["<img src=x onerror=alert(1)>", "rtl", "control", "huge", "deep", "own proto", "number"]) {
    const dialog = await openItem(id);
    for (const tab of ["Plain JSON", "Typed JSON", "Tree", "Attributes"]) await dialog.getByRole("tab", { name: tab }).click();
    await dialog.getByRole("tab", { name: "Tree" }).click();
    await check(page);
    await page.keyboard.press("Escape");
  }
  assert.equal(await page.evaluate(() => "broken" in window || ({}).polluted !== undefined || document.querySelector("main img, main b") !== null), false);
  // The deepest value is saved as it was.
  const dialog = await openItem("deep");
  await dialog.getByRole("button", { name: "Attribute", exact: true }).click();
  await dialog.getByLabel("Name of attribute 3").fill("note");
  await dialog.getByLabel("Value of note").fill("<i>");
  await dialog.getByRole("button", { name: "Save" }).click();
  await page.getByText("Saved the item.").waitFor();
  const { Item } = await server.call("GetItem", { TableName: "hostile", Key: { id: { S: "deep" } } });
  assert.deepEqual(Item, { id: { S: "deep" }, text: deep(30), note: { S: "<i>" } });
});

async function million(server) {
  await server.table("million", [["id", "N"]]);
  const rows = Number(process.env.CONSOLE_ROWS ?? 1_000_000);
  // One file, imported by the command, is far faster than requests from here.
  const { createWriteStream } = await import("node:fs");
  const file = join(server.folder, "million.jsonl");
  const out = createWriteStream(file);
  for (let at = 0; at < rows; at += 10_000) {
    let lines = "";
    for (let id = at; id < at + 10_000; ++id) lines += `{"id": ${id}, "name": "row ${id}", "even": ${id % 2 === 0}}\n`;
    if (!out.write(lines)) await new Promise((resolve) => out.once("drain", resolve));
  }
  await new Promise((resolve) => out.end(resolve));
  await run(["import", "million", "--from", file, "--endpoint", server.url]);
  return rows;
}

scenario("a million rows scroll, with few elements and bounded memory", { timeout: 600_000, patience: 120_000 }, async ({ page, server, open }) => {
  const rows = await million(server);
  await open("/tables/million");
  const grid = page.getByRole("grid");
  await page.getByText(`of about ${rows.toLocaleString("en")}`).waitFor();
  await grid.focus();
  const began = Date.now();
  await page.keyboard.press("Control+End");
  await page.getByText(`${rows.toLocaleString("en")} rows`, { exact: true }).waitFor();
  const atEnd = async () => page.evaluate(() => [...document.querySelectorAll(".grid .cells")].map((row) => Number(row.getAttribute("aria-rowindex"))));
  assert.equal(Math.max(...(await atEnd())), rows + 1);
  console.log(`to the end of ${rows} rows: ${Date.now() - began} ms`);
  // Anywhere in between: rows are there, in their places, and not many elements exist.
  for (const share of [0.5, 0.123, 0.9, 0]) {
    await grid.evaluate((element, at) => { element.scrollTop = at * (element.scrollHeight - element.clientHeight); }, share);
    // Those of before stay until the browser has told of the scrolling.
    await page.waitForFunction(([place, tolerance]) => {
      const drawn = [...document.querySelectorAll(".grid .cells")];
      const first = Math.min(...drawn.map((row) => Number(row.getAttribute("aria-rowindex"))));
      return drawn.length > 10 && Math.abs(first - place) < tolerance && drawn.every((row) => row.querySelector(".waiting") === null);
    }, [share * rows, rows * 0.001 + 100]);
    const indexes = await atEnd();
    assert.ok(indexes.length < 100, `${indexes.length} rows exist`);
  }
  await grid.focus();
  await page.keyboard.press("Control+Home");
  await page.keyboard.press("PageDown");
  await check(page);
  await shot(page, "million");
});

scenario("a server that restarts in mid-use loses nothing that one has typed", { expects: /ERR_CONNECTION|ERR_EMPTY|Failed to load|ERR_INCOMPLETE|ERR_SOCKET/ }, async ({ page, server, open }) => {
  await server.table("notes", [["id", "S"]]);
  await server.put("notes", { id: { S: "a" }, text: { S: "before" } });
  await open("/tables/notes");
  await page.getByRole("row").filter({ has: cell(page, "before") }).dblclick();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Value of text").fill("after");
  await server.kill();
  await dialog.getByRole("button", { name: "Save" }).click();
  await dialog.getByRole("alert").getByText("The server does not answer").waitFor();
  await check(page);
  await shot(page, "offline");
  await server.start();
  await page.getByText("Trying again every second").waitFor({ state: "detached" });
  await dialog.getByRole("button", { name: "Save" }).click();
  await page.getByText("Saved the item.").waitFor();
  await cell(page, "after").waitFor();
});

scenario("a page that waits for a dead server loads by itself when it is back", { expects: /ERR_CONNECTION|ERR_EMPTY|Failed to load|ERR_INCOMPLETE|ERR_SOCKET/ }, async ({ page, server, open }) => {
  await server.table("notes", [["id", "S"]]);
  await open("/tables");
  await page.getByRole("link", { name: "notes" }).waitFor();
  await server.kill();
  await page.getByRole("button", { name: "Load again" }).click();
  await page.getByRole("alert").getByText("The server does not answer").waitFor();
  await server.start();
  await page.getByRole("alert").waitFor({ state: "detached" });
  await page.getByRole("link", { name: "notes" }).waitFor();
});

scenario("everything works on a small screen", { viewport: { width: 390, height: 780 } }, async ({ page, server, open }) => {
  await server.table("notes", [["id", "S"]]);
  await server.put("notes", { id: { S: "a" }, text: { S: "stone" } });
  await open("/tables");
  await page.getByRole("link", { name: "notes" }).waitFor();
  await check(page);
  await shot(page, "small-tables");
  await page.getByRole("button", { name: "Navigation" }).click();
  await page.getByRole("link", { name: "Query" }).waitFor();
  await check(page);
  await shot(page, "small-navigation");
  await page.getByRole("link", { name: "Query" }).click();
  await page.getByRole("heading", { name: "Query" }).waitFor();
  await page.getByLabel("Value of id").fill("a");
  await page.getByRole("button", { name: "Run" }).click();
  await cell(page, "stone").waitFor();
  await check(page);
  await page.getByRole("row").filter({ has: cell(page, "stone") }).dblclick();
  await page.getByRole("dialog").getByLabel("Value of text").waitFor();
  await check(page);
  await shot(page, "small-item");
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), true, "the page is wider than the screen");
});

scenario("the bundle is small and the first view comes soon", {}, async ({ page, open }) => {
  const pack = readFileSync(join(root, "build/console/console.pack"));
  assert.ok(pack.length <= 400 * 1024, `the console has ${pack.length} bytes compressed`);
  await open("/tables");
  await page.getByText("There are no tables yet").waitFor();
  const times = await page.evaluate(() => {
    const [entry] = performance.getEntriesByType("navigation");
    const paint = performance.getEntriesByName("first-contentful-paint")[0];
    return { loaded: Math.round(entry.loadEventEnd), paint: Math.round(paint?.startTime ?? -1), files: performance.getEntriesByType("resource").length };
  });
  console.log(`bundle ${pack.length} bytes compressed, gzip again ${gzipSync(pack).length}; first paint after ${times.paint} ms, loaded after ${times.loaded} ms, ${times.files} files`);
});
