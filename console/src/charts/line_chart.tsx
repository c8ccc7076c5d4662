// Values over time, one line for each series. The pointer or the arrow keys choose a moment, whose values are shown and said.

import { useId, useLayoutEffect, useRef, useState } from "preact/hooks";
import { byteScale, linear, roundUp, ticks } from "./scale";
import "./charts.css";

export interface Series {
  name: string;
  /** 1 to 8: the colour. */
  colour: number;
  /** As many as there are times; a gap where nothing is known. */
  values: (number | undefined)[];
}

export interface LineChartProps {
  title: string;
  /** Such as "requests per second"; stands under the title. */
  unit: string;
  /** Milliseconds since 1970, ascending. */
  times: number[];
  series: Series[];
  format: (value: number) => string;
  /** The values are sizes: lines stand at round ones. */
  areBytes?: boolean;
  height?: number;
}

const left = 60;
const right = 10;
const top = 8;
const bottom = 20;

/** The width that an element has, as it changes. */
export function useWidth<T extends Element>(first: number): [preact.RefObject<T>, number] {
  const element = useRef<T>(null);
  const [width, setWidth] = useState(first);
  useLayoutEffect(() => {
    const target = element.current;
    if (target === null) return;
    const measure = () => setWidth(Math.max(160, Math.floor(target.getBoundingClientRect().width)));
    const observer = new ResizeObserver(measure);
    observer.observe(target);
    measure();
    return () => observer.disconnect();
  }, []);
  return [element, width];
}

function path(values: (number | undefined)[], x: (at: number) => number, y: (value: number) => number): string {
  let text = "";
  let pen = false;
  values.forEach((value, at) => {
    if (value === undefined) {
      pen = false;
      return;
    }
    text += `${pen ? "L" : "M"}${x(at).toFixed(1)} ${y(value).toFixed(1)}`;
    pen = true;
  });
  return text;
}

const clock = (time: number) => new Date(time).toLocaleTimeString("en-GB");

export function LineChart({ title, unit, times, series, format, areBytes = false, height = 170 }: LineChartProps) {
  const id = useId();
  const [box, width] = useWidth<HTMLDivElement>(480);
  const [chosen, setChosen] = useState<number | null>(null);
  const last = times.length - 1;
  const at = chosen === null ? last : Math.min(chosen, last);
  const most = Math.max(0, ...series.flatMap(({ values }) => values.filter((each) => each !== undefined)));
  const scale = areBytes ? byteScale(most) : { highest: roundUp(most), ticks: ticks(0, roundUp(most), 4) };
  const { highest } = scale;
  const begin = times[0] ?? 0;
  const end = times[last] ?? begin;
  const x = linear(begin, end, left, width - right);
  const y = linear(0, highest, height - bottom, top);
  const walk = (event: KeyboardEvent) => {
    const next = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: last }[event.key];
    if (next === undefined || last < 0) return;
    event.preventDefault();
    setChosen(Math.max(0, Math.min(last, next)));
  };
  const point = (event: PointerEvent) => {
    const element = box.current;
    if (element === null || last < 1) return;
    const place = event.clientX - element.getBoundingClientRect().left;
    const time = linear(left, width - right, begin, end)(place);
    let nearest = 0;
    times.forEach((each, index) => { if (Math.abs(each - time) < Math.abs((times[nearest] ?? 0) - time)) nearest = index; });
    setChosen(nearest);
  };
  const moment = times[at];
  return (
    <figure class="panel chart" aria-labelledby={`${id}-title`}>
      <header>
        <h2 id={`${id}-title`}>{title}</h2>
        <span class="faint">{unit}</span>
      </header>
      <div ref={box} class="plot" role="img" tabIndex={0} aria-label={`${title}, ${unit}. ${summary(series, at, format)}`} aria-describedby={`${id}-said`}
        onKeyDown={walk} onPointerMove={point} onPointerLeave={() => setChosen(null)} onBlur={() => setChosen(null)}>
        <svg width={width} height={height} aria-hidden="true">
          {scale.ticks.map((value) => (
            <g key={value}>
              <line class="grid-line" x1={left} x2={width - right} y1={y(value)} y2={y(value)} />
              <text class="tick" x={left - 6} y={y(value) + 3.5} text-anchor="end">{format(value)}</text>
            </g>
          ))}
          {last > 0 && [0, 0.5, 1].map((part) => {
            const time = begin + (end - begin) * part;
            return <text key={part} class="tick" x={x(time)} y={height - 5} text-anchor={part === 0 ? "start" : part === 1 ? "end" : "middle"}>{clock(time)}</text>;
          })}
          {series.map(({ name, colour, values }) => (
            <path key={name} class={`line s${colour}`} d={path(values, (index) => x(times[index] ?? 0), y)} />
          ))}
          {chosen !== null && moment !== undefined && <line class="cursor" x1={x(moment)} x2={x(moment)} y1={top} y2={height - bottom} />}
          {series.map(({ name, colour, values }) => {
            const value = values[at];
            return value === undefined || moment === undefined ? null : <circle key={name} class={`dot s${colour}`} cx={x(moment)} cy={y(value)} r={2.600} />;
          })}
        </svg>
      </div>
      <figcaption>
        <ul class="legend">
          {series.map(({ name, colour, values }) => (
            <li key={name}><span class={`swatch s${colour}`} aria-hidden="true" /> <span class="data">{name}</span> <b>{values[at] === undefined ? "–" : format(values[at] ?? 0)}</b></li>
          ))}
        </ul>
        <span class="faint" id={`${id}-said`} aria-live={chosen === null ? "off" : "polite"}>
          {chosen !== null && moment !== undefined ? `${clock(moment)}` : times.length > 1 ? `last ${Math.round((end - begin) / 1000)} s` : "waiting for the second measurement"}
        </span>
      </figcaption>
    </figure>
  );
}

function summary(series: Series[], at: number, format: (value: number) => string): string {
  const known = series.filter(({ values }) => values[at] !== undefined);
  if (known.length === 0) return "Nothing measured yet.";
  return known.map(({ name, values }) => `${name}: ${format(values[at] ?? 0)}`).join(", ") + ".";
}
