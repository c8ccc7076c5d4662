// What the end-to-end tests share: a server, a browser, and checks that hold on every page.
//
//   import { scenario, check, shot } from "./harness.mjs";
//   scenario("makes a table", {}, async ({ page, server, open }) => {
//     await open("/tables");
//     await page.getByRole("button", { name: "New table" }).click();
//     ...
//     await check(page);                    // accessibility, in light and dark
//     await shot(page, "tables");           // build/console-screenshots/tables.png
//   });
//
// Each scenario has a server and a page of its own. It fails when a script fails, when the browser refuses something by
// the content security policy, and when an error is written to the browser's console, unless `expects` matches it.

import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { chromium } from "playwright-core";
import { serveDist } from "./dist_server.mjs";
import { root, Server } from "./server.mjs";

const axeSource = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const shots = join(root, "build/console-screenshots");
mkdirSync(shots, { recursive: true });

let browser;
let profile;

async function theBrowser() {
  if (browser !== undefined) return browser;
  profile = mkdtempSync(join(tmpdir(), "dolmen-chromium-"));
  browser = await chromium.launchPersistentContext(profile, {
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    headless: true,
    args: ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
      "--disable-component-update", "--disable-sync", "--disable-dev-shm-usage"],
    viewport: { width: 1280, height: 800 },
    acceptDownloads: true,
  });
  return browser;
}

after(async () => {
  await browser?.close();
  if (profile !== undefined) rmSync(profile, { recursive: true, force: true });
});

/**
 * Options: `flags` for the server, `prepare(server)` before the page opens, `expects` (a pattern of errors in the browser's
 * console that belong to the test), `viewport`, `colours` ("light" or "dark"), `timeout` in milliseconds, `server: false` for none.
 */
export function scenario(name, options, body) {
  test(name, { timeout: options.timeout ?? 120_000 }, async () => {
    const server = new Server({ flags: options.flags, data: options.data });
    const context = await theBrowser();
    const page = await context.newPage();
    page.setDefaultTimeout(options.patience ?? 15_000);
    const troubles = [];
    const seen = (text) => { if (!options.expects?.test(text)) troubles.push(text); };
    page.on("pageerror", (error) => seen(`${error.name}: ${error.message}`));
    page.on("console", (message) => { if (message.type() === "error") seen(`${message.text()} ${message.location().url}`); });
    let origin;
    try {
      await server.start();
      await options.prepare?.(server);
      origin = await serveDist(server);
      if (options.viewport) await page.setViewportSize(options.viewport);
      await page.emulateMedia({ colorScheme: options.colours ?? "light", reducedMotion: "reduce" });
      // A scenario must not see what another one has left behind.
      await page.goto(`${origin.url}/console/`);
      await page.evaluate(() => { sessionStorage.clear(); localStorage.clear(); });
      const open = async (path) => {
        await page.goto(`${origin.url}/console/#${path}`);
        await page.reload();
        await page.locator("main h1").first().waitFor();
      };
      await body({ page, server, open, origin: origin.url, context });
      assert.deepEqual(troubles, [], "the browser complained");
    } catch (error) {
      await page.screenshot({ path: join(shots, `failed-${name.replace(/[^a-z0-9]+/gi, "-")}.png`) }).catch(() => {});
      if (troubles.length > 0) error.message += `\nthe browser said: ${troubles.join("\n")}`;
      throw error;
    } finally {
      await page.close();
      await origin?.close();
      await server.close();
    }
  });
}

/** Fails on every violation that axe finds in the page as it stands, in light and in dark, and when it is wider than the window. */
export async function check(page) {
  const tooWide = await page.evaluate(() => [document.documentElement, document.querySelector("main")]
    .filter((element) => element !== null && element.scrollWidth > element.clientWidth).map(({ tagName, scrollWidth, clientWidth }) => `${tagName}: ${scrollWidth} > ${clientWidth}`));
  assert.deepEqual(tooWide, [], "the page is wider than the window");
  const before = await page.evaluate(() => document.documentElement.dataset.theme);
  for (const theme of ["light", "dark"]) {
    await page.evaluate((value) => { document.documentElement.dataset.theme = value; }, theme);
    if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(axeSource);
    const { violations } = await page.evaluate(() => window.axe.run(document, { resultTypes: ["violations"] }));
    const told = violations.map(({ id, help, nodes }) => `${theme}: ${id}: ${help}: ${nodes.slice(0, 3).map((node) => `${node.html.slice(0, 160)} [${node.any.concat(node.all).map((each) => each.message).join("; ").slice(0, 200)}]`).join(" | ")}`);
    assert.deepEqual(told, [], "axe found violations");
  }
  await page.evaluate((value) => { document.documentElement.dataset.theme = value; }, before);
}

/** Drags files over elements, one after the other, as the desktop does. They fall on the last one when `drop` is called. */
export async function drag(page, files, ...elements) {
  const protocol = await page.context().newCDPSession(page);
  let place;
  const tell = (type) => protocol.send("Input.dispatchDragEvent", { ...place, type, data: { items: [], files, dragOperationsMask: 1 } });
  const over = async (element) => {
    const { x, y, width, height } = await element.boundingBox();
    const isFirst = place === undefined;
    place = { x: x + width / 2, y: y + height / 2 };
    if (isFirst) await tell("dragEnter");
    await tell("dragOver");
  };
  for (const element of elements) await over(element);
  return { over, drop: () => tell("drop") };
}

/** Writes build/console-screenshots/NAME.png, and NAME-dark.png when `dark` is true. `height` is that of the window for it. */
export async function shot(page, name, { dark = false, height } = {}) {
  const size = page.viewportSize();
  if (height !== undefined) await page.setViewportSize({ width: size.width, height });
  await take(page, name, dark);
  if (height !== undefined) await page.setViewportSize(size);
}

async function take(page, name, dark) {
  await page.screenshot({ path: join(shots, `${name}.png`), animations: "disabled" });
  if (!dark) return;
  const before = await page.evaluate(() => document.documentElement.dataset.theme);
  await page.evaluate(() => { document.documentElement.dataset.theme = "dark"; });
  await page.screenshot({ path: join(shots, `${name}-dark.png`), animations: "disabled" });
  await page.evaluate((value) => { document.documentElement.dataset.theme = value; }, before);
}

export { assert };
