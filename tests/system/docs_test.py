#!/usr/bin/python3
"""What the documentation tells its readers to type works as it says. Every page's snippets run in order, in one shell and
one empty folder: `console` snippets command by command, with what each prints; `python` with the libraries that they
need; others are saved when a mark says so (tests/docs/snippets.py). C++ is compiled and run by tests/docs."""

import os
import pathlib
import re
import signal
import socket
import subprocess
import sys
import tempfile
import unittest

from dolmen_server import BINARY, PATIENCE_S, ROOT, clean_environment

sys.path.insert(0, str(ROOT / "tests/docs"))
from snippets import snippets_of  # noqa: E402

BUILD = pathlib.Path(BINARY).resolve().parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
MODULES = pathlib.Path(os.environ.get("DOLMEN_PEERS", ROOT / "build/peers")) / "aws-sdk-js/node_modules"
COMMANDS = {"aws": "/usr/bin/aws", "curl": "/usr/bin/curl", "node": "/usr/bin/node"}
# The address in the documentation; each test has a server of its own at another one.
PORT = "8000"
# What a page may not promise: it is different each time.
CHANGING = [(re.compile(r"\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b"), "UUID"),
            (re.compile(r"\b20\d\d-\d\d-\d\d(T[\d:.]+Z)?"), "DATE")]
PYTHON_PRELUDE = "import boto3\nfrom botocore.exceptions import ClientError\n"


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return str(probe.getsockname()[1])


def steps_of(text):
    """The commands of a console snippet, each with what it prints."""
    steps = []
    for line in text.splitlines():
        if line.startswith("$ "):
            steps.append([line[2:], []])
        elif steps and steps[-1][0].endswith("\\"):
            steps[-1][0] += "\n" + line
        elif steps:
            steps[-1][1].append(line)
    return [(command, "\n".join(output)) for command, output in steps]


def comparable(text):
    for pattern, word in CHANGING:
        text = pattern.sub(word, text)
    # How wide columns are depends on what is in them.
    return re.sub(r"  +", "  ", text).rstrip("\n")


def is_as_promised(promised, printed):
    """`...` stands for anything. A command with nothing below it may print what it likes."""
    if not promised.strip():
        return True
    pattern = ".*".join(re.escape(part) for part in comparable(promised).split("..."))
    return re.fullmatch(pattern, comparable(printed), re.DOTALL) is not None


class Reader:
    """Somebody who types what a page says into a shell."""

    def __init__(self, folder):
        self.folder, self.port = pathlib.Path(folder), free_port()
        programs = self.folder / ".bin"
        programs.mkdir()
        # A server listens at the port of this test, whether or not the page names one, and prints into a file unless a
        # program reads what it prints.
        (programs / "dolmen").write_text(
            f'#!/bin/bash\n[[ "$1" = serve && " $* " != *" --json "* ]] || exec {BINARY} "$@"\nport=(--port {self.port})\n'
            f'[[ " $* " == *" --port "* ]] && port=()\nexec {BINARY} "$@" "${{port[@]}}" >>.serve.log 2>&1\n')
        (programs / "dolmen").chmod(0o755)
        for name in ("contract", "examples", "tests"):
            (self.folder / name).symlink_to(ROOT / name)
        # What `npm install` of the AWS SDK makes.
        (self.folder / "node_modules").symlink_to(MODULES)
        environment = clean_environment(self.folder) | {
            "PATH": f"{programs}:/usr/local/bin:/usr/bin:/bin", "NODE_PATH": os.environ.get("NODE_PATH", ""),
            # What a reader has installed: the Python package, and the header and library for C.
            "PYTHONPATH": str(BUILD / "python"), "C_INCLUDE_PATH": str(ROOT / "include"),
            "LIBRARY_PATH": str(BUILD / "lib"), "LD_LIBRARY_PATH": str(BUILD / "lib")}
        self.shell = subprocess.Popen(["/bin/bash", "--norc"], cwd=self.folder, env=environment, text=True,
                                      stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                      start_new_session=True)
        # As in a terminal.
        self.type("shopt -s expand_aliases")

    def close(self):
        os.killpg(self.shell.pid, signal.SIGKILL)
        self.shell.stdin.close()
        self.shell.stdout.close()
        self.shell.wait()

    def here(self, text):
        return text.replace(f"127.0.0.1:{PORT}", f"127.0.0.1:{self.port}").replace(f"--port {PORT}", f"--port {self.port}")

    def type(self, command):
        """Types a command and returns what it printed and its exit status."""
        self.shell.stdin.write(f"{self.here(command)}\necho; echo \"=done= $?\"\n")
        self.shell.stdin.flush()
        lines = []
        for line in self.shell.stdout:
            if line.startswith("=done= "):
                break
            lines.append(line)
        else:
            raise AssertionError(f"the shell ended at: {command}")
        if command.rstrip().endswith("&"):
            self.wait_for_server()
        return "".join(lines).removesuffix("\n"), int(line.split()[1])

    def wait_for_server(self):
        for _ in range(PATIENCE_S * 20):
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", int(self.port))) == 0:
                    return
            subprocess.run(["sleep", "0.05"], check=True)
        raise AssertionError(f"no server: {(self.folder / '.serve.log').read_text()}")

    def start_server(self):
        self.type("dolmen serve --memory &")


class Pages(unittest.TestCase):
    maxDiff = None

    def run_console(self, reader, snippet, page):
        for command, promised in steps_of(snippet.text):
            with self.subTest(page=page.name, command=command):
                printed, status = reader.type(command)
                promised = reader.here(promised)
                self.assertTrue(is_as_promised(promised, printed),
                                f"{page.name}: {command}\nprinted:\n{printed}\nbut the page says:\n{promised}")
                if not promised.strip():
                    self.assertEqual(status, 0, f"{page.name}: {command}\n{printed}")

    def run_python(self, reader, snippet, page):
        with self.subTest(page=page.name, line=snippet.line):
            script = reader.folder / "snippet.py"
            script.write_text(PYTHON_PRELUDE + reader.here(snippet.text))
            printed, status = reader.type("/usr/bin/python3 snippet.py")
            self.assertEqual(status, 0, f"{page.name}:{snippet.line}\n{printed}")

    def run_page(self, page):
        snippets = [each for each in snippets_of(page) if not each.mark.startswith("not run")]
        text = "".join(each.text for each in snippets if each.language == "console")
        for name, path in COMMANDS.items():
            if re.search(rf"\b{name} ", text) and not pathlib.Path(path).exists():
                print(f"skipped: the snippets of {page.name} ({name} is not installed)")
                return 0
        if any(each.language == "javascript" for each in snippets) and not MODULES.exists():
            print(f"skipped: the snippets of {page.name} (there is no AWS SDK for JavaScript; tools/fetch_peers fetches it)")
            return 0
        ran = 0
        with tempfile.TemporaryDirectory() as folder:
            reader = Reader(folder)
            try:
                for snippet in snippets:
                    if snippet.mark == "server":
                        reader.start_server()
                    if snippet.mark.startswith("file: "):
                        target = reader.folder / snippet.mark.removeprefix("file: ")
                        target.parent.mkdir(exist_ok=True)
                        target.write_text(reader.here(snippet.text))
                    elif snippet.language in ("console", "python") and snippet.mark != "compiled":
                        (self.run_console if snippet.language == "console" else self.run_python)(reader, snippet, page)
                        ran += 1
            finally:
                reader.close()
        return ran

    def test_what_every_page_says_works(self):
        self.assertGreater(sum(self.run_page(page) for page in PAGES), 5)

    def test_no_snippet_is_without_a_language_and_a_reader(self):
        """A snippet without a language would be run by nobody."""
        for page in PAGES:
            for snippet in snippets_of(page):
                with self.subTest(page=page.name, line=snippet.line):
                    self.assertIn(snippet.language, ("console", "c", "cpp", "python", "javascript", "yaml", "cmake", "json", "ini", "sh", "text"))
                    if snippet.language not in ("console", "cpp", "python", "text"):
                        self.assertTrue(snippet.mark, "say what a reader does with it")
                    # Text is for pictures and messages.
                    self.assertFalse(snippet.language == "text" and snippet.text.startswith("$ "), snippet.text)


if __name__ == "__main__":
    unittest.main()
