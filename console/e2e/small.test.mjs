import { readFileSync } from "node:fs";
import { join } from "node:path";
import { assert, check, scenario, shot } from "./harness.mjs";
import { fillWithDemo } from "./demo.mjs";
import { root } from "./server.mjs";

// Every page of the navigation, as the console itself lists them, and what can be opened from them at once.
const pages = [...readFileSync(join(root, "console/src/pages.ts"), "utf8").matchAll(/{ id: "([a-z]+)", title: "([^"]+)"/g)].map(([, id, title]) => [id, title]);
assert.ok(pages.length >= 13, "pages.ts lists the pages");

for (const [size, viewport] of [["a small", { width: 360, height: 740 }], ["a middling", { width: 820, height: 1000 }]])
  scenario(`every page has its content on ${size} screen`, { prepare: fillWithDemo, viewport, expects: /400/, timeout: 300_000 }, async ({ page, open }) => {
    for (const [id, title] of [...pages, ["tables/shop", "shop"], ["tables/shop?tab=overview", "shop"], ["leases/cache?tab=pages", "Leases and pages"], ["documents/articles?tab=versions", "Documents"], ["models/shop?tab=picture", "Models"]]) {
      await open(`/${id}`);
      await page.getByRole("heading", { level: 1, name: title, exact: true }).waitFor();
      await page.getByRole("main").locator(".panel, .grid, .numbers, .changes, .table").first().waitFor();
      assert.equal(await page.getByRole("alert").count(), 0, id);
      await check(page);
      await shot(page, `${size.replace("a ", "")}-${id.replace(/[^a-z]+/g, "-")}`);
    }
  });
