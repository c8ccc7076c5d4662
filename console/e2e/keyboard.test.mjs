import { readFileSync } from "node:fs";
import { join } from "node:path";
import { assert, scenario } from "./harness.mjs";
import { fillWithDemo } from "./demo.mjs";
import { root } from "./server.mjs";

const pages = [...readFileSync(join(root, "console/src/pages.ts"), "utf8").matchAll(/{ id: "([a-z]+)"/g)].map(([, id]) => id);
assert.ok(pages.length >= 13, "pages.ts lists the pages");

/** In the page: gives every control a number, and says which of them a person must be able to reach. */
function mark() {
  const controls = [...document.querySelectorAll("a[href], button, input, select, textarea, summary, [tabindex]")].filter((element) => {
    const isShown = element.checkVisibility({ visibilityProperty: true }) && element.getClientRects().length > 0;
    // One of a group is reached by Tab and the others from there by arrows; a file is chosen by the button beside its field.
    const byArrows = element.closest("[role=tablist], [role=tree], [role=grid]") !== null || element.type === "radio";
    return isShown && !element.disabled && element.id !== "main" && !byArrows && element.type !== "file";
  });
  controls.forEach((element, at) => { element.dataset.control = at; });
  return controls.map((element) => `${element.tagName.toLowerCase()} ${element.getAttribute("aria-label") ?? element.textContent?.slice(0, 40) ?? ""}`);
}

/** In the page: what has the focus, and whether that can be seen. */
function focused() {
  const element = document.activeElement;
  if (element === null || element === document.body) return undefined;
  const isMarked = (each) => {
    const style = getComputedStyle(each);
    return (style.outlineStyle !== "none" && parseFloat(style.outlineWidth) > 0) || style.boxShadow !== "none";
  };
  // The editor of statements draws its own frame, inside a shadow.
  const inside = element.shadowRoot?.activeElement;
  const seen = [element, element.parentElement, inside, inside?.closest(".cm-editor")].some((each) => each && isMarked(each));
  return { control: element.dataset.control, name: `${element.tagName.toLowerCase()} ${element.className} ${element.getAttribute("aria-label") ?? element.textContent?.slice(0, 40)}`, seen };
}

scenario("every control of every page is reached by Tab alone, and shows that it is", { prepare: fillWithDemo, expects: /400/, timeout: 400_000 }, async ({ page, open }) => {
  await page.addInitScript(`window.focusedControl = ${focused}`);
  for (const id of [...pages, "tables/shop", "tables/shop?tab=overview", "leases/cache?tab=pages", "documents/articles?id=a6", "models/shop?tab=drift"]) {
    await open(`/${id}`);
    await page.getByRole("main").locator(".panel, .grid, .numbers, .changes, .table").first().waitFor();
    const names = await page.evaluate(mark);
    const reached = new Set([0]);
    await page.locator("[data-control='0']").focus();
    const hidden = [];
    for (let step = 0; step < names.length * 2 + 30; ++step) {
      await page.keyboard.press("Tab");
      const now = await page.evaluate(() => window.focusedControl());
      if (now === undefined) break;
      // The editor of statements hears of its focus a little later.
      if (!now.seen && !(await page.waitForFunction(() => window.focusedControl()?.seen, undefined, { timeout: 2000 }).then(() => true, () => false))) hidden.push(now.name);
      if (now.control !== undefined) reached.add(Number(now.control));
    }
    // Live pages draw some controls anew; those that are gone cannot be reached.
    const left = await page.evaluate(() => [...document.querySelectorAll("[data-control]")].map((element) => Number(element.dataset.control)));
    assert.deepEqual(left.filter((at) => !reached.has(at)).map((at) => names[at]), [], `${id}: not reached by Tab`);
    assert.deepEqual(hidden, [], `${id}: the focus cannot be seen`);
  }
});
