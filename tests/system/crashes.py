"""What tests share that kill the server."""

import contextlib
import http.client
import subprocess
import threading

from dolmen_server import BINARY

# What a client sees of a server that goes away.
GONE = (OSError, http.client.HTTPException)


class Countdown:
    """Does something once, when it has been called so many times."""

    def __init__(self, count, action):
        self._lock = threading.Lock()
        self._left = count
        self._action = action

    def __call__(self):
        with self._lock:
            self._left -= 1
            now = self._left == 0
        if now:
            self._action()


def interrupt_some_starts(random, data, flags=()):
    """Recovery may be killed as well, at any moment and again and again."""
    for _ in range(random.choice([0, 0, 1, 3])):
        start = subprocess.Popen([BINARY, "serve", "--port", "0", "--data", str(data), *flags], stdout=subprocess.DEVNULL)
        with contextlib.suppress(subprocess.TimeoutExpired):
            start.wait(random.uniform(0, 0.1))
        start.kill()
        start.wait()
