#!/usr/bin/python3
"""A store of every format that was ever released opens, and everything that was in it is there; a newer format is refused."""

import json
import pathlib
import tarfile
import tempfile
import unittest

from dolmen_server import ROOT, DidNotStart, Server, run
from golden_store import everything, settings_of

STORES = sorted((ROOT / "tests/golden-stores").glob("*.tar.gz"))


class GoldenStore(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.data = pathlib.Path(folder.name) / "data"

    def unpack(self, store):
        with tarfile.open(store) as archive:
            archive.extractall(self.data.parent)

    def test_opens_and_has_everything(self):
        self.assertGreaterEqual(len(STORES), 3)
        for store in STORES:
            with self.subTest(store.name), tempfile.TemporaryDirectory() as folder:
                self.data = pathlib.Path(folder) / "data"
                self.unpack(store)
                settings = settings_of(store, folder)
                checked = run("verify", "--data", self.data, variables=settings)
                self.assertEqual((checked.code, checked.err), (0, ""), checked.out)
                expected = json.loads(store.with_suffix("").with_suffix(".json").read_text())
                for _ in range(2):  # As it was, and as this program has written it again.
                    with Server(data=self.data, variables=settings) as server:
                        self.assertEqual(everything(server), expected)
                        server.stop()
                self.assertEqual(run("verify", "--data", self.data, variables=settings).code, 0)

    def test_of_a_newer_format_is_refused_and_not_changed(self):
        self.unpack(STORES[-1])
        (self.data / "DOLMEN").write_text("dolmen data directory, format 99\n")
        before = {path: path.read_bytes() for path in self.data.rglob("*") if path.is_file()}
        with self.assertRaises(DidNotStart) as refused, Server(data=self.data):
            pass
        self.assertIn("format 99", str(refused.exception))
        self.assertIn("formats 1 to 2", str(refused.exception))
        self.assertEqual({path: path.read_bytes() for path in self.data.rglob("*") if path.is_file()}, before)
        self.assertEqual(run("verify", "--data", self.data).code, 1)


if __name__ == "__main__":
    unittest.main()
