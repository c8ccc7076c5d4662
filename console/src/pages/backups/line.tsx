// The points in time of a table on a line: the window that can be restored to, backups, and the moment that is chosen.

import { useId } from "preact/hooks";
import { Picture } from "../../charts/figure";
import { useWidth } from "../../charts/line_chart";
import { linear, ticks } from "../../charts/scale";
import { timeOf } from "../../ui/format";
import { type Backup, type Continuous, lineOf, momentAt } from "./points";

export interface LineProps {
  table: string;
  backups: Backup[];
  continuous: Continuous | undefined;
  now: number;
  /** 0 to 1 of the window. */
  part: number;
  onPart: (part: number) => void;
  children: preact.ComponentChildren;
}

const shortTime = (seconds: number, span: number) => (span > 3 * 86400 ? timeOf(seconds).slice(5, 10) : span > 7200 ? timeOf(seconds).slice(5, 16) : timeOf(seconds).slice(11));

export function PointsLine({ table, backups, continuous, now, part, onPart, children }: LineProps) {
  const id = useId();
  const [box, width] = useWidth<HTMLDivElement>(700);
  const line = lineOf(backups, continuous, now);
  const margin = 14;
  const x = linear(0, 1, margin, width - margin);
  const moment = continuous && momentAt(continuous, part);
  const span = line.end - line.begin;
  const place = (time: number) => x((time - line.begin) / span);
  return (
    <Picture title="Points in time" note={continuous?.status === "ENABLED" ? "every millisecond of the bar can be restored to" : "no history is kept"} legend={[{ name: "history", colour: 1 }, { name: "backup", colour: 2 }]}
      table={{ columns: ["What", "When"], rows: [...(continuous?.earliest !== undefined ? [["history begins", timeOf(continuous.earliest)], ["history ends", timeOf(continuous.latest ?? now)]] : []), ...line.marks.map(({ name, time }) => [`backup ${name}`, timeOf(time)])] }}>
      <div ref={box} class="points" role="img" aria-label={`Points in time of ${table}: ${backups.length} backups${continuous?.status === "ENABLED" ? `, a history since ${timeOf(continuous.earliest ?? 0)}` : ", no history"}`}>
        <svg width={width} height={74} aria-hidden="true">
          <line class="axis-line" x1={x(0)} x2={x(1)} y1={40} y2={40} />
          {line.from !== undefined && line.to !== undefined && <rect class="window s1" x={x(line.from)} y={33} width={Math.max(3, x(line.to) - x(line.from))} height={14} rx={4} />}
          {ticks(line.begin, line.end, Math.max(2, Math.floor(width / 150))).filter((time) => place(time) > 34 && place(time) < width - 34).map((time) => <g key={time}><line class="axis-line" x1={place(time)} x2={place(time)} y1={47} y2={52} /><text class="tick" x={place(time)} y={66} text-anchor="middle">{shortTime(time, span)}</text></g>)}
          {line.marks.map(({ name, at, time }) => <path key={`${name} ${time}`} class="mark s2" d={`M${x(at)} 33l-6 -10h12z`}><title>{name}</title></path>)}
          {moment !== undefined && <g><line class="moment" x1={place(moment)} x2={place(moment)} y1={14} y2={50} /><circle class="moment-knob" cx={place(moment)} cy={40} r={6} /></g>}
          <text class="now-text" x={Math.min(width - 4, place(now) + 2)} y={14} text-anchor="end">now</text>
        </svg>
      </div>
      <div class="body stack tight">
        {continuous?.status === "ENABLED" && (
          <div class="field">
            <label for={id}>Moment to go back to</label>
            <input id={id} type="range" min={0} max={10000} step={1} value={Math.round(part * 10000)} onInput={(event) => onPart(Number(event.currentTarget.value) / 10000)} aria-valuetext={moment === undefined ? "" : timeOf(moment)} />
          </div>
        )}
        {children}
      </div>
    </Picture>
  );
}
