"""Programs of a finished build with some of their sources compiled in another way: with bugs put into them (tools/mutate), or with
deliberate defects (tests/crash/broken_builds.py). Nothing of the build itself is changed.

A room is an archive of objects, and each object is compiled from a group of sources (cmake/unity.cmake). A variant of a program is linked
by the command of the original, with other objects before the archives: the linker takes from an archive only what is still missing.
"""

import json
import pathlib
import re
import shlex
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[1]


class Failed(Exception):
    """A command failed; its output."""


def run(command, cwd):
    done = subprocess.run(command, cwd=cwd, text=True, capture_output=True, stdin=subprocess.DEVNULL)
    if done.returncode != 0:
        raise Failed(done.stdout + done.stderr)
    return done.stdout


class Build:
    """A finished build, made by CMake and Ninja."""

    def __init__(self, folder=ROOT / "build/release"):
        self.folder = pathlib.Path(folder)
        commands = json.loads((self.folder / "compile_commands.json").read_text())
        self._commands = {str(pathlib.Path(one["directory"], one["file"])): one["command"] for one in commands}

    def group_of(self, source):
        """The group of sources (a file of the build) that has a source, which is named by its path from the root."""
        room = source.split("/")[1]
        for group in sorted((self.folder / "unity").glob(f"{room}_[0-9]*.cc")):
            if source in sources_of(group):
                return group
        raise Failed(f"{source} is in no group of the build in {self.folder}")

    def compile(self, group, text, to, like=None, flags=()):
        """Compiles the text of a group to an object, by the command of the group itself or of another file of the build."""
        words = shlex.split(self._commands[str(like or group)])
        words = words[next(i for i, word in enumerate(words) if word.endswith(("g++", "clang++", "c++"))):]
        source = to.with_suffix(".cc")
        source.parent.mkdir(parents=True, exist_ok=True)
        source.write_text(text)
        words[words.index("-o") + 1] = str(to)
        words[words.index("-c") + 1] = str(source)
        run([*words, *flags], self.folder)
        return to

    def link(self, program, objects, to):
        """Links a program of the build with other objects."""
        output = run(["ninja", "-t", "commands", "-s", f"bin/{program}"], self.folder).strip().splitlines()[-1]
        command = re.sub(r"^: && |&& :$", "", output).strip()
        words = shlex.split(command)
        words[words.index("-o") + 1] = str(to)
        at = next(i for i, word in enumerate(words) if word.endswith(".o"))
        to.parent.mkdir(parents=True, exist_ok=True)
        run([*words[:at], *map(str, objects), *words[at:]], self.folder)
        return to

    def programs(self, pattern):
        """The names of the programs that match."""
        targets = run(["ninja", "-t", "targets", "all"], self.folder)
        return sorted(set(re.findall(rf"^bin/({pattern}): ", targets, re.M)))

    def groups_of_program(self, program):
        """The groups of sources of a program's own."""
        return sorted((self.folder / "unity").glob(f"{program}_[0-9]*.cc"))


def sources_of(group):
    """The paths of the sources of a group from the root."""
    return re.findall(r'#include "([^"]+)"', group.read_text())
