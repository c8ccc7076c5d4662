import { assert, check, scenario, shot } from "./harness.mjs";
import { fillWithDemo } from "./demo.mjs";

const hash = "0123456789abcdef".repeat(4);

async function fill(server) {
  await fillWithDemo(server);
  const now = Math.floor(Date.now() / 1000);
  const page = (name, key, age, fresh, more = {}) => ({ pk: { S: key }, sk: { S: "META" }, page_name: { S: name }, s3_key: { S: `pages/${key}/one` }, generated_at: { N: String(now - age) }, revalidate_seconds: { N: String(fresh) }, ...more });
  await server.put("cache",
    page("/offers", `CACHE#${hash}`, 500, 60, { tags: { SS: ["shop"] }, current_sk: { S: "VER#v2" } }),
    { pk: { S: `CACHE#${hash}` }, sk: { S: "VER#v1" }, s3_key: { S: "pages/a" }, generated_at: { N: String(now - 4000) }, revalidate_seconds: { N: "60" } },
    { pk: { S: `CACHE#${hash}` }, sk: { S: "VER#v2" }, s3_key: { S: "pages/b" }, generated_at: { N: String(now - 500) }, revalidate_seconds: { N: "60" } },
    { pk: { S: `CACHE#${hash}` }, sk: { S: "REQ#r1" }, request_hash: { S: "x" }, status: { S: "FAILED" } },
    page("/<img src=x>", `CACHE#${hash.replace("0", "1")}`, 5, 6000),
    { pk: { S: "report" }, sk: { S: "LOCK" }, lease_token: { S: "4cbd7a4e-report" }, lease_expires_at: { N: String(now + 600) } },
    { pk: { S: "old" }, sk: { S: "LOCK" }, lease_token: { S: "dead" }, lease_expires_at: { N: String(now - 100) } });
}

scenario("who holds what, for how long, and a lease that is broken", { prepare: fill }, async ({ page, server, open }) => {
  await open("/leases");
  const leases = page.getByRole("region", { name: "Leases" });
  await leases.getByRole("row", { name: /^report held/ }).getByText("4cbd7a4e-report").waitFor();
  await leases.getByRole("row", { name: /^old free ended/ }).waitFor();
  const now = Math.floor(Date.now() / 1000);
  await server.put("cache", { pk: { S: "backup" }, sk: { S: "LOCK" }, lease_token: { S: "other" }, lease_expires_at: { N: String(now + 40) } });
  await leases.getByRole("row", { name: /^backup held/ }).waitFor();
  await page.getByRole("figure", { name: "Holders over time" }).waitFor();
  await check(page);
  await shot(page, "leases", { dark: true });

  await leases.getByRole("row", { name: /^report held/ }).getByRole("button", { name: "Break …" }).click();
  await check(page);
  await page.getByRole("dialog").getByRole("button", { name: "Break it" }).click();
  await page.getByText("The lease report is free.").waitFor();
  const { Item } = await server.call("GetItem", { TableName: "cache", Key: { pk: { S: "report" }, sk: { S: "LOCK" } } });
  assert.equal(Item, undefined);
  await page.getByRole("tab", { name: "History" }).click();
  await page.getByRole("region", { name: "History" }).getByRole("row", { name: /released report/ }).waitFor();
  await page.getByRole("region", { name: "History" }).getByRole("row", { name: /acquired backup/ }).waitFor();
  await check(page);
});

scenario("stale pages are found, and a fresh one is marked", { prepare: fill }, async ({ page, server, open }) => {
  await open("/leases/cache?tab=pages");
  const pages = page.getByRole("region", { name: "Pages" });
  await pages.getByRole("row", { name: /\/offers.*stale/ }).getByText("shop").waitFor();
  await pages.getByRole("row", { name: /<img src=x>.*fresh/ }).getByRole("button", { name: "Mark as stale …" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Mark it" }).click();
  await pages.getByRole("row", { name: /<img src=x>.*marked as stale/ }).waitFor();
  await check(page);
  await shot(page, "pages", { dark: true });
  await page.getByRole("combobox", { name: "Show" }).selectOption("fresh");
  await page.getByRole("row", { name: /offers/ }).waitFor({ state: "hidden" });
  const { Item } = await server.call("GetItem", { TableName: "cache", Key: { pk: { S: `CACHE#${hash.replace("0", "1")}` }, sk: { S: "META" } } });
  assert.equal(Item.revalidate_seconds.N, "0");
});

scenario("a lease that somebody else took meanwhile is not broken; no leases is said", { expects: /400/, viewport: { width: 380, height: 800 } }, async ({ page, server, open }) => {
  await open("/leases");
  await page.getByText("No table has leases or pages").waitFor();
  await fill(server);
  await open("/leases/cache");
  await page.getByRole("row", { name: /^report held/ }).getByRole("button", { name: "Break …" }).click();
  await server.put("cache", { pk: { S: "report" }, sk: { S: "LOCK" }, lease_token: { S: "faster" }, lease_expires_at: { N: String(Math.floor(Date.now() / 1000) + 60) } });
  await page.getByRole("dialog").getByRole("button", { name: "Break it" }).click();
  await page.getByRole("dialog").getByRole("alert").getByText("ConditionalCheckFailedException").waitFor();
  await check(page);
});
