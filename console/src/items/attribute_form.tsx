// An item as rows of name, type and value. Nested values are texts of typed JSON.

import { type AttributeValue, type Item, type TypeName, typeNames, typeOf, typeWords } from "../api/attribute";
import { FormProblem, parseValue, writeValue } from "../api/json_forms";
import { Button, Select, TextArea, TextField } from "../ui/controls";
import { KeyMark } from "./item_cell";
import { keyNames, type TableDescription } from "./key";

export interface AttributeRow {
  name: string;
  type: TypeName;
  /** The value as somebody edits it. */
  text: string;
}

const setTypes: readonly TypeName[] = ["SS", "NS", "BS"];
const longText = 60;

function textOf(value: AttributeValue): string {
  if ("S" in value) return value.S;
  if ("N" in value) return value.N;
  if ("B" in value) return value.B;
  if ("BOOL" in value) return String(value.BOOL);
  if ("NULL" in value) return "";
  if ("SS" in value) return JSON.stringify(value.SS);
  if ("NS" in value) return JSON.stringify(value.NS);
  if ("BS" in value) return JSON.stringify(value.BS);
  const text = writeValue(value, "typed", 2);
  return text.replace(/^\{"[ML]": /, "").replace(/\}$/, "");
}

/** The key first. */
export function rowsOf(item: Item, table: TableDescription | undefined): AttributeRow[] {
  const keys = table ? keyNames(table.KeySchema) : [];
  const names = [...keys.filter((name) => item[name] !== undefined), ...Object.keys(item).filter((name) => !keys.includes(name))];
  return names.map((name) => ({ name, type: typeOf(item[name]!), text: textOf(item[name]!) }));
}

function valueOf({ name, type, text }: AttributeRow): AttributeValue {
  const quoted = type === "S" || type === "N" || type === "B" ? JSON.stringify(type === "S" ? text : text.trim()) : type === "NULL" ? "true" : text;
  try {
    return parseValue(`{"${type}": ${quoted}}`, "typed");
  } catch (problem) {
    const message = problem instanceof Error ? problem.message.replace(/^value(?=[:.[])/, name) : String(problem);
    throw new FormProblem(message.startsWith(name) ? message : `${name}: ${message}`);
  }
}

/** Fails with FormProblem. */
export function itemOfRows(rows: readonly AttributeRow[]): Item {
  const item: Item = Object.create(null) as Item;
  for (const row of rows) {
    if (row.name === "") throw new FormProblem("an attribute has no name");
    if (row.name in item) throw new FormProblem(`${row.name} occurs twice`);
    item[row.name] = valueOf(row);
  }
  return item;
}

const startOf: Partial<Record<TypeName, string>> = { BOOL: "true", M: "{}", L: "[]", SS: '["a"]', NS: '["1"]', BS: '["AQ=="]', N: "0" };

interface FormProps {
  rows: AttributeRow[];
  table: TableDescription;
  isNew: boolean;
  onChange: (rows: AttributeRow[]) => void;
}

export function AttributeForm({ rows, table, isNew, onChange }: FormProps) {
  const keys = keyNames(table.KeySchema);
  const change = (at: number, changes: Partial<AttributeRow>) => onChange(rows.map((row, each) => (each === at ? { ...row, ...changes } : row)));
  return (
    <div class="attributes">
      {rows.map((row, at) => {
        const isKey = keys.includes(row.name) && at < keys.length;
        const label = row.name || `attribute ${at + 1}`;
        return (
          <div class="attribute" key={at} role="group" aria-label={label}>
            <TextField label={`Name of ${label}`} hideLabel code value={row.name} disabled={isKey} placeholder="name" onChange={(name) => change(at, { name })} />
            <Select label={`Type of ${label}`} hideLabel value={row.type} disabled={isKey} choices={typeNames.map((type) => ({ value: type, text: `${type} · ${typeWords[type]}` }))}
              onChange={(type) => change(at, { type, text: startOf[type] ?? (row.type === "S" || row.type === "N" ? row.text : "") })} />
            <ValueField row={row} label={`Value of ${label}`} disabled={isKey && !isNew} onChange={(text) => change(at, { text })} />
            {isKey ? <KeyMark />
              : <Button small kind="quiet" icon="trash" label={`Remove ${label}`} onClick={() => onChange(rows.filter((_, each) => each !== at))} />}
          </div>
        );
      })}
      <div><Button small icon="plus" onClick={() => onChange([...rows, { name: "", type: "S", text: "" }])}>Attribute</Button></div>
    </div>
  );
}

function ValueField({ row, label, disabled, onChange }: { row: AttributeRow; label: string; disabled: boolean; onChange: (text: string) => void }) {
  if (row.type === "BOOL") return <Select label={label} hideLabel value={row.text === "true" ? "true" : "false"} choices={["true", "false"]} onChange={onChange} disabled={disabled} />;
  if (row.type === "NULL") return <span class="t-null mono">null</span>;
  const isNested = row.type === "M" || row.type === "L" || setTypes.includes(row.type);
  if (isNested || (row.type === "S" && (row.text.length > longText || row.text.includes("\n"))))
    return <TextArea label={label} hideLabel code rows={Math.min(12, Math.max(2, row.text.split("\n").length))} value={row.text} onChange={onChange} />;
  return <TextField label={label} hideLabel code value={row.text} disabled={disabled} onChange={onChange} />;
}
