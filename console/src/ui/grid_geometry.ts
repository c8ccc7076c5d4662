// Which rows are in view. A browser cannot scroll a box of any height, so with very many rows a step of the scroll bar is more than
// one step of the rows.

export const rowHeight = 28;
export const headHeight = 30;
/** Firefox stops at about 17.8 million pixels, others later. */
export const canvasHeightMax = 15_000_000;
const overscan = 6;

export interface Geometry {
  canvasHeight: number;
  /** First row to draw, and the one after the last. */
  first: number;
  end: number;
  /** The distance of a row from the top of the canvas. */
  topOf: (row: number) => number;
}

function rowsTopOf(scrollTop: number, rows: number, canvas: number, view: number): number {
  const whole = rows * rowHeight;
  return canvas === whole || canvas <= view ? scrollTop : (scrollTop / (canvas - view)) * (whole - view);
}

/** `view` is the height of the window onto the rows. */
export function geometryOf(rows: number, scrollTop: number, view: number): Geometry {
  const canvasHeight = Math.min(rows * rowHeight, canvasHeightMax);
  const top = rowsTopOf(scrollTop, rows, canvasHeight, view);
  const first = Math.max(0, Math.floor(top / rowHeight) - overscan);
  const end = Math.min(rows, Math.ceil((top + view) / rowHeight) + overscan);
  return { canvasHeight, first, end, topOf: (row) => row * rowHeight - top + scrollTop };
}

/** Where to scroll so that a row is in view; the same place when it is already. */
export function scrollTopFor(row: number, rows: number, scrollTop: number, view: number): number {
  const canvas = Math.min(rows * rowHeight, canvasHeightMax);
  const whole = rows * rowHeight;
  const top = rowsTopOf(scrollTop, rows, canvas, view);
  let wanted = top;
  if (row * rowHeight < top) wanted = row * rowHeight;
  else if ((row + 1) * rowHeight > top + view) wanted = (row + 1) * rowHeight - view;
  if (wanted === top) return scrollTop;
  wanted = Math.max(0, Math.min(wanted, whole - view));
  return canvas === whole || canvas <= view ? wanted : (wanted / (whole - view)) * (canvas - view);
}
