// The documents of one version: a list, and one of them to read and change, checked while one writes.

import { useEffect, useState } from "preact/hooks";
import { callText, dolmen } from "../../api/client";
import { ApiError } from "../../api/errors";
import { href, route, setQuery } from "../../state/router";
import { Button, TextField } from "../../ui/controls";
import { Confirm } from "../../ui/dialog";
import { counted } from "../../ui/format";
import { Empty, ErrorNotice, Loading, Notice } from "../../ui/notice";
import { useResource } from "../../ui/resource";
import { toast, toastError } from "../../ui/toast";
import { SideBySide } from "./diff_view";
import { JsonEditor, useVerdict } from "./editor";
import { documentPage, getDocument, preview, type Stored } from "./exact";
import { type Schema, type SchemaRef, skeleton } from "./schemas";

const pageSize = 100;

/** The list, which grows page by page. A filter makes it a query. */
function useDocuments(of: SchemaRef, filter: string) {
  const [turn, setTurn] = useState(0);
  const [more, setMore] = useState<{ documents: Stored[]; cursor: string | undefined } | null>(null);
  const ask = (cursor: string | undefined, signal: AbortSignal) => documentPage(filter === "" ? "ListDocuments" : "QueryDocuments", { ...of, limit: pageSize, ...(filter === "" ? {} : { filter }), ...(cursor === undefined ? {} : { cursor }) }, signal);
  const first = useResource((signal) => ask(undefined, signal), [of.schema_id, of.schema_version, filter, turn]);
  useEffect(() => setMore(null), [first.data]);
  const cursor = more === null ? first.data?.cursor : more.cursor;
  const loadMore = async () => {
    try {
      const page = await ask(cursor, new AbortController().signal);
      setMore({ documents: [...(more?.documents ?? []), ...page.documents], cursor: page.cursor });
    } catch (error) {
      toastError(error);
    }
  };
  return { documents: first.data && [...first.data.documents, ...(more?.documents ?? [])], error: first.error, cursor, loadMore, reload: () => setTurn((before) => before + 1) };
}

export function DocumentsTab({ of, schema, versions }: { of: SchemaRef; schema: Schema; versions: readonly string[] }) {
  const [typed, setTyped] = useState("");
  const [filter, setFilter] = useState("");
  const list = useDocuments(of, filter);
  const chosen = route.value.query.get("id") ?? undefined;
  const isNew = route.value.query.get("new") !== null;
  const open = (id: string | undefined) => setQuery({ id, new: undefined });
  return (
    <div class="split documents-split">
      <div class="stack">
        <form class="row end-fields" onSubmit={(event) => { event.preventDefault(); setFilter(typed.trim()); }}>
          <div class="grow"><TextField label="Filter on indexed fields" code value={typed} onChange={setTyped} placeholder='{"words": {"$gte": 100}}' /></div>
          <Button submit>Filter</Button>
          <Button icon="plus" kind="primary" onClick={() => setQuery({ id: undefined, new: "1" })}>New</Button>
        </form>
        {list.error !== undefined && <ErrorNotice error={list.error} onRetry={list.reload} />}
        {list.documents === undefined ? list.error === undefined && <Loading what="the documents" /> : (
          list.documents.length === 0
            ? <Empty icon="document" title={filter === "" ? `No documents in ${of.schema_version}` : "No document fits the filter"}>{filter === "" && <OtherVersions of={of} versions={versions} />}</Empty>
            : (
              <>
                <ol class="document-list" aria-label="Documents">
                  {list.documents.map(({ id, text }) => (
                    <li key={id}>
                      <button type="button" aria-current={id === chosen ? "true" : undefined} onClick={() => open(id)}>
                        <span class="mono data">{id}</span> <span class="faint data">{preview(text)}</span>
                      </button>
                    </li>
                  ))}
                </ol>
                <div class="row between faint"><span>{counted(list.documents.length, "document")}{list.cursor !== undefined && ", and more"}</span>{list.cursor !== undefined && <Button small onClick={list.loadMore}>More</Button>}</div>
              </>
            )
        )}
      </div>
      {isNew || chosen !== undefined
        ? <Document key={`${of.schema_version} ${isNew ? "new" : chosen}`} of={of} schema={schema} id={isNew ? undefined : chosen} onSaved={(id) => { open(id); list.reload(); }} onGone={() => { open(undefined); list.reload(); }} />
        : <section class="panel"><Empty icon="document" title="Choose a document">or write a new one. It is checked while you write.</Empty></section>}
    </div>
  );
}

function OtherVersions({ of, versions }: { of: SchemaRef; versions: readonly string[] }) {
  const others = versions.filter((each) => each !== of.schema_version);
  if (others.length === 0) return null;
  return <span>A document stays in the version that it was written in. Look at {others.map((each, at) => <span key={each}>{at > 0 && ", "}<a class="data" href={href(["documents", of.schema_id], { version: each })}>{each}</a></span>)}.</span>;
}

interface DocumentProps {
  of: SchemaRef;
  schema: Schema;
  /** Undefined for a new one. */
  id: string | undefined;
  onSaved: (id: string) => void;
  onGone: () => void;
}

function Document({ of, schema, id, onSaved, onGone }: DocumentProps) {
  const stored = useResource((signal) => (id === undefined ? Promise.resolve(undefined) : getDocument({ ...of, _id: id }, signal)), [id]);
  const [text, setText] = useState<string | null>(id === undefined ? skeleton(schema) : null);
  const [conflict, setConflict] = useState<Stored | null>(null);
  const [error, setError] = useState<unknown>(null);
  const [removing, setRemoving] = useState(false);
  const shown = text ?? stored.data?.text ?? "";
  const verdict = useVerdict(shown, (each, signal) => callText("dolmen", "ValidateDocument", { ...of, text: each }, { signal }), [of.schema_version]);
  const save = async (revision: string | undefined) => {
    setError(null);
    try {
      if (id === undefined) await dolmen("InsertDocument", { ...of, text: shown });
      else await dolmen("UpdateDocument", { ...of, text: shown, _id: id, ...(revision === undefined ? {} : { expected_revision: revision }) });
      toast("good", id === undefined ? "Inserted." : "Saved.");
      setConflict(null);
      setText(null);
      stored.reload();
      onSaved((JSON.parse(shown) as { _id: string })._id);
    } catch (failure) {
      if (failure instanceof ApiError && failure.type === "ConditionalCheckFailedException" && id !== undefined) setConflict(await getDocument({ ...of, _id: id }));
      else setError(failure);
    }
  };
  const remove = async () => {
    await dolmen("DeleteDocument", { ...of, _id: id, expected_revision: stored.data?.revision });
    toast("good", `Deleted ${id}.`);
    onGone();
  };
  const changed = id === undefined || (stored.data !== undefined && shown !== stored.data.text);
  return (
    <section class="panel" aria-label="The document">
      <header>
        <h2 class="data">{id ?? "New document"}</h2>
        {stored.data && <span class="faint mono">revision {stored.data.revision}</span>}
      </header>
      <div class="body stack">
        {stored.error !== undefined && <ErrorNotice error={stored.error} onRetry={stored.reload} />}
        {(id === undefined || stored.data !== undefined) && <JsonEditor label="Document" text={shown} onChange={setText} verdict={verdict} />}
        {conflict !== null && (
          <div class="stack tight" role="alert">
            <Notice kind="warn">Somebody has changed the document since you read it. Theirs is on the left, yours on the right.</Notice>
            <SideBySide before={conflict.text} after={shown} names={["stored now", "yours"]} />
            <div class="row"><Button onClick={() => { setText(null); setConflict(null); stored.reload(); }}>Take theirs</Button><Button kind="danger" onClick={() => save(conflict.revision)}>Replace theirs</Button></div>
          </div>
        )}
        {error !== null && <ErrorNotice error={error} />}
        <div class="row">
          <Button kind="primary" disabled={verdict.state !== "valid" || !changed} onClick={() => save(stored.data?.revision)}>{id === undefined ? "Insert" : "Save"}</Button>
          {id !== undefined && changed && <Button kind="quiet" onClick={() => setText(null)}>Undo the changes</Button>}
          <span class="grow" />
          {id !== undefined && stored.data && <Button kind="danger" icon="trash" onClick={() => setRemoving(true)}>Delete …</Button>}
        </div>
      </div>
      {removing && <Confirm title="Delete the document?" action="Delete" onConfirm={remove} onClose={() => setRemoving(false)}><p class="wrap-anywhere"><span class="mono data">{id}</span> is deleted from {of.schema_id} {of.schema_version}.</p></Confirm>}
    </section>
  );
}
