// The frame of a picture: its title, its legend, and the same as a table for those who do not see it.

import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";
import "./charts.css";

export interface PictureProps {
  title: string;
  note?: ComponentChildren;
  /** Buttons beside the title. */
  tools?: ComponentChildren;
  legend?: { name: string; colour: number; note?: string }[];
  children: ComponentChildren;
  /** The text alternative: names of columns and rows of texts. */
  table?: { columns: string[]; rows: (string | number)[][] };
}

export function Picture({ title, note, tools, legend, children, table }: PictureProps) {
  const id = useId();
  return (
    <figure class="panel picture" aria-labelledby={id}>
      <header>
        <h2 id={id}>{title}</h2>
        {note !== undefined && <span class="faint">{note}</span>}
        {tools}
      </header>
      {children}
      {legend && legend.length > 0 && (
        <div class="body">
          <ul class="legend">
            {legend.map(({ name, colour, note: more }) => (
              <li key={name}><span class={`swatch s${colour}`} aria-hidden="true" /> <span class="data">{name}</span>{more !== undefined && <span class="faint"> {more}</span>}</li>
            ))}
          </ul>
        </div>
      )}
      {table && table.rows.length > 0 && <AsTable title={title} {...table} />}
    </figure>
  );
}

const rowsShownMax = 500;

function AsTable({ title, columns, rows }: { title: string; columns: string[]; rows: (string | number)[][] }) {
  return (
    <details class="as-text">
      <summary>As a table</summary>
      <div class="table-scroll" tabIndex={0} role="region" aria-label={`${title} as a table`}>
        <table class="table">
          <thead><tr>{columns.map((each) => <th key={each} scope="col">{each}</th>)}</tr></thead>
          <tbody>
            {rows.slice(0, rowsShownMax).map((row, at) => (
              <tr key={at}>{row.map((cell, column) => <td key={column} class={typeof cell === "number" ? "right" : undefined}><span class="data">{cell}</span></td>)}</tr>
            ))}
          </tbody>
        </table>
        {rows.length > rowsShownMax && <p class="faint">… and {rows.length - rowsShownMax} more</p>}
      </div>
    </details>
  );
}

/** Large numbers in a row. */
export function Numbers({ values }: { values: { name: string; value: ComponentChildren; unit?: string }[] }) {
  return (
    <dl class="numbers">
      {values.map(({ name, value, unit }) => (
        <div key={name}><dt>{name}</dt><dd>{value}{unit !== undefined && <small> {unit}</small>}</dd></div>
      ))}
    </dl>
  );
}
