#!/usr/bin/python3
"""The pages of the web console about tables and queries, in Chromium, without and with keys."""

from console_browser import DATA, open_pages

if __name__ == "__main__":
    open_pages(*DATA)
