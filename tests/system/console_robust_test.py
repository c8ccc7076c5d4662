#!/usr/bin/python3
"""The web console in Chromium with hostile data, a million rows, a server that dies, and a small screen."""

from console_browser import ROBUST, open_pages

if __name__ == "__main__":
    open_pages(*ROBUST)
