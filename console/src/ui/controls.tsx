// Buttons and fields. A field has a visible label, perhaps help, and a problem that is read out with it.

import type { ComponentChildren, JSX } from "preact";
import { useId, useState } from "preact/hooks";
import { Icon, type IconName } from "./icon";
import { toast } from "./toast";

export interface ButtonProps {
  children?: ComponentChildren;
  onClick?: (event: MouseEvent) => void;
  icon?: IconName;
  kind?: "primary" | "danger" | "quiet";
  small?: boolean;
  disabled?: boolean;
  /** Of a button that has only an icon. */
  label?: string;
  submit?: boolean;
  title?: string;
  pressed?: boolean;
  expanded?: boolean;
  autofocus?: boolean;
}

export function Button(props: ButtonProps) {
  const { children, icon, kind, small, label } = props;
  const classes = ["button", kind, small && "small", children === undefined && "icon"].filter(Boolean).join(" ");
  return (
    <button
      type={props.submit ? "submit" : "button"}
      class={classes}
      onClick={props.onClick}
      disabled={props.disabled}
      aria-label={label}
      title={props.title ?? label}
      aria-pressed={props.pressed}
      aria-expanded={props.expanded}
      autofocus={props.autofocus}
    >
      {icon && <Icon name={icon} />}
      {children}
    </button>
  );
}

interface FieldProps {
  label: string;
  help?: ComponentChildren;
  /** What is wrong with the value; empty or absent when nothing is. */
  problem?: string | undefined;
  /** Only a screen reader says the label. */
  hideLabel?: boolean;
}

function describedBy(id: string, props: FieldProps): string | undefined {
  const ids = [props.help !== undefined && `${id}-help`, props.problem && `${id}-problem`].filter(Boolean).join(" ");
  return ids === "" ? undefined : ids;
}

function Frame({ id, field, children }: { id: string; field: FieldProps; children: ComponentChildren }) {
  return (
    <div class="field">
      <label for={id} class={field.hideLabel ? "visually-hidden" : undefined}>{field.label}</label>
      {children}
      {field.help !== undefined && <span class="help" id={`${id}-help`}>{field.help}</span>}
      {field.problem && <span class="problem" id={`${id}-problem`} role="alert">{field.problem}</span>}
    </div>
  );
}

export interface TextFieldProps extends FieldProps {
  value: string;
  onChange: (value: string) => void;
  type?: "text" | "number" | "password" | "search" | "datetime-local";
  placeholder?: string;
  code?: boolean;
  required?: boolean;
  disabled?: boolean;
  autofocus?: boolean;
  /** Proposals of the browser. */
  suggestions?: readonly string[];
  onKeyDown?: (event: KeyboardEvent) => void;
  min?: number;
  max?: number;
  autocomplete?: string;
}

export function TextField(props: TextFieldProps) {
  const id = useId();
  const list = props.suggestions && `${id}-list`;
  return (
    <Frame id={id} field={props}>
      <input
        id={id}
        class={props.code ? "input code" : "input"}
        type={props.type ?? "text"}
        value={props.value}
        onInput={(event) => props.onChange(event.currentTarget.value)}
        onKeyDown={props.onKeyDown}
        placeholder={props.placeholder}
        required={props.required}
        disabled={props.disabled}
        autofocus={props.autofocus}
        list={list}
        min={props.min}
        max={props.max}
        spellcheck={false}
        autocomplete={props.autocomplete ?? "off"}
        autocapitalize="off"
        aria-invalid={props.problem ? true : undefined}
        aria-describedby={describedBy(id, props)}
      />
      {list && <datalist id={list}>{props.suggestions?.map((each) => <option key={each} value={each} />)}</datalist>}
    </Frame>
  );
}

export interface TextAreaProps extends FieldProps {
  value: string;
  onChange: (value: string) => void;
  rows?: number;
  placeholder?: string;
  code?: boolean;
  autofocus?: boolean;
  readOnly?: boolean;
  onKeyDown?: (event: KeyboardEvent) => void;
}

export function TextArea(props: TextAreaProps) {
  const id = useId();
  return (
    <Frame id={id} field={props}>
      <textarea
        id={id}
        class={props.code ? "input code" : "input"}
        rows={props.rows ?? 5}
        value={props.value}
        onInput={(event) => props.onChange(event.currentTarget.value)}
        onKeyDown={props.onKeyDown}
        placeholder={props.placeholder}
        autofocus={props.autofocus}
        readOnly={props.readOnly}
        spellcheck={false}
        aria-invalid={props.problem ? true : undefined}
        aria-describedby={describedBy(id, props)}
      />
    </Frame>
  );
}

export interface Choice<T extends string> {
  value: T;
  text: string;
}

export interface SelectProps<T extends string> extends FieldProps {
  value: T;
  onChange: (value: T) => void;
  choices: readonly (Choice<T> | T)[];
  disabled?: boolean;
}

export function Select<T extends string>(props: SelectProps<T>) {
  const id = useId();
  return (
    <Frame id={id} field={props}>
      <select id={id} class="input" value={props.value} disabled={props.disabled} aria-describedby={describedBy(id, props)}
        onChange={(event) => props.onChange(event.currentTarget.value as T)}>
        {props.choices.map((choice) => {
          const { value, text } = typeof choice === "string" ? { value: choice, text: choice } : choice;
          return <option key={value} value={value} selected={value === props.value}>{text}</option>;
        })}
      </select>
    </Frame>
  );
}

export function Checkbox({ label, checked, onChange, disabled }: { label: ComponentChildren; checked: boolean; onChange: (checked: boolean) => void; disabled?: boolean }) {
  return (
    <label class="check">
      <input type="checkbox" checked={checked} disabled={disabled} onChange={(event) => onChange(event.currentTarget.checked)} />
      <span>{label}</span>
    </label>
  );
}

/** Text to read and to copy. */
export function CodeBlock({ text, wrap, label }: { text: string; wrap?: boolean; label?: string }) {
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setCopied(true);
      setTimeout(() => setCopied(false), 1500);
    } catch {
      toast("danger", "The browser does not let the page use the clipboard.");
    }
  };
  return (
    <div class={wrap ? "code-block wrap" : "code-block"}>
      <pre tabIndex={0} role="region" aria-label={label ?? "Code"}><code class="data">{text}</code></pre>
      <Button small kind="quiet" icon={copied ? "check" : "copy"} label={copied ? "Copied" : "Copy"} onClick={copy} />
    </div>
  );
}

/** Children as tabs: one is in view. The arrow keys walk along them. */
export function Tabs<T extends string>(props: {
  label: string;
  tabs: readonly { id: T; text: ComponentChildren; view: () => JSX.Element }[];
  value: T;
  onChange: (id: T) => void;
  grow?: boolean;
}) {
  const base = useId();
  const active = props.tabs.find(({ id }) => id === props.value) ?? props.tabs[0];
  const walk = (event: KeyboardEvent) => {
    const at = props.tabs.findIndex(({ id }) => id === active?.id);
    const last = props.tabs.length - 1;
    const next = { ArrowRight: at === last ? 0 : at + 1, ArrowLeft: at === 0 ? last : at - 1, Home: 0, End: last }[event.key];
    const target = next === undefined ? undefined : props.tabs[next];
    if (target === undefined) return;
    event.preventDefault();
    props.onChange(target.id);
    document.getElementById(`${base}-${target.id}`)?.focus();
  };
  return (
    <>
      <div class="tabs" role="tablist" aria-label={props.label} onKeyDown={walk}>
        {props.tabs.map(({ id, text }) => (
          <button key={id} type="button" role="tab" id={`${base}-${id}`} aria-selected={id === active?.id} aria-controls={`${base}-panel`}
            tabIndex={id === active?.id ? 0 : -1} onClick={() => props.onChange(id)}>{text}</button>
        ))}
      </div>
      <div class={props.grow ? "tab-panel grow" : "tab-panel"} role="tabpanel" id={`${base}-panel`} aria-labelledby={`${base}-${active?.id}`}>
        {active?.view()}
      </div>
    </>
  );
}
