import { assert, check, scenario, shot } from "./harness.mjs";
import { fillWithDemo } from "./demo.mjs";

scenario("requests, latency, syncs and storage are drawn as they happen", { prepare: fillWithDemo }, async ({ page, server, open }) => {
  await open("/metrics");
  const requests = page.getByRole("img", { name: /^Requests, per second/ });
  await requests.waitFor();
  for (let round = 0; round < 3; ++round) {
    for (let n = 0; n < 20; ++n) await server.call("GetItem", { TableName: "notes", Key: { topic: { S: "dolmen" }, written: { N: "1" } } });
    await server.put("notes", { topic: { S: "load" }, written: { N: String(round) } });
  }
  await page.getByRole("figure", { name: "Requests" }).getByRole("listitem").filter({ hasText: "GetItem" }).waitFor();
  await page.getByRole("combobox", { name: "Latency of" }).selectOption("GetItem");
  await page.getByRole("figure", { name: "Latency" }).getByText("of GetItem").waitFor();
  await requests.focus();
  await page.keyboard.press("Home");
  await page.getByRole("figure", { name: "Requests" }).getByText(/^\d\d:\d\d:\d\d$/).first().waitFor();
  await check(page);
  await shot(page, "metrics", { dark: true });
  await page.getByRole("button", { name: "Pause" }).click();
  await page.getByRole("button", { name: "Go on" }).waitFor();
});

scenario("a server that refuses /metrics is told of, and asked again", { expects: /403|Forbidden/, viewport: { width: 380, height: 760 } }, async ({ page, open }) => {
  await page.route("**/metrics", (route) => route.fulfill({ status: 403, body: '{"__type":"x#AccessDeniedException","message":"a key for all tables is needed"}' }));
  await open("/metrics");
  await page.getByRole("alert").getByText("a key for all tables is needed").waitFor();
  await check(page);
  await page.unroute("**/metrics");
  await page.getByRole("button", { name: "Try again" }).click();
  await page.getByRole("figure", { name: "Storage" }).waitFor();
  assert.equal(await page.getByRole("alert").count(), 0);
  await shot(page, "metrics-small");
});
