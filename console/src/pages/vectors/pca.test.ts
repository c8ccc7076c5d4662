import { describe, expect, it } from "vitest";
import { neighbour, normalized, project } from "./pca";

describe("project", () => {
  it("finds the line that points lie on", () => {
    const { points, explained } = project([[0, 0, 0], [1, 2, 3], [2, 4, 6], [3, 6, 9]]);
    expect(explained[0]).toBeCloseTo(1, 9);
    expect(explained[1]).toBeCloseTo(0, 9);
    const xs = points.map(([x]) => x);
    const steps = xs.slice(1).map((x, at) => x - xs[at]!);
    for (const step of steps) expect(Math.abs(step)).toBeCloseTo(2 / 3, 6);
  });
  it("keeps distances of what has two dimensions", () => {
    const vectors = [[0, 0, 5, 0], [3, 0, 5, 0], [0, 4, 5, 0], [3, 4, 5, 0], [9, 1, 5, 0]];
    const { points } = project(vectors);
    const distance = (a: number[], b: number[]) => Math.hypot(...a.map((each, at) => each - b[at]!));
    const factor = distance(points[0]!, points[1]!) / distance(vectors[0]!, vectors[1]!);
    for (let a = 0; a < 5; ++a) for (let b = 0; b < a; ++b) expect(distance(points[a]!, points[b]!)).toBeCloseTo(factor * distance(vectors[a]!, vectors[b]!), 5);
  });
  it("is the same every time", () => {
    const vectors = Array.from({ length: 20 }, (_, at) => [Math.sin(at), Math.cos(at * 3), Math.sin(at * at)]);
    expect(project(vectors)).toEqual(project(vectors));
  });
  it("takes equal vectors, one vector and none", () => {
    expect(project([[1, 1], [1, 1]])).toEqual({ points: [[0, 0], [0, 0]], explained: [0, 0] });
    expect(project([[1, 2]]).points).toEqual([[0, 0]]);
    expect(project([]).points).toEqual([]);
  });
  it("takes vectors of one number", () => {
    const { points } = project([[1], [2], [3]]);
    expect(points.map(([, y]) => y)).toEqual([0, 0, 0]);
  });
});

it("normalized leaves a vector of zeros alone", () => {
  expect(normalized([[3, 4], [0, 0]])).toEqual([[0.6, 0.8], [0, 0]]);
});

describe("neighbour", () => {
  const points: [number, number][] = [[0, 0], [1, 0.1], [0.1, 1], [-1, 0], [0, -1], [3, 0]];
  it("goes where the arrow points", () => {
    expect(neighbour(points, 0, "right")).toBe(1);
    expect(neighbour(points, 0, "up")).toBe(2);
    expect(neighbour(points, 0, "left")).toBe(3);
    expect(neighbour(points, 0, "down")).toBe(4);
    expect(neighbour(points, 1, "right")).toBe(5);
  });
  it("stays where nothing is ahead", () => expect(neighbour(points, 5, "right")).toBe(5));
});
