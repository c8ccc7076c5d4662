import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after } from "node:test";
import { assert, check, scenario, shot } from "./harness.mjs";
import { run } from "./server.mjs";

const folder = mkdtempSync(join(tmpdir(), "dolmen-console-access-"));
const access = join(folder, "access.yaml");
const key = JSON.parse(await run(["access", "create", "--file", access, "--role", "admin", "--json"]));
const reader = JSON.parse(await run(["access", "create", "--file", access, "--role", "read-only", "--json"]));
after(() => rmSync(folder, { recursive: true }));

scenario("with --auth enforce the pages are public, and data needs a key", { flags: ["--auth", "enforce", "--access", access], expects: /400|403/ }, async ({ page, server, open }) => {
  await open("/tables");
  const dialog = page.getByRole("dialog", { name: "Sign in" });
  await dialog.waitFor();
  await check(page);
  await shot(page, "sign-in", { dark: true });
  await dialog.getByLabel("Access key id").fill(key.id);
  await dialog.getByLabel("Secret access key").fill("wrong");
  await dialog.getByRole("button", { name: "Sign in" }).click();
  await dialog.getByRole("alert").waitFor();
  await dialog.getByLabel("Secret access key").fill(key.secret);
  await page.keyboard.press("Enter");
  await dialog.waitFor({ state: "detached" });
  await page.getByText("There are no tables yet").waitFor();
  await page.getByRole("button", { name: "New table" }).click();
  await page.getByLabel("Name", { exact: true }).fill("signed");
  await page.getByLabel("Partition key", { exact: true }).fill("id");
  await page.getByRole("button", { name: "Create" }).click();
  await page.getByRole("heading", { name: "signed" }).waitFor();
  // The key outlives a reload of the tab, and only that.
  await page.reload();
  await page.getByRole("heading", { name: "signed" }).waitFor();
  assert.equal(await page.evaluate(() => Object.values(localStorage).some((text) => text.includes("secret"))), false);
  assert.equal(await page.evaluate(() => document.cookie), "");
  await page.getByRole("button", { name: key.id }).click();
  await page.getByRole("button", { name: "Forget the key" }).click();
  await dialog.waitFor();
  assert.equal(await page.evaluate(() => sessionStorage.getItem("dolmen.credentials")), null);
  await assert.rejects(server.call("ListTables", {}), /MissingAuthentication/);
});

scenario("a key that may only read sees the pages, and is told what it may not do", { flags: ["--auth", "enforce", "--access", access], expects: /400|403/, timeout: 180_000 }, async ({ page, server, open, origin }) => {
  const demo = join(folder, "demo");
  await run(["demo", "--to", demo, "--endpoint", server.url, "--json"], { env: { ...process.env, AWS_ACCESS_KEY_ID: key.id, AWS_SECRET_ACCESS_KEY: key.secret } });
  await open("/tables");
  const dialog = page.getByRole("dialog", { name: "Sign in" });
  await dialog.getByLabel("Access key id").fill(reader.id);
  await dialog.getByLabel("Secret access key").fill(reader.secret);
  await page.keyboard.press("Enter");
  await dialog.waitFor({ state: "detached" });
  await page.getByRole("link", { name: "notes" }).waitFor();
  for (const [id, what] of [["query", "Run"], ["models", "Bound to contract"], ["entities", "Heat of the shards"], ["documents", "Schema and indexes"], ["relations", "Company"], ["leases", "Holders over time"], ["vectors", "More like this"], ["streams", "Before and after"], ["backups", "Backups of the table"], ["metrics", "Storage"], ["faults", "Switches"]]) {
    await page.goto(`${origin}/console/#/${id}`);
    await page.getByRole("main").getByText(what).first().waitFor();
    assert.equal(await dialog.count(), 0, `${id} asks for another key`);
  }
  await page.goto(`${origin}/console/#/tables/notes`);
  await page.getByRole("row").filter({ has: page.getByRole("gridcell", { name: "dolmen" }) }).first().dblclick();
  const editor = page.getByRole("dialog", { name: "Item of notes" });
  await editor.getByLabel("Value of text").fill("rewritten");
  await editor.getByRole("button", { name: "Save" }).click();
  await editor.getByRole("alert").getByText("AccessDeniedException").waitFor();
  assert.equal(await editor.getByLabel("Value of text").inputValue(), "rewritten");
  await check(page);
});
