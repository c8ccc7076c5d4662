#!/usr/bin/python3
"""Runs the suites of Dolmen on every implementation of DynamoDB that is there: a Dolmen server and those of build/peers.

    tests/system/engines.py                     the short form: what takes long is left out
    tests/system/engines.py --all               every test
    tests/system/engines.py --all --write       the same, and writes the table of docs/stores.md
    tests/system/engines.py --engine dynalite --suite relations

tests/engines/lacks.json says which tests cannot pass where, and why. A test that fails and is not listed there is a failure, and so is
one that is listed and passes. tests/engines/results.json has the counts of the last full run of each suite, of which the table in docs/stores.md
is made. engines_test.py runs the short form of the suites that have been run in full once (on other engines than Dolmen only SHORT_SUITES), and
compares the page with the counts.
"""

import argparse
import contextlib
import fnmatch
import json
import os
import pathlib
import subprocess
import sys
import tempfile

from dolmen_server import BINARY, ROOT, Server, clean_environment
from foreign_servers import Dynalite, Dynoxide, NewestDynamoDbLocal

PROGRAMS = pathlib.Path(BINARY).parent
LACKS = ROOT / "tests/engines/lacks.json"
RESULTS = ROOT / "tests/engines/results.json"
PAGE = ROOT / "docs/stores.md"
BEGIN, END = "<!-- what works where: tests/system/engines.py writes this -->\n", "<!-- end of what works where -->\n"
# A busy machine needs it.
SUITE_TIMEOUT_S = 3600
# What the short form runs on other engines than Dolmen; there the other suites take minutes.
SHORT_SUITES = ("store", "scenarios")


class Dolmen(Server):
    """This program, as a server in memory."""

    name = "Dolmen"

    @classmethod
    def why_missing(cls):
        return None

    @classmethod
    def version(cls):
        return subprocess.run([BINARY, "--version"], capture_output=True, text=True, check=True).stdout.split()[-1]

    def __init__(self):
        super().__init__()


ENGINES = (Dolmen, NewestDynamoDbLocal, Dynoxide, Dynalite)


class GoogleTests:
    """A program of tests that works on the store which the variable DOLMEN_TEST_STORE or the option --store names."""

    def __init__(self, program, long=(), option=False, alone_on=()):
        self.program, self.long, self.option, self.alone_on = PROGRAMS / program, long, option, alone_on

    def run(self, engine, url, everything):
        if engine.name not in self.alone_on:
            return self._run(url, "*", everything)
        # What a test leaves there cannot be removed, so each has a server of its own.
        outcomes = {}
        for name in self._names(everything):
            with engine() as server:
                outcomes |= self._run(server.url, name, True)
        return outcomes

    def _names(self, everything):
        listed = subprocess.run([self.program, "--gtest_list_tests", self._filter("*", everything)], cwd=ROOT,
                                capture_output=True, text=True, check=True, timeout=SUITE_TIMEOUT_S).stdout
        names, group = [], ""
        for line in listed.splitlines():
            line = line.partition("#")[0].rstrip()
            if line.startswith(" "):
                names.append(group + line.strip())
            else:
                group = line
        return names

    def _filter(self, pattern, everything):
        return f"--gtest_filter={pattern}" + ("" if everything else "-" + ":".join(self.long) if self.long else "")

    def _run(self, url, pattern, everything):
        """True or what went wrong, for each test that asked the store for something."""
        with tempfile.TemporaryDirectory() as folder:
            report = pathlib.Path(folder, "report.json")
            command = [self.program, f"--gtest_output=json:{report}", "--gtest_brief=1", self._filter(pattern, everything)]
            environment = clean_environment(folder) | {"TMPDIR": folder}
            if self.option:
                command += ["--store", url]
            else:
                environment["DOLMEN_TEST_STORE"] = url
            ran = subprocess.run(command, cwd=ROOT, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                                 timeout=SUITE_TIMEOUT_S)
            if not report.exists():
                raise RuntimeError(f"{self.program.name} on {url} ended with {ran.returncode}:\n{ran.stdout}{ran.stderr}")
            return dict(self._outcomes(json.loads(report.read_text())))

    @staticmethod
    def _outcomes(report):
        for group in report["testsuites"]:
            for test in group["testsuite"]:
                if "store" in test:
                    failures = "\n".join(failure["failure"] for failure in test.get("failures", ()))
                    yield f"{group['name']}.{test['name']}", failures or True


class Scenarios:
    """The scenarios of contract/."""

    def run(self, _engine, url, _everything):
        ran = subprocess.run([BINARY, "scenario", "run", "--models", "contract/models", "--scenarios", "contract", "--endpoint",
                              url, "--json"], cwd=ROOT, env=clean_environment(os.devnull), stdin=subprocess.DEVNULL,
                             capture_output=True, text=True, timeout=SUITE_TIMEOUT_S)
        if ran.returncode > 1 or not ran.stdout:
            raise RuntimeError(f"dolmen scenario run on {url} ended with {ran.returncode}: {ran.stdout}{ran.stderr}")
        return {scenario["name"]: scenario["passed"] or scenario["message"] for scenario in json.loads(ran.stdout)["scenarios"]}


# What each column of the table is, and the programs that fill it.
SUITES = {
    "store": ("`Store`", [GoogleTests("store_conformance", option=True)]),
    "scenarios": ("scenarios", [Scenarios()]),
    "models": ("models", [GoogleTests("model_store_test")]),
    "pages": ("leases and pages", [GoogleTests("lease_store_test"), GoogleTests("isr_store_test", long=["ThunderingHerd.*"])]),
    "entities": ("entities", [GoogleTests("entity_store_test", option=True, long=["*every_page_size*"])]),
    "documents": ("documents", [GoogleTests("document_store_test", alone_on=["Dolmen"])]),
    "relations": ("relations", [GoogleTests("relation_store_test")]),
}


class Judgement:
    """What a suite has shown on an engine, compared with what the engine is known to lack."""

    def __init__(self, engine, suite, outcomes, everything):
        lacks = [lack for lack in json.loads(LACKS.read_text())[engine] if lack["suite"] == suite]
        failed = {name for name, outcome in outcomes.items() if outcome is not True}
        known = {lack["test"]: fnmatch.filter(outcomes, lack["test"]) for lack in lacks}
        self.tests, self.lacking = len(outcomes), len(failed)
        self.surprises = [f"{engine}, {suite}: {name} fails: {outcomes[name]}" for name in sorted(failed)
                          if not any(name in names for names in known.values())]
        for pattern, names in known.items():
            passed = sorted(set(names) - failed)
            if passed or (everything and not names):
                self.surprises.append(f"{engine}, {suite}: {pattern} is in {LACKS.name}, but "
                                      + (f"these pass: {', '.join(passed)}" if passed else "there is no such test"))

    def __str__(self):
        passed = self.tests - self.lacking
        return f"all {passed}" if not self.lacking else f"{passed} of {self.tests}"


def run(engine, suites, everything):
    """The judgement of each suite on the engine."""
    judged = {}
    for suite in suites:
        outcomes = {}
        with engine() as server:
            for program in SUITES[suite][1]:
                outcomes |= program.run(engine, server.url, everything)
        judged[suite] = Judgement(engine.name, suite, outcomes, everything)
    return judged


def cell(counts):
    if counts is None:
        return "–"
    passed = counts["tests"] - counts["lacking"]
    return f"{passed} of {counts['tests']}" if counts["lacking"] else f"all {passed}"


def table(results):
    """The rows of the page: what was counted, and below it what is lacking and why."""
    lines = ["| | " + " | ".join(title for title, _ in SUITES.values()) + " |", "|---" * (len(SUITES) + 1) + "|"]
    for engine, result in results.items():
        cells = [cell(result["suites"].get(suite)) for suite in SUITES]
        lines.append(f"| {engine} {result['version']} | " + " | ".join(cells) + " |")
    lacks = json.loads(LACKS.read_text())
    for engine in results:
        reasons = {}
        for lack in (each for each in lacks[engine] if each["suite"] in results[engine]["suites"]):
            reasons.setdefault(lack["reason"], []).append(SUITES[lack["suite"]][0])
        if reasons:
            lines += ["", f"What is lacking on {engine}:", ""]
            lines += [f"- {reason} ({', '.join(dict.fromkeys(titles))})" for reason, titles in reasons.items()]
    return "\n".join(lines) + "\n"


def page_with(results):
    before, _, rest = PAGE.read_text().partition(BEGIN)
    return before + BEGIN + "\n" + table(results) + "\n" + END + rest.partition(END)[2]


def write(judged, versions):
    results = json.loads(RESULTS.read_text()) if RESULTS.exists() else {}
    for engine, suites in judged.items():
        known = results.get(engine, {"version": versions[engine], "suites": {}})
        # Counts of another version say nothing about this one.
        kept = known["suites"] if known["version"] == versions[engine] else {}
        counts = {suite: {"tests": found.tests, "lacking": found.lacking} for suite, found in suites.items()}
        results[engine] = {"version": versions[engine], "suites": kept | counts}
    ordered = {engine.name: results[engine.name] for engine in ENGINES if engine.name in results}
    RESULTS.write_text(json.dumps(ordered, indent=2) + "\n")
    PAGE.write_text(page_with(ordered))


def main():
    parser = argparse.ArgumentParser(description="Runs Dolmen's suites on other implementations of DynamoDB.")
    parser.add_argument("--all", action="store_true", help="also what takes long")
    parser.add_argument("--write", action="store_true", help="write the counts and the table of docs/stores.md; with --all")
    parser.add_argument("--engine", action="append", choices=[engine.name for engine in ENGINES])
    parser.add_argument("--suite", action="append", choices=SUITES)
    options = parser.parse_args()
    if options.write and not options.all:
        parser.error("--write needs --all")
    judged, versions = {}, {}
    for engine in ENGINES:
        if options.engine and engine.name not in options.engine:
            continue
        if missing := engine.why_missing():
            print(f"skipped: {engine.name} ({missing})")
            continue
        versions[engine.name] = engine.version()
        judged[engine.name] = run(engine, options.suite or SUITES, options.all)
        print(f"{engine.name} {versions[engine.name]}: "
              + ", ".join(f"{suite} {found}" for suite, found in judged[engine.name].items()), flush=True)
    surprises = [text for suites in judged.values() for found in suites.values() for text in found.surprises]
    print("".join(f"{text}\n" for text in surprises), end="")
    if options.write and not surprises:
        write(judged, versions)
    elif options.write:
        print("nothing was written: say in tests/engines/lacks.json what cannot pass, and why")
    sys.exit(1 if surprises else 0)


if __name__ == "__main__":
    with contextlib.suppress(KeyboardInterrupt):
        main()
