// Shards as cells, one block for each bump. The arrow keys go from cell to cell.

import { useId, useState } from "preact/hooks";
import { useWidth } from "../../charts/line_chart";
import { count, counted } from "../../ui/format";
import { type Bump, evenness, hashKeys, heat } from "./shards";

const cellsMax = 4096;

export interface ShardCell {
  key: string;
  count: number;
}

export function ShardBlock({ title, cells, unit, colour, describe }: { title: string; cells: ShardCell[]; unit: string; colour: (cell: ShardCell, most: number) => string; describe?: (cell: ShardCell) => string }) {
  const id = useId();
  const [box, width] = useWidth<HTMLDivElement>(500);
  const [at, setAt] = useState<number | null>(null);
  const shown = cells.slice(0, cellsMax);
  const size = shown.length <= 16 ? 34 : shown.length <= 64 ? 24 : 15;
  // A power of two, so that shards with the same last character stand below each other on every screen.
  const columns = Math.min(shown.length, shown.length <= 16 ? 16 : 64, 2 ** Math.floor(Math.log2(Math.max(1, (width - 2) / size))));
  const rows = Math.ceil(shown.length / columns);
  const most = Math.max(0, ...cells.map((cell) => cell.count));
  const walk = (event: KeyboardEvent) => {
    const here = at ?? -1;
    const next = { ArrowRight: here + 1, ArrowLeft: here - 1, ArrowDown: here + columns, ArrowUp: here - columns, Home: 0, End: shown.length - 1 }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    setAt(Math.max(0, Math.min(shown.length - 1, next)));
  };
  const chosen = at === null ? undefined : shown[at];
  const even = evenness(cells.map((cell) => cell.count));
  return (
    <div class="shard-block">
      <div class="row wrap between"><h3 id={id}>{title}</h3><span class="faint" aria-live="polite">{chosen ? <><span class="mono data">{chosen.key}</span>: {describe ? describe(chosen) : `${count(chosen.count)} ${unit}`}</> : even.items === 0 || describe ? counted(even.shards, "shard") : `${counted(even.items, unit.replace(/s$/, ""), unit)} · ${count(even.empty)} empty · fullest has ${even.skew.toFixed(1)} × the mean`}</span></div>
      <div ref={box} class="cells-box" tabIndex={0} role="img" aria-labelledby={id} onKeyDown={walk} onPointerLeave={() => setAt(null)} onBlur={() => setAt(null)}>
        <svg width={columns * size} height={rows * size} aria-hidden="true">
          {shown.map((cell, index) => (
            <rect key={cell.key} class={`shard ${colour(cell, most)}${index === at ? " at" : ""}`} x={(index % columns) * size + 1} y={Math.floor(index / columns) * size + 1} width={size - 2} height={size - 2} rx={2} onPointerEnter={() => setAt(index)} />
          ))}
          {size >= 34 && shown.map((cell, index) => <text key={cell.key} class={heat(cell.count, most) >= 3 ? "shard-count strong" : "shard-count"} x={(index % columns) * size + size / 2} y={Math.floor(index / columns) * size + size / 2 + 4} text-anchor="middle">{cell.count > 999 ? `${Math.round(cell.count / 1000)}k` : cell.count}</text>)}
        </svg>
      </div>
      {cells.length > cellsMax && <p class="faint">{count(cells.length - cellsMax)} more shards are not drawn.</p>}
    </div>
  );
}

export function HeatMap({ entity, delimiter, bumps, counts, unit }: { entity: string; delimiter: string; bumps: Bump[]; counts: Map<string, number>; unit: string }) {
  return (
    <div class="body stack">
      {bumps.map((bump) => {
        const cells = hashKeys(entity, delimiter, bump).map((key) => ({ key, count: counts.get(key) ?? 0 }));
        const since = bump.timestamp <= 0 ? "from the beginning" : `since ${new Date(bump.timestamp).toISOString().slice(0, 10)}`;
        return <ShardBlock key={bump.timestamp} title={`${counted(cells.length, "shard")} ${since}`} cells={cells} unit={unit} colour={(cell, most) => `heat${heat(cell.count, most)}`} />;
      })}
    </div>
  );
}
