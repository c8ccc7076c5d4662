import { describe, expect, it } from "vitest";
import { layoutTrees } from "./tidy";

const tree: Record<string, string[]> = { a: ["b", "c"], b: ["d", "e", "f"], c: [], x: ["y"] };
const childrenOf = (id: string) => tree[id] ?? [];
const rowsOf = (layout: ReturnType<typeof layoutTrees<string>>) => Object.fromEntries(layout.nodes.map(({ id, depth, row }) => [id, [depth, row]]));

describe("layoutTrees", () => {
  it("puts parents in the middle of their children, and every leaf on a row of its own", () => {
    const layout = layoutTrees(["a", "x"], childrenOf);
    expect(rowsOf(layout)).toEqual({ a: [0, 2], b: [1, 1], d: [2, 0], e: [2, 1], f: [2, 2], c: [1, 3], x: [0, 4], y: [1, 4] });
    expect([layout.depths, layout.rows]).toEqual([3, 5]);
    expect(layout.edges).toContainEqual(["b", "e"]);
  });
  it("never lets two nodes of one level meet", () => {
    const layout = layoutTrees(["a", "x"], childrenOf);
    for (const one of layout.nodes) for (const other of layout.nodes) if (one !== other && one.depth === other.depth) expect(Math.abs(one.row - other.row)).toBeGreaterThanOrEqual(1);
  });
  it("ends where the data goes in a circle", () => {
    const layout = layoutTrees(["p"], (id) => (id === "p" ? ["q"] : ["p"]));
    expect(layout.nodes.map(({ id }) => id)).toEqual(["p", "q"]);
  });
  it("of nothing is empty", () => expect(layoutTrees([], childrenOf)).toEqual({ nodes: [], edges: [], depths: 0, rows: 0 }));
});
