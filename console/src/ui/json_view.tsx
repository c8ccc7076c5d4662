// A value as a tree that folds. Everything is text for the browser, never markup, and long or deep values wait until somebody
// opens them.

import { useState } from "preact/hooks";
import { type AttributeValue, base64Length, contentOf, jsonText, typeClass, typeOf, withoutDisguise } from "../api/attribute";

const textShownMax = 2000;
const childrenShownMax = 100;
const openDepth = 2;

function LongText({ text, quote }: { text: string; quote?: boolean }) {
  const [whole, setWhole] = useState(false);
  const shown = whole ? text : text.slice(0, textShownMax);
  return (
    <>
      <span class="data">{quote ? jsonText(shown) : shown}</span>
      {shown.length < text.length && <button type="button" class="more" onClick={() => setWhole(true)}> … all {text.length} characters</button>}
    </>
  );
}

type Child = { name: string; view: (depth: number) => preact.JSX.Element };

function Branch({ open, close, children, depth, tag }: { open: string; close: string; children: Child[]; depth: number; tag?: string }) {
  const [unfolded, setUnfolded] = useState(depth < openDepth && children.length <= 20);
  const [shown, setShown] = useState(childrenShownMax);
  if (children.length === 0) return <span class="t-nest">{open}{close}</span>;
  return (
    <>
      <button type="button" class="fold" aria-expanded={unfolded} onClick={() => setUnfolded(!unfolded)}>
        {unfolded ? "▾" : "▸"} {open}{unfolded ? "" : ` ${children.length} ${close}`}
      </button>
      {tag && <span class="type-tag">{tag}</span>}
      {unfolded && (
        <>
          <ul>
            {children.slice(0, shown).map(({ name, view }, at) => (
              <li key={at}>{name !== "" && <span class="name data">{withoutDisguise(name)}: </span>}{view(depth + 1)}</li>
            ))}
          </ul>
          {children.length > shown && (
            <button type="button" class="more" onClick={() => setShown(shown + 10 * childrenShownMax)}>{children.length - shown} more</button>
          )}
          <span class="t-nest">{close}</span>
        </>
      )}
    </>
  );
}

function TypedNode({ value, depth }: { value: AttributeValue; depth: number }) {
  const type = typeOf(value);
  const content = contentOf(value);
  if ("M" in value)
    return <Branch open="{" close="}" depth={depth} children={Object.entries(value.M).map(([name, each]) => ({ name, view: (d) => <TypedNode value={each} depth={d} /> }))} />;
  if ("L" in value)
    return <Branch open="[" close="]" depth={depth} children={value.L.map((each) => ({ name: "", view: (d) => <TypedNode value={each} depth={d} /> }))} />;
  if (Array.isArray(content))
    return <Branch open="{" close="}" depth={depth} tag={type} children={content.map((each: string) => ({ name: "", view: () => <span class={typeClass(type)}><LongText text={each} quote={type === "SS"} /></span> }))} />;
  return (
    <span class={typeClass(type)}>
      {"S" in value ? <LongText text={value.S} quote /> : "B" in value ? <><span class="type-tag">{base64Length(value.B)} B</span> <LongText text={value.B} /></> : "NULL" in value ? "null" : String(content)}
    </span>
  );
}

/** An attribute value, by its types. */
export function TypedView({ value }: { value: AttributeValue }) {
  return <div class="json"><TypedNode value={value} depth={0} /></div>;
}

function PlainNode({ value, depth }: { value: unknown; depth: number }) {
  if (Array.isArray(value))
    return <Branch open="[" close="]" depth={depth} children={value.map((each) => ({ name: "", view: (d) => <PlainNode value={each} depth={d} /> }))} />;
  if (value !== null && typeof value === "object")
    return <Branch open="{" close="}" depth={depth} children={Object.entries(value).map(([name, each]) => ({ name, view: (d) => <PlainNode value={each} depth={d} /> }))} />;
  if (typeof value === "string") return <span class="t-s"><LongText text={value} quote /></span>;
  return <span class={typeof value === "number" ? "t-n" : value === null ? "t-null" : "t-bool"}>{String(value)}</span>;
}

/** Any JSON. */
export function JsonView({ value }: { value: unknown }) {
  return <div class="json"><PlainNode value={value} depth={0} /></div>;
}
