// With CONSOLE_FROM=dist the pages come from build/console/dist instead of from the server, so that a change needs only
// `npx vite build`, not a new server. Everything else goes to the server, as it would come from a page of its own.

import { createServer, request } from "node:http";
import { readFileSync } from "node:fs";
import { once } from "node:events";
import { extname, join, normalize } from "node:path";
import { root } from "./server.mjs";

const types = { ".html": "text/html;charset=utf-8", ".js": "text/javascript;charset=utf-8", ".css": "text/css;charset=utf-8", ".svg": "image/svg+xml" };
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** Where the console of a server is: { url, close }. */
export async function serveDist(server) {
  if (process.env.CONSOLE_FROM !== "dist") return { url: server.url, close: async () => {} };
  const dist = process.env.CONSOLE_DIST ?? join(root, "build/console/dist");
  const proxy = createServer((incoming, outgoing) => {
    if (incoming.url.startsWith("/console")) {
      const name = normalize(new URL(incoming.url, "http://x").pathname.slice("/console/".length) || "index.html");
      try {
        const content = readFileSync(join(dist, name));
        outgoing.writeHead(200, { "content-type": types[extname(name)] ?? "text/plain", "content-security-policy": policy });
        return outgoing.end(content);
      } catch {
        return outgoing.writeHead(404).end();
      }
    }
    const { origin: _, ...headers } = incoming.headers;
    const forward = request({ host: "127.0.0.1", port: server.port, method: incoming.method, path: incoming.url, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode, answer.headers);
      answer.pipe(outgoing);
    });
    forward.on("error", () => outgoing.destroy());
    incoming.pipe(forward);
  });
  proxy.listen(0, "127.0.0.1");
  await once(proxy, "listening");
  return { url: `http://127.0.0.1:${proxy.address().port}`, close: async () => { proxy.closeAllConnections(); proxy.close(); } };
}
