// Data that a page loads.

import { useEffect, useRef, useState } from "preact/hooks";
import { returns } from "../api/client";

export interface Resource<T> {
  /** Of the latest load that succeeded; stays while it is loaded again. */
  data: T | undefined;
  error: unknown;
  loading: boolean;
  reload: () => void;
}

/**
 * Loads when `keys` change and when the server has come back, and again every `everyMs` while the page is visible. What is
 * not wanted any more is aborted.
 */
export function useResource<T>(load: (signal: AbortSignal) => Promise<T>, keys: readonly unknown[], everyMs?: number): Resource<T> {
  const [state, setState] = useState<{ data: T | undefined; error: unknown; loading: boolean }>({ data: undefined, error: undefined, loading: true });
  const [turn, setTurn] = useState(0);
  const latest = useRef(load);
  latest.current = load;
  const previous = useRef<readonly unknown[]>(keys);
  useEffect(() => {
    const abort = new AbortController();
    const same = previous.current.length === keys.length && previous.current.every((key, at) => Object.is(key, keys[at]));
    previous.current = keys;
    setState((before) => ({ data: same ? before.data : undefined, error: same ? before.error : undefined, loading: true }));
    latest.current(abort.signal).then(
      (data) => abort.signal.aborted || setState({ data, error: undefined, loading: false }),
      (error: unknown) => abort.signal.aborted || setState((before) => ({ data: before.data, error, loading: false })),
    );
    return () => abort.abort();
  }, [...keys, turn, returns.value]);
  useEffect(() => {
    if (everyMs === undefined) return;
    const timer = setInterval(() => document.visibilityState === "visible" && setTurn((before) => before + 1), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return { ...state, reload: () => setTurn((before) => before + 1) };
}
