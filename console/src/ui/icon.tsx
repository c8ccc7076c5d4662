// Small line drawings, 16 by 16.

const paths = {
  table: "M2 3h12v10H2zM2 6.500h12M6 6.500V13",
  query: "M7 12A5 5 0 1 0 7 2a5 5 0 0 0 0 10zM10.700 10.700 14 14",
  code: "M5.500 4.500 2 8l3.500 3.500M10.500 4.500 14 8l-3.500 3.500",
  model: "M8 1.500 14 5v6l-6 3.500L2 11V5zM2 5l6 3.500L14 5M8 8.500v6",
  entity: "M2 2h5v5H2zM9 2h5v5H9zM2 9h5v5H2zM9 9h5v5H9z",
  document: "M4 1.500h5.500L13 5v9.500H4zM9 1.500V5.500h4M6 8.500h5M6 11h5",
  relation: "M8 2.500v3M3.500 13V9.500h9V13M8 5.500v4M6.500 1h3v2.500h-3zM2 12h3v2.500H2zM11 12h3v2.500h-3z",
  lease: "M4.500 7V5a3.500 3.500 0 0 1 7 0v2M3 7h10v7H3zM8 10v1.500",
  vector: "M2 14 6 6l4 4 4-8M6 6h.010M10 10h.010",
  stream: "M1.500 5c2-2 4-2 6.500 0s4.500 2 6.500 0M1.500 8.500c2-2 4-2 6.500 0s4.500 2 6.500 0M1.500 12c2-2 4-2 6.500 0s4.500 2 6.500 0",
  metrics: "M2 14V2M2 14h12M5 11V8M8 11V4.500M11 11V7",
  fault: "M8 1.500 15 14H1zM8 6v4M8 12v.010",
  backup: "M2.500 8A5.500 5.500 0 1 0 4.500 3.700M4 1v3h3M8 5v3.500l2.500 1.500",
  plus: "M8 3v10M3 8h10",
  close: "M4 4l8 8M12 4l-8 8",
  check: "M3 8.500 6.500 12 13 4.500",
  trash: "M3 4.500h10M6.500 4.500V2.500h3v2M4.500 4.500 5 13.500h6l.500-9M7 7v4M9 7v4",
  edit: "M10.500 2.500l3 3-8 8H2.500v-3zM9 4l3 3",
  copy: "M5.500 5.500h8v8h-8zM10.500 5.500v-3h-8v8h3",
  download: "M8 2v8M4.500 7 8 10.500 11.500 7M2.500 13.500h11",
  upload: "M8 10.500v-8M4.500 5.500 8 2l3.500 3.500M2.500 13.500h11",
  refresh: "M13.500 8A5.500 5.500 0 1 1 11.500 3.700M12 1v3H9",
  menu: "M2 4h12M2 8h12M2 12h12",
  sun: "M8 11a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM8 1v1.500M8 13.500V15M1 8h1.500M13.500 8H15M3 3l1 1M12 12l1 1M13 3l-1 1M4 12l-1 1",
  moon: "M13.500 9.500A6 6 0 0 1 6.500 2.500a6 6 0 1 0 7 7z",
  key: "M5.500 13a3.500 3.500 0 1 0 0-7 3.500 3.500 0 0 0 0 7zM8 7l6-5M11.500 4l2 2",
  warning: "M8 1.500 15 14H1zM8 6v4M8 12v.010",
  info: "M8 14.500a6.500 6.500 0 1 0 0-13 6.500 6.500 0 0 0 0 13zM8 7.500v4M8 4.800v.010",
  right: "M6 3.500 10.500 8 6 12.500",
  down: "M3.500 6 8 10.500 12.500 6",
  play: "M4 2.500v11l9-5.500z",
  stop: "M3.500 3.500h9v9h-9z",
  more: "M3 8h.010M8 8h.010M13 8h.010",
  columns: "M2 3h12v10H2zM6 3v10M10 3v10",
} as const;

export type IconName = keyof typeof paths;

/** A drawing that says nothing to a screen reader: the control around it has the words. */
export function Icon({ name }: { name: IconName }) {
  return (
    <svg viewBox="0 0 16 16" fill="none" stroke="currentColor" stroke-width="1.4" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true">
      <path d={paths[name]} />
    </svg>
  );
}
