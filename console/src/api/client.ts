// Requests to the server that the page came from.

import { signal } from "@preact/signals";
import { credentials, needsSignIn } from "../state/session";
import { ApiError } from "./errors";
import { sign } from "./sigv4";

/** False from the first request that nothing answers until the next that something does. */
export const isOnline = signal(true);
/** How many requests wait for their answers. */
export const requestsInFlight = signal(0);
/** Counts how often the server has come back; pages that show live data may load again. */
export const returns = signal(0);

/** Headers that every operation carries; the fault lab sets them. */
export const extraHeaders = signal<Record<string, string>>({});

const probeEveryMs = 1000;
let probing = false;

export interface CallOptions {
  signal?: AbortSignal;
  /** Extra headers, such as x-dolmen-explain. Names in lower case. */
  headers?: Record<string, string>;
}

export interface Answer<T> {
  data: T;
  headers: Headers;
  /** How long it took, as the browser saw it. */
  milliseconds: number;
}

const prefixes = { dynamo: "DynamoDB_20120810", streams: "DynamoDBStreams_20120810", dolmen: "Dolmen_20261115" } as const;
export type Family = keyof typeof prefixes;

async function send(path: string, init: { method: string; headers: Record<string, string>; body: string; signal?: AbortSignal | undefined }, name: string): Promise<Response> {
  const url = new URL(path, location.origin).href;
  const known = credentials.value;
  if (known && !globalThis.isSecureContext)
    throw new ApiError("", "A browser signs requests only on https:// and on the machine of the server. Give the server a certificate (--tls-cert), or open the console there.", 0, name);
  const signed = known ? await sign({ method: init.method, url, headers: init.headers, body: init.body }, known, new Date()) : {};
  requestsInFlight.value++;
  try {
    const response = await fetch(url, {
      method: init.method,
      headers: { ...init.headers, ...signed },
      cache: "no-store",
      credentials: "omit",
      referrerPolicy: "no-referrer",
      ...(init.method === "POST" ? { body: init.body } : {}),
      ...(init.signal ? { signal: init.signal } : {}),
    });
    if (!isOnline.value) cameBack();
    return response;
  } catch (failure) {
    if (init.signal?.aborted) throw failure;
    isOnline.value = false;
    probe();
    throw new ApiError("Unreachable", "The server does not answer. It may have stopped; the console goes on when it is back.", 0, name);
  } finally {
    requestsInFlight.value--;
  }
}

function cameBack(): void {
  isOnline.value = true;
  returns.value++;
}

/** Asks /health until it answers. */
function probe(): void {
  if (probing) return;
  probing = true;
  const ask = async () => {
    try {
      await fetch("/health", { cache: "no-store" });
      probing = false;
      if (!isOnline.value) cameBack();
    } catch {
      setTimeout(ask, probeEveryMs);
    }
  };
  setTimeout(ask, probeEveryMs);
}

async function errorOf(response: Response, name: string): Promise<ApiError> {
  const text = await response.text();
  let body: Record<string, unknown> = {};
  try {
    body = JSON.parse(text) as Record<string, unknown>;
  } catch {
    // Not of the protocol: the text itself is all there is to say.
  }
  const type = String(body["__type"] ?? "").replace(/^.*#/, "");
  const message = String(body["message"] ?? body["Message"] ?? (text.slice(0, 500) || `${name} failed with status ${response.status}`));
  const error = new ApiError(type, message, response.status, name, body);
  if (error.isAboutAccess) needsSignIn.value = true;
  return error;
}

/** One operation of one of the families, with the text of its answer. Fails with ApiError. */
export async function callText(family: Family, operation: string, input: unknown, options: CallOptions = {}): Promise<Answer<string>> {
  const started = performance.now();
  const body = typeof input === "string" ? input : JSON.stringify(input);
  const headers = { "content-type": "application/x-amz-json-1.0", "x-amz-target": `${prefixes[family]}.${operation}`, ...extraHeaders.value, ...options.headers };
  const response = await send("/", { method: "POST", headers, body, signal: options.signal }, operation);
  if (!response.ok) throw await errorOf(response, operation);
  return { data: await response.text(), headers: response.headers, milliseconds: performance.now() - started };
}

/** The same with its answer as JSON; numbers beyond those of a double lose digits. */
export async function call<T>(family: Family, operation: string, input: unknown, options: CallOptions = {}): Promise<Answer<T>> {
  const { data, ...answer } = await callText(family, operation, input, options);
  return { ...answer, data: (data === "" ? {} : JSON.parse(data)) as T };
}

/** DynamoDB's own operations: `dynamo("ListTables", {})`. */
export async function dynamo<T = Record<string, unknown>>(operation: string, input: unknown, options?: CallOptions): Promise<T> {
  return (await call<T>("dynamo", operation, input, options)).data;
}

/** The operations of DynamoDB Streams. */
export async function streams<T = Record<string, unknown>>(operation: string, input: unknown, options?: CallOptions): Promise<T> {
  return (await call<T>("streams", operation, input, options)).data;
}

/** Dolmen's own operations: documents, contracts, entities, relations and others. */
export async function dolmen<T = Record<string, unknown>>(operation: string, input: unknown, options?: CallOptions): Promise<T> {
  return (await call<T>("dolmen", operation, input, options)).data;
}

/** GET of /metrics, /health or /ready as text. */
export async function getText(path: string, options: CallOptions = {}): Promise<string> {
  const response = await send(path, { method: "GET", headers: { ...options.headers }, body: "", signal: options.signal }, path);
  if (!response.ok) throw await errorOf(response, path);
  return response.text();
}
