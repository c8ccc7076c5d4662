// An explanation as a picture: what was read and what of it came back, what it cost, and where the time went.

import { bytes, count, counted } from "../ui/format";
import { Badge, Notice } from "../ui/notice";
import { duration, type Explanation, type ReadPart, slicesOf } from "./explanation";
import "./explain.css";

const width = 640;

/** Read above, returned below: the narrower the lower bar, the more was read in vain. */
function Funnel({ part }: { part: ReadPart }) {
  const share = part.items_read === 0 ? 1 : Math.min(1, part.items_returned / part.items_read);
  const inner = Math.max(share * width, part.items_returned > 0 ? 3 : 0);
  const words = `${counted(part.items_read, "item")} read, ${counted(part.items_returned, "item")} returned`;
  return (
    <svg class="explain-funnel" viewBox={`0 0 ${width} 58`} role="img" aria-label={words} preserveAspectRatio="none">
      <rect class="read" x="0" y="0" width={width} height="16" />
      <polygon class="between" points={`0,16 ${width},16 ${inner},42 0,42`} />
      <rect class="returned" x="0" y="42" width={inner} height="16" />
    </svg>
  );
}

function Part({ part }: { part: ReadPart }) {
  return (
    <div class="stack tight">
      <div class="row wrap between">
        <strong class="data">{part.table}{part.index && ` · ${part.index}`}</strong>
        <span class="row wrap"><Badge kind="accent">{part.capacity} read units</Badge>{part.way && <Badge>{part.way}, {count(part.vectors_compared ?? 0)} compared</Badge>}</span>
      </div>
      <Funnel part={part} />
      <div class="row wrap between faint">
        <span><strong>{counted(part.items_read, "item")}</strong> read in {counted(part.partitions_read, "partition")}, {bytes(part.bytes_read)}{part.items_fetched ? `, ${count(part.items_fetched)} fetched from the table` : ""}</span>
        <span><strong>{counted(part.items_returned, "item")}</strong> returned, {bytes(part.bytes_returned)}</span>
      </div>
    </div>
  );
}

export function ExplainView({ explanation }: { explanation: Explanation }) {
  const slices = slicesOf(explanation);
  const total = explanation.phases.reduce((sum, { nanoseconds }) => sum + nanoseconds, 0);
  return (
    <div class="stack explain">
      {explanation.parts.map((part, at) => <Part key={at} part={part} />)}
      {total > 0 && (
        <div class="stack tight">
          <svg class="explain-phases" viewBox={`0 0 ${width} 14`} preserveAspectRatio="none" role="img" aria-label={`${duration(total)} at the server`}>
            {slices.map(({ name, from, to }, at) => <rect key={name} class={`phase-${at % 8}`} x={from * width} y="0" width={Math.max(0.5, (to - from) * width)} height="14"><title>{name}</title></rect>)}
          </svg>
          <ul class="explain-legend">
            {slices.map(({ name, nanoseconds }, at) => <li key={name}><i class={`swatch phase-${at % 8}`} />{name} <span class="faint">{duration(nanoseconds)}</span></li>)}
            <li class="total">{duration(total)} at the server</li>
          </ul>
        </div>
      )}
      {explanation.warnings.map(({ kind, message }) => <Notice key={kind + message} kind="warn"><span class="data">{message}</span></Notice>)}
      {explanation.left_out && <p class="faint">Parts of the explanation were left out because it is long.</p>}
    </div>
  );
}
