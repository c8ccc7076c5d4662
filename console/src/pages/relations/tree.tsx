// The family as a tree. Arrow keys walk, open and close; what a delete would take is marked.

import { useEffect, useRef } from "preact/hooks";
import { Icon } from "../../ui/icon";
import { type Family, nameOf, visible } from "./family";

export interface ViewProps {
  family: Family;
  colours: Map<string, number>;
  chosen: string | undefined;
  doomed: Set<string>;
  onChoose: (urn: string) => void;
  /** Reads the children of a node, or more of them, and opens it. */
  onLoad: (urn: string) => void;
  onClose: (urn: string) => void;
}

export function Tree({ family, colours, chosen, doomed, onChoose, onLoad, onClose }: ViewProps) {
  const rows = visible(family);
  const box = useRef<HTMLDivElement>(null);
  const current = rows.some(({ urn }) => urn === chosen) ? chosen : rows[0]?.urn;
  const hadFocus = useRef(false);
  useEffect(() => {
    const element = box.current?.querySelector<HTMLElement>('[role="treeitem"][tabindex="0"]');
    if (hadFocus.current) element?.focus();
    element?.scrollIntoView({ block: "nearest" });
  }, [current]);
  const onKeyDown = (event: KeyboardEvent) => {
    const at = rows.findIndex(({ urn }) => urn === current);
    const row = rows[at];
    const node = row && family.nodes.get(row.urn);
    if (row === undefined || node === undefined) return;
    const go = (index: number) => { const next = rows[Math.max(0, Math.min(rows.length - 1, index))]; if (next) onChoose(next.urn); };
    switch (event.key) {
      case "ArrowDown": go(at + 1); break;
      case "ArrowUp": go(at - 1); break;
      case "Home": go(0); break;
      case "End": go(rows.length - 1); break;
      case "ArrowRight": if (!node.open) onLoad(row.urn); else if ((rows[at + 1]?.depth ?? 0) > row.depth) go(at + 1); break;
      case "ArrowLeft": {
        if (node.open) onClose(row.urn);
        else for (let up = at - 1; up >= 0; --up) if (rows[up]!.depth < row.depth) { go(up); break; }
        break;
      }
      case "Enter": case " ": node.open ? onClose(row.urn) : onLoad(row.urn); break;
      default: return;
    }
    event.preventDefault();
  };
  return (
    <div ref={box} class="tree" role="tree" aria-label="Resources" onKeyDown={onKeyDown} onFocusIn={() => (hadFocus.current = true)} onFocusOut={() => (hadFocus.current = false)}>
      {rows.map(({ urn, depth }) => {
        const { resource, open, children, token } = family.nodes.get(urn)!;
        const leaf = open && (children?.length ?? 0) === 0;
        return (
          <div key={urn} role="treeitem" aria-level={depth + 1} aria-expanded={leaf ? undefined : open} aria-selected={urn === current} tabIndex={urn === current ? 0 : -1}
            class={doomed.has(urn) ? "node doomed" : "node"} style={{ paddingLeft: `${8 + depth * 18}px` }} onClick={() => onChoose(urn)} onDblClick={() => (open ? onClose(urn) : onLoad(urn))}>
            <span class={leaf ? "toggle leaf" : "toggle"} aria-hidden="true" onClick={(event) => { event.stopPropagation(); open ? onClose(urn) : onLoad(urn); }}>{!leaf && <Icon name={open ? "down" : "right"} />}</span>
            <span class={`swatch s${colours.get(resource.type) ?? 0}`} aria-hidden="true" />
            <span class="data name">{nameOf(resource)}</span>
            <span class="faint data type">{resource.type}</span>
            {doomed.has(urn) && <span class="badge danger">would go</span>}
            {open && token !== undefined && <button type="button" class="link" tabIndex={-1} onClick={(event) => { event.stopPropagation(); onLoad(urn); }}>more children</button>}
          </div>
        );
      })}
    </div>
  );
}
