#!/usr/bin/python3
"""All other pages of the web console in Chromium."""

from console_browser import DATA, EVERY_PAGE, MODELS, ROBUST, all_names, open_pages

if __name__ == "__main__":
    open_pages(*(name for name in all_names() if name not in DATA + EVERY_PAGE + MODELS + ROBUST))
