#!/usr/bin/python3
"""Bytes on a socket and what comes back: raw_cases/*.json, with and without signatures.

Each case has a "rule" and the exact answers that it expects. A case of HTTP says what to send:

  lines     the head, a line each; the line ends and the blank line are added
  raw       or everything before the body as it is, as Latin-1
  body      what follows, as Latin-1; {"gzip": text}, {"deflate": text} and {"hex": digits} stand for bytes, and a list for several
  answers   what comes back, in order: status; type and message of an error, type_only when the words are Dolmen's own; text, the
            whole body; headers, null for one that is not there
  closed    whether the server closes the connection after the answers

"*" as a line stands for the headers of a ListTables request, [line, count] for so many lines with {i} counted up, {length} for
the length of the body, and {x*1000} for a thousand of a character.

A case with "signed" is a request that this program signs and that the server verifies. The program knows no rules of
canonicalisation: the case says what is sent and what its canonical form is.

  sent      lines of further headers, or of headers in another form
  target    what stands in the request line; path and query are its canonical forms
  headers   the canonical headers, by name in lower case, beside host, x-amz-date, x-amz-target and content-type
  ...       everything else replaces a part of the signature, see Signer; rewrite changes the query after signing, where {reversed}
            turns its order around

In messages, {date}, {day}, {credential}, {signed}, {authorization}, {key} stand for those parts, {canonical} for the canonical
request, {to_sign} for the string to sign, and {time} for any time.
"""

import datetime
import gzip
import hashlib
import hmac
import itertools
import json
import os
import pathlib
import re
import socket
import tempfile
import unittest
import zlib

from dolmen_server import PATIENCE_S, REGION, AnswerReader, Server, create_table, headers_for

CASES = pathlib.Path(__file__).resolve().parent / "raw_cases"
SECRET = "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY"
ACCESS_FILE = f"""keys:
  - {{id: "ADMINADMINADMINADMIN", secret: "{SECRET}", role: "admin"}}
  - {{id: "READERREADERREADERRE", secret: "{SECRET}", role: "read-only"}}
  - {{id: "LIMITEDLIMITEDLIMITE", secret: "{SECRET}", role: "admin", tables: ["orders-*"]}}
  - {{id: "TEMPORARYTEMPORARY00", secret: "{SECRET}", role: "admin", session_token: "the/token+=="}}
  - {{id: "EXPIREDEXPIREDEXPIRE", secret: "{SECRET}", role: "admin", expires: "2020-01-01T00:00:00Z"}}
"""


def cases_of(*names):
    for name in names:
        for case in json.loads((CASES / f"{name}.json").read_text()):
            yield case


def filled(text):
    """With so many characters in the place of {x*1000}."""
    return re.sub(r"\{(.)\*(\d+)\}", lambda match: match[1] * int(match[2]), text)


def bytes_of(body):
    if isinstance(body, list):
        return b"".join(map(bytes_of, body))
    if isinstance(body, str):
        return filled(body).encode("latin-1")
    (kind, content), = body.items()
    if kind == "hex":
        return bytes.fromhex(content)
    if kind == "repeat":
        return bytes_of(content[0]) * content[1]
    return {"gzip": lambda data: gzip.compress(data, mtime=0), "deflate": zlib.compress}[kind](bytes_of(content))


class RawTest(unittest.TestCase):
    maxDiff = None
    flags = []
    # The server slows down addresses that fail often; every case comes from one of its own.
    addresses = (f"127.0.{number >> 8}.{number & 255}" for number in itertools.count(2))

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        access = pathlib.Path(folder.name) / "access.yaml"
        with open(os.open(access, os.O_CREAT | os.O_WRONLY, 0o600), "w") as file:
            file.write(ACCESS_FILE)
        cls.server = Server(flags=[flag.format(access=access) for flag in cls.flags])
        cls.server.start()
        cls.addClassCleanup(cls.server.close)

    def exchange(self, request, case, fill=str):
        with socket.create_connection(("127.0.0.1", self.server.port), PATIENCE_S, (next(self.addresses), 0)) as sock:
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            for piece in request:
                sock.sendall(piece)
            if not case.get("closed"):
                sock.shutdown(socket.SHUT_WR)
            reader = AnswerReader(sock)
            try:
                for expected in case["answers"]:
                    answer = reader.next(expected.get("to", "POST"))
                    self.assertIsNotNone(answer, "no answer")
                    self.compare(answer, expected, fill)
                self.assertTrue(reader.at_end(), "more answers than expected")
                if answer.status != 100:
                    self.assertEqual(answer.headers.get("connection") == "close", case.get("closed", False))
            finally:
                reader.close()

    def compare(self, answer, expected, fill):
        got, wanted = {"status": answer.status}, {"status": expected["status"]}
        text = answer.body.decode("latin-1")
        if "text" in expected:
            got["text"], wanted["text"] = text, fill(expected["text"])
        if "type_only" in expected:
            got["type"], wanted["type"] = answer.type, expected["type_only"]
        if "type" in expected:
            got["type"], wanted["type"] = answer.json().get("__type", text).rpartition("#")[2], expected["type"]
            message = fill(expected["message"]) if "message" in expected else None
            got["message"], wanted["message"] = answer.message, message
            if message is not None and "{time}" in message:
                pattern = re.escape(message).replace(re.escape("{time}"), r"\d{8}T\d{6}Z")
                self.assertRegex(answer.message, f"^{pattern}$")
                del got["message"], wanted["message"]
        for name, value in expected.get("headers", {}).items():
            got[name], wanted[name] = answer.headers.get(name), value
        self.assertEqual(got, wanted, text)
        if "x-amz-crc32" in answer.headers:
            self.assertEqual(answer.headers["x-amz-crc32"], str(zlib.crc32(answer.body)))

    def run_all(self, run, *names):
        count = 0
        for case in cases_of(*names):
            count += 1
            with self.subTest(case["rule"]):
                run(case)
        return count


class Http(RawTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        create_table(cls.server, "things")

    def run_case(self, case):
        body = bytes_of(case.get("body", ""))
        if "raw" in case:
            return self.exchange([bytes_of(case["raw"]), body], case)
        lines = []
        for line in case["lines"]:
            if line == "*":
                lines += [f"{name}: {value}" for name, value in headers_for("ListTables").items()]
            elif isinstance(line, list):
                lines += [line[0].replace("{i}", str(i)) for i in range(line[1])]
            else:
                lines.append(line)
        head = filled("".join(f"{line}\r\n" for line in [*lines, ""]).replace("{length}", str(len(body))))
        self.exchange([head.encode("latin-1") + body], case)

    def test_what_stands_in_the_cases(self):
        self.run_all(self.run_case, "request_line", "headers", "framing", "connection", "protocol", "body", "browser", "claim")


class Signer:
    """Signs with what a case says."""

    def __init__(self, case, port, now):
        self.case, self.port = case, port
        moment = now + datetime.timedelta(seconds=case.get("offset_s", 0))
        self.key = case.get("key", "ADMINADMINADMINADMIN")
        self.date = case.get("date", moment.strftime("%Y%m%dT%H%M%SZ"))
        self.http_date = moment.strftime("%a, %d %b %Y %H:%M:%S GMT")
        self.day = case.get("day", moment.strftime("%Y%m%d"))
        self.in_query = case.get("in") == "query"
        scope = [self.day, case.get("region", REGION), case.get("service", "dynamodb"), case.get("terminator", "aws4_request")]
        self.scope = "/".join(scope)
        self.credential = case.get("credential", f"{self.key}/{self.scope}").replace("{scope}", self.scope)
        self.algorithm = case.get("algorithm", "AWS4-HMAC-SHA256")
        self.body = bytes_of(case.get("body", "{}"))
        self.host = f"127.0.0.1:{port}"
        self._sign()

    def _sign(self):
        case = self.case
        canonical = {"host": self.host, "x-amz-target": case.get("operation", "DynamoDB_20120810.ListTables"),
                     "content-type": "application/x-amz-json-1.0"}
        if not self.in_query:
            canonical["x-amz-date"] = self.date
        canonical |= case.get("headers", {})
        for name in case.get("unsigned", []):
            canonical.pop(name)
        canonical = {name: self.fill(value, late=False) for name, value in canonical.items()}
        names = sorted(canonical)
        self.signed = ";".join(names)
        self.sent_signed = case.get("signed_headers", self.signed)
        query = self.fill(case.get("query", ""), late=False)
        if self.in_query:
            query = self._presigned()
        payload = case.get("payload", hashlib.sha256(bytes_of(case.get("signed_body", case.get("body", "{}")))).hexdigest())
        self.canonical = "\n".join([case.get("method", "POST"), case.get("path", "/"), query,
                                    *(f"{name}:{canonical[name]}" for name in names), "", self.signed, payload])
        self.to_sign = "\n".join(["AWS4-HMAC-SHA256", case.get("date_to_sign", self.date), self.scope,
                                  hashlib.sha256(self.canonical.encode()).hexdigest()])
        key = ("AWS4" + case.get("secret", SECRET)).encode()
        for part in self.scope.split("/"):
            key = hmac.digest(key, part.encode(), "sha256")
        self.signature = hmac.digest(key, self.to_sign.encode(), "sha256").hex()
        template = filled(case.get("authorization", "{algorithm} Credential={credential}, SignedHeaders={signed}, Signature={signature}"))
        self.authorization = self.fill(template)

    def _presigned(self):
        """The parameters of the query string, in their canonical form and order."""
        from urllib.parse import quote
        parameters = {"X-Amz-Algorithm": self.algorithm, "X-Amz-Credential": self.credential, "X-Amz-Date": self.date,
                      "X-Amz-Expires": str(self.case.get("expires", 60)), "X-Amz-SignedHeaders": self.sent_signed}
        if "token" in self.case:
            parameters["X-Amz-Security-Token"] = self.case["token"]
        for name in self.case.get("without", []):
            parameters.pop(name, None)
        encoded = [f"{name}={quote(str(value), safe='-_.~')}" for name, value in parameters.items()]
        return "&".join(sorted([*encoded, *self.case.get("parameters", [])]))

    def fill(self, text, late=True):
        """The text with the parts of this signature in it."""
        names = ["algorithm", "credential", "date", "http_date", "day", "host", "key", "port"]
        parts = {name: str(getattr(self, name)) for name in names}
        if late:
            parts |= {"signed": self.sent_signed}
            parts["today"] = self.date[:8]
            parts["SIGNATURE"] = getattr(self, "signature", "").upper()
            parts |= {name: getattr(self, name) for name in ("signature", "authorization", "canonical", "to_sign")
                      if hasattr(self, name)}
        return re.sub(r"\{(\w+)\}", lambda match: parts.get(match[1], match[0]), text)

    def request(self):
        case = self.case
        target = case.get("target", "/")
        if self.in_query:
            query = self.canonical.split("\n")[2]
            ending = "" if "X-Amz-Signature" in case.get("without", []) else f"&X-Amz-Signature={self.signature}"
            target = "/?" + query + ending
            for old, new in case.get("rewrite", []):
                target = "/?" + "&".join(reversed(target[2:].split("&"))) if old == "{reversed}" else target.replace(old, new)
        sent = [self.fill(line) for line in case.get("sent", [])]
        replaced = {line.partition(":")[0].lower() for line in sent} | set(case.get("left_out", []))
        usual = {"Host": self.host, "X-Amz-Target": case.get("operation", "DynamoDB_20120810.ListTables"),
                 "Content-Type": "application/x-amz-json-1.0", "Content-Length": str(len(self.body))}
        if not self.in_query:
            usual |= {"X-Amz-Date": self.date, "Authorization": self.authorization}
        lines = [f"{case.get('method', 'POST')} {target} HTTP/1.1",
                 *(f"{name}: {value}" for name, value in usual.items() if name.lower() not in replaced), *sent]
        body = bytes_of(case["sent_body"]) if "sent_body" in case else self.body
        return "".join(f"{line}\r\n" for line in [*lines, ""]).encode("latin-1") + body


class Signatures(RawTest):
    flags = ["--auth", "enforce", "--access", "{access}"]

    def run_case(self, case):
        now = datetime.datetime.now(datetime.timezone.utc)
        signer = Signer(case["signed"], self.server.port, now)
        self.exchange([signer.request()], {"answers": [case["answer"]], "closed": case.get("closed", False)}, signer.fill)

    def test_what_stands_in_the_cases(self):
        self.run_all(self.run_case, "canonical", "refused_signatures", "presigned")


class Count(unittest.TestCase):
    def test_there_are_at_least_300_cases_each_with_a_rule_of_its_own(self):
        rules = [case["rule"] for case in cases_of(*(file.stem for file in CASES.glob("*.json")))]
        self.assertEqual(len(rules), len(set(rules)))
        self.assertGreaterEqual(len(rules), 300)


if __name__ == "__main__":
    unittest.main()
