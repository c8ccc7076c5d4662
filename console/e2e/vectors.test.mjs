import { assert, check, scenario, shot } from "./harness.mjs";
import { fillWithDemo } from "./demo.mjs";

const kinds = { stone: [1, 0.1, 0, 0.2], water: [0, 1, 0.2, 0.1], wood: [0.1, 0, 1, 0.3] };

/** Three heaps of vectors; the numbers are the same in every run. */
async function fill(server) {
  await server.table("things", [["id", "S"]], {
    attributes: [{ AttributeName: "shop", AttributeType: "S" }, { AttributeName: "kind", AttributeType: "S" }],
    request: { VectorIndexes: [{ IndexName: "by_look", VectorAttribute: { AttributeName: "look" }, Dimensions: 4, DistanceFunction: "COSINE", Projection: { ProjectionType: "ALL" }, SearchSchema: [{ AttributeName: "shop", SearchSchemaElementType: "HASH" }, { AttributeName: "kind", SearchSchemaElementType: "INLINE_FILTER" }] }] },
  });
  let state = 7;
  const noise = () => (state = (state * 1103515245 + 12345) % 2147483648) / 2147483648 - 0.5;
  for (const [kind, middle] of Object.entries(kinds))
    for (let n = 0; n < 20; ++n)
      await server.put("things", { id: { S: `${kind}-${String(n).padStart(2, "0")}` }, shop: { S: "brest" }, kind: { S: kind }, look: { L: middle.map((each) => ({ N: (each + noise() * 0.5).toFixed(4) })) } });
}

scenario("a sample is drawn and walked, and more like an item is found", { prepare: fillWithDemo }, async ({ page, open }) => {
  await open("/vectors");
  const map = page.getByRole("application", { name: /Sample of the vectors/ });
  await map.waitFor();
  assert.equal(await map.locator("circle.point").count(), 120);
  const results = page.getByRole("region", { name: "Search results" });
  await results.getByText("itself").waitFor();
  assert.equal(await results.getByRole("row").count(), 11);
  await check(page);

  // By the keyboard: to another point, whose neighbours are of its kind.
  const before = new URL(page.url()).hash;
  await map.focus();
  for (const key of ["ArrowRight", "ArrowUp", "ArrowRight", "ArrowLeft", "ArrowDown", "ArrowDown"]) await page.keyboard.press(key);
  await page.waitForFunction((old) => location.hash !== old, before);
  const [{ S: chosen }] = JSON.parse(new URLSearchParams(new URL(page.url()).hash.split("?")[1]).get("near"));
  await results.getByRole("row", { name: `${chosen} itself` }).waitFor();
  const names = await results.getByRole("row").locator("td:first-child .mono").allTextContents();
  assert.equal(names[0], chosen);
  assert.ok(names.filter((name) => name.startsWith(chosen.split("-")[0])).length >= 6, names.join(" "));
  await shot(page, "vectors", { dark: true });

  await page.getByRole("checkbox", { name: /same kind/ }).check();
  await page.getByRole("button", { name: "Measure" }).click();
  await page.getByText("100 %").waitFor();
  await page.getByText("As a table").click();
  await page.getByRole("region", { name: "Sample in two dimensions as a table" }).getByRole("cell", { name: "menhir-00", exact: true }).waitFor();
  await check(page);
});

scenario("a vector can be written, and a wrong one is explained", { prepare: fill, viewport: { width: 380, height: 800 } }, async ({ page, open }) => {
  await open("/vectors/things");
  await page.getByText("Search by a vector").click();
  const field = page.getByRole("textbox", { name: "4 numbers" });
  await field.fill("[0, 1, 0]");
  await page.getByRole("button", { name: "Search" }).click();
  await page.getByText("the index has 4 dimensions, and these are 3 numbers").waitFor();
  await field.fill("[0, 1, 0.2, 0.1]");
  await page.getByRole("button", { name: "Search" }).click();
  await page.getByRole("heading", { name: "Nearest to the vector" }).waitFor();
  await page.getByRole("region", { name: "Search results" }).getByRole("button", { name: /^water-/ }).first().waitFor();
  await check(page);
  await shot(page, "vectors-small");
});

scenario("no index, no vectors, and a search that fails are told apart", { expects: /400/ }, async ({ page, server, open }) => {
  await open("/vectors");
  await page.getByText("No table has a vector index").waitFor();
  await fill(server);
  await page.route("**/", async (route) => {
    if (route.request().headers()["x-amz-target"]?.endsWith("SearchVectors")) await route.fulfill({ status: 400, body: '{"__type":"x#ThrottlingException","message":"too many searches"}' });
    else await route.continue();
  });
  await open("/vectors/things");
  await page.getByRole("alert").getByText("too many searches").waitFor();
  await check(page);
});
