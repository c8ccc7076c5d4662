import { assert, check, scenario, shot } from "./harness.mjs";
import { fillWithDemo } from "./demo.mjs";

scenario("shards are drawn by their heat, bumps on a line, and a page by the shards it asks", { prepare: fillWithDemo }, async ({ page, open }) => {
  await open("/entities");
  await page.getByRole("img", { name: /1 shard since the beginning; 16 shards since 2024-01-01; 256 shards since 2025-01-01, in force now/ }).waitFor();
  await page.getByRole("figure", { name: "Heat of the shards" }).getByText("183 items read").waitFor();
  const block = page.getByRole("img", { name: "16 shards since 2024-01-01", exact: true });
  await block.focus();
  await page.keyboard.press("Home");
  await page.getByText(/^user!0: \d+ items/).waitFor();
  await check(page);
  await shot(page, "entities", { dark: true });

  const fan = page.getByRole("figure", { name: "Fan-out of a page" });
  await fan.getByRole("spinbutton", { name: "Limit" }).fill("1000");
  await fan.getByRole("button", { name: "Ask for a page" }).click();
  await fan.getByText(/^\d+ items from 273 requests$/).waitFor({ state: "attached" });
  await fan.getByRole("button", { name: "Next page" }).click();
  await fan.getByText("the last").or(fan.getByRole("button", { name: "Next page" })).waitFor();
  await fan.scrollIntoViewIfNeeded();
  await check(page);
  await shot(page, "entities-fan-out", { dark: true });
  await fan.getByText("As a table").click();
  await fan.getByRole("cell", { name: "user!", exact: true }).waitFor();

  // A window after the last bump needs only its shards.
  await fan.getByLabel("Made since").fill("2025-02-01T00:00");
  await fan.getByText("0 asked").waitFor();
  assert.equal(await fan.locator("rect.shard").count(), 256);
});

scenario("the heat by uses is that of the keys that are read and written, as it happens", { prepare: fillWithDemo, expects: /400/ }, async ({ page, server, open }) => {
  await open("/entities/app?entity=user");
  const heat = page.getByRole("figure", { name: "Heat of the shards" });
  await heat.getByRole("combobox", { name: "Heat by" }).selectOption("uses");
  await heat.getByText("Uses are counted while Contributor Insights are enabled").waitFor();
  await check(page);
  await heat.getByRole("button", { name: "Enable them" }).click();
  await heat.getByText("Uses are counted while").waitFor({ state: "detached" });
  assert.equal((await server.call("DescribeContributorInsights", { TableName: "app" })).ContributorInsightsStatus, "ENABLED");

  // Nobody has used a key yet; what is used from now on warms its shard.
  assert.equal(await heat.locator("rect.heat5").count(), 0);
  const { Table } = await server.call("DescribeTable", { TableName: "app" });
  const [hashKey, rangeKey] = Table.KeySchema.map(({ AttributeName }) => AttributeName);
  const use = async (hash, times) => {
    for (let turn = 0; turn < times; ++turn) await server.call("GetItem", { TableName: "app", Key: { [hashKey]: { S: hash }, [rangeKey]: { S: "nobody" } } });
  };
  await use("user!3", 10);
  await use("user!9", 2);
  const block = heat.getByRole("img", { name: "16 shards since 2024-01-01", exact: true });
  await block.locator("rect.heat5").waitFor();
  await heat.getByText("12 uses · 14 empty · fullest has 13.3 × the mean").waitFor();
  assert.deepEqual([await block.locator("rect.heat5").count(), await block.locator("rect.heat1").count()], [1, 1]);
  await block.focus();
  await page.keyboard.press("Home");
  for (let step = 0; step < 3; ++step) await page.keyboard.press("ArrowRight");
  await heat.getByText("user!3: 10 uses").waitFor();
  await check(page);
  await shot(page, "entities-uses", { dark: true });
  await heat.getByText("As a table").click();
  await heat.getByRole("row", { name: "user!3 10" }).waitFor();
  await use("user!3", 1);
  await heat.getByRole("row", { name: "user!3 11" }).waitFor();
});

scenario("uses that cannot be told are an error, not a question", { prepare: fillWithDemo, expects: /500/ }, async ({ page, open }) => {
  await page.route("**/", async (route) => {
    if (route.request().headers()["x-amz-target"]?.endsWith("DescribeTopKeys")) await route.fulfill({ status: 500, body: '{"__type":"x#InternalServerError","message":"the disk is gone"}' });
    else await route.continue();
  });
  await open("/entities/app?entity=user");
  const heat = page.getByRole("figure", { name: "Heat of the shards" });
  await heat.getByRole("combobox", { name: "Heat by" }).selectOption("uses");
  await heat.getByRole("alert").getByText("the disk is gone").waitFor();
  assert.equal(await heat.getByRole("button", { name: "Enable them" }).count(), 0);
});

scenario("a fan-out is drawn while its shards answer, and can be stopped", { prepare: fillWithDemo, expects: /ERR_/ }, async ({ page, open }) => {
  // The third shard that is asked keeps its answer.
  let asked = 0;
  await page.route("**/", (route) => (route.request().headers()["x-amz-target"]?.endsWith(".Query") && ++asked === 3 ? undefined : route.continue()));
  await open("/entities/app?entity=user");
  const fan = page.getByRole("figure", { name: "Fan-out of a page" });
  await fan.getByRole("spinbutton", { name: "Limit" }).fill("100000");
  await fan.getByRole("spinbutton", { name: "At a time" }).fill("2");
  await fan.getByRole("button", { name: "Ask for a page" }).click();
  // The other one of the two goes on with those that follow; the cell of the third says that it waits.
  await fan.locator("rect.shard").nth(12).and(fan.locator(".lane-ended, .lane-answered")).waitFor();
  await fan.locator("rect.shard").nth(2).and(fan.locator(".lane-asking")).waitFor();
  await fan.getByRole("button", { name: "Stop" }).waitFor();
  await check(page);
  await fan.getByRole("button", { name: "Stop" }).click();
  await fan.getByRole("button", { name: "Ask for a page" }).waitFor();
  assert.equal(await fan.getByRole("alert").count(), 0, "whoever stops it has no error to read");
});

scenario("the pages of a fan-out go on where the shards stand", { prepare: fillWithDemo, viewport: { width: 380, height: 800 } }, async ({ page, open }) => {
  await open("/entities/app?entity=user");
  const fan = page.getByRole("figure", { name: "Fan-out of a page" });
  await fan.getByRole("spinbutton", { name: "Limit" }).fill("10");
  await fan.getByRole("spinbutton", { name: "At a time" }).fill("1");
  await fan.getByRole("button", { name: "Ask for a page" }).click();
  await fan.getByRole("button", { name: "Next page" }).click();
  await fan.getByRole("status").getByText(/items from/).waitFor({ state: "attached" });
  await check(page);
});

scenario("a store without entities says what they are; a table without them says so", { prepare: (server) => server.table("plain"), expects: /400/ }, async ({ page, open }) => {
  await open("/entities");
  await page.getByText("No table has entities").waitFor();
  await open("/entities/plain");
  await page.getByRole("alert").getByText("DescribeEntities").waitFor();
  await check(page);
});
