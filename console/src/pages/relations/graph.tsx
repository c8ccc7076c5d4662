// The same family as a picture: parents on the left, children on the right, memberships as dashed lines.

import { useMemo, useState } from "preact/hooks";
import { useWidth } from "../../charts/line_chart";
import { type Family, type Membership, nameOf } from "./family";
import { layoutTrees } from "./tidy";
import type { ViewProps } from "./tree";

const column = 190;
const row = 34;
const boxWidth = 158;
const boxHeight = 25;
const margin = 14;

function curve(from: [number, number], to: [number, number]): string {
  const middle = (from[0] + to[0]) / 2;
  return `M${from[0]} ${from[1]}C${middle} ${from[1]} ${middle} ${to[1]} ${to[0]} ${to[1]}`;
}

/** A dashed line that goes round the side, so that it is not taken for an edge of the tree. */
function arc(from: [number, number], to: [number, number]): string {
  const bulge = Math.max(from[0], to[0]) + boxWidth + 26;
  return `M${from[0] + boxWidth} ${from[1]}C${bulge} ${from[1]} ${bulge} ${to[1]} ${to[0] + boxWidth} ${to[1]}`;
}

export function Graph({ family, colours, chosen, doomed, onChoose, onLoad, onClose, memberships }: ViewProps & { memberships: Membership[] }) {
  const [box, room] = useWidth<HTMLDivElement>(600);
  const [chosenZoom, setZoom] = useState<number | null>(null);
  const layout = useMemo(() => layoutTrees(family.roots.filter((urn) => family.nodes.has(urn)), (urn) => {
    const node = family.nodes.get(urn);
    return node?.open ? (node.children ?? []).filter((each) => family.nodes.has(each)) : [];
  }), [family]);
  const places = new Map(layout.nodes.map(({ id, depth, row: at }) => [id, [margin + depth * column, margin + at * row + boxHeight / 2] as [number, number]]));
  const width = margin * 2 + Math.max(1, layout.depths) * column + 40;
  const height = margin * 2 + Math.max(1, layout.rows) * row;
  // As much as fits, while it can be read, until somebody says otherwise.
  const zoom = chosenZoom ?? Math.max(0.6, Math.min(1, room / width));
  const links = memberships.filter(({ collection, member }) => places.has(collection) && places.has(member));
  const onKeyDown = (event: KeyboardEvent) => {
    const here = layout.nodes.find(({ id }) => id === chosen) ?? layout.nodes[0];
    if (here === undefined) return;
    const node = family.nodes.get(here.id);
    const near = (test: (depth: number, at: number) => boolean) => layout.nodes.filter(({ id, depth, row: at }) => id !== here.id && test(depth, at)).sort((a, b) => Math.abs(a.row - here.row) - Math.abs(b.row - here.row))[0];
    const next = {
      ArrowUp: () => near((depth, at) => depth === here.depth && at < here.row),
      ArrowDown: () => near((depth, at) => depth === here.depth && at > here.row),
      ArrowLeft: () => layout.nodes.find(({ id }) => layout.edges.some(([from, to]) => from === id && to === here.id)),
      ArrowRight: () => { if (!node?.open) { onLoad(here.id); return undefined; } return near((depth) => depth === here.depth + 1 && layout.edges.some(([from]) => from === here.id)); },
      Enter: () => { node?.open ? onClose(here.id) : onLoad(here.id); return undefined; },
    }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    const target = next();
    if (target) onChoose(target.id);
  };
  return (
    <div class="graph-box" ref={box}>
      <div class="row end graph-tools">
        <button type="button" class="button small" onClick={() => setZoom(Math.max(0.4, zoom - 0.2))} aria-label="Smaller">−</button>
        <button type="button" class="button small" onClick={() => setZoom(Math.min(2, zoom + 0.2))} aria-label="Larger">+</button>
      </div>
      <div class="scroller" role="application" aria-roledescription="graph" tabIndex={0} onKeyDown={onKeyDown}
        aria-label={`Graph of ${layout.nodes.length} resources. ${chosen && family.nodes.has(chosen) ? `${nameOf(family.nodes.get(chosen)!.resource)} is chosen.` : ""} Arrow keys walk, Enter opens and closes.`}>
        <svg width={width * zoom} height={height * zoom} viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
          {layout.edges.map(([from, to]) => {
            const [x, y] = places.get(from)!;
            return <path key={`${from}>${to}`} class={doomed.has(to) ? "edge doomed" : "edge"} d={curve([x + boxWidth, y], places.get(to)!)} />;
          })}
          {links.map(({ collection, member, conveys_authorization }) => (
            <path key={`${collection}>${member}`} class={conveys_authorization ? "member conveys" : "member"} d={arc(places.get(collection)!, places.get(member)!)} />
          ))}
          {layout.nodes.map(({ id }) => <GraphNode key={id} family={family} urn={id} place={places.get(id)!} colour={colours.get(family.nodes.get(id)!.resource.type) ?? 0} chosen={id === chosen} doomed={doomed.has(id)}
            onClick={() => onChoose(id)} onToggle={() => (family.nodes.get(id)!.open ? onClose(id) : onLoad(id))} />)}
        </svg>
      </div>
    </div>
  );
}

interface GraphNodeProps {
  family: Family;
  urn: string;
  place: [number, number];
  colour: number;
  chosen: boolean;
  doomed: boolean;
  onClick: () => void;
  onToggle: () => void;
}

function GraphNode({ family, urn, place: [x, y], colour, chosen, doomed, onClick, onToggle }: GraphNodeProps) {
  const node = family.nodes.get(urn)!;
  const name = nameOf(node.resource);
  const classes = ["graph-node", `s${colour}`, chosen && "chosen", doomed && "doomed"].filter(Boolean).join(" ");
  return (
    <g class={classes} onClick={onClick} onDblClick={onToggle}>
      <title>{node.resource.urn}</title>
      <rect x={x} y={y - boxHeight / 2} width={boxWidth} height={boxHeight} rx={5} />
      <rect class="stripe" x={x} y={y - boxHeight / 2} width={4} height={boxHeight} rx={2} />
      <text x={x + 12} y={y + 4}>{name.length > 19 ? name.slice(0, 18) + "…" : name}</text>
      {(!node.open || (node.children?.length ?? 0) > 0) && (
        <g class="knob" onClick={(event) => { event.stopPropagation(); onToggle(); }}>
          <circle cx={x + boxWidth} cy={y} r={7} />
          <path d={node.open ? `M${x + boxWidth - 3.500} ${y}h7` : `M${x + boxWidth - 3.500} ${y}h7M${x + boxWidth} ${y - 3.500}v7`} />
        </g>
      )}
    </g>
  );
}
