// A store as `dolmen demo` fills it, for pages that show what it has.

import { mkdtempSync } from "node:fs";
import { join } from "node:path";
import { run } from "./server.mjs";

/** Fills the store of a server. The files of the demo go with the server's folder, which is returned. */
export async function fillWithDemo(server) {
  const folder = join(mkdtempSync(join(server.folder, "demo-")), "files");
  await run(["demo", "--to", folder, "--endpoint", server.url, "--json"]);
  return folder;
}
