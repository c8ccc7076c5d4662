#!/usr/bin/python3
"""The web console: how the server gives out its files, whom it refuses, and the code of the pages. The pages themselves are opened in
a browser by console_*_test.py."""

import gzip
import http.client
import pathlib
import re
import subprocess
import unittest

from console_browser import CONSOLE, has_console, run_in_console
from dolmen_server import PATIENCE_S, Server, encode, headers_for, read_answer, run

SECURITY = {
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}


def ask(server, path, method="GET", address="127.0.0.1", **headers):
    """One request; names of headers have _ for -."""
    connection = http.client.HTTPConnection(address, server.port, timeout=PATIENCE_S)
    try:
        connection.putrequest(method, path, skip_host="host" in headers, skip_accept_encoding=True)
        for name, value in headers.items():
            connection.putheader(name.replace("_", "-"), value)
        connection.endheaders()
        return read_answer(connection)
    finally:
        connection.close()


def post(server, origin, host=None):
    connection = server.connection()
    try:
        more = {"Origin": origin} | ({"Host": host} if host else {})
        connection.request("POST", "/", encode({}), headers_for("ListTables") | more)
        return read_answer(connection)
    finally:
        connection.close()


class Files(unittest.TestCase):
    """What holds for the files, whatever they are."""

    @classmethod
    def setUpClass(cls):
        cls.server = Server()
        cls.server.start()
        cls.addClassCleanup(cls.server.close)

    def asset(self):
        page = ask(self.server, "/console/").body.decode()
        return "/console/" + re.search(r'src="/console/(assets/[^"]+\.js)"', page).group(1)

    def expect_security(self, answer):
        for name, value in SECURITY.items():
            self.assertEqual(answer.headers.get(name), value)
        policy = answer.headers["content-security-policy"]
        self.assertIn("default-src 'none'", policy)
        self.assertIn("script-src 'self'", policy)
        self.assertIn("style-src 'self'", policy)
        self.assertIn("frame-ancestors 'none'", policy)
        self.assertNotIn("unsafe", policy)
        self.assertNotIn("access-control-allow-origin", answer.headers)

    def test_the_page_needs_nothing_from_elsewhere_and_has_no_script_inside(self):
        answer = ask(self.server, "/console/")
        self.assertEqual((answer.status, answer.headers["content-type"]), (200, "text/html;charset=utf-8"))
        self.assertEqual(answer.headers["cache-control"], "no-cache")
        self.expect_security(answer)
        text = answer.body.decode()
        self.assertNotRegex(text, r"https?://")
        self.assertNotRegex(text, r"<script(?![^>]* src=)[^>]*>[^<]")
        self.assertNotRegex(text, r"<style|style=|\son\w+=")

    def test_console_leads_to_the_page(self):
        answer = ask(self.server, "/console")
        self.assertEqual((answer.status, answer.headers["location"]), (308, "/console/"))
        self.expect_security(answer)

    def test_assets_are_kept_for_good_and_compressed_for_who_takes_that(self):
        path = self.asset()
        plain = ask(self.server, path)
        self.assertEqual((plain.status, plain.headers["content-type"]), (200, "text/javascript;charset=utf-8"))
        self.assertIn("immutable", plain.headers["cache-control"])
        self.assertNotIn("content-encoding", plain.headers)
        self.expect_security(plain)
        for accepted in ("gzip", "gzip, deflate, br, zstd", "deflate, gzip", "br;q=1, GZIP;q=0.5"):
            answer = ask(self.server, path, accept_encoding=accepted)
            self.assertEqual(answer.headers["content-encoding"], "gzip", accepted)
            self.assertEqual(gzip.decompress(answer.body), plain.body)
            self.assertLess(len(answer.body), len(plain.body))
        for accepted in ("", "identity", "br", "gzip;q=0"):
            self.assertNotIn("content-encoding", ask(self.server, path, accept_encoding=accepted).headers, accepted)

    def test_a_browser_that_has_a_file_is_not_sent_it_again(self):
        for path in ("/console/", self.asset()):
            tag = ask(self.server, path).headers["etag"]
            self.assertRegex(tag, '^"[0-9a-f]{16}"$')
            for known in (tag, f'"other", W/{tag}', "*"):
                answer = ask(self.server, path, if_none_match=known)
                self.assertEqual((answer.status, answer.body, answer.headers["etag"]), (304, b"", tag))
                self.assertNotIn("content-length", answer.headers)
                self.expect_security(answer)
            self.assertEqual(ask(self.server, path, if_none_match='"other"').status, 200)

    def test_head_tells_what_get_would(self):
        for path in ("/console/", self.asset(), "/console/nothing"):
            got, told = ask(self.server, path), ask(self.server, path, "HEAD")
            self.assertEqual((told.status, told.body), (got.status, b""))
            for name in ("content-length", "content-type", "etag"):
                self.assertEqual(told.headers.get(name), got.headers.get(name))

    def test_other_paths_have_nothing(self):
        for path in ("/console/nothing", "/console/../dolmen.yaml", "/console/%2e%2e/", "/console//etc/passwd", "/console/assets/",
                     "/console/assets/../index.html", "/console/index.html/", "/console/INDEX.HTML"):
            answer = ask(self.server, path)
            self.assertEqual(answer.status, 404, path)
            self.expect_security(answer)
        for path in ("/consol", "/consoles", "/console.html"):
            self.assertEqual((ask(self.server, path).status, ask(self.server, path).body), (404, b"<UnknownOperationException/>\n"))
        for method in ("POST", "PUT", "DELETE", "OPTIONS"):
            self.assertEqual(ask(self.server, "/console/", method).status, 404, method)

    def test_query_strings_change_nothing(self):
        self.assertEqual(ask(self.server, "/console/?x=1").body, ask(self.server, "/console/").body)


class Refusals(unittest.TestCase):
    """Pages of other origins, other names of this machine, other machines."""

    def test_only_pages_of_the_server_itself_may_use_it(self):
        with Server() as server:
            for origin in (f"http://127.0.0.1:{server.port}",):
                self.assertEqual(post(server, origin).status, 200)
            self.assertEqual(post(server, f"http://localhost:{server.port}", f"localhost:{server.port}").status, 200)
            for origin in ("http://127.0.0.1:1", "http://127.0.0.1", f"http://localhost:{server.port}", "null", "https://example.com",
                           f"http://127.0.0.1:{server.port}.example.com"):
                answer = post(server, origin)
                self.assertEqual((answer.status, answer.type), (400, "AccessDeniedException"), origin)
            # A name that leads here ("DNS rebinding") is the page's own, and not the server's.
            rebound = f"evil.example:{server.port}"
            self.assertEqual(post(server, f"http://{rebound}", rebound).type, "AccessDeniedException")

    def test_the_files_are_not_given_to_other_names_and_origins(self):
        with Server() as server:
            self.assertEqual(ask(server, "/console/", host="evil.example").type, "AccessDeniedException")
            self.assertEqual(ask(server, "/console/", origin="https://example.com").type, "AccessDeniedException")
            self.assertEqual(ask(server, "/console/", "HEAD", host="evil.example").body, b"")
            self.assertEqual(ask(server, "/console/", host=f"localhost:{server.port}").status, 200)

    def test_console_off_offers_nothing(self):
        with Server(flags=["--console", "off"]) as server:
            self.assertNotIn("console at", server.greeting)
            for path in ("/console", "/console/"):
                self.assertEqual(ask(server, path).body, b"<UnknownOperationException/>\n")
        refused = run("serve", "--memory", "--console", "maybe")
        self.assertNotEqual(refused.code, 0)
        self.assertIn("maybe", refused.err)

    def test_other_machines_need_a_server_that_asks_for_keys(self):
        address = next(iter(other_addresses()), None)
        if address is None:
            return print("skipped: this machine has only the address of loopback")
        with Server(flags=["--host", "0.0.0.0", "--insecure"]) as server:
            self.assertNotIn("console at", server.greeting)
            answer = ask(server, "/console/", address=address)
            self.assertEqual(answer.status, 403)
            self.assertIn(b"--auth enforce", answer.body)
            self.assertEqual(ask(server, "/console/").status, 200)
        access = pathlib.Path("access.yaml")
        run("access", "create", "--file", access, "--role", "admin")
        with Server(flags=["--host", "0.0.0.0", "--insecure", "--auth", "enforce", "--access", str(access)]) as server:
            self.assertEqual(ask(server, "/console/", address=address).status, 200)
            answer = post(server, f"http://127.0.0.1:{server.port}")
            self.assertEqual((answer.status, answer.type), (400, "InvalidSignatureException"))


def other_addresses():
    """Addresses of this machine that are not of loopback."""
    told = subprocess.run(["hostname", "-I"], capture_output=True, text=True).stdout.split()
    return [address for address in told if re.fullmatch(r"[\d.]+", address) and not address.startswith("127.")]


class WithoutConsole(unittest.TestCase):
    def test_a_server_that_was_built_without_the_console_says_how_to_get_it(self):
        with Server() as server:
            answer = ask(server, "/console/")
            self.assertEqual(answer.status, 404)
            self.assertIn(b"built without the console", answer.body)


class Code(unittest.TestCase):
    def test_the_code_of_the_pages(self):
        run_in_console("node", "node_modules/vitest/vitest.mjs", "run", timeout_s=8 * PATIENCE_S)


if __name__ == "__main__":
    if has_console():
        del WithoutConsole
    else:
        print("skipped: the server was built without the console")
        del Files, Refusals
    if not (CONSOLE / "node_modules/vitest").exists():
        print("skipped: the code of the console (npm has not fetched its packages)")
        del Code
    unittest.main()
