// The address after "#": a path of encoded parts, and parameters. `#/tables/notes?tab=indexes`.

import { computed, signal } from "@preact/signals";

export interface Route {
  /** Decoded. */
  parts: string[];
  query: URLSearchParams;
}

export function parseRoute(hash: string): Route {
  const [path = "", query = ""] = hash.replace(/^#\/?/, "").split(/\?(.*)/s);
  const parts = path.split("/").filter((part) => part !== "").map((part) => {
    try {
      return decodeURIComponent(part);
    } catch {
      return part;
    }
  });
  return { parts, query: new URLSearchParams(query) };
}

/** An address for a link: `href(["tables", name], { tab: "items" })`. */
export function href(parts: string[], query: Record<string, string | undefined> = {}): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined && value !== "") parameters.set(name, value);
  const text = parameters.toString();
  return "#/" + parts.map(encodeURIComponent).join("/") + (text === "" ? "" : "?" + text);
}

const hash = signal(location.hash);
addEventListener("hashchange", () => (hash.value = location.hash));
export const route = computed(() => parseRoute(hash.value));

export function go(parts: string[], query: Record<string, string | undefined> = {}): void {
  location.hash = href(parts, query);
}

/** The same without a new entry in the history, for an address that only completes the present one. */
export function replace(parts: string[], query: Record<string, string | undefined> = {}): void {
  history.replaceState(null, "", href(parts, query));
  hash.value = location.hash;
}

/** Changes parameters of the present address without a new entry in the history. */
export function setQuery(changes: Record<string, string | undefined>): void {
  const { parts, query } = parseRoute(location.hash);
  history.replaceState(null, "", href(parts, { ...Object.fromEntries(query), ...changes }));
  hash.value = location.hash;
}
