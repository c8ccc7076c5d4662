#!/usr/bin/python3
"""What is in the Debian package of the server, and whether its unit and scripts are sound. `./dev package --check` installs
and upgrades the packages in a clean Debian."""

import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

from dolmen_server import BINARY, ROOT

BUILD = pathlib.Path(BINARY).resolve().parents[1]
FILES = ("./usr/bin/dolmen", "./etc/dolmen/dolmen.yaml", "./lib/systemd/system/dolmen.service",
         "./usr/share/man/man1/dolmen.1.gz", "./usr/share/man/man1/dolmen-item.1.gz",
         "./usr/share/bash-completion/completions/dolmen", "./usr/share/zsh/vendor-completions/_dolmen",
         "./usr/share/fish/vendor_completions.d/dolmen.fish", "./usr/share/doc/dolmen/copyright")


def missing_tool():
    for tool in ("cpack", "dpkg-deb", "dpkg-shlibdeps"):
        if shutil.which(tool) is None:
            return f"{tool} is not installed"
    return None if (BUILD / "CPackConfig.cmake").exists() else f"{BUILD} was configured without packages"


def output(*command, **options):
    return subprocess.run([str(word) for word in command], check=True, capture_output=True, text=True, **options).stdout


class Package(unittest.TestCase):
    def test_the_package_has_what_it_promises_and_nothing_else(self):
        with tempfile.TemporaryDirectory() as folder:
            # Without compression, which would take most of the time.
            output("cpack", "--config", BUILD / "CPackConfig.cmake", "-B", folder, "-D", "CPACK_COMPONENTS_ALL=server",
                   "-D", f"CPACK_PACKAGE_DIRECTORY={folder}", "-D", "CPACK_DEBIAN_COMPRESSION_TYPE=gzip",
                   env=os.environ | {"DOLMEN_NO_DEBUG_FILES": "1"})
            (package,) = pathlib.Path(folder).glob("dolmen_*.deb")
            control = output("dpkg-deb", "-f", package)
            names = [line.split(maxsplit=5)[5] for line in output("dpkg-deb", "-c", package).splitlines()]
            scripts = pathlib.Path(folder, "control")
            output("dpkg-deb", "-e", package, scripts)
            self.assertEqual((scripts / "conffiles").read_text(), "/etc/dolmen/dolmen.yaml\n")
        for name in FILES:
            self.assertIn(name, names)
        places = ("./usr/bin/", "./usr/share/", "./etc/dolmen/", "./lib/systemd/system/")
        strays = [name for name in names if not name.endswith("/") and not name.startswith(places)]
        self.assertEqual(strays, [])
        self.assertIn("Package: dolmen\n", control)
        for library in ("adduser", "librocksdb", "libedit2", "libcurl4"):
            self.assertIn(library, control)

    def test_scripts_are_sound(self):
        for name in ("postinst", "prerm", "postrm"):
            output("sh", "-n", ROOT / "packaging/debian" / name)
        for name in ("entry", "health"):
            output("bash", "-n", ROOT / "packaging/docker" / name)

    def test_the_unit_is_sound(self):
        if shutil.which("systemd-analyze") is None:
            print("skipped: the unit (systemd-analyze is not installed)")
            return
        with tempfile.TemporaryDirectory() as folder:
            unit = pathlib.Path(folder, "dolmen.service")
            text = (ROOT / "packaging/systemd/dolmen.service").read_text()
            unit.write_text(text.replace("/usr/bin/dolmen", str(BINARY)))
            checked = subprocess.run(["systemd-analyze", "verify", unit], capture_output=True, text=True)
            self.assertEqual((checked.returncode, checked.stderr), (0, ""))


if __name__ == "__main__":
    reason = missing_tool()
    if reason:
        print(f"skipped: Debian packages ({reason})")
    else:
        print("skipped: the packages in a clean Debian (./dev package --check runs that)")
        unittest.main()
