// A text of JSON with what the server says about it beside the lines. It asks while one writes.

import { useEffect, useId, useRef, useState } from "preact/hooks";
import { ApiError, messageOf } from "../../api/errors";
import { lineOfPath, type Violation } from "./schemas";

export interface Verdict {
  state: "unknown" | "asking" | "valid" | "invalid";
  violations: Violation[];
  /** What is wrong with the text as a whole. */
  message: string | undefined;
}

const unknown: Verdict = { state: "unknown", violations: [], message: undefined };
const pauseMs = 250;

/** Asks `check` a moment after the text has changed; an older answer is forgotten. */
export function useVerdict(text: string, check: (text: string, signal: AbortSignal) => Promise<unknown>, keys: readonly unknown[]): Verdict {
  const [verdict, setVerdict] = useState<Verdict>(unknown);
  const latest = useRef(check);
  latest.current = check;
  useEffect(() => {
    if (text.trim() === "") {
      setVerdict(unknown);
      return;
    }
    const abort = new AbortController();
    setVerdict((before) => ({ ...before, state: "asking" }));
    const timer = setTimeout(() => {
      latest.current(text, abort.signal).then(
        () => abort.signal.aborted || setVerdict({ state: "valid", violations: [], message: undefined }),
        (error: unknown) => abort.signal.aborted || setVerdict(refusal(error)),
      );
    }, pauseMs);
    return () => {
      abort.abort();
      clearTimeout(timer);
    };
  }, [text, ...keys]);
  return verdict;
}

function refusal(error: unknown): Verdict {
  const details = error instanceof ApiError ? error.body["details"] : undefined;
  const violations = Array.isArray(details) ? (details as Violation[]) : [];
  return { state: "invalid", violations, message: violations.length > 0 ? undefined : messageOf(error) };
}

export function JsonEditor({ label, text, onChange, verdict, rows = 14 }: { label: string; text: string; onChange: (text: string) => void; verdict: Verdict; rows?: number }) {
  const id = useId();
  const [top, setTop] = useState(0);
  const marked = new Map<number, Violation[]>();
  for (const violation of verdict.violations) {
    const line = lineOfPath(text, violation.path) ?? 0;
    marked.set(line, [...(marked.get(line) ?? []), violation]);
  }
  const state = { unknown: "", asking: "checking …", valid: "fits the schema", invalid: `${verdict.violations.length || 1} problem${verdict.violations.length > 1 ? "s" : ""}` }[verdict.state];
  return (
    <div class="field json-editor">
      <label for={id}>{label}</label>
      <div class="editor-box">
        <div class="gutter" aria-hidden="true">
          <div style={{ transform: `translateY(${-top}px)` }}>
            {text.split("\n").map((_, line) => <span key={line} class={marked.has(line) ? "bad" : undefined}>{line + 1}</span>)}
          </div>
        </div>
        <textarea id={id} class="code" rows={rows} value={text} spellcheck={false} wrap="off" aria-invalid={verdict.state === "invalid" ? true : undefined} aria-describedby={`${id}-said`}
          onInput={(event) => onChange(event.currentTarget.value)} onScroll={(event) => setTop(event.currentTarget.scrollTop)} />
      </div>
      <div id={`${id}-said`} class="verdict" role="status">
        <span class={verdict.state === "valid" ? "good-text" : verdict.state === "invalid" ? "danger-text" : "faint"}>{state}</span>
        {verdict.message !== undefined && <p class="danger-text data">{verdict.message}</p>}
        <ul class="violations">
          {verdict.violations.map(({ path, rule, message }, at) => (
            <li key={at}><span class="faint">line {(lineOfPath(text, path) ?? 0) + 1}</span> <span class="mono data">{path}</span> <span class="badge danger">{rule}</span> <span class="data">{message}</span></li>
          ))}
        </ul>
      </div>
    </div>
  );
}
