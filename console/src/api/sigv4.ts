// Signature Version 4 with the browser's own cryptography.

export interface Credentials {
  keyId: string;
  secret: string;
  /** Of temporary credentials. */
  sessionToken?: string;
  region: string;
}

export interface RequestToSign {
  method: string;
  /** "http://127.0.0.1:8000/path?query" */
  url: string;
  /** Names in lower case. Host is added. */
  headers: Record<string, string>;
  body: string;
}

const service = "dynamodb";
const encoder = new TextEncoder();

function hex(bytes: ArrayBuffer): string {
  return Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

async function sha256(text: string): Promise<string> {
  return hex(await crypto.subtle.digest("SHA-256", encoder.encode(text)));
}

async function hmac(key: Uint8Array | ArrayBuffer, text: string): Promise<ArrayBuffer> {
  const imported = await crypto.subtle.importKey("raw", key as BufferSource, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  return crypto.subtle.sign("HMAC", imported, encoder.encode(text));
}

/** The headers to send besides those given: X-Amz-Date, Authorization and, for temporary credentials, their token. */
export async function sign(request: RequestToSign, credentials: Credentials, now: Date): Promise<Record<string, string>> {
  const url = new URL(request.url);
  const time = now.toISOString().replace(/[-:]|\.\d{3}/g, "");
  const scope = `${time.slice(0, 8)}/${credentials.region}/${service}/aws4_request`;
  const added: Record<string, string> = { "x-amz-date": time };
  if (credentials.sessionToken) added["x-amz-security-token"] = credentials.sessionToken;

  const headers: Record<string, string> = { ...request.headers, ...added, host: url.host };
  const names = Object.keys(headers).sort();
  const query = [...url.searchParams].map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`).sort().join("&");
  const canonical = [
    request.method,
    url.pathname,
    query,
    ...names.map((name) => `${name}:${(headers[name] ?? "").trim().replace(/ +/g, " ")}`),
    "",
    names.join(";"),
    await sha256(request.body),
  ].join("\n");
  const text = ["AWS4-HMAC-SHA256", time, scope, await sha256(canonical)].join("\n");

  let key: ArrayBuffer | Uint8Array = encoder.encode("AWS4" + credentials.secret);
  for (const part of scope.split("/")) key = await hmac(key, part);
  const signature = hex(await hmac(key, text));
  added["authorization"] =
    `AWS4-HMAC-SHA256 Credential=${credentials.keyId}/${scope}, SignedHeaders=${names.join(";")}, Signature=${signature}`;
  return added;
}
