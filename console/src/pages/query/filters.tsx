// Filters in groups.

import { typeNames } from "../../api/attribute";
import { Button, Checkbox, Select, TextField } from "../../ui/controls";
import { type Condition, emptyCondition, emptyGroup, emptyValue, filterOperators, type Group, type Value, valuesOf, valueTypes } from "./model";

const groupsDeepMax = 4;

export function ValueField({ label, value, onChange }: { label: string; value: Value; onChange: (value: Value) => void }) {
  return (
    <div class="value-pair">
      <Select label={`Type of ${label}`} hideLabel value={value.type} choices={valueTypes} onChange={(type) => onChange({ type, text: type === "BOOL" ? "true" : value.text })} />
      {value.type === "BOOL" ? <Select label={label} hideLabel value={value.text} choices={["true", "false"]} onChange={(text) => onChange({ ...value, text })} />
        : value.type === "NULL" ? <span class="t-null mono">null</span>
          : <TextField label={label} hideLabel code value={value.text} onChange={(text) => onChange({ ...value, text })} />}
    </div>
  );
}

function Values({ condition, onChange }: { condition: Condition; onChange: (values: Value[]) => void }) {
  const wanted = valuesOf(condition.operator);
  const { values, operator, path } = condition;
  const name = path || "the attribute";
  const set = (at: number, value: Value) => onChange(values.map((each, other) => (other === at ? value : each)));
  if (wanted === 0) return null;
  if (operator === "attribute_type")
    return <Select label={`Type that ${name} has`} hideLabel value={values[0]?.text || "S"} choices={typeNames} onChange={(text) => onChange([{ type: "S", text }])} />;
  if (operator.startsWith("size")) return <TextField label={`Size of ${name}`} hideLabel type="number" value={values[0]?.text ?? ""} onChange={(text) => onChange([{ type: "N", text }])} />;
  return (
    <>
      {values.map((value, at) => (
        <div key={at} class="row">
          <div class="grow"><ValueField label={`Value ${at + 1} for ${name}`} value={value} onChange={(next) => set(at, next)} /></div>
          {wanted === "many" && values.length > 1 && <Button small kind="quiet" icon="close" label={`Remove value ${at + 1}`} onClick={() => onChange(values.filter((_, other) => other !== at))} />}
        </div>
      ))}
      {wanted === "many" && values.length < 100 && <div><Button small icon="plus" onClick={() => onChange([...values, emptyValue(values[0]?.type)])}>Value</Button></div>}
    </>
  );
}

function ConditionRow({ condition, attributes, onChange, onRemove }: { condition: Condition; attributes: readonly string[]; onChange: (condition: Condition) => void; onRemove: () => void }) {
  const setOperator = (operator: Condition["operator"]) => {
    const wanted = valuesOf(operator);
    const length = wanted === "many" ? Math.max(1, condition.values.length) : wanted;
    const values = Array.from({ length }, (_, at) => condition.values[at] ?? emptyValue(condition.values[0]?.type));
    onChange({ ...condition, operator, values: operator === "attribute_type" ? [{ type: "S", text: "S" }] : values });
  };
  return (
    <div class="condition" role="group" aria-label={`Condition on ${condition.path || "an attribute"}`}>
      <TextField label="Attribute" hideLabel code placeholder="attribute.path[0]" value={condition.path} suggestions={attributes} onChange={(path) => onChange({ ...condition, path })} />
      <Select label="Operator" hideLabel value={condition.operator} choices={filterOperators} onChange={setOperator} />
      <div class="values"><Values condition={condition} onChange={(values) => onChange({ ...condition, values })} /></div>
      <Button small kind="quiet" icon="trash" label="Remove the condition" onClick={onRemove} />
    </div>
  );
}

/** Conditions and groups of them, joined by AND or OR. */
export function FilterGroup({ group, attributes, depth, onChange, onRemove }: { group: Group; attributes: readonly string[]; depth: number; onChange: (group: Group) => void; onRemove?: () => void }) {
  const set = (at: number, part: Condition | Group) => onChange({ ...group, parts: group.parts.map((each, other) => (other === at ? part : each)) });
  const remove = (at: number) => onChange({ ...group, parts: group.parts.filter((_, other) => other !== at) });
  return (
    <div class="filter-group" role="group" aria-label={depth === 0 ? "Filter" : "Group of conditions"}>
      <div class="filter-head">
        {group.parts.length > 1 && <Select label="Conditions that must hold" hideLabel value={group.join} choices={[{ value: "AND", text: "all must hold" }, { value: "OR", text: "any may hold" }]} onChange={(join) => onChange({ ...group, join })} />}
        {group.parts.length > 0 && <Checkbox label="not" checked={group.not} onChange={(not) => onChange({ ...group, not })} />}
        <Button small icon="plus" onClick={() => onChange({ ...group, parts: [...group.parts, emptyCondition()] })}>Condition</Button>
        {depth < groupsDeepMax && <Button small icon="plus" onClick={() => onChange({ ...group, parts: [...group.parts, { ...emptyGroup(), join: group.join === "AND" ? "OR" : "AND", parts: [emptyCondition()] }] })}>Group</Button>}
        {onRemove && <Button small kind="quiet" icon="trash" label="Remove the group" onClick={onRemove} />}
      </div>
      {group.parts.map((part, at) => part.kind === "group"
        ? <FilterGroup key={at} group={part} attributes={attributes} depth={depth + 1} onChange={(next) => set(at, next)} onRemove={() => remove(at)} />
        : <ConditionRow key={at} condition={part} attributes={attributes} onChange={(next) => set(at, next)} onRemove={() => remove(at)} />)}
    </div>
  );
}
