// A vector index: search for more like an item, scores, and a sample of the vectors in two dimensions.

import { useMemo, useState } from "preact/hooks";
import { type AttributeValue, type Item, shortText } from "../../api/attribute";
import { Numbers, Picture } from "../../charts/figure";
import { NotAvailable, TablePage, TableSelect, type TableDescription, type VectorIndexDescription } from "../../charts/tables";
import { route, setQuery } from "../../state/router";
import { Button, Checkbox, Select, TextArea, TextField } from "../../ui/controls";
import { bytes, count, counted } from "../../ui/format";
import { TypedView } from "../../ui/json_view";
import { Badge, Empty, ErrorNotice, Loading, Notice } from "../../ui/notice";
import { useResource } from "../../ui/resource";
import { VectorMap } from "./map";
import { normalized, project } from "./pca";
import { coloursFor, type Hit, idOf, loadSample, nameOf, nearness, parseVector, type SampleItem, search, type Statistics, statistics } from "./search";
import "../../charts/charts.css";
import "./vectors.css";

/** So many numbers are drawn from at most: PCA and the answer itself should take no time. */
const numbersMax = 400_000;
const sampleMax = (dimensions: number) => Math.min(500, Math.max(50, Math.floor(numbersMax / dimensions)));

export default function VectorsPage() {
  return (
    <TablePage page="vectors" title="Vectors" icon="vector" wanted={(table) => (table.VectorIndexes?.length ?? 0) > 0} none="No table has a vector index"
      noneHelp="A vector index finds the items whose vectors are nearest to another: dolmen table create docs --key id --vector by_meaning:meaning:3"
      view={(table, all) => <OfTable key={table.TableName} table={table} all={all} />} />
  );
}

function OfTable({ table, all }: { table: TableDescription; all: TableDescription[] }) {
  const indexes = table.VectorIndexes ?? [];
  const index = indexes.find(({ IndexName }) => IndexName === route.value.query.get("index")) ?? indexes[0];
  return (
    <div class="page vectors">
      <div class="page-head">
        <h1>Vectors</h1>
        <TableSelect page="vectors" table={table} all={all} />
        {index && indexes.length > 1 && <Select label="Index" hideLabel value={index.IndexName} choices={indexes.map(({ IndexName }) => IndexName)} onChange={(name) => setQuery({ index: name })} />}
      </div>
      {index === undefined
        ? <Empty icon="vector" title={`${table.TableName} has no vector index`} />
        : <OfIndex key={index.IndexName} table={table} index={index} />}
    </div>
  );
}

function OfIndex({ table, index }: { table: TableDescription; index: VectorIndexDescription }) {
  const sample = useResource((signal) => loadSample(table, index, sampleMax(index.Dimensions), signal), [table.TableName, index.IndexName]);
  return (
    <>
      <Facts table={table} index={index} />
      {index.Backfilling && <Notice kind="warn">The index is being filled; searches find what is in it by now.</Notice>}
      {sample.error !== undefined && <ErrorNotice error={sample.error} onRetry={sample.reload} />}
      {sample.data === undefined && sample.loading && <Loading what="a sample of the vectors" />}
      {sample.data?.length === 0 && <Empty icon="vector" title="The index has no vectors yet">{`Items with ${index.Dimensions} numbers in ${index.VectorAttribute.AttributeName} are in it.`}</Empty>}
      {sample.data && sample.data.length > 0 && <Explore table={table} index={index} sample={sample.data} />}
    </>
  );
}

function Facts({ table, index }: { table: TableDescription; index: VectorIndexDescription }) {
  const known = useResource((signal) => statistics(table.TableName, index.IndexName, 0, signal), [table.TableName, index.IndexName]);
  const [recall, setRecall] = useState<{ running: boolean; result?: Statistics; error?: unknown }>({ running: false });
  const measure = async () => {
    setRecall({ running: true });
    try {
      setRecall({ running: false, result: await statistics(table.TableName, index.IndexName, 100) });
    } catch (error) {
      setRecall({ running: false, error });
    }
  };
  const { result } = recall;
  return (
    <>
      <Numbers values={[
        { name: "Vectors", value: known.data ? count(known.data.Vectors) : "–" },
        { name: "Dimensions", value: count(index.Dimensions), unit: index.DistanceFunction.toLowerCase().replace("_", " ") },
        { name: "Partitions", value: known.data ? count(known.data.Partitions) : "–" },
        { name: "In memory", value: known.data ? bytes(known.data.MemoryBytes) : "–" },
        { name: "Found of the exact results", value: result?.Recall === undefined ? <Button small onClick={measure} disabled={recall.running}>{recall.running ? "Measuring …" : "Measure"}</Button> : `${Number((result.Recall * 100).toFixed(1))} %`,
          ...(result?.ApproximateMicroseconds === undefined ? {} : { unit: `in ${count(result.ApproximateMicroseconds)} µs, exact ${count(result.ExactMicroseconds ?? 0)} µs` }) },
      ]} />
      {known.error !== undefined && <NotAvailable what="What an index holds in memory" error={known.error} />}
      {recall.error !== undefined && <ErrorNotice error={recall.error} />}
    </>
  );
}

/** Attributes that could say of which kind an item is: short texts, numbers or truths. */
function facets(sample: SampleItem[], index: VectorIndexDescription): string[] {
  const names = new Map<string, Set<string>>();
  for (const { item } of sample)
    for (const [name, value] of Object.entries(item))
      if (("S" in value && value.S.length <= 40) || "N" in value || "BOOL" in value) names.set(name, (names.get(name) ?? new Set()).add(shortText(value)));
  const searched = index.SearchSchema?.map(({ AttributeName }) => AttributeName) ?? [];
  const fit = [...names].filter(([, values]) => values.size > 1 && values.size <= Math.max(12, sample.length / 4)).map(([name]) => name).sort();
  const all = [...searched.filter((name) => names.has(name)), ...fit.filter((name) => !searched.includes(name))];
  // What all have in common tells nothing apart.
  return [...all.filter((name) => names.get(name)!.size > 1), ...all.filter((name) => names.get(name)!.size === 1)];
}

function Explore({ table, index, sample }: { table: TableDescription; index: VectorIndexDescription; sample: SampleItem[] }) {
  const choices = useMemo(() => facets(sample, index), [sample]);
  const [facet, setFacet] = useState(choices[0] ?? "");
  const [topK, setTopK] = useState("10");
  const [filters, setFilters] = useState<string[]>([]);
  const [ownText, setOwnText] = useState("");
  const [own, setOwn] = useState<number[] | null>(null);
  const [problem, setProblem] = useState("");
  const picture = useMemo(() => project(index.DistanceFunction === "EUCLIDEAN" ? sample.map(({ vector }) => vector) : normalized(sample.map(({ vector }) => vector))), [sample]);
  const near = route.value.query.get("near");
  const chosen = Math.max(0, sample.findIndex(({ id }) => id === near));
  const item = sample[chosen]!;
  const hash = index.SearchSchema?.find(({ SearchSchemaElementType }) => SearchSchemaElementType === "HASH")?.AttributeName;
  const inline = index.SearchSchema?.filter(({ SearchSchemaElementType }) => SearchSchemaElementType === "INLINE_FILTER").map(({ AttributeName }) => AttributeName) ?? [];
  const conditions = [...(hash === undefined ? [] : [hash]), ...filters].filter((name) => item.item[name] !== undefined);
  const where: Item = Object.fromEntries(conditions.map((name) => [name, item.item[name] as AttributeValue]));
  const wanted = Math.min(100, Math.max(1, Number.parseInt(topK, 10) || 10));
  const hits = useResource((signal) => search({ table: table.TableName, index, vector: own ?? item.vector, topK: wanted, where }, signal), [item.id, own, wanted, JSON.stringify(where)]);
  const textOf = (each: Item) => (each[facet] ? shortText(each[facet]) : "none");
  const colours = useMemo(() => coloursFor(sample.map((each) => textOf(each.item))), [sample, facet]);
  const positions = useMemo(() => new Map(sample.map(({ id }, at) => [id, at])), [sample]);
  const found = (hits.data ?? []).map((hit) => positions.get(idOf(hit.item, table))).filter((at) => at !== undefined);
  const choose = (at: number) => {
    setOwn(null);
    setQuery({ near: sample[at]?.id });
  };
  const searchOwn = () => {
    try {
      setOwn(parseVector(ownText, index.Dimensions));
      setProblem("");
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error));
    }
  };
  const percent = (part: number) => `${Math.round(part * 100)} %`;
  return (
    <div class="split">
      <Picture title="Sample in two dimensions" note={`${counted(sample.length, "vector")}; the axes show ${percent(picture.explained[0] + picture.explained[1])} of the variance`}
        tools={choices.length > 0 ? <Select label="Colour by" hideLabel value={facet} onChange={setFacet} choices={choices.map((name) => ({ value: name, text: `by ${name}` }))} /> : undefined}
        legend={facet === "" ? [] : [...[...colours].map(([name, colour]) => ({ name, colour })), ...(sample.some((each) => !colours.has(textOf(each.item))) ? [{ name: "others", colour: 0 }] : [])]}
        table={{ columns: ["Item", facet === "" ? "Kind" : facet, "x", "y"], rows: sample.map((each, at) => [nameOf(each.item, table), facet === "" ? "" : textOf(each.item), Number((picture.points[at]?.[0] ?? 0).toFixed(3)), Number((picture.points[at]?.[1] ?? 0).toFixed(3))]) }}>
        <VectorMap chosen={chosen} found={found} onChoose={choose} onSearch={hits.reload}
          points={sample.map((each, at) => ({ name: nameOf(each.item, table), colour: facet === "" ? 1 : (colours.get(textOf(each.item)) ?? 0), place: picture.points[at] ?? [0, 0] }))} />
      </Picture>
      <div class="stack">
        <section class="panel">
          <header>
            <h2>{own === null ? "More like this" : "Nearest to the vector"}</h2>
            <span class="mono data faint">{own === null ? nameOf(item.item, table) : ""}</span>
          </header>
          <div class="body stack tight">
            <div class="row wrap end-fields">
              <TextField label="How many" type="number" min={1} max={100} value={topK} onChange={setTopK} />
              <div class="stack tight">
                {hash !== undefined && <span class="faint">only <span class="mono data">{hash} = {where[hash] ? shortText(where[hash]) : "?"}</span></span>}
                {inline.map((name) => (
                  <Checkbox key={name} checked={filters.includes(name)} onChange={(on) => setFilters(on ? [...filters, name] : filters.filter((each) => each !== name))}
                    label={<>same <span class="mono data">{name}{item.item[name] ? ` = ${shortText(item.item[name])}` : ""}</span></>} />
                ))}
              </div>
            </div>
            {hits.error !== undefined && <ErrorNotice error={hits.error} onRetry={hits.reload} />}
            {hits.data && <Hits hits={hits.data} table={table} index={index} chosenId={own === null ? item.id : ""} known={positions} onChoose={choose} />}
          </div>
        </section>
        <details class="panel">
          <summary class="summary">Search by a vector</summary>
          <div class="body stack tight">
            <TextArea label={`${index.Dimensions} numbers`} code rows={3} value={ownText} onChange={setOwnText} problem={problem} placeholder="[0.1, 0.2, …]" />
            <div class="row"><Button onClick={searchOwn}>Search</Button>{own !== null && <Button kind="quiet" onClick={() => setOwn(null)}>Back to the item</Button>}</div>
          </div>
        </details>
        <details class="panel" open>
          <summary class="summary">The item</summary>
          <div class="body"><TypedView value={{ M: Object.fromEntries(Object.entries(item.item).filter(([name]) => name !== index.VectorAttribute.AttributeName)) }} /></div>
        </details>
      </div>
    </div>
  );
}

interface HitsProps {
  hits: Hit[];
  table: TableDescription;
  index: VectorIndexDescription;
  chosenId: string;
  known: Map<string, number>;
  onChoose: (at: number) => void;
}

function Hits({ hits, table, index, chosenId, known, onChoose }: HitsProps) {
  if (hits.length === 0) return <Empty title="Nothing was found" />;
  return (
    <div class="table-scroll" tabIndex={0} role="region" aria-label="Search results">
      <table class="table hits">
        <thead><tr><th scope="col">Item</th><th scope="col" class="right">Score</th><th scope="col">Nearness</th></tr></thead>
        <tbody>
          {hits.map((hit) => {
            const id = idOf(hit.item, table);
            const at = known.get(id);
            const part = nearness(hit.score, hits, index.DistanceFunction);
            return (
              <tr key={id}>
                <td>
                  {at === undefined || id === chosenId
                    ? <span class="mono data">{nameOf(hit.item, table)}</span>
                    : <button type="button" class="link mono data" onClick={() => onChoose(at)}>{nameOf(hit.item, table)}</button>}
                  {id === chosenId && <> <Badge>itself</Badge></>}
                </td>
                <td class="right mono">{Number(hit.score.toPrecision(5))}</td>
                <td><span class="bar-track" aria-hidden="true"><span style={{ width: `${Math.round(part * 100)}%` }} /></span></td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}
