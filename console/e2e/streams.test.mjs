import { check, scenario, shot } from "./harness.mjs";
import { fillWithDemo } from "./demo.mjs";

scenario("the changes of a table come in live, with the item before and after", { prepare: fillWithDemo }, async ({ page, server, open }) => {
  await open("/streams/notes");
  await page.getByRole("list", { name: "Changes, newest first" }).waitFor();
  await server.call("UpdateItem", { TableName: "notes", Key: { topic: { S: "dolmen" }, written: { N: "2" } }, UpdateExpression: "SET #t = :t REMOVE tags", ExpressionAttributeNames: { "#t": "text" }, ExpressionAttributeValues: { ":t": { S: "<b>set in stone</b>" } } });
  const newest = page.getByRole("list", { name: "Changes, newest first" }).getByRole("button").first();
  await newest.filter({ hasText: "tags, text" }).waitFor();
  await newest.click();
  const detail = page.getByRole("region", { name: "The chosen change" });
  await detail.getByRole("row", { name: /^text added/ }).getByText('"<b>set in stone</b>"').waitFor();
  await detail.getByRole("row", { name: /^tags removed/ }).waitFor();
  await check(page);
  await shot(page, "streams", { dark: true });

  await page.getByRole("combobox", { name: "Kind" }).selectOption("REMOVE");
  await page.getByText("No change fits the filter").waitFor();
  await server.call("DeleteItem", { TableName: "notes", Key: { topic: { S: "dolmen" }, written: { N: "2" } } });
  await page.getByRole("button", { name: /removed.*dolmen · 2/ }).waitFor();
});

scenario("a pause keeps changes back, and the keyboard alone suffices", { prepare: (server) => server.table("changes", [["id", "S"]], { request: { StreamSpecification: { StreamEnabled: true, StreamViewType: "KEYS_ONLY" } } }), viewport: { width: 380, height: 760 } }, async ({ page, server, open }) => {
  await open("/streams/changes?from=now");
  await page.getByText("Waiting for the next change").waitFor();
  await page.getByText("of 4 shards").waitFor();
  await server.put("changes", { id: { S: "one" } });
  const first = page.getByRole("button", { name: /one/ });
  await first.waitFor();
  await first.focus();
  await page.keyboard.press("Enter");
  await page.getByText("The stream has the view KEYS_ONLY").waitFor();
  await check(page);
  await page.getByRole("button", { name: "Pause" }).click();
  await server.put("changes", { id: { S: "two" } });
  await page.getByText("paused · 1 change of").waitFor();
  await page.getByRole("button", { name: "Go on" }).click();
  await page.getByRole("button", { name: /two/ }).waitFor();
});

scenario("a store without streams says so, and a table that is not there is an error", {}, async ({ page, open }) => {
  await open("/streams");
  await page.getByText("No table has a stream").waitFor();
  await open("/streams/nothing");
  await page.getByRole("alert").getByText("There is no table nothing.").waitFor();
  await check(page);
});
