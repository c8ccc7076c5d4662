import type { Item } from "../api/attribute";
import { messageOf } from "../api/errors";
import { JsonProblem } from "../api/json_text";
import { batchMax, type SendBatch, writeAll } from "./batch";
import { itemOfLine, LineCutter } from "./import_lines";
import { itemProblems, keyText, type TableDescription } from "./key";

export interface ImportProgress {
  bytesRead: number;
  bytesTotal: number;
  written: number;
  refused: number;
  /** The first lines that could not be imported. */
  problems: { place: string; message: string }[];
}

const problemsShownMax = 50;
/** Batches that are under way at a time. */
const parallelMax = 4;

/** The text of a file, decompressed if its name says so. */
function textOf(file: File, onBytes: (bytes: number) => void): ReadableStream<string> {
  const counted = file.stream().pipeThrough(new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      onBytes(chunk.length);
      controller.enqueue(chunk);
    },
  }));
  const bytes = file.name.endsWith(".gz") ? counted.pipeThrough(new DecompressionStream("gzip") as ReadableWritablePair<Uint8Array, Uint8Array>) : counted;
  return bytes.pipeThrough(new TextDecoderStream("utf-8", { fatal: true }) as unknown as ReadableWritablePair<string, Uint8Array>);
}

/** Writes the items of a file into a table. Lines that cannot be an item are told and left out; an error of the server ends it. */
export async function importFile(file: File, table: TableDescription, onProgress: (progress: ImportProgress) => void, signal: AbortSignal, send?: SendBatch): Promise<ImportProgress> {
  const progress: ImportProgress = { bytesRead: 0, bytesTotal: file.size, written: 0, refused: 0, problems: [] };
  const tell = () => onProgress({ ...progress, problems: [...progress.problems] });
  let batch = new Map<string, Item>();
  const underWay = new Set<Promise<void>>();
  /** The keys of what is under way. */
  const flying = new Set<string>();
  let failure: unknown;

  const flush = async () => {
    if (batch.size === 0) return;
    const [keys, items] = [[...batch.keys()], [...batch.values()]];
    for (const key of keys) flying.add(key);
    batch = new Map();
    const writing = writeAll(table.TableName, items.map((Item) => ({ PutRequest: { Item } })), { signal, ...(send ? { send } : {}) })
      .then(() => { progress.written += items.length; tell(); }, (error: unknown) => { failure ??= error; })
      .finally(() => {
        underWay.delete(writing);
        for (const key of keys) flying.delete(key);
      });
    underWay.add(writing);
    if (underWay.size >= parallelMax) await Promise.race(underWay);
  };
  const take = async (line: { number: number; text: string }) => {
    try {
      const item = itemOfLine(line.text);
      const problem = itemProblems(item, table)[0];
      if (problem) throw new Error(problem);
      const key = keyText(item, table);
      // A batch has each key once, and of two items with the same key the later one must win, also over one that is under way.
      if (batch.has(key)) await flush();
      if (flying.has(key)) await Promise.all(underWay);
      batch.set(key, item);
    } catch (error) {
      ++progress.refused;
      if (progress.problems.length < problemsShownMax) progress.problems.push(error instanceof JsonProblem ? { place: `line ${line.number}, column ${error.column}`, message: error.what } : { place: `line ${line.number}`, message: messageOf(error) });
    }
    if (batch.size >= batchMax) await flush();
  };

  const cutter = new LineCutter();
  const reader = textOf(file, (bytes) => (progress.bytesRead += bytes)).getReader();
  for (;;) {
    const { done, value } = await reader.read();
    for (const line of done ? cutter.finish() : cutter.add(value)) {
      await take(line);
      if (failure !== undefined || signal.aborted) break;
    }
    tell();
    if (done || failure !== undefined || signal.aborted) break;
  }
  await reader.cancel();
  if (failure === undefined && !signal.aborted) await flush();
  await Promise.all(underWay);
  tell();
  // Whoever stops it has no error to read.
  if (failure !== undefined && !signal.aborted) throw failure;
  return progress;
}
