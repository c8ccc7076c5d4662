#!/usr/bin/python3
"""Every page of the web console in Chromium: on small screens, and with the keyboard alone."""

from console_browser import EVERY_PAGE, open_pages

if __name__ == "__main__":
    open_pages(*EVERY_PAGE)
