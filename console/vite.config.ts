import { defineConfig } from "vitest/config";

// Where `npm run dev` finds a server for the requests of the pages.
const server = (globalThis as { process?: { env: Record<string, string | undefined> } }).process?.env.DOLMEN_URL ?? "http://127.0.0.1:8000";

// The proxy speaks for the page, which the server would refuse as one of another origin.
const toServer = {
  target: server,
  changeOrigin: true,
  configure: (proxy: { on(event: "proxyReq", listener: (request: { removeHeader(name: string): void }) => void): void }) =>
    proxy.on("proxyReq", (request) => request.removeHeader("origin")),
};

export default defineConfig({
  base: "/console/",
  build: {
    outDir: "../build/console/dist",
    emptyOutDir: true,
    target: "es2022",
    assetsInlineLimit: 0, // The content security policy allows no data: scripts or styles.
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
  esbuild: { jsx: "automatic", jsxImportSource: "preact" },
  test: { include: ["src/**/*.test.ts"] },
  server: { host: "127.0.0.1", port: 5173, proxy: { "^/$": toServer, "^/(metrics|health|ready)$": toServer } },
});
