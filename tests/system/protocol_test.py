#!/usr/bin/python3
"""What stands around DynamoDB's JSON: signatures, compressed bodies, the query string, operations nobody has heard of."""

import gzip
import json
import unittest
import urllib.parse
import zlib

from dolmen_server import SIGNATURE, ServerTest, create_table, headers_for, read_answer

PREFIX = "com.amazon.coral.service#"
MISSING = (f"{PREFIX}MissingAuthenticationTokenException", "Request is missing Authentication Token")
INCOMPLETE = f"{PREFIX}IncompleteSignatureException"
ALGORITHM = "AWS4-HMAC-SHA256"
# The response to a GetItem is longer than DynamoDB sends uncompressed to those who accept another encoding.
LONG = "x" * 5000
COMPRESSED_BYTES_MIN = 4096


class ProtocolTest(ServerTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        create_table(cls.server, "things")

    def send(self, body=b"{}", headers=None, path="/", operation="ListTables", without=()):
        everything = headers_for(operation) | (headers or {})
        for name in without:
            everything.pop(name)
        self.connection.request("POST", path, body, everything)
        return read_answer(self.connection)

    def refused(self, answer):
        self.assertEqual(answer.status, 400)
        return answer.json()["__type"], answer.message


class Signatures(ProtocolTest):
    def test_a_request_that_does_not_claim_to_be_signed_is_answered(self):
        self.assertEqual(self.send(without=[*SIGNATURE]).status, 200)

    def test_another_scheme_than_that_of_aws_is_refused(self):
        for header in ("", "AWS4", "Basic bG9jYWw6bG9jYWw=", "Bearer AWS4-HMAC-SHA256"):
            with self.subTest(header):
                self.assertEqual(self.refused(self.send(headers={"Authorization": header})), MISSING)

    def test_a_signature_without_some_of_its_parts_names_them(self):
        parts = {"Credential": "Credential=a/20260101/us-east-1/dynamodb/aws4_request", "Signature": "Signature=0",
                 "SignedHeaders": "SignedHeaders=host"}
        for absent in ((), ("Credential",), ("Signature",), ("SignedHeaders",), ("Credential", "SignedHeaders"), (*parts,)):
            header = f"{ALGORITHM} " + ", ".join(part for name, part in parts.items() if name not in absent)
            header = header.strip()
            with self.subTest(header):
                answer = self.send(headers={"Authorization": header})
                complaints = [f"Authorization header requires '{name}' parameter. "
                              for name in ("Credential", "Signature", "SignedHeaders") if name in absent]
                if complaints:
                    self.assertEqual(self.refused(answer), (INCOMPLETE, "".join(complaints) + f"Authorization={header}"))
                else:
                    self.assertEqual(answer.status, 200)

    def test_the_parts_of_a_signature_are_separated_by_commas_or_blanks(self):
        for separator in (",", " ", ", ", " , "):
            header = f"{ALGORITHM} " + separator.join(("Credential=a/b/c/d/e", "SignedHeaders=host", "Signature=0"))
            self.assertEqual(self.send(headers={"Authorization": header}).status, 200, header)

    def test_a_part_of_a_signature_without_an_equal_sign_is_named(self):
        header = f"{ALGORITHM} Credential=key /20260101/us-east-1/dynamodb/aws4_request, SignedHeaders=host, Signature=0"
        self.assertEqual(self.refused(self.send(headers={"Authorization": header})), (
            INCOMPLETE, "'/20260101/us-east-1/dynamodb/aws4_request' not a valid key=value pair (missing equal-sign) in "
                        f"Authorization header: '{header}'."))

    def test_a_request_may_be_signed_in_its_query_string(self):
        parts = {"X-Amz-Algorithm": ALGORITHM, "X-Amz-Credential": "a/20260101/us-east-1/dynamodb/aws4_request",
                 "X-Amz-Signature": "0", "X-Amz-SignedHeaders": "host", "X-Amz-Date": "20260101T000000Z"}
        def send(query):
            return self.send(path="/?" + urllib.parse.urlencode(query), without=[*SIGNATURE])
        self.assertEqual(send(parts).status, 200)
        for name in list(parts)[1:]:
            answer = send({other: value for other, value in parts.items() if other != name})
            self.assertEqual(self.refused(answer), (
                INCOMPLETE, f"AWS query-string parameters must include '{name}'. Re-examine the query-string parameters."))

    def test_a_request_is_signed_in_one_place(self):
        self.assertEqual(self.refused(self.send(path=f"/?X-Amz-Algorithm={ALGORITHM}")), (
            f"{PREFIX}InvalidSignatureException",
            "Found both 'X-Amz-Algorithm' as a query-string param and 'Authorization' as HTTP header."))

    def test_the_body_and_the_operation_are_looked_at_before_the_signature_and_the_parameters_after_it(self):
        foreign = {"Authorization": "Basic bG9jYWw6bG9jYWw="}
        self.assertEqual(self.refused(self.send(b"{", foreign)), (f"{PREFIX}SerializationException", None))
        self.assertEqual(self.refused(self.send(operation="Nonsense", headers=foreign)),
                         (f"{PREFIX}UnknownOperationException", None))
        for body in (b'{"Limit": 0}', b'{"Limit": "x"}', b"[]", b""):
            self.assertEqual(self.refused(self.send(body, foreign)), MISSING)

    def test_a_query_string_without_a_signature_is_passed_over(self):
        self.assertEqual(self.send(path="/?x=1").status, 200)


class CompressedRequests(ProtocolTest):
    def put(self, body, encoding="gzip"):
        return self.send(body, {"Content-Encoding": encoding}, operation="PutItem")

    def stored(self, key):
        return self.server.must("GetItem", {"TableName": "things", "Key": {"pk": {"S": key}}}).get("Item")

    @staticmethod
    def item(key, value="x"):
        return b'{"TableName": "things", "Item": {"pk": {"S": "%s"}, "v": {"S": "%s"}}}' % (key.encode(), value.encode())

    def test_a_compressed_request_is_understood(self):
        for encoding, compress in (("gzip", gzip.compress), ("deflate", zlib.compress), ("GZip", gzip.compress)):
            for value in (encoding, "x" * 300_000):
                with self.subTest(encoding):
                    self.assertEqual(self.put(compress(self.item("whole", value)), encoding).status, 200)
                    self.assertEqual(self.stored("whole")["v"], {"S": value})

    def test_a_request_compressed_in_pieces_is_put_together(self):
        body = self.item("pieces")
        pieces = [gzip.compress(body[i:i + 1]) for i in range(len(body))]
        self.assertEqual(self.put(b"".join(pieces)).status, 200)
        self.assertEqual(self.stored("pieces"), {"pk": {"S": "pieces"}, "v": {"S": "x"}})

    def test_what_is_not_encoded_as_it_says_is_a_failure_and_changes_nothing(self):
        good, deflated = gzip.compress(self.item("bad")), zlib.compress(self.item("bad"))
        for body, encoding in ((self.item("bad"), "gzip"), (good[:-1], "gzip"), (good + b"junk", "gzip"), (b"", "gzip"),
                               (good, "garbage"), (good, "deflate"), (deflated, "gzip"), (deflated[:-1], "deflate"),
                               (deflated + b"junk", "deflate"), (deflated * 2, "deflate"), (b"", "deflate"),
                               (self.item("bad"), "deflate"), (good, "gzip, deflate"), (good, "br")):
            with self.subTest(encoding, body=body[:10]):
                answer = self.put(body, encoding)
                self.assertEqual((answer.status, answer.type), (500, "InternalServerError"))
        self.assertIsNone(self.stored("bad"))

    def test_a_small_request_that_becomes_too_large_is_refused(self):
        for pieces in (1, 20):
            body = gzip.compress(b" " * ((20 << 20) // pieces)) * pieces
            answer = self.put(body + gzip.compress(self.item("huge")))
            self.assertEqual((answer.status, answer.type), (413, "RequestEntityTooLargeException"))
        answer = self.put(zlib.compress(b" " * (20 << 20) + self.item("huge")), "deflate")
        self.assertEqual((answer.status, answer.type), (413, "RequestEntityTooLargeException"))
        self.assertIsNone(self.stored("huge"))


class CompressedResponses(ProtocolTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.server.must("PutItem", {"TableName": "things", "Item": {"pk": {"S": "long"}, "v": {"S": LONG}}})

    def get(self, accept):
        return self.send(b'{"TableName": "things", "Key": {"pk": {"S": "long"}}}', {"Accept-Encoding": accept},
                         operation="GetItem")

    def test_a_response_is_compressed_as_the_client_accepts_it(self):
        plain = self.get("identity").body
        for accept, encoding in (
                ("gzip", "gzip"), ("deflate", "deflate"), ("identity", None), ("br", None), ("x-gzip", None), ("", None),
                ("gzip, deflate", "gzip"), ("br, identity, deflate, gzip", "deflate"), ("GZIP, identity", "gzip"),
                ("dog, gzip ,, cat", "gzip"), ("gzip;q=0.8, deflate;q=0.5", "gzip"), ("deflate;q=0.5, gzip;q=0.2", "deflate"),
                ("br, gzip;q=0, deflate; q = 0.5 , identity;q=0", "deflate"), ("*", "gzip"), ("*, deflate;q=0.5", "gzip"),
                ("*, deflate", "deflate"), ("*, gzip;q=0.5", "deflate"), ("gzip ;q=0", None), ("*;q=0", None),
                ("gzip;q=0.5,identity;q=0.8", "gzip"), ('"gzip"', None), ("gzip br", None), ("gzip:q=1", None),
                ("gzip;q=31,deflate;q=51", "gzip"), ("deflate;q=0.5, gzip;q=1;q=0.2", "gzip"),
                ("deflate;q=0.5,gzip;q=0.", "deflate"), ("deflate;q=0.5,gzip;q=0.x", "gzip"),
                ("deflate;q=-0.5,gzip;q=0.2", "gzip"), ("gzip;nq=1;q=0 ", None), ("gzip;q=0, gzip;q=1, gzip;q=0", "gzip"),
                ("br,identity;q=0.5,gzip;q=0.0001", "gzip")):
            with self.subTest(accept):
                answer = self.get(accept)
                self.assertEqual((answer.status, answer.headers.get("content-encoding")), (200, encoding))
                unpack = {"gzip": gzip.decompress, "deflate": zlib.decompress, None: bytes}[encoding]
                self.assertEqual(unpack(answer.body), plain)
                # SDKs compare the checksum with the bytes that they received.
                self.assertEqual(answer.headers["x-amz-crc32"], str(zlib.crc32(answer.body)))

    def test_a_short_response_is_not_compressed(self):
        for body_bytes in (COMPRESSED_BYTES_MIN - 1, COMPRESSED_BYTES_MIN):
            value = "x" * (body_bytes - len('{"Item":{"pk":{"S":"short"},"v":{"S":""}}}'))
            self.server.must("PutItem", {"TableName": "things", "Item": {"pk": {"S": "short"}, "v": {"S": value}}})
            answer = self.send(b'{"TableName": "things", "Key": {"pk": {"S": "short"}}}', {"Accept-Encoding": "gzip"},
                               operation="GetItem")
            self.assertEqual("content-encoding" in answer.headers, body_bytes == COMPRESSED_BYTES_MIN)

    def test_an_error_is_compressed_too(self):
        names = [{"AttributeName": "n" * 255, "AttributeType": "wrong" * 100}] * 10
        body = '{"TableName": "abc", "KeySchema": [{"AttributeName": "a", "KeyType": "HASH"}], "AttributeDefinitions": %s}'
        answer = self.send((body % json.dumps(names)).encode(), {"Accept-Encoding": "gzip"}, operation="CreateTable")
        self.assertEqual((answer.status, answer.headers["content-encoding"]), (400, "gzip"))
        self.assertIn(b"10 validation errors detected", gzip.decompress(answer.body))


if __name__ == "__main__":
    unittest.main()
