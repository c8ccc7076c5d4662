#!/usr/bin/python3
"""Runs the conformance tests of Store over TLS, with HTTP/2 and without: nghttpx stands before a Dolmen server with a
certificate made for the occasion."""

import os
import pathlib
import subprocess
import tempfile
import unittest

from dolmen_server import BINARY, Server
from foreign_servers import ForeignServer

PROGRAM = pathlib.Path(BINARY).with_name("store_conformance")
TIMEOUT_S = 120
CREDENTIALS = {"AWS_ACCESS_KEY_ID": "local", "AWS_SECRET_ACCESS_KEY": "local"}


class TlsProxy(ForeignServer):
    """Takes connections with TLS, offers one version of HTTP, and passes requests on to a server on loopback."""

    name = program = "nghttpx"

    def __init__(self, folder, server, protocol):
        self.file = self.certificate = folder / "certificate.pem"
        self._key = folder / "key.pem"
        self._log = folder / "requests.log"
        self._server = server
        self._protocol = protocol
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
             "-days", "1", "-subj", "/CN=dolmen test", "-addext", "subjectAltName=IP:127.0.0.1",
             "-keyout", self._key, "-out", self.certificate],
            check=True, capture_output=True, stdin=subprocess.DEVNULL)

    def command(self):
        backend = self._server.removeprefix("http://").replace(":", ",")
        return ["nghttpx", "--single-process", "--no-ocsp", "--conf=/dev/null", f"--npn-list={self._protocol}",
                f"--frontend=127.0.0.1,{self.port}", f"--backend={backend}",
                f"--accesslog-file={self._log}", "--accesslog-format=$alpn $status", str(self._key),
                str(self.certificate)]

    @property
    def address(self):
        return f"https://127.0.0.1:{self.port}"

    def protocols(self):
        """Those that requests came with."""
        return {line.split()[0] for line in self._log.read_text().splitlines()}


class TlsTest(unittest.TestCase):
    def conformance(self, address, *options, **environment):
        return subprocess.run([PROGRAM, "--gtest_brief=1", "--store", address, *options], stdin=subprocess.DEVNULL,
                              capture_output=True, text=True, timeout=TIMEOUT_S, env=os.environ | CREDENTIALS | environment)

    def over(self, protocol):
        with tempfile.TemporaryDirectory() as folder, Server() as server:
            with TlsProxy(pathlib.Path(folder), server.url, protocol) as proxy:
                finished = self.conformance(proxy.address, AWS_CA_BUNDLE=str(proxy.certificate))
                self.assertEqual(finished.returncode, 0, finished.stdout + finished.stderr)
                self.assertEqual(proxy.protocols(), {protocol})

    def test_a_store_uses_http_2_where_it_is_offered(self):
        self.over("h2")

    def test_a_store_uses_http_1_where_nothing_else_is_offered(self):
        self.over("http/1.1")

    def test_a_store_refuses_a_certificate_that_nobody_vouches_for(self):
        with tempfile.TemporaryDirectory() as folder, Server() as server:
            with TlsProxy(pathlib.Path(folder), server.url, "h2") as proxy:
                finished = self.conformance(proxy.address, "--gtest_filter=Items.that_are_not_there_are_nothing")
                self.assertNotEqual(finished.returncode, 0)
                self.assertIn("certificate", finished.stdout)


if __name__ == "__main__":
    unittest.main()
