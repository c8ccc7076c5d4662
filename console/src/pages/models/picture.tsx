// The models of a table as boxes, and what connects them: partitions that they share, and indexes.

import { Picture } from "../../charts/figure";
import { useWidth } from "../../charts/line_chart";
import type { Model } from "./dms";
import { type Bond, ratio, sharedIndexes } from "./kinds";

const boxWidth = 210;
const rowHeight = 17;
const headHeight = 26;
const rowsMax = 12;
const gap = 90;
const margin = 20;

interface Box {
  model: Model;
  x: number;
  y: number;
  height: number;
}

/** Columns as many as fit; each model goes to the column that is shortest so far. */
export function placeBoxes(models: readonly Model[], width: number): { boxes: Box[]; height: number } {
  const columns = Math.max(1, Math.min(models.length, Math.floor((width - 2 * margin + gap) / (boxWidth + gap))));
  const ends = Array.from({ length: columns }, () => margin);
  const boxes = models.map((model) => {
    const column = ends.indexOf(Math.min(...ends));
    const height = headHeight + Math.min(rowsMax + 1, model.attributes.length) * rowHeight + 8;
    const box = { model, x: margin + column * (boxWidth + gap), y: ends[column]!, height };
    ends[column] = box.y + height + 46;
    return box;
  });
  return { boxes, height: Math.max(...ends) - 46 + margin };
}

const marks: Record<string, string> = { pk: "pk", sk: "sk", version: "version", ttl: "ttl", created_at: "created", updated_at: "updated" };

function markOf(model: Model, name: string, roles: string[]): string {
  if (name === model.partition) return "pk";
  if (name === model.sort) return "sk";
  const index = model.indexes.find(({ partition, sort }) => partition === name || sort === name);
  if (index) return index.name;
  return roles.map((role) => marks[role]).find((each) => each !== undefined) ?? "";
}

function line(a: Box, b: Box): { d: string; middle: [number, number] } {
  const [left, right] = a.x <= b.x ? [a, b] : [b, a];
  if (left.x === right.x) {
    const x = left.x + boxWidth;
    const [y1, y2] = [left.y + left.height / 2, right.y + right.height / 2];
    return { d: `M${x} ${y1}C${x + 60} ${y1} ${x + 60} ${y2} ${x} ${y2}`, middle: [x + 46, (y1 + y2) / 2] };
  }
  const [x1, y1, x2, y2] = [left.x + boxWidth, left.y + 40, right.x, right.y + 40];
  const middle = (x1 + x2) / 2;
  return { d: `M${x1} ${y1}C${middle} ${y1} ${middle} ${y2} ${x2} ${y2}`, middle: [middle, (y1 + y2) / 2] };
}

export function ModelPicture({ models, bonds, colours }: { models: Model[]; bonds: Bond[]; colours: Map<string, number> }) {
  const [box, width] = useWidth<HTMLDivElement>(700);
  const { boxes, height } = placeBoxes(models, width);
  const boxOf = (name: string) => boxes.find(({ model }) => model.name === name);
  const shared = sharedIndexes(models);
  const rows = [
    ...bonds.map((bond) => [`${bond.a} and ${bond.b}`, `share ${bond.partitions} partitions`, ratio(bond)]),
    ...shared.map(({ index, models: names }) => [names.join(" and "), `share the index ${index}`, ""]),
    ...models.map((model) => [model.name, "attributes", model.attributes.map(({ name, type }) => `${name} ${type}`).join(", ")]),
  ];
  return (
    <Picture title="Relationships" note="solid: partitions that both are in, as far as the table was read; dashed: indexes that both name" table={{ columns: ["Models", "How", "More"], rows }}>
      <div class="scroller" ref={box} tabIndex={0} role="img" aria-label={`${models.length} models. ${rows.slice(0, bonds.length + shared.length).map((row) => row.join(" ")).join("; ") || "Nothing connects them"}.`}>
        <svg width={Math.max(width, boxWidth + 2 * margin)} height={height} aria-hidden="true">
          {shared.flatMap(({ index, models: names }) => names.slice(1).map((name) => {
            const [a, b] = [boxOf(names[0]!), boxOf(name)];
            if (!a || !b) return null;
            const { d } = line({ ...a, y: a.y + 22 }, { ...b, y: b.y + 22 });
            return <path key={`${index} ${name}`} class="bond index" d={d} />;
          }))}
          {bonds.map((bond) => {
            const [a, b] = [boxOf(bond.a), boxOf(bond.b)];
            if (!a || !b) return null;
            const { d, middle } = line(a, b);
            const text = a.x <= b.x ? ratio(bond) : ratio({ ...bond, aMost: bond.bMost, bMost: bond.aMost });
            return <g key={`${bond.a} ${bond.b}`}><path class="bond" d={d} /><rect class="bond-back" x={middle[0] - 20} y={middle[1] - 9} width={40} height={18} rx={9} /><text class="bond-text" x={middle[0]} y={middle[1] + 4} text-anchor="middle">{text}</text></g>;
          })}
          {boxes.map(({ model, x, y, height: tall }) => (
            <g key={model.name} class={`entity s${colours.get(model.name) ?? 0}`}>
              <rect class="entity-box" x={x} y={y} width={boxWidth} height={tall} rx={6} />
              <path class="entity-head" d={`M${x} ${y + headHeight}V${y + 6}a6 6 0 0 1 6 -6h${boxWidth - 12}a6 6 0 0 1 6 6V${y + headHeight}z`} />
              <text class="entity-name" x={x + 10} y={y + 17.500}>{model.name.slice(0, 26)}</text>
              {model.writeOnce && <text class="entity-mark on-head" x={x + boxWidth - 10} y={y + 17} text-anchor="end">write once</text>}
              {model.attributes.slice(0, rowsMax).map(({ name, type, required, roles }, at) => (
                <g key={name}>
                  <text class={required ? "attribute-name required" : "attribute-name"} x={x + 10} y={y + headHeight + 16 + at * rowHeight}>{name.length > 18 ? `${name.slice(0, 17)}…` : name} <tspan class="attribute-type">{type}</tspan></text>
                  <text class="entity-mark" x={x + boxWidth - 10} y={y + headHeight + 16 + at * rowHeight} text-anchor="end">{markOf(model, name, roles)}</text>
                </g>
              ))}
              {model.attributes.length > rowsMax && <text class="attribute-name" x={x + 10} y={y + headHeight + 16 + rowsMax * rowHeight}>… {model.attributes.length - rowsMax} more</text>}
            </g>
          ))}
        </svg>
      </div>
    </Picture>
  );
}
