// Publishing a version, with what it changes shown first.

import { useMemo, useState } from "preact/hooks";
import { dolmen } from "../../api/client";
import { messageOf } from "../../api/errors";
import { parseJson } from "../../api/json_text";
import { Button, Checkbox } from "../../ui/controls";
import { Dialog } from "../../ui/dialog";
import { Notice } from "../../ui/notice";
import { toast } from "../../ui/toast";
import { FieldChanges, SideBySide } from "./diff_view";
import { JsonEditor, type Verdict } from "./editor";
import { ApiError } from "../../api/errors";
import { compareSchemas, type Described, nextVersion, type Schema, type SchemaRef, type Violation, withVersion } from "./schemas";

const first = `{
  "schema_id": "articles",
  "schema_version": "v1",
  "fields": {
    "_id": {"type": "string", "required": true},
    "title": {"type": "string", "required": true}
  }
}
`;

export function Publish({ from, versions, onClose, onPublished }: { from: Described | undefined; versions: string[]; onClose: () => void; onPublished: (ref: SchemaRef) => void }) {
  const free = () => { let version = nextVersion(from!.schema_version); while (versions.includes(version)) version = nextVersion(version); return version; };
  const [text, setText] = useState(from ? withVersion(from.text, free()) : first);
  const [sure, setSure] = useState(false);
  const [refused, setRefused] = useState<{ text: string; verdict: Verdict } | null>(null);
  const parsed = useMemo(() => {
    try {
      parseJson(text);
      return { schema: JSON.parse(text) as Schema, problem: undefined };
    } catch (error) {
      return { schema: undefined, problem: messageOf(error) };
    }
  }, [text]);
  const verdict: Verdict = parsed.problem !== undefined ? { state: "invalid", violations: [], message: parsed.problem } : refused?.text === text ? refused.verdict : { state: "unknown", violations: [], message: undefined };
  const publish = async () => {
    try {
      const ref = await dolmen<SchemaRef>("PublishSchema", { text });
      toast("good", `Published ${ref.schema_id} ${ref.schema_version}.`);
      onPublished(ref);
    } catch (error) {
      const details = error instanceof ApiError ? error.body["details"] : undefined;
      const violations = Array.isArray(details) ? (details as Violation[]) : [];
      setRefused({ text, verdict: { state: "invalid", violations, message: violations.length > 0 ? undefined : messageOf(error) } });
    }
  };
  const comparable = from && parsed.schema?.fields !== undefined && typeof parsed.schema.fields === "object";
  const old = from ? (JSON.parse(from.text) as Schema) : undefined;
  return (
    <Dialog wide title={from ? `A new version of ${from.schema_id}` : "A new schema"} onClose={onClose} onSubmit={publish}
      footer={<><Button onClick={onClose}>Cancel</Button><Button kind="primary" submit disabled={!sure || parsed.problem !== undefined}>Publish</Button></>}>
      <JsonEditor label="Schema" text={text} onChange={setText} verdict={verdict} rows={12} />
      {comparable && old && <><h3>What changes for documents</h3><FieldChanges changes={compareSchemas(old, parsed.schema!)} /></>}
      {from && <><h3>What changes in the text</h3><SideBySide before={from.text} after={text} names={[`${from.schema_version}, published`, "the new version"]} /></>}
      <Notice>A published version can be neither changed nor deleted. Documents stay in the version that they are in until somebody moves them.</Notice>
      <Checkbox label="I have read what changes" checked={sure} onChange={setSure} />
    </Dialog>
  );
}
