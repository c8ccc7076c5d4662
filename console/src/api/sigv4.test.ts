import { describe, expect, it } from "vitest";
import { sign } from "./sigv4";

const request = {
  method: "POST",
  url: "http://127.0.0.1:8000/",
  headers: { "content-type": "application/x-amz-json-1.0", "x-amz-target": "DynamoDB_20120810.ListTables" },
  body: "{}",
};
const key = { keyId: "AKIDEXAMPLE", secret: "secret", region: "us-east-1" };
const now = new Date("2026-11-17T10:00:00.123Z");
const scope = "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20261117/us-east-1/dynamodb/aws4_request";

// botocore signs the same requests so, with its clock stopped at that second.
describe("sign", () => {
  it("makes the signature that botocore makes", async () => {
    expect(await sign(request, key, now)).toEqual({
      "x-amz-date": "20261117T100000Z",
      authorization: `${scope}, SignedHeaders=content-type;host;x-amz-date;x-amz-target, Signature=691318ed9501e2a9542ee88ed746b7485e4d42e54651744916ff8054879bb561`,
    });
  });

  it("signs the token of temporary credentials too", async () => {
    expect(await sign(request, { ...key, sessionToken: "TOKEN" }, now)).toEqual({
      "x-amz-date": "20261117T100000Z",
      "x-amz-security-token": "TOKEN",
      authorization: `${scope}, SignedHeaders=content-type;host;x-amz-date;x-amz-security-token;x-amz-target, Signature=199fe08d35a5e705ad30a1260dac54bfcaa1a459b69f42e89cdfc316d20d8ed1`,
    });
  });
});
