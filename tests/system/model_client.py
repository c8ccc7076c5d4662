"""Items of a model as Dolmen's model layer reads and writes them: the program model_client, one step at a time."""

import json
import os
import pathlib
import subprocess

from dolmen_server import BINARY, ROOT, clean_environment

PROGRAM = pathlib.Path(BINARY).parent / "model_client"


class ModelClient:
    def __init__(self, url, models, model, table):
        self._process = subprocess.Popen([PROGRAM, url, ROOT / models, model, table],
                                         env=clean_environment(os.devnull), text=True, stdin=subprocess.PIPE,
                                         stdout=subprocess.PIPE)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._process.stdin.close()
        self._process.wait(30)
        self._process.stdout.close()

    def __call__(self, op, **step):
        """What came of the step: {"error", "message"}, or {"items", "cursor"}."""
        self._process.stdin.write(json.dumps({"op": op} | step) + "\n")
        self._process.stdin.flush()
        line = self._process.stdout.readline()
        assert line, f"model_client ended: {self._process.wait(30)}"
        return json.loads(line)

    def item(self, key):
        """The one item with that key."""
        answer = self("get", key=key)
        assert "items" in answer, answer
        return answer["items"][0]
