"""Runs the AWS command line against a server."""

import concurrent.futures
import json
import pathlib
import subprocess
import tempfile
import unittest

from dolmen_server import PATIENCE_S, Finished, Server, clean_environment

AWS = "/usr/bin/aws"


class AwsCli(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.server = Server(self.folder / "data")
        self.server.start()
        self.addCleanup(self.server.close)

    def run_aws(self, *words, service="dynamodb"):
        """Runs `aws SERVICE WORDS`; a word that is not text is given as JSON."""
        texts = [word if isinstance(word, str) else json.dumps(word) for word in words]
        done = subprocess.run([AWS, service, "--output", "json", *texts, "--endpoint-url", self.server.url],
                              env=clean_environment(self.folder), stdin=subprocess.DEVNULL, capture_output=True,
                              text=True, timeout=4 * PATIENCE_S)
        return Finished(done.returncode, done.stdout, done.stderr)

    def aws(self, *words, service="dynamodb"):
        """A command that has to succeed; what it printed."""
        finished = self.run_aws(*words, service=service)
        self.assertEqual((finished.code, finished.err), (0, ""))
        return json.loads(finished.out) if finished.out else None

    def aws_all(self, *commands):
        """Commands that do not depend on each other, a few at a time; what each printed."""
        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            return list(pool.map(lambda words: self.aws(*words), commands))
