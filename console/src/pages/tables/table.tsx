import { useState } from "preact/hooks";
import { ApiError } from "../../api/errors";
import { dynamo } from "../../api/client";
import { go, href, route, setQuery } from "../../state/router";
import { Button, Tabs } from "../../ui/controls";
import { Confirm } from "../../ui/dialog";
import { bytes, counted } from "../../ui/format";
import { Badge, Empty, ErrorNotice, Loading } from "../../ui/notice";
import { useResource } from "../../ui/resource";
import { toast } from "../../ui/toast";
import { ItemsTab } from "./items_tab";
import { Overview } from "./overview";
import { describeWhole, isActive, type WholeTable } from "./tables";

type Tab = "items" | "overview";
const pollMs = 1000;

function DeleteTable({ whole, onClose }: { whole: WholeTable; onClose: () => void }) {
  const name = whole.table.TableName;
  const remove = async () => {
    await dynamo("DeleteTable", { TableName: name });
    toast("good", `Deleted the table ${name}.`);
    go(["tables"]);
  };
  return (
    <Confirm title={`Delete the table ${name}?`} action="Delete the table" typed={name} onConfirm={remove} onClose={onClose}>
      <p>The table has {counted(whole.table.ItemCount ?? 0, "item")} ({bytes(whole.table.TableSizeBytes ?? 0)}). They go with it, and so do its indexes. Backups stay.</p>
    </Confirm>
  );
}

export function TablePage({ name }: { name: string }) {
  const [deleting, setDeleting] = useState(false);
  const whole = useResource((signal) => describeWhole(name, signal), [name]);
  const isChanging = whole.data !== undefined && (!isActive(whole.data.table) || (whole.data.table.GlobalSecondaryIndexes ?? []).some((index) => index.IndexStatus !== "ACTIVE"));
  useResource(async () => { if (isChanging) whole.reload(); }, [isChanging], isChanging ? pollMs : undefined);
  const tab = (route.value.query.get("tab") ?? "items") as Tab;
  const isMissing = whole.error instanceof ApiError && whole.error.type === "ResourceNotFoundException";
  return (
    <div class={tab === "items" ? "page fill" : "page"}>
      <div class="page-head">
        <h1 class="data">{name}</h1>
        {whole.data && (
          <>
            {!isActive(whole.data.table) && <Badge kind="warn">{whole.data.table.TableStatus.toLowerCase()}</Badge>}
            {whole.data.table.StreamSpecification?.StreamEnabled && <Badge kind="accent">stream</Badge>}
            {whole.data.timeToLive.TimeToLiveStatus === "ENABLED" && <Badge>expires by {whole.data.timeToLive.AttributeName}</Badge>}
            {whole.data.recovery.PointInTimeRecoveryStatus === "ENABLED" && <Badge kind="good">point in time</Badge>}
            <a class="button" href={href(["query"], { table: name })}>Query</a>
            <Button icon="refresh" label="Load again" onClick={whole.reload} />
            <Button kind="danger" icon="trash" disabled={!isActive(whole.data.table)} onClick={() => setDeleting(true)}>Delete</Button>
          </>
        )}
      </div>
      {isMissing ? <div class="panel"><Empty icon="table" title={`There is no table ${name}`}><a href={href(["tables"])}>To the tables</a></Empty></div>
        : whole.error !== undefined && <ErrorNotice error={whole.error} onRetry={whole.reload} />}
      {!isMissing && (whole.data === undefined ? whole.loading && <Loading what="the table" /> : (
        <Tabs label="Parts of the table" grow={tab === "items"} value={tab} onChange={(next) => setQuery({ tab: next })} tabs={[
          { id: "items", text: "Items", view: () => <ItemsTab table={whole.data!.table} onChanged={whole.reload} /> },
          { id: "overview", text: "Indexes and settings", view: () => <Overview whole={whole.data!} onChanged={whole.reload} /> },
        ]} />
      ))}
      {deleting && whole.data && <DeleteTable whole={whole.data} onClose={() => setDeleting(false)} />}
    </div>
  );
}
