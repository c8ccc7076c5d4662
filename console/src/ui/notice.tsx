// What a page says when it has nothing else to show: an error, nothing, or that it waits.

import type { ComponentChildren } from "preact";
import { ApiError, messageOf } from "../api/errors";
import { Button } from "./controls";
import { Icon, type IconName } from "./icon";

/** An error in its place. `onRetry` adds a button. */
export function ErrorNotice({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  const operation = error instanceof ApiError && !error.isUnreachable ? error.operation : undefined;
  return (
    <div class="notice danger" role="alert">
      <Icon name="warning" />
      <div class="grow">
        {operation && <strong>{operation}: </strong>}
        <span class="data">{messageOf(error)}</span>
      </div>
      {onRetry && <Button small icon="refresh" onClick={onRetry}>Try again</Button>}
    </div>
  );
}

export function Notice({ kind, children }: { kind?: "warn" | "danger" | "good"; children: ComponentChildren }) {
  return (
    <div class={kind ? `notice ${kind}` : "notice"}>
      <Icon name={kind === "good" ? "check" : kind ? "warning" : "info"} />
      <div class="grow">{children}</div>
    </div>
  );
}

export function Empty({ icon, title, children }: { icon?: IconName; title: string; children?: ComponentChildren }) {
  return (
    <div class="empty">
      {icon && <Icon name={icon} />}
      <strong>{title}</strong>
      {children}
    </div>
  );
}

export function Loading({ what }: { what?: string }) {
  return (
    <div class="empty" role="status">
      <span class="row"><span class="spinner" aria-hidden="true" /> Loading{what ? ` ${what}` : ""} …</span>
    </div>
  );
}

export function Badge({ kind, children, title }: { kind?: "good" | "warn" | "danger" | "accent" | undefined; children: ComponentChildren; title?: string }) {
  return <span class={kind ? `badge ${kind}` : "badge"} title={title}>{children}</span>;
}
