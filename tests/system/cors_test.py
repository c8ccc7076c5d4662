#!/usr/bin/python3
"""Scripts of web pages: which origins may use a server, and what a browser is told."""

import unittest

from dolmen_server import Server, headers_for, read_answer, run

ORIGIN = "https://app.example.com:8443"
EXPOSED = "x-amzn-RequestId,x-amzn-ErrorType,x-amzn-ErrorMessage,Date"


def cors_headers(answer):
    return {name: value for name, value in answer.headers.items() if name.startswith("access-control-")}


class CorsTest(unittest.TestCase):
    maxDiff = None

    def serve(self, *origins):
        server = Server(flags=[flag for origin in origins for flag in ("--cors-origin", origin)])
        server.start()
        self.addCleanup(server.close)
        self.connection = server.connection()
        self.addCleanup(self.connection.close)

    def send(self, method, origin, headers=None, body=b""):
        given = ({"Origin": origin} if origin else {}) | (headers or {})
        self.connection.request(method, "/", body, given)
        return read_answer(self.connection)

    def post(self, origin, operation="ListTables", body=b"{}"):
        return self.send("POST", origin, headers_for(operation), body)

    def preflight(self, origin):
        return self.send("OPTIONS", origin, {"Access-Control-Request-Method": "POST",
                                             "Access-Control-Request-Headers": "authorization,x-amz-target"})

    def expect_shared(self, origin):
        shared = {"access-control-allow-origin": "*", "access-control-expose-headers": EXPOSED}
        for answer, status in ((self.post(origin), 200), (self.post(origin, body=b'{"Limit": 0}'), 400),
                               (self.post(origin, "Nonsense"), 400), (self.send("GET", origin), 200),
                               (self.send("PUT", origin), 404)):
            self.assertEqual((answer.status, cors_headers(answer)), (status, shared))
        answer = self.preflight(origin)
        self.assertEqual((answer.status, answer.body), (200, b""))
        self.assertEqual(cors_headers(answer), shared | {
            "access-control-max-age": "172800", "access-control-allow-methods": "POST",
            "access-control-allow-headers": "authorization,x-amz-target"})

    def expect_not_shared(self, origin):
        posted = self.post(origin)
        for answer, status in ((posted, 200 if origin is None else 400), (self.send("GET", origin), 200),
                               (self.preflight(origin), 404)):
            self.assertEqual((answer.status, cors_headers(answer)), (status, {}))
        if origin is not None:
            self.assertEqual(posted.type, "AccessDeniedException")
            self.assertIn(f"Web pages of {origin} may not use this server", posted.message)

    def test_no_page_is_told_anything_unless_origins_are_given(self):
        self.serve()
        self.expect_not_shared(ORIGIN)

    def test_pages_of_the_given_origins_are_told_that_they_may(self):
        self.serve("http://localhost:3000", ORIGIN)
        for origin in (ORIGIN, "http://localhost:3000", "https://APP.example.com:8443"):
            self.expect_shared(origin)
        for origin in (None, "https://app.example.com", "http://app.example.com:8443", ORIGIN + ".evil.example", "null", "*"):
            self.expect_not_shared(origin)

    def test_a_star_lets_every_page(self):
        self.serve("*")
        for origin in (ORIGIN, "null", "http://anything.example"):
            self.expect_shared(origin)
        self.expect_not_shared(None)

    def test_a_page_whose_name_was_made_to_lead_here_is_refused(self):
        self.serve()
        for host, status in (("localhost", 200), ("127.0.0.1:1", 200), ("db", 200), ("[::1]:8000", 200),
                             ("dynamodb.us-east-1.amazonaws.com", 200), ("evil.example", 400), ("localhost.evil.example", 400)):
            answer = self.send("POST", None, headers_for("ListTables") | {"Host": host}, b"{}")
            self.assertEqual(answer.status, status, host)
        self.assertEqual(answer.type, "AccessDeniedException")
        self.assertIn("--host-name localhost.evil.example", answer.message)

    def test_a_preflight_that_asks_for_nothing_is_granted_nothing_more(self):
        self.serve(ORIGIN)
        self.assertEqual(cors_headers(self.send("OPTIONS", ORIGIN)), {
            "access-control-allow-origin": "*", "access-control-expose-headers": EXPOSED,
            "access-control-max-age": "172800"})

    def test_what_is_not_an_origin_is_refused(self):
        for wrong in ("", "example.com", "https://", "https://example.com/", "https://a.example,https://b.example", "null"):
            with self.subTest(wrong):
                finished = run("serve", "--memory", "--port", "0", "--cors-origin", wrong)
                self.assertEqual(finished.code, 2)
                self.assertIn("--cors-origin", finished.err)


if __name__ == "__main__":
    unittest.main()
