#!/usr/bin/python3
"""The pages of the web console about models, entities, documents, relations and leases, in Chromium."""

from console_browser import MODELS, open_pages

if __name__ == "__main__":
    open_pages(*MODELS)
