// Makes build/console/console.pack from the built files: what the server embeds and serves below /console/. First lines of
// text, then an empty line, then the compressed files one after the other:
//
//   dolmen-console 1
//   <path> <media type> <ETag> <bytes when compressed>
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

const types = { ".html": "text/html;charset=utf-8", ".js": "text/javascript;charset=utf-8", ".css": "text/css;charset=utf-8", ".svg": "image/svg+xml" };
const build = fileURLToPath(new URL("../../build/console/", import.meta.url));
const dist = join(build, "dist");

const filesIn = (folder) =>
  readdirSync(folder).flatMap((name) => (statSync(join(folder, name)).isDirectory() ? filesIn(join(folder, name)) : [join(folder, name)]));

const files = filesIn(dist).sort().map((path) => {
  const type = types[path.slice(path.lastIndexOf("."))];
  if (type === undefined) throw new Error(`${path}: no media type is known for its ending; add it to scripts/pack.mjs`);
  const content = readFileSync(path);
  // The time in gzip's header is zero, so that the same sources always make the same pack.
  return { name: relative(dist, path), type, etag: createHash("sha256").update(content).digest("hex").slice(0, 16), data: gzipSync(content, { level: 9 }) };
});
const index = files.map(({ name, type, etag, data }) => `${name} ${type} ${etag} ${data.length}\n`).join("");
writeFileSync(join(build, "console.pack"), Buffer.concat([Buffer.from(`dolmen-console 1\n${index}\n`), ...files.map(({ data }) => data)]));
const total = files.reduce((sum, { data }) => sum + data.length, 0);
console.log(`${files.length} files, ${total} bytes compressed`);
