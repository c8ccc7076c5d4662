// Short messages about what has been done, which nobody has to answer.

import { signal } from "@preact/signals";
import { messageOf } from "../api/errors";
import { Button } from "./controls";

interface Toast {
  id: number;
  kind: "info" | "good" | "danger";
  text: string;
}

const toasts = signal<Toast[]>([]);
const shownMs = 6000;
const shownMax = 4;
let nextId = 1;

/** A message of danger stays until it is closed. */
export function toast(kind: Toast["kind"], text: string): void {
  const id = nextId++;
  toasts.value = [...toasts.value, { id, kind, text }].slice(-shownMax);
  if (kind !== "danger") setTimeout(() => close(id), shownMs);
}

/** The same for whatever was thrown. */
export function toastError(error: unknown): void {
  toast("danger", messageOf(error));
}

function close(id: number): void {
  toasts.value = toasts.value.filter((each) => each.id !== id);
}

export function Toasts() {
  return (
    <div class="toasts" role="log" aria-live="polite" aria-label="Messages">
      {toasts.value.map(({ id, kind, text }) => (
        <div key={id} class={`toast ${kind}`}>
          <p class="data">{text}</p>
          <Button small kind="quiet" icon="close" label="Close the message" onClick={() => close(id)} />
        </div>
      ))}
    </div>
  );
}
