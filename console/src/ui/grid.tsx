// A grid of any number of rows, of which only those in view exist. The arrow keys walk from cell to cell, Enter opens, Space
// selects, Alt with an arrow changes the width of a column.

import type { ComponentChildren } from "preact";
import { useEffect, useId, useLayoutEffect, useRef, useState } from "preact/hooks";
import { geometryOf, headHeight, rowHeight, scrollTopFor } from "./grid_geometry";

export interface Column<Row> {
  id: string;
  title: ComponentChildren;
  /** For screen readers when the title is not a text. */
  name?: string;
  width?: number;
  align?: "number";
  cell: (row: Row, index: number) => ComponentChildren;
}

export interface GridProps<Row> {
  label: string;
  columns: readonly Column<Row>[];
  rowCount: number;
  /** Undefined while the row is being loaded. */
  rowAt: (index: number) => Row | undefined;
  /** Called with the rows in view, whenever they change. */
  onView?: (first: number, end: number) => void;
  onOpen?: (index: number) => void;
  /** Adds a column of check boxes. `range` is true with Shift: everything from the last row that was touched. */
  selection?: { isSelected: (index: number) => boolean; toggle: (index: number, range: boolean) => void };
  /** Changes when the rows are others altogether, so that the grid begins at the top again. */
  of?: unknown;
}

const widthDefault = 160;
const widthMin = 48;
const toolsWidth = 34;

export function Grid<Row>(props: GridProps<Row>) {
  const { columns, rowCount, selection } = props;
  const base = useId();
  const box = useRef<HTMLDivElement>(null);
  const [scrollTop, setScrollTop] = useState(0);
  const [height, setHeight] = useState(400);
  const [active, setActive] = useState({ row: 0, column: 0 });
  const [hasFocus, setFocus] = useState(false);
  const [widths, setWidths] = useState<ReadonlyMap<string, number>>(new Map());

  useLayoutEffect(() => {
    const element = box.current;
    if (element === null) return;
    const observer = new ResizeObserver(() => setHeight(element.clientHeight));
    observer.observe(element);
    setHeight(element.clientHeight);
    return () => observer.disconnect();
  }, []);
  useLayoutEffect(() => {
    box.current?.scrollTo({ top: 0 });
    setScrollTop(0);
    setActive({ row: 0, column: 0 });
  }, [props.of]);

  const view = Math.max(rowHeight, height - headHeight);
  const geometry = geometryOf(rowCount, scrollTop, view);
  const { first, end } = geometry;
  useEffect(() => props.onView?.(first, end), [first, end, rowCount, props.of]);

  const widthOf = (column: Column<Row>) => widths.get(column.id) ?? column.width ?? widthDefault;
  const resize = (column: Column<Row>, width: number) => setWidths((before) => new Map(before).set(column.id, Math.max(widthMin, Math.round(width))));

  const walkTo = (row: number, column: number) => {
    const next = { row: Math.max(0, Math.min(rowCount - 1, row)), column: Math.max(0, Math.min(columns.length - 1, column)) };
    setActive(next);
    const element = box.current;
    if (element === null) return;
    element.scrollTop = scrollTopFor(next.row, rowCount, element.scrollTop, view);
    let left = selection ? toolsWidth : 0;
    for (const each of columns.slice(0, next.column)) left += widthOf(each);
    const width = columns[next.column] ? widthOf(columns[next.column]!) : 0;
    if (left - (selection ? toolsWidth : 0) < element.scrollLeft) element.scrollLeft = left - (selection ? toolsWidth : 0);
    else if (left + width > element.scrollLeft + element.clientWidth) element.scrollLeft = left + width - element.clientWidth;
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.target !== box.current || rowCount === 0) return;
    const page = Math.max(1, Math.floor(view / rowHeight) - 1);
    const { row, column } = active;
    const current = columns[column];
    if (event.altKey && current && (event.key === "ArrowLeft" || event.key === "ArrowRight")) {
      resize(current, widthOf(current) + (event.key === "ArrowLeft" ? -24 : 24));
      return event.preventDefault();
    }
    switch (event.key) {
      case "ArrowDown": walkTo(row + 1, column); break;
      case "ArrowUp": walkTo(row - 1, column); break;
      case "ArrowRight": walkTo(row, column + 1); break;
      case "ArrowLeft": walkTo(row, column - 1); break;
      case "PageDown": walkTo(row + page, column); break;
      case "PageUp": walkTo(row - page, column); break;
      case "Home": event.ctrlKey ? walkTo(0, column) : walkTo(row, 0); break;
      case "End": event.ctrlKey ? walkTo(rowCount - 1, column) : walkTo(row, columns.length - 1); break;
      case "Enter": props.onOpen?.(row); break;
      case " ": if (!selection) return; selection.toggle(row, event.shiftKey); break;
      default: return;
    }
    event.preventDefault();
  };

  // Slots are used again for other rows, so that scrolling changes elements instead of making them.
  const rows = [];
  const slots = Math.max(1, end - first);
  for (let index = first; index < end; ++index) {
    rows.push(
      <GridRow key={index % slots} base={base} index={index} top={geometry.topOf(index)} row={props.rowAt(index)} columns={columns} widthOf={widthOf}
        activeColumn={hasFocus && active.row === index ? active.column : -1} selection={selection}
        onPick={(column) => setActive({ row: index, column })} onOpen={props.onOpen} />,
    );
  }
  const activeIsDrawn = active.row >= first && active.row < end;
  return (
    <div ref={box} class="grid" role="grid" tabIndex={0} aria-label={props.label} aria-rowcount={rowCount + 1} aria-colcount={columns.length + (selection ? 1 : 0)}
      aria-multiselectable={selection ? true : undefined}
      aria-activedescendant={activeIsDrawn && rowCount > 0 ? `${base}-${active.row}-${active.column}` : undefined}
      onKeyDown={onKeyDown} onScroll={(event) => setScrollTop(event.currentTarget.scrollTop)}
      onFocus={(event) => setFocus(event.target === box.current)} onBlur={() => setFocus(false)}>
      <div role="rowgroup">
        <div class="head" role="row" aria-rowindex={1}>
          {selection && <div class="cell tools" role="columnheader" style={{ width: `${toolsWidth}px` }}><span class="visually-hidden">Selected</span></div>}
          {columns.map((column) => (
            <div key={column.id} class="cell" role="columnheader" aria-label={column.name} style={{ width: `${widthOf(column)}px` }}>
              {column.title}
              <ResizeHandle width={widthOf(column)} onResize={(width) => resize(column, width)} />
            </div>
          ))}
        </div>
      </div>
      <div role="rowgroup" style={{ height: `${geometry.canvasHeight}px`, position: "relative" }}>{rows}</div>
    </div>
  );
}

interface GridRowProps<Row> {
  base: string;
  index: number;
  top: number;
  row: Row | undefined;
  columns: readonly Column<Row>[];
  widthOf: (column: Column<Row>) => number;
  activeColumn: number;
  selection: GridProps<Row>["selection"];
  onPick: (column: number) => void;
  onOpen: ((index: number) => void) | undefined;
}

function GridRow<Row>({ base, index, top, row, columns, widthOf, activeColumn, selection, onPick, onOpen }: GridRowProps<Row>) {
  return (
    <div class="cells" role="row" aria-rowindex={index + 2} aria-selected={selection ? selection.isSelected(index) : undefined}
      style={{ transform: `translateY(${top}px)` }} onDblClick={() => onOpen?.(index)}>
      {selection && (
        <div class="cell tools" role="gridcell" style={{ width: `${toolsWidth}px` }}>
          <input type="checkbox" tabIndex={-1} aria-label={`Select row ${index + 1}`} checked={selection.isSelected(index)} disabled={row === undefined}
            onClick={(event) => selection.toggle(index, event.shiftKey)} />
        </div>
      )}
      {columns.map((column, at) => (
        <div key={column.id} id={`${base}-${index}-${at}`} role="gridcell" onClick={() => onPick(at)}
          class={["cell", column.align, at === activeColumn && "active"].filter(Boolean).join(" ")} style={{ width: `${widthOf(column)}px` }}>
          {row === undefined ? <span class="waiting">…</span> : column.cell(row, index)}
        </div>
      ))}
    </div>
  );
}

function ResizeHandle({ width, onResize }: { width: number; onResize: (width: number) => void }) {
  const start = useRef<{ x: number; width: number } | null>(null);
  return (
    <span class="resize" aria-hidden="true"
      onPointerDown={(event) => { start.current = { x: event.clientX, width }; event.currentTarget.setPointerCapture(event.pointerId); event.preventDefault(); }}
      onPointerMove={(event) => start.current && onResize(start.current.width + event.clientX - start.current.x)}
      onPointerUp={() => (start.current = null)} />
  );
}
