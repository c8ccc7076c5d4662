#!/usr/bin/python3
"""Makes the Python package: a folder for PYTHONPATH, and a wheel in it.

    make_package.py --library libdolmen.so --version 0.1.0 --strip /usr/bin/strip FOLDER

The folder gets dolmen/, with a link to the library, and dist/dolmen-VERSION-...whl, with a stripped copy of it. The library
uses others of the system (RocksDB, OpenSSL, ...), so the wheel is for the system on which it was made.
"""

import argparse
import base64
import hashlib
import os
import pathlib
import shutil
import subprocess
import sysconfig
import tempfile
import zipfile

SOURCES = pathlib.Path(__file__).resolve().parent / "dolmen"
LIBRARY = "libdolmen.so.1"
SUMMARY = "A DynamoDB-compatible table store, embedded in the program or behind a server"
# A wheel of the same files is the same file.
LONG_AGO = (1980, 1, 1, 0, 0, 0)


def source_files():
    return sorted([*SOURCES.glob("*.py"), SOURCES / "py.typed"])


def make_folder(folder, library):
    package = folder / "dolmen"
    package.mkdir(parents=True, exist_ok=True)
    wanted = {path.name for path in source_files()} | {LIBRARY}
    for path in package.iterdir():
        if path.name not in wanted:
            shutil.rmtree(path) if path.is_dir() else path.unlink()
    for path in source_files():
        shutil.copyfile(path, package / path.name)
    link = package / LIBRARY
    link.unlink(missing_ok=True)
    link.symlink_to(os.path.relpath(library.resolve(), package))


def tag():
    return "py3-none-" + sysconfig.get_platform().replace("-", "_").replace(".", "_")


def metadata(version):
    return (f"Metadata-Version: 2.1\nName: dolmen\nVersion: {version}\nSummary: {SUMMARY}\nLicense: Apache-2.0\n"
            "Requires-Python: >=3.9\nProvides-Extra: boto3\nRequires-Dist: boto3; extra == 'boto3'\n")


def stripped(library, strip):
    with tempfile.TemporaryDirectory() as folder:
        copy = pathlib.Path(folder) / LIBRARY
        subprocess.run([strip, "--strip-unneeded", "-o", copy, library], check=True)
        return copy.read_bytes()


def make_wheel(folder, library, version, strip):
    info = f"dolmen-{version}.dist-info"
    wheel = f"Wheel-Version: 1.0\nGenerator: dolmen\nRoot-Is-Purelib: false\nTag: {tag()}\n"
    files = {f"dolmen/{path.name}": path.read_bytes() for path in source_files()}
    files[f"dolmen/{LIBRARY}"] = stripped(library, strip)
    files[f"{info}/METADATA"] = metadata(version).encode()
    files[f"{info}/WHEEL"] = wheel.encode()
    record = "".join(f"{name},sha256={digest(content)},{len(content)}\n" for name, content in files.items())
    files[f"{info}/RECORD"] = f"{record}{info}/RECORD,,\n".encode()
    target = folder / "dist" / f"dolmen-{version}-{tag()}.whl"
    shutil.rmtree(target.parent, ignore_errors=True)
    target.parent.mkdir(parents=True)
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        for name, content in files.items():
            entry = zipfile.ZipInfo(name, LONG_AGO)
            entry.external_attr = 0o644 << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, content)
    return target


def digest(content):
    return base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()


def main():
    parser = argparse.ArgumentParser(description="Makes the Python package.")
    parser.add_argument("--library", type=pathlib.Path, required=True)
    parser.add_argument("--version", required=True)
    parser.add_argument("--strip", default="strip")
    parser.add_argument("folder", type=pathlib.Path)
    options = parser.parse_args()
    make_folder(options.folder, options.library)
    make_wheel(options.folder, options.library, options.version, options.strip)


if __name__ == "__main__":
    main()
