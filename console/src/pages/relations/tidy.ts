// Places for the nodes of trees: a column for each level, a row for each leaf, and parents in the middle of their children.

export interface Placed<Id> {
  id: Id;
  /** Levels from the root. */
  depth: number;
  /** In rows; may be a fraction. */
  row: number;
}

export interface Layout<Id> {
  nodes: Placed<Id>[];
  edges: [Id, Id][];
  depths: number;
  rows: number;
}

/** `childrenOf` may name a node twice or go round in circles; each is placed once, where it is met first. */
export function layoutTrees<Id>(roots: readonly Id[], childrenOf: (id: Id) => readonly Id[]): Layout<Id> {
  const layout: Layout<Id> = { nodes: [], edges: [], depths: 0, rows: 0 };
  const seen = new Set<Id>();
  const place = (id: Id, depth: number): number => {
    seen.add(id);
    const node: Placed<Id> = { id, depth, row: 0 };
    layout.nodes.push(node);
    layout.depths = Math.max(layout.depths, depth + 1);
    const rows: number[] = [];
    for (const child of childrenOf(id)) {
      if (seen.has(child)) continue;
      layout.edges.push([id, child]);
      rows.push(place(child, depth + 1));
    }
    node.row = rows.length === 0 ? layout.rows++ : (rows[0]! + rows.at(-1)!) / 2;
    return node.row;
  };
  for (const root of roots) if (!seen.has(root)) place(root, 0);
  return layout;
}
