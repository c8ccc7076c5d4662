import { execFileSync } from "node:child_process";
import { dirname, join } from "node:path";
import { assert, check, scenario, shot } from "./harness.mjs";
import { fillWithDemo } from "./demo.mjs";
import { binary, Server } from "./server.mjs";

scenario("a backup is made, verified and restored", { prepare: fillWithDemo, expects: /400/ }, async ({ page, server, open }) => {
  await open("/backups/notes");
  await page.getByText("No backups of this table").waitFor();
  await page.getByRole("button", { name: "Make a backup" }).click();
  const name = page.getByRole("textbox", { name: "Name of the backup" });
  await name.fill("a b");
  await page.getByText("3 to 255 of a-z").waitFor();
  await name.fill("nightly");
  await page.getByRole("button", { name: "Make it" }).click();
  const row = page.getByRole("region", { name: "Backups of the table" }).getByRole("row", { name: /^nightly/ });
  await row.getByRole("button", { name: "Verify" }).click();
  await row.getByText("whole: 4 items came back").waitFor();
  await server.call("DeleteItem", { TableName: "notes", Key: { topic: { S: "dolmen" }, written: { N: "1" } } });
  await row.getByRole("button", { name: "Restore …" }).click();
  await page.getByRole("textbox", { name: "Name of the new table" }).fill("notes");
  await page.getByText("there is such a table already").waitFor();
  await page.getByRole("textbox", { name: "Name of the new table" }).fill("notes-again");
  await check(page);
  await page.getByRole("dialog").getByRole("button", { name: "Restore" }).click();
  await page.getByText("notes-again is restored, with 4 items.").waitFor();
  const { TableNames } = await server.call("ListTables", {});
  assert.deepEqual(TableNames.filter((each) => each.startsWith("console-verify")), [], "what verifying made is gone");
  await check(page);
});

scenario("a table keeps its history, and goes back to a moment on the line", { prepare: fillWithDemo, expects: /400/ }, async ({ page, server, open }) => {
  await open("/backups/notes");
  await page.getByRole("button", { name: "Keep the history" }).click();
  const slider = page.getByRole("slider", { name: "Moment to go back to" });
  await slider.waitFor();
  await server.call("CreateBackup", { TableName: "notes", BackupName: "before-the-change" });
  await server.call("DeleteItem", { TableName: "notes", Key: { topic: { S: "dolmen" }, written: { N: "1" } } });
  await page.getByRole("region", { name: "Backups of the table" }).getByText("before-the-change").waitFor();
  await slider.focus();
  await page.keyboard.press("Home");
  await check(page);
  await shot(page, "backups", { dark: true });
  await page.getByRole("button", { name: "Restore to this moment …" }).click();
  await page.getByRole("textbox", { name: "Name of the new table" }).fill("notes-then");
  await page.getByRole("dialog").getByRole("button", { name: "Restore" }).click();
  await page.getByText("notes-then is restored, with 4 items.").waitFor();
  const { Count } = await server.call("Scan", { TableName: "notes" });
  assert.equal(Count, 3);
});

scenario("a server without a folder for backups says how to have one", { prepare: (server) => server.table("plain"), expects: /400/, viewport: { width: 380, height: 800 } }, async ({ page, open }) => {
  await open("/backups");
  await page.getByText("Start it with --backups DIR").waitFor();
  assert.equal(await page.getByRole("button", { name: "Back up now" }).count(), 0);
  await check(page);
});

scenario("the whole store is backed up, verified, and restored by the commands on the page", { prepare: (server) => server.table("plain"), flags: ["--backups", "backups"], expects: /400/ }, async ({ page, server, open }) => {
  await open("/backups");
  await page.getByRole("button", { name: "Back up now" }).click();
  await page.getByText(/^Backup 1: \d+ files/).waitFor();
  const row = page.getByRole("region", { name: "Store backups" }).getByRole("row", { name: /^1 / });
  await row.getByRole("button", { name: "Verify" }).click();
  await row.getByText("whole").waitFor();
  await check(page);

  // The page says what to type; the program does it.
  await row.getByRole("button", { name: "Restore …" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Folder or bucket of the backups").fill(join(server.folder, "backups"));
  const restored = join(server.folder, "it's restored");
  await dialog.getByLabel("Directory to make").fill(restored);
  await check(page);
  await shot(page, "backups-store", { dark: true });
  const [restore, serve] = (await dialog.getByRole("region", { name: "Commands that restore the store" }).innerText()).trim().split(/(?<!\\)\n/);
  execFileSync("/bin/sh", ["-c", restore], { env: { ...process.env, PATH: `${dirname(binary)}:${process.env.PATH}` }, stdio: "pipe" });
  assert.equal(serve, `dolmen serve --data '${restored.replace("'", "'\\''")}'`);
  const other = new Server({ data: restored });
  await other.start();
  assert.deepEqual((await other.call("ListTables", {})).TableNames, ["plain"]);
  await other.close();
});
