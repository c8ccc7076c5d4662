import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { assert, check, drag, scenario, shot } from "./harness.mjs";
import { fillWithDemo } from "./demo.mjs";

const dms = `dms_version: "0.1"
namespace: "shop"
models:
  - name: "Customer"
    table: { name: "orders" }
    keys: { partition: { attribute: "pk", type: "S" }, sort: { attribute: "sk", type: "S" } }
    attributes:
      - { attribute: "pk", type: "S", required: true, roles: ["pk"] }
      - { attribute: "sk", type: "S", required: true, roles: ["sk"] }
      - { attribute: "name", type: "S", required: true }
      - { attribute: "since", type: "S", format: "rfc3339nano" }
  - name: "Order"
    table: { name: "orders" }
    keys: { partition: { attribute: "pk", type: "S" }, sort: { attribute: "sk", type: "S" } }
    attributes:
      - { attribute: "pk", type: "S", required: true, roles: ["pk"] }
      - { attribute: "sk", type: "S", required: true, roles: ["sk"] }
      - { attribute: "total", type: "N", required: true }
`;
const file = { name: "shop.yml", mimeType: "text/yaml", buffer: Buffer.from(dms) };

async function fill(server) {
  await fillWithDemo(server);
  await server.table("orders", [["pk", "S"], ["sk", "S"]]);
  for (let n = 1; n <= 4; ++n) {
    await server.put("orders", { pk: { S: `CUSTOMER#${n}` }, sk: { S: "PROFILE" }, name: { S: ["Ada", "Grace", "<b>Bob</b>", "Eve"][n - 1] } });
    for (let m = 1; m <= n; ++m) await server.put("orders", { pk: { S: `CUSTOMER#${n}` }, sk: { S: `ORDER#${m}` }, total: { N: String(n * m) } });
  }
  await server.put("orders", { pk: { S: "CUSTOMER#5" }, sk: { S: "PROFILE" }, name: { N: "5" }, since: { S: "yesterday" } }, { pk: { S: "CUSTOMER#5" }, sk: { S: "ORDER#1" }, color: { S: "red" } });
}

const bind = (server, mode) => server.call("BindContract", { table: "orders", version: "v1", mode, accept_violations: true, models: [{ file: "shop.yml", text: dms }], kinds: [{ model: "Customer", sort_prefix: "PROFILE" }, { model: "Order", sort_prefix: "ORDER#" }] }, "dolmen");

scenario("a bound table is seen through its models: facets, relationships, drift", { prepare: async (server) => { await fill(server); await bind(server, "warn"); } , expects: /UnknownOperation|400/ }, async ({ page, open }) => {
  await open("/models/orders");
  await page.getByText("Bound to contract v1").waitFor();
  const facets = page.getByRole("group", { name: "Facets" });
  await facets.getByRole("button", { name: "Customer 5" }).waitFor();
  await facets.getByRole("button", { name: "Order 11" }).waitFor();
  await check(page);
  await shot(page, "models", { dark: true });
  await facets.getByRole("button", { name: "breaks its model 2" }).click();
  const grid = page.getByRole("grid", { name: "Items by kind" });
  await grid.getByText("type: 5").waitFor();
  await grid.focus();
  await page.keyboard.press("Enter");
  await page.getByRole("dialog").getByText("expected S, found N").or(page.getByRole("dialog").getByText("expected N, found nothing")).waitFor();
  await check(page);
  await page.keyboard.press("Escape");

  await page.getByRole("tab", { name: "Relationships" }).click();
  await page.getByRole("img", { name: /Customer and Order share 5 partitions/ }).waitFor();
  await check(page);
  await shot(page, "models-relationships", { dark: true });

  await page.getByRole("tab", { name: "Drift" }).click();
  await page.getByRole("button", { name: "Check all items" }).click();
  await page.getByText(/^done, by the/).waitFor();
  const broken = page.getByRole("region", { name: "Rules that are broken" });
  await broken.getByRole("row", { name: /Customer name type 1/ }).waitFor();
  await broken.getByRole("row", { name: /Order total required 1/ }).waitFor();
  await page.getByRole("button", { name: "Ask the server" }).click();
  await page.getByText("The server has checked 16 items: 2 break the contract.").waitFor();
  await check(page);
  await shot(page, "models-drift");
});

scenario("a file is opened, and kinds are told apart by what fits", { prepare: fill, viewport: { width: 380, height: 800 }, expects: /400/ }, async ({ page, open }) => {
  await open("/models/orders");
  await page.getByText("orders is not bound to models").waitFor();
  await page.getByLabel("DMS files").setInputFiles(file);
  await page.getByRole("group", { name: "Facets" }).getByRole("button", { name: "Order 11" }).waitFor();
  await page.getByText("How kinds are told apart").click();
  assert.equal(await page.getByRole("textbox", { name: "Order: sk begins with" }).inputValue(), "ORDER#");
  await page.getByRole("textbox", { name: "Order: sk begins with" }).fill("NOTHING#");
  await page.getByRole("group", { name: "Facets" }).getByRole("button", { name: "no kind 11" }).waitFor();
  await check(page);
});

scenario("a DMS file that is dropped on the page is looked through", { prepare: fill, expects: /400/ }, async ({ page, server, open }) => {
  const path = join(server.folder, file.name);
  writeFileSync(path, file.buffer);
  await open("/models/orders");
  const place = page.getByText("orders is not bound to models");
  await place.waitFor();
  await (await drag(page, [path], place)).drop();
  await page.getByRole("group", { name: "Facets" }).getByRole("button", { name: "Order 11" }).waitFor();
});

scenario("a file that is no DMS file is explained, and one for another table says what differs", { prepare: fill, expects: /400/ }, async ({ page, open }) => {
  await open("/models/notes");
  await page.getByText("notes is not bound to models").waitFor();
  await page.getByLabel("DMS files").setInputFiles({ ...file, buffer: Buffer.from("models: [") });
  await page.getByRole("alert").getByText(/^shop\.yml:\d+:\d+: /).waitFor();
  await check(page);
  await page.getByLabel("DMS files").setInputFiles(file);
  await page.getByText("Customer: the partition key is topic, the model says pk").waitFor();
  await check(page);
});
