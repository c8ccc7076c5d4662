import { expect, it } from "vitest";
import { preview, readPage } from "./exact";

const answer = '{"documents":[{"_id":"a","float":30.0,"big":9223372036854775807,"tags":[],"home":{"city":"Brest"}}],"revisions":["r1"],"cursor":"c"}';

it("a page keeps every digit", () => {
  const { documents, cursor } = readPage(answer);
  expect(documents[0]).toMatchObject({ id: "a", revision: "r1" });
  expect(documents[0]?.text).toContain('"float": 30.0');
  expect(documents[0]?.text).toContain("9223372036854775807");
  expect(cursor).toBe("c");
});

it("the last page has no cursor", () => expect(readPage('{"documents":[],"revisions":[]}')).toEqual({ documents: [], cursor: undefined }));

it("a preview names the fields and counts what is nested", () => {
  expect(preview(readPage(answer).documents[0]!.text)).toBe("float: 30.0  big: 9223372036854775807  tags: [0]  home: {…}");
});
