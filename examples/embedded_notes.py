#!/usr/bin/python3
"""Notes in a store that is part of the program: no server, no port.

usage: embedded_notes.py [ADDRESS]      a directory such as ./data, http://127.0.0.1:8000, aws:eu-west-1; default: memory:
"""

import sys

import dolmen


def main():
    address = sys.argv[1] if len(sys.argv) > 1 else "memory:"
    with dolmen.open(address) as store:
        notes = store.create_table("notes", key="topic:S,written:N")
        notes.put({"topic": "dolmen", "written": 1, "text": "stone table", "tags": {"breton", "stone"}})
        notes.put_all({"topic": "dolmen", "written": i} for i in range(2, 6))

        for note in notes.query((dolmen.key("topic") == "dolmen") & (dolmen.key("written") < 4), descending=True):
            print(note["written"], note.get("text", ""))

        key = {"topic": "dolmen", "written": 1}
        print(notes.update(key, add={"views": 1}, only_if=dolmen.attr("text").begins_with("stone"))["views"], "view")
        try:
            notes.put({**key, "text": "mine"}, only_if=dolmen.attr("topic").not_exists())
        except dolmen.ConditionFailed as error:
            print(error.code)
        print(store.execute("SELECT written FROM notes WHERE topic = ? AND written > ?", "dolmen", 4))


if __name__ == "__main__":
    main()
