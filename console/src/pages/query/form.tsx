import { indexesOf, keyType, type TableDescription } from "../../items/key";
import { Checkbox, Select, TextField } from "../../ui/controls";
import { keysOf } from "./build";
import { FilterGroup } from "./filters";
import { type QueryModel, sortOperators } from "./model";

export interface QueryFormProps {
  query: QueryModel;
  table: TableDescription;
  tables: readonly string[];
  /** Names that have been seen, to choose from. */
  attributes: readonly string[];
  onChange: (query: QueryModel) => void;
  onTable: (name: string) => void;
}

function KeyConditions({ query, table, onChange }: Pick<QueryFormProps, "query" | "table" | "onChange">) {
  const { partition, sort } = keysOf(query, table);
  const { operator, values } = query.sort;
  const setValue = (at: number, text: string) => onChange({ ...query, sort: { operator, values: [0, 1].map((each) => ({ type: "S" as const, text: each === at ? text : (values[each]?.text ?? "") })) } });
  const operators = keyType(table, sort ?? "") === "N" ? sortOperators.filter((each) => each !== "begins_with") : sortOperators;
  return (
    <fieldset>
      <legend>Key</legend>
      <div class="key-line">
        <span class="key-name data">{partition} <span class="type-tag">{keyType(table, partition)}</span></span>
        <span class="muted">=</span>
        <TextField label={`Value of ${partition}`} hideLabel code value={query.partition.text} onChange={(text) => onChange({ ...query, partition: { ...query.partition, text } })} />
      </div>
      {sort !== undefined && (
        <div class="key-line">
          <span class="key-name data">{sort} <span class="type-tag">{keyType(table, sort)}</span></span>
          <Select label={`Condition on ${sort}`} hideLabel value={operator} onChange={(next) => onChange({ ...query, sort: { ...query.sort, operator: next } })}
            choices={operators.map((each) => ({ value: each, text: each === "none" ? "any" : each === "begins_with" ? "begins with" : each }))} />
          {operator !== "none" && <TextField label={`Value of ${sort}`} hideLabel code value={values[0]?.text ?? ""} onChange={(text) => setValue(0, text)} />}
          {operator === "between" && <TextField label={`Upper value of ${sort}`} hideLabel code value={values[1]?.text ?? ""} onChange={(text) => setValue(1, text)} />}
        </div>
      )}
    </fieldset>
  );
}

export function QueryForm(props: QueryFormProps) {
  const { query, table, tables, attributes, onChange } = props;
  const { isGlobal } = keysOf(query, table);
  const known = tables.includes(query.table) ? tables : [query.table, ...tables];
  return (
    <div class="query-form">
      <div class="query-line">
        <Select label="Table" value={query.table} choices={known} onChange={props.onTable} />
        <Select label="Index" value={query.index} choices={[{ value: "", text: "the table itself" }, ...indexesOf(table).map(({ IndexName }) => ({ value: IndexName, text: IndexName }))]} onChange={(index) => onChange({ ...query, index })} />
        <Select label="Read" value={query.mode} choices={[{ value: "query", text: "one partition (Query)" }, { value: "scan", text: "everything (Scan)" }]} onChange={(mode) => onChange({ ...query, mode })} />
      </div>
      {query.mode === "query" && <KeyConditions query={query} table={table} onChange={onChange} />}
      <fieldset>
        <legend>Filter</legend>
        <FilterGroup group={query.filter} attributes={attributes} depth={0} onChange={(filter) => onChange({ ...query, filter })} />
      </fieldset>
      <div class="query-line">
        <TextField label="Attributes" code placeholder="all, or a, b.c, d[0]" value={query.projection.join(", ")}
          onChange={(text) => onChange({ ...query, projection: text === "" ? [] : text.split(",").map((path) => path.trimStart()) })} />
        {query.mode === "query" && <Select label="Order" value={query.descending ? "down" : "up"} choices={[{ value: "up", text: "ascending" }, { value: "down", text: "descending" }]} onChange={(order) => onChange({ ...query, descending: order === "down" })} />}
        {!isGlobal && <Checkbox label="Consistent read" checked={query.consistent} onChange={(consistent) => onChange({ ...query, consistent })} />}
      </div>
    </div>
  );
}
