// Modal dialogs: the browser's own, which keep the focus inside and give it back.

import type { ComponentChildren } from "preact";
import { useId, useLayoutEffect, useRef, useState } from "preact/hooks";
import { Button, TextField } from "./controls";
import { ErrorNotice } from "./notice";

export interface DialogProps {
  title: string;
  onClose: () => void;
  children: ComponentChildren;
  /** Buttons. */
  footer?: ComponentChildren;
  wide?: boolean;
  /** Makes it a form: called when it is sent with Enter or a submit button. */
  onSubmit?: () => void;
}

/** Render it only while it is open. */
export function Dialog({ title, onClose, children, footer, wide, onSubmit }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null);
  const id = useId();
  // Before anything is drawn, so that what somebody types at once is typed here.
  useLayoutEffect(() => {
    const dialog = element.current;
    if (dialog && !dialog.open) dialog.showModal();
    return () => dialog?.close();
  }, []);
  const inside = (
    <>
      <header>
        <h2 id={id}>{title}</h2>
        <Button small kind="quiet" icon="close" label="Close" onClick={onClose} />
      </header>
      <div class="body">{children}</div>
      {footer && <footer>{footer}</footer>}
    </>
  );
  return (
    <dialog ref={element} class={wide ? "wide" : undefined} aria-labelledby={id}
      onCancel={(event) => { event.preventDefault(); onClose(); }}>
      {onSubmit
        ? <form class="dialog" noValidate onSubmit={(event) => { event.preventDefault(); event.stopPropagation(); onSubmit(); }}>{inside}</form>
        : <div class="dialog">{inside}</div>}
    </dialog>
  );
}

export interface ConfirmProps {
  title: string;
  children: ComponentChildren;
  /** The word on the button, such as "Delete". */
  action: string;
  /** What has to be typed first, for what cannot be undone. */
  typed?: string;
  /** The dialog closes when it has succeeded, and shows the error when it has not. */
  onConfirm: () => Promise<void>;
  onClose: () => void;
}

export function Confirm({ title, children, action, typed, onConfirm, onClose }: ConfirmProps) {
  const [text, setText] = useState("");
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const allowed = !busy && (typed === undefined || text === typed);
  const confirm = async () => {
    if (!allowed) return;
    setBusy(true);
    setError(null);
    try {
      await onConfirm();
      onClose();
    } catch (failure) {
      setError(failure);
      setBusy(false);
    }
  };
  return (
    <Dialog title={title} onClose={onClose} onSubmit={confirm}
      footer={<><Button onClick={onClose}>Cancel</Button><Button kind="danger" submit disabled={!allowed}>{action}</Button></>}>
      {children}
      {typed !== undefined && <TextField label={`Type ${typed} to confirm`} value={text} onChange={setText} autofocus code />}
      {error !== null && <ErrorNotice error={error} />}
    </Dialog>
  );
}
