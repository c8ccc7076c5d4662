#!/usr/bin/python3
"""Installs a build into a folder and uses it as a stranger would: by find_package, and by pkg-config with a plain compiler.

usage: run.py BUILD_FOLDER
"""

import filecmp
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
MISTAKES = pathlib.Path(__file__).resolve().parent / "mistakes"
CONSUMER = pathlib.Path(__file__).resolve().parent / "consumer"
EXPECTED_OUTPUT = "dolmen 0.1.0: stone table\n"


def run(*command, **environment):
    """The command's output. Shows what was written and ends the test when it fails."""
    done = subprocess.run([str(word) for word in command], env=os.environ | environment, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}\n{done.stdout}exit status {done.returncode}")
    return done.stdout


def expect(truth, message):
    if not truth:
        sys.exit(message)


def server_of(prefix):
    """The installed server, as the system tests start one."""
    os.environ["DOLMEN_BIN"] = str(prefix / "bin/dolmen")
    sys.path.insert(0, str(ROOT / "tests/system"))
    from dolmen_server import Server
    return Server()


def files_below(folder):
    return sorted(path.relative_to(folder) for path in folder.rglob("*") if path.is_file())


def check_headers(prefix):
    public, installed = ROOT / "include", prefix / "include"
    expect(files_below(public) == files_below(installed),
           f"the installed headers are not those of include/: {files_below(installed)}")
    for header in files_below(public):
        expect(filecmp.cmp(public / header, installed / header, shallow=False), f"{header} was changed")


def check_nothing_leaks(prefix, build):
    """Installed files must not know where they were built, or they would use what is there."""
    for file in files_below(prefix):
        content = (prefix / file).read_bytes()
        for place in (build, ROOT, prefix):
            expect(str(place).encode() not in content, f"{file} names {place}")


def check_destdir(build, folder):
    """What a packager does: a prefix of the system, below another folder."""
    run("cmake", "--install", build, "--prefix", "/opt/dolmen", DESTDIR=str(folder))
    expect((folder / "opt/dolmen/bin/dolmen").is_file(), "DESTDIR was not heeded")
    expect([path.name for path in folder.iterdir()] == ["opt"], "something was installed outside of the prefix")
    return folder / "opt/dolmen"


def use_by_cmake(prefix, folder):
    compiler = os.environ.get("CXX", "g++")
    run("cmake", "-S", CONSUMER, "-B", folder, "-G", "Ninja", f"-DCMAKE_PREFIX_PATH={prefix}",
        f"-DCMAKE_CXX_COMPILER={compiler}")
    run("cmake", "--build", folder)
    expect(run(folder / "everything") == EXPECTED_OUTPUT, "the program that CMake built says something else")
    expect(run(folder / "own_names") == "own names\n", "the program with names of its own says something else")
    # A component is enough for what it does, and brings nothing that it does not need.
    run("cmake", "-S", CONSUMER / "component", "-B", folder / "component", "-G", "Ninja",
        f"-DCMAKE_PREFIX_PATH={prefix}", f"-DCMAKE_CXX_COMPILER={compiler}")
    run("cmake", "--build", folder / "component")
    expect(run(folder / "component/component") == "stone table\n", "the program of one component says something else")
    expect(run(folder / "component/models") == "stone table\n", "the program of two components says something else")
    run("cmake", "-S", CONSUMER / "remote", "-B", folder / "remote", "-G", "Ninja",
        f"-DCMAKE_PREFIX_PATH={prefix}", f"-DCMAKE_CXX_COMPILER={compiler}")
    run("cmake", "--build", folder / "remote")
    for name, said in (("c", "dolmen 0.1.0: {\"TableNames\":[]}\n"), ("testing", "0 tables\n")):
        run("cmake", "-S", CONSUMER / name, "-B", folder / name, "-G", "Ninja", f"-DCMAKE_PREFIX_PATH={prefix}",
            f"-DCMAKE_CXX_COMPILER={compiler}")
        run("cmake", "--build", folder / name)
        expect(run(folder / name / "program") == said, f"the program of the component {name} says something else")
    with server_of(prefix) as server:
        expect(run(folder / "remote/remote", server.url) == "stone table\n", "the remote program says something else")


def use_by_pkg_config(prefix, folder):
    folder.mkdir()
    found = list(prefix.rglob("dolmen.pc"))
    expect(len(found) == 1, f"expected one dolmen.pc, found {found}")
    words = run("pkg-config", "--cflags", "--libs", "dolmen", PKG_CONFIG_PATH=str(found[0].parent)).split()
    program = folder / "program"
    run(os.environ.get("CXX", "g++"), "-std=c++23", CONSUMER / "main.cc", *words, "-o", program)
    expect(run(program) == EXPECTED_OUTPUT, "the program that pkg-config's words built says something else")
    words = run("pkg-config", "--cflags", "--libs", "dolmen-c", PKG_CONFIG_PATH=str(found[0].parent)).split()
    run("gcc", "-std=c11", CONSUMER / "c/main.c", *words, "-o", folder / "c_program")
    library = next(prefix.rglob("libdolmen.so.1")).parent
    expect("TableNames" in run(folder / "c_program", LD_LIBRARY_PATH=str(library)), "the C program says something else")


def check_stripped(prefix):
    """Programs come without debug information, which is in a file of its own that they name."""
    sections = run("readelf", "--sections", "--wide", prefix / "bin/dolmen")
    expect(".debug_info" not in sections and ".symtab" not in sections, "the installed command is not stripped")
    expect(".gnu_debuglink" in sections, "the installed command does not name its debug information")
    debug = prefix / "lib/debug/bin/dolmen.debug"
    expect(debug.is_file() and ".debug_info" in run("readelf", "--sections", "--wide", debug),
           "the debug information of the command is not installed")


def check_mistakes(prefix):
    """What a user's mistake leads to: a few lines, and among them what is wrong."""
    lines_max = 25
    for source in sorted(MISTAKES.glob("*.cc")):
        words = dict(re.findall(r"^// (expect|flags|one_error): (.*)$", source.read_text(), re.MULTILINE))
        done = subprocess.run([os.environ.get("CXX", "g++"), "-std=c++23", "-fsyntax-only", f"-I{prefix / 'include'}",
                               *words.get("flags", "").split(), str(source)], capture_output=True, text=True)
        expect(done.returncode != 0, f"{source.name} compiles")
        expect(words["expect"] in done.stderr, f"{source.name} does not say {words['expect']}: {done.stderr}")
        errors = sum(" error: " in line for line in done.stderr.splitlines())
        expect("one_error" not in words or errors == 1, f"{source.name} leads to {errors} errors: {done.stderr}")
        lines = len(done.stderr.splitlines())
        expect(lines <= lines_max, f"{source.name} leads to {lines} lines of errors")


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    build = pathlib.Path(sys.argv[1]).resolve()
    with tempfile.TemporaryDirectory(prefix="dolmen-install-") as name:
        folder = pathlib.Path(name)
        # Installed for one place and used in another, which shows that it can be moved.
        prefix = check_destdir(build, folder / "stage")
        check_headers(prefix)
        check_nothing_leaks(prefix, build)
        expect(run(prefix / "bin/dolmen", "--version").strip() != "", "dolmen --version says nothing")
        check_stripped(prefix)
        check_mistakes(prefix)
        use_by_cmake(prefix, folder / "cmake")
        use_by_pkg_config(prefix, folder / "plain")


if __name__ == "__main__":
    main()
