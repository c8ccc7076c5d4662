import { assert, check, scenario, shot } from "./harness.mjs";
import { fillWithDemo } from "./demo.mjs";

const acme = "urn:pp:System.Account::acme";
const paint = "urn:pp:System.Account.Team::paint";

/** The demo's company, with jobs that have names of all sorts. */
async function fill(server) {
  await fillWithDemo(server);
  const create = (input) => server.call("CreateResource", { table: "system", ...input }, "dolmen");
  await create({ type: "System.Account.Job", id: "h1", parent: paint, attributes: { title: { S: "<img src=x onerror=alert(1)>" } } });
  await create({ type: "System.Account.Job", id: "h2", parent: paint, attributes: { title: { S: "مرحبا" } } });
}

scenario("a family opens as one looks, as a tree and as a graph", { prepare: fill }, async ({ page, open }) => {
  await open("/relations");
  const tree = page.getByRole("tree", { name: "Resources" });
  await tree.getByRole("treeitem", { name: /^Acme/ }).waitFor();
  assert.equal(await tree.getByRole("treeitem", { name: /Painters/ }).count(), 0, "children are not loaded before somebody looks");
  await tree.getByRole("treeitem", { name: /^Acme/ }).click();
  await page.keyboard.press("ArrowRight");
  await tree.getByRole("treeitem", { name: /Painters/ }).waitFor();
  await tree.getByRole("treeitem", { name: /Painters/ }).click();
  await page.keyboard.press("ArrowRight");
  await tree.getByRole("treeitem", { name: /Paint the fence/ }).waitFor();
  await tree.getByText("<img src=x onerror=alert(1)>").waitFor();
  const detail = page.getByRole("region", { name: "The chosen resource" });
  await detail.getByRole("button", { name: "urn:pp:System.User::ada" }).waitFor();
  await check(page);
  await shot(page, "relations", { dark: true });

  await page.getByRole("tab", { name: "Graph" }).click();
  const graph = page.getByRole("application", { name: /Graph of \d+ resources/ });
  await graph.waitFor();
  await graph.locator("path.member").waitFor({ state: "attached" });
  await graph.focus();
  await page.keyboard.press("ArrowLeft");
  await page.getByRole("heading", { name: "Acme" }).waitFor();
  await check(page);
  await shot(page, "relations-graph", { dark: true });
});

scenario("what a cascade would delete is shown before it does", { prepare: fill }, async ({ page, server, open }) => {
  await open(`/relations/system?urn=${encodeURIComponent(acme)}`);
  const tree = page.getByRole("tree", { name: "Resources" });
  await page.getByRole("button", { name: "What would a delete take?" }).click();
  await page.getByText("A cascade would take 7 resources").waitFor();
  await tree.getByRole("treeitem", { name: /^Acme.*would go/ }).waitFor();
  await shot(page, "relations-delete");
  await page.getByRole("button", { name: "Delete …" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByText("urn:pp:System.Account.Job::j1").waitFor();
  await check(page);
  assert.equal(await dialog.getByRole("button", { name: "Delete" }).isDisabled(), true);
  await dialog.getByRole("textbox").fill("acme");
  await dialog.getByRole("button", { name: "Delete" }).click();
  await page.getByText("Deleted 7 resources.").waitFor();
  await tree.getByRole("treeitem", { name: /^Company/ }).waitFor();
  assert.equal(await tree.getByRole("treeitem", { name: /Acme/ }).count(), 0);
  const left = await server.call("ListResources", { table: "system", type: "System.Account.Job" }, "dolmen");
  assert.deepEqual(left.resources, []);
});

scenario("a delete that is forbidden, and a URN that does not exist, say why", { prepare: fill, expects: /400/, viewport: { width: 380, height: 800 } }, async ({ page, open }) => {
  await open(`/relations/system?urn=${encodeURIComponent(paint)}`);
  await page.getByRole("button", { name: "What would a delete take?" }).click();
  await page.getByRole("combobox", { name: "What refers to it" }).selectOption("restrict");
  await page.getByRole("button", { name: "Delete …" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
  await page.getByRole("dialog").getByRole("alert").getByText("ResourceInUse").waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("textbox", { name: "Go to a URN" }).fill("urn:pp:System.User::nobody");
  await page.keyboard.press("Enter");
  await page.getByText("urn:pp:System.User::nobody", { exact: false }).last().waitFor();
  await check(page);
});
