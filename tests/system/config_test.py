#!/usr/bin/python3
"""Settings of `dolmen serve`: where they come from, what is refused, and what SIGHUP changes."""

import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import tempfile
import unittest

from dolmen_server import BINARY, PATIENCE_S, ROOT, Finished, Server, clean_environment, create_table, run
from waiting import wait_until


class ConfigTest(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def write(self, text, name="dolmen.yaml"):
        file = self.folder / name
        file.write_text(text)
        return file

    def dolmen(self, *arguments, variables=None):
        done = subprocess.run([BINARY, *map(str, arguments)], cwd=self.folder, text=True, stdin=subprocess.DEVNULL,
                              env=clean_environment(os.devnull) | (variables or {}), capture_output=True,
                              timeout=PATIENCE_S)
        return Finished(done.returncode, done.stdout, done.stderr)

    def shown(self, *arguments, variables=None):
        """The settings that `config show` shows, by name."""
        done = self.dolmen("config", "show", "--json", *arguments, variables=variables)
        self.assertEqual((done.code, done.err), (0, ""), done.out)
        return {each["name"]: each for each in json.loads(done.out)["settings"]}

    def refused(self, *arguments, variables=None):
        """What `serve` says when it does not start; it has touched nothing."""
        before = sorted(self.folder.iterdir())
        done = self.dolmen("serve", "--port", "0", *arguments, variables=variables)
        self.assertEqual((done.code, done.out), (2, ""), done.err)
        self.assertEqual(sorted(self.folder.iterdir()), before)
        return done.err


class Show(ConfigTest):
    def test_flags_beat_the_environment_which_beats_the_file_which_beats_the_defaults(self):
        file = self.write("port: 1\nthreads: 1\nregion: eu-west-1\n")
        shown = self.shown("--config", file, "--port", "3", variables={"DOLMEN_PORT": "2", "DOLMEN_THREADS": "2"})
        self.assertEqual(
            {name: (shown[name]["value"], shown[name]["origin"], shown[name]["place"])
             for name in ("port", "threads", "region", "host")},
            {"port": (3, "flag", "--port"), "threads": (2, "environment", "DOLMEN_THREADS"),
             "region": ("eu-west-1", "file", f"{file}:3:9"), "host": ("127.0.0.1", "default", "")})

    def test_the_table_names_value_and_origin(self):
        done = self.dolmen("config", "show", "--config", self.write("port: 9000\n"), "--memory")
        lines = {line.split()[0]: line.split()[1:] for line in done.out.splitlines()}
        self.assertEqual(lines["port"], ["9000", f"{self.folder}/dolmen.yaml:1:7"])
        self.assertEqual(lines["memory"], ["true", "--memory"])
        self.assertEqual(lines["host"], ["127.0.0.1", "default"])

    def test_every_flag_of_serve_is_a_setting_or_about_the_output(self):
        flags = {line.split()[0].rstrip(",") for line in run("serve", "--help").out.splitlines()
                 if line.startswith("  --")}
        settings = {"--" + name.replace("_", "-") for name in self.shown()}
        self.assertEqual(flags - settings, {"--config", "--json"})

    def test_the_environment_can_name_the_file(self):
        shown = self.shown(variables={"DOLMEN_CONFIG": str(self.write("port: 9000\n"))})
        self.assertEqual(shown["port"]["value"], 9000)

    def test_a_switch_of_the_file_can_be_turned_off(self):
        file = self.write("memory: true\n")
        self.assertIs(self.shown("--config", file)["memory"]["value"], True)
        self.assertIs(self.shown("--config", file, "--memory=false")["memory"]["value"], False)

    def test_no_content_of_the_files_that_hold_secrets_is_shown(self):
        created = run("access", "create", "--file", self.folder / "access.yaml", "--json")
        secret = json.loads(created.out)["secret"]
        for form in ([], ["--json"]):
            done = self.dolmen("config", "show", "--auth", "enforce", "--access", self.folder / "access.yaml", *form)
            self.assertEqual(done.code, 0, done.err)
            self.assertNotIn(secret, done.out + done.err)


class Packaging(ConfigTest):
    """The files of a production server."""

    def test_the_settings_are_accepted_and_safe(self):
        shown = self.shown("--config", ROOT / "packaging/dolmen.yaml")
        self.assertEqual((shown["auth"]["value"], shown["insecure"]["value"]), ("enforce", False))
        self.assertTrue(shown["tls_cert"]["value"])

    def test_the_unit_starts_a_server_with_these_settings(self):
        unit = (ROOT / "packaging/systemd/dolmen.service").read_text()
        command = re.search(r"(?m)^ExecStart=/usr/bin/dolmen (.*)$", unit).group(1).split()
        self.assertEqual(command, ["serve", "--config", "/etc/dolmen/dolmen.yaml"])
        self.assertIn("kill -HUP", unit)
        if not shutil.which("systemd-analyze"):
            print("skipped: systemd's opinion of the unit (systemd is not installed)")
            return
        # A copy that names this program, because the one of the package is not installed here.
        copy = self.write(unit.replace("/usr/bin/dolmen", BINARY), "dolmen.service")
        done = subprocess.run(["systemd-analyze", "verify", "--man=no", copy], capture_output=True, text=True,
                              timeout=PATIENCE_S)
        about = [line for line in done.stderr.splitlines() if "dolmen" in line]
        self.assertEqual((done.returncode, about), (0, []), done.stderr)


class Refusals(ConfigTest):
    def test_an_unknown_key_is_named_with_the_nearest_one_and_its_place(self):
        self.assertEqual(self.refused("--config", self.write("prot: 1\n", "a.yaml")),
                         f'dolmen: {self.folder}/a.yaml:1:1: "prot" is not a setting; did you mean "port"?\n')
        self.assertEqual(self.refused(variables={"DOLMEN_HOTS": "x"}),
                         "dolmen: DOLMEN_HOTS in the environment is not a setting; did you mean DOLMEN_HOST?\n")

    def test_all_that_is_wrong_with_a_file_is_said_at_once(self):
        lines = self.refused("--config", self.write("port: x\ndurability: much\ntls-cert: a\n")).splitlines()
        self.assertEqual([line.partition("dolmen.yaml:")[2] for line in lines], [
            "1:7: port has to be a number, and this is a string",
            '2:13: durability: "much" is not allowed; use sync or os',
            '3:1: "tls-cert" is not a setting; did you mean "tls_cert"?'])

    def test_a_wrong_value_of_the_environment_is_named(self):
        self.assertEqual(self.refused(variables={"DOLMEN_THREADS": "many"}),
                         'dolmen: DOLMEN_THREADS: "many" is not a whole number from 0 to 256\n')

    def test_a_file_that_is_not_there_is_named(self):
        done = self.dolmen("serve", "--config", "nowhere.yaml")
        self.assertEqual((done.code, done.out), (1, ""))
        self.assertIn("nowhere.yaml", done.err)

    def test_memory_in_a_file_excludes_what_is_about_disks(self):
        self.assertIn("memory", self.refused("--config", self.write("memory: true\ndata: d\n")))
        self.assertIn("--data", self.refused("--config", self.write("memory: true\n"), "--data", "d"))

    def test_rules_over_several_settings_hold_wherever_they_come_from(self):
        self.assertIn("--access FILE", self.refused("--config", self.write("auth: enforce\n")))
        self.assertIn("--insecure", self.refused("--config", self.write("host: 0.0.0.0\n")))


class Reload(ConfigTest):
    def start(self, text):
        self.file = self.write(text)
        server = Server(flags=["--config", str(self.file)])
        server.start()
        self.addCleanup(server.close)
        return server

    def reload(self, server, text, until):
        self.file.write_text(text)
        server.process.send_signal(signal.SIGHUP)
        wait_until(server.errors, lambda log: until in log)

    def test_a_file_configures_a_server(self):
        server = self.start("region: eu-west-2\n")
        self.assertIn(":eu-west-2:", create_table(server, "notes")["TableArn"])

    def test_a_setting_that_needs_a_restart_is_named(self):
        server = self.start("region: eu-west-2\n")
        self.reload(server, "region: eu-west-3\n", "until a restart")
        self.assertRegex(server.errors(), r'region is \W+eu-west-3\W+ in .*dolmen.yaml:1:9 now')

    def test_a_broken_file_changes_nothing(self):
        server = self.start("region: eu-west-2\n")
        self.reload(server, "prot: 1\n", "the settings stay as they were")
        server.must("ListTables", {})


if __name__ == "__main__":
    unittest.main()
