#!/usr/bin/python3
"""The pictures of the documentation show what is: the terminal is what the program prints, the charts are what the numbers say."""

import re
import subprocess
import sys
import unittest
import xml.etree.ElementTree

from dolmen_server import BINARY, PATIENCE_S, ROOT

PICTURES = sorted((ROOT / "docs/pictures").glob("*.svg"))


class PicturesTest(unittest.TestCase):
    def good(self, *command):
        done = subprocess.run([sys.executable, *command], cwd=ROOT, capture_output=True, text=True, timeout=2 * PATIENCE_S)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_the_terminal_shows_what_the_program_prints(self):
        self.good("tools/draw_terminal", BINARY, "--check")

    def test_the_charts_are_what_the_numbers_say(self):
        self.good("tools/draw_charts", "--check")

    def test_pictures_are_drawings_with_titles(self):
        self.assertGreater(len(PICTURES), 5)
        for picture in PICTURES:
            root = xml.etree.ElementTree.parse(picture).getroot()
            self.assertTrue(root[0].tag.endswith("title") and root[0].text, picture.name)
            self.assertIsNone(re.search(r"<image|data:image", picture.read_text()), f"{picture.name} holds a raster picture")


if __name__ == "__main__":
    unittest.main()
