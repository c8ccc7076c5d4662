"""A program with an embedded store, for tests that kill it: serves requests from a socket of the file system, each connection on a
thread of its own.

    embedded_program.py LIBRARY DIRECTORY SOCKET

A request is a line "TARGET LENGTH" and so many bytes of JSON; an answer is a line "STATUS LENGTH" and its JSON. Prints "ready" when
the store is open.
"""

import os
import socket
import sys
import threading

LIBRARY, DIRECTORY, SOCKET = sys.argv[1:]
os.environ["DOLMEN_LIBRARY"] = LIBRARY
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../python"))

from dolmen import _library  # noqa: E402


def serve(store, connection):
    with connection, connection.makefile("rb") as requests:
        while line := requests.readline():
            target, length = line.split()
            status, answer = _library.answer(store, target, requests.read(int(length)))
            connection.sendall(b"%d %d\n%s" % (status, len(answer), answer))


def main():
    store = _library.open_store(DIRECTORY, 0, None)
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(SOCKET)
        listener.listen(64)
        print("ready", flush=True)
        while True:
            connection, _ = listener.accept()
            threading.Thread(target=serve, args=(store, connection), daemon=True).start()


if __name__ == "__main__":
    main()
