// One resource: what it is, what it is connected with, and what a delete of it would take.

import { useState } from "preact/hooks";
import { dolmen } from "../../api/client";
import { Button, Select } from "../../ui/controls";
import { Confirm } from "../../ui/dialog";
import { counted, time } from "../../ui/format";
import { TypedView } from "../../ui/json_view";
import { Badge, ErrorNotice, Notice } from "../../ui/notice";
import { toast } from "../../ui/toast";
import { type DeletePlan, type Links, nameOf, planDelete, type Resource } from "./family";

export interface DetailProps {
  table: string;
  resource: Resource;
  links: Links | undefined;
  linksError: unknown;
  plan: DeletePlan | null;
  onPlan: (plan: DeletePlan | null) => void;
  onShow: (urn: string) => void;
  onDeleted: (urn: string) => void;
}

function Urns({ title, urns, onShow, note }: { title: string; urns: string[]; onShow: (urn: string) => void; note?: (urn: string) => string | undefined }) {
  if (urns.length === 0) return null;
  return (
    <div class="stack tight">
      <h3>{title}</h3>
      <ul class="urns">
        {urns.map((urn) => <li key={urn}><button type="button" class="link mono data" onClick={() => onShow(urn)}>{urn}</button>{note?.(urn) !== undefined && <> <Badge>{note(urn)}</Badge></>}</li>)}
      </ul>
    </div>
  );
}

export function Detail(props: DetailProps) {
  const { table, resource, links, plan } = props;
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const [mode, setMode] = useState<"cascade" | "restrict">("cascade");
  const [asking, setAsking] = useState(false);
  const look = async () => {
    setBusy(true);
    setError(null);
    try {
      props.onPlan(await planDelete(table, resource.urn, new AbortController().signal));
    } catch (failure) {
      setError(failure);
    }
    setBusy(false);
  };
  const remove = async () => {
    const answer = await dolmen<{ deleted: DeletePlan["deleted"] }>("DeleteResource", { table, urn: resource.urn, mode });
    toast("good", `Deleted ${counted(answer.deleted.resources, "resource")}.`);
    props.onDeleted(resource.urn);
  };
  const others = (plan?.deleted.resources ?? 1) - 1;
  return (
    <section class="panel" aria-label="The chosen resource">
      <header><h2 class="data">{nameOf(resource)}</h2><Badge kind="accent">{resource.type}</Badge></header>
      <div class="body stack">
        <dl class="facts">
          <div class="whole"><dt>URN</dt><dd class="mono data">{resource.urn}</dd></div>
          <div><dt>Created</dt><dd>{time(new Date(resource.created_at))}</dd></div>
          <div><dt>Changed</dt><dd>{time(new Date(resource.updated_at))}</dd></div>
          <div><dt>Schema version</dt><dd>{resource.schema_version}</dd></div>
          {resource.account !== undefined && <div><dt>Account</dt><dd><button type="button" class="link mono data" onClick={() => props.onShow(resource.account!)}>{resource.account}</button></dd></div>}
        </dl>
        {Object.keys(resource.attributes).length > 0 && <TypedView value={{ M: resource.attributes }} />}
        {props.linksError !== undefined && <ErrorNotice error={props.linksError} />}
        {links && <Urns title="Members" urns={links.members.map(({ member }) => member)} onShow={props.onShow} note={(urn) => (links.members.find(({ member }) => member === urn)?.conveys_authorization ? "conveys authorization" : undefined)} />}
        {links && <Urns title="In the collections" urns={links.collections.map(({ collection }) => collection)} onShow={props.onShow} note={(urn) => (links.collections.find(({ collection }) => collection === urn)?.conveys_authorization ? "conveys authorization" : undefined)} />}
        {links && links.reach.length > 1 && <Urns title="Grants reach it from" urns={links.reach} onShow={props.onShow} />}
        <div class="stack tight">
          <h3>Delete</h3>
          {plan === null
            ? <div><Button onClick={look} disabled={busy}>What would a delete take?</Button></div>
            : (
              <>
                <Notice kind={others > 0 ? "warn" : undefined}>
                  A cascade would take {counted(plan.deleted.resources, "resource")}, {counted(plan.deleted.edges, "edge")}, {counted(plan.deleted.memberships, "membership")} and {counted(plan.deleted.unique_values, "unique value")}.
                  {plan.references && (plan.references.children > 0 || plan.references.of_account > 0) && ` Referring to it: ${counted(plan.references.children, "child", "children")}, ${counted(plan.references.of_account, "resource")} of the account.`}
                  {!plan.isWhole && " Only a part of them is marked."}
                </Notice>
                <div class="row wrap end-fields">
                  <Select label="What refers to it" value={mode} onChange={setMode} choices={[{ value: "cascade", text: "is deleted too" }, { value: "restrict", text: "forbids the delete" }]} />
                  <Button kind="danger" icon="trash" onClick={() => setAsking(true)}>Delete …</Button>
                  <Button kind="quiet" onClick={() => props.onPlan(null)}>Forget it</Button>
                </div>
              </>
            )}
          {error !== null && <ErrorNotice error={error} />}
        </div>
      </div>
      {asking && plan && (
        <Confirm title={`Delete ${nameOf(resource)}?`} action="Delete" onConfirm={remove} onClose={() => setAsking(false)} {...(others > 0 && mode === "cascade" ? { typed: resource.id } : {})}>
          <p class="wrap-anywhere"><span class="mono data">{resource.urn}</span> {mode === "restrict" ? "is deleted if nothing refers to it." : others > 0 ? `and ${counted(others, "other resource")} are deleted. This cannot be undone.` : "is deleted. This cannot be undone."}</p>
          {mode === "cascade" && others > 0 && <ul class="urns doomed-list">{plan.urns.slice(0, 50).map((urn) => <li key={urn} class="mono data">{urn}</li>)}{plan.urns.length > 50 && <li>… and {plan.urns.length - 50} more</li>}</ul>}
        </Confirm>
      )}
    </section>
  );
}
