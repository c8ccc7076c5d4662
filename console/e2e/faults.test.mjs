import { assert, check, scenario, shot } from "./harness.mjs";
import { fillWithDemo } from "./demo.mjs";

scenario("an experiment meets the faults that are switched on, the same ones again", { prepare: fillWithDemo, expects: /4\d\d|5\d\d|ERR_/ }, async ({ page, open }) => {
  await open("/faults");
  await page.getByRole("checkbox", { name: "throttle" }).check();
  await page.getByRole("spinbutton", { name: "throttle: percent of requests" }).fill("30");
  await page.getByRole("checkbox", { name: "latency" }).check();
  await page.getByRole("spinbutton", { name: "latency: percent of requests" }).fill("20");
  await page.getByRole("spinbutton", { name: "latency: milliseconds" }).fill("30");
  await page.getByText("x-dolmen-fault: seed=42, throttle=0.3, latency=0.2, latency-ms=30").waitFor();
  const run = async () => {
    await page.getByRole("button", { name: "Run" }).click();
    await page.getByText("50 requests are done").waitFor({ state: "attached" });
    return page.getByRole("list", { name: "Results" }).allTextContents();
  };
  const first = await run();
  assert.match(first.join(" "), /ProvisionedThroughputExceededException/);
  assert.deepEqual(await run(), first, "the same seed and numbers meet the same faults");
  await check(page);
  await shot(page, "faults", { dark: true });

  await page.getByRole("button", { name: "Switch everything off" }).click();
  assert.deepEqual(await run(), ["50 ok"]);
});

scenario("a write that is cut does nothing to the table, and the console goes on", { prepare: fillWithDemo, expects: /ERR_|400/, viewport: { width: 380, height: 800 } }, async ({ page, server, open }) => {
  await open("/faults");
  const before = (await server.call("Scan", { TableName: "notes" })).Items;
  await page.getByRole("checkbox", { name: "cut-after" }).check();
  await page.getByRole("combobox", { name: "Table" }).selectOption("notes");
  await page.getByRole("combobox", { name: "Operation" }).selectOption({ label: "PutItem, on a condition that never holds" });
  await page.getByRole("spinbutton", { name: "Requests", exact: true }).fill("5");
  await page.getByRole("button", { name: "Run" }).click();
  await page.getByRole("list", { name: "Results" }).getByText("connection cut").waitFor();
  assert.deepEqual((await server.call("Scan", { TableName: "notes" })).Items, before);
  assert.equal(await page.getByText("The server does not answer").count(), 0);
  await check(page);
});

scenario("the console's own requests meet faults when they are asked to", { prepare: fillWithDemo, expects: /400/ }, async ({ page, open }) => {
  await open("/faults");
  await page.getByRole("checkbox", { name: "throttle" }).check();
  await page.getByRole("checkbox", { name: "Send it with the console's own requests" }).check();
  await page.getByText("meet these faults in this tab").waitFor();
  await page.getByRole("link", { name: "Models" }).click();
  await page.getByRole("alert").getByText("ProvisionedThroughputExceededException").first().waitFor();
  await page.getByRole("link", { name: "Fault lab" }).click();
  await page.getByRole("checkbox", { name: "Send it with the console's own requests" }).uncheck();
  await page.getByRole("link", { name: "Models" }).click();
  await page.getByText("Bound to contract").waitFor();
});

scenario("rules for all clients are switched on and off again", { prepare: (server) => server.table("plain"), expects: /400/ }, async ({ page, server, open }) => {
  await open("/faults");
  await page.getByText("No rules were set from here.").waitFor();
  await page.getByRole("checkbox", { name: "throttle" }).check();
  await page.getByRole("button", { name: "Switch them on for all clients" }).click();
  await page.getByText("The server has the rules.").waitFor();
  await assert.rejects(server.call("Scan", { TableName: "plain" }), /ProvisionedThroughputExceededException/);
  await page.getByText(/Since the start: throttle \d/).waitFor();
  await check(page);
  await page.getByRole("button", { name: "Remove the rules" }).click();
  await page.getByText("The server has no rules any more.").waitFor();
  assert.equal((await server.call("Scan", { TableName: "plain" })).Count, 0);
});
