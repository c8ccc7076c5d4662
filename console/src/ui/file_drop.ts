// Files that somebody drags from the desktop onto a part of a page.

import { useState } from "preact/hooks";

const hasFiles = (event: DragEvent) => event.dataTransfer?.types.includes("Files") ?? false;

/** A dialog has the page to itself: nothing is dropped through it. */
const isInDialog = (event: DragEvent) => event.target instanceof Element && event.target.closest("dialog") !== null;

export interface FileDrop {
  /** Whether files are held over the element. */
  isOver: boolean;
  /** For the element: `<div {...drop.handlers}>`. */
  handlers: { onDragOver: (event: DragEvent) => void; onDragLeave: (event: DragEvent) => void; onDrop: (event: DragEvent) => void };
}

/** Takes the files that are dropped on an element. Text and links are left to the browser. */
export function useFileDrop(take: (files: File[]) => void): FileDrop {
  const [isOver, setOver] = useState(false);
  const onDragOver = (event: DragEvent) => {
    if (!hasFiles(event) || isInDialog(event)) return;
    event.preventDefault();
    setOver(true);
  };
  // Going from one child to another is told as leaving too, with the place where it goes.
  const onDragLeave = (event: DragEvent) => {
    const element = event.currentTarget as Node;
    if (!(event.relatedTarget instanceof Node && element.contains(event.relatedTarget))) setOver(false);
  };
  const onDrop = (event: DragEvent) => {
    if (!hasFiles(event) || isInDialog(event)) return;
    event.preventDefault();
    setOver(false);
    take([...(event.dataTransfer?.files ?? [])]);
  };
  return { isOver, handlers: { onDragOver, onDragLeave, onDrop } };
}

/** A file that misses its mark would be opened by the browser in place of the console, and everything typed would be lost. */
export function refuseStrayFiles(): void {
  for (const name of ["dragover", "drop"] as const)
    addEventListener(name, (event) => {
      if (event.defaultPrevented || !hasFiles(event)) return;
      event.preventDefault();
      if (event.dataTransfer) event.dataTransfer.dropEffect = "none";
    });
}
