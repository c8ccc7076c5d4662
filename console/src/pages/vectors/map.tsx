// The picture of a sample. A click chooses a point; the arrow keys go from point to point.

import { useId } from "preact/hooks";
import { useWidth } from "../../charts/line_chart";
import { linear } from "../../charts/scale";
import { type Direction, neighbour } from "./pca";

export interface MapPoint {
  name: string;
  colour: number;
  place: [number, number];
}

export interface MapProps {
  points: MapPoint[];
  chosen: number;
  /** Points that were found, nearest first. */
  found: number[];
  onChoose: (index: number) => void;
  onSearch: () => void;
}

const directions: Record<string, Direction> = { ArrowLeft: "left", ArrowRight: "right", ArrowUp: "up", ArrowDown: "down" };
const margin = 18;

export function VectorMap({ points, chosen, found, onChoose, onSearch }: MapProps) {
  const id = useId();
  const [box, width] = useWidth<HTMLDivElement>(640);
  const height = Math.max(260, Math.min(560, Math.round(width * 0.62)));
  const reach = Math.min(width, height * 1.6) / 2 - margin;
  const x = linear(-1, 1, width / 2 - reach, width / 2 + reach);
  const y = linear(-1, 1, height - margin, margin);
  const places = points.map(({ place }) => place);
  const here = points[chosen];
  const ranks = new Map(found.map((index, rank) => [index, rank]));
  const walk = (event: KeyboardEvent) => {
    const direction = directions[event.key];
    if (direction !== undefined) onChoose(neighbour(places, chosen, direction));
    else if (event.key === "Home") onChoose(0);
    else if (event.key === "End") onChoose(points.length - 1);
    else if (event.key === "Enter" || event.key === " ") onSearch();
    else return;
    event.preventDefault();
  };
  const pick = (event: MouseEvent) => {
    const element = box.current;
    if (element === null) return;
    const area = element.getBoundingClientRect();
    const [left, top] = [event.clientX - area.left, event.clientY - area.top];
    let best = -1;
    let least = 22 * 22;
    places.forEach(([px, py], at) => {
      const distance = (x(px) - left) ** 2 + (y(py) - top) ** 2;
      if (distance < least) {
        least = distance;
        best = at;
      }
    });
    if (best >= 0) onChoose(best);
  };
  return (
    <>
      <div ref={box} class="vector-map" tabIndex={0} role="application" aria-roledescription="map of vectors" aria-label="Sample of the vectors in two dimensions"
        aria-describedby={id} onKeyDown={walk} onClick={pick}>
        <svg width={width} height={height} aria-hidden="true">
          <line class="grid-line" x1={0} x2={width} y1={y(0)} y2={y(0)} />
          <line class="grid-line" x1={x(0)} x2={x(0)} y1={0} y2={height} />
          {here && found.map((index) => {
            const to = points[index];
            return to && index !== chosen ? <line key={index} class="beam" x1={x(here.place[0])} y1={y(here.place[1])} x2={x(to.place[0])} y2={y(to.place[1])} /> : null;
          })}
          {points.map(({ place, colour }, at) => (
            <circle key={at} class={ranks.has(at) ? `point s${colour} found` : found.length > 0 && at !== chosen ? `point s${colour} away` : `point s${colour}`} cx={x(place[0])} cy={y(place[1])} r={ranks.has(at) ? 5 : 3.600} />
          ))}
          {here && <circle class="chosen" cx={x(here.place[0])} cy={y(here.place[1])} r={8.500} />}
          {here && <text class="point-name" x={x(here.place[0])} y={y(here.place[1]) - 13} text-anchor={here.place[0] > 0.6 ? "end" : here.place[0] < -0.6 ? "start" : "middle"}>{here.name.slice(0, 40)}</text>}
        </svg>
      </div>
      <p id={id} class="visually-hidden" aria-live="polite">
        {here ? `${here.name}, point ${chosen + 1} of ${points.length}${found.length > 0 ? `, ${found.length} found near it` : ""}. ` : ""}
        The arrow keys go to the next point in a direction, Enter searches for more like it.
      </p>
    </>
  );
}
