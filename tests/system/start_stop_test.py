#!/usr/bin/python3
"""How a server starts and stops: port files, sockets that are handed over, what a service manager hears, patience and its end."""

import contextlib
import os
import pathlib
import signal
import socket
import subprocess
import tempfile
import unittest

from dolmen_server import BINARY, PATIENCE_S, AnswerReader, Server, clean_environment, request_bytes, run


class Starts(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)


class PortFiles(Starts):
    def test_the_file_has_the_port_while_the_server_runs(self):
        file = self.folder / "port"
        with Server(flags=["--port-file", str(file)]) as server:
            self.assertEqual(file.read_text(), f"{server.port}\n")
            self.assertEqual([each.name for each in self.folder.iterdir()], ["port"])
            self.assertEqual(server.stop().code, 0)
            self.assertFalse(file.exists())

    def test_a_server_that_cannot_write_the_file_does_not_start(self):
        done = run("serve", "--memory", "--port", "0", "--port-file", str(self.folder / "missing" / "port"))
        self.assertEqual((done.code, done.out), (1, ""))
        self.assertIn("missing/port", done.err)


class ServiceManager(Starts):
    """This test is the service manager."""

    def start(self, *flags, sockets=(), count=None, pid="$$", variables=None):
        """Starts a server as systemd does: the sockets are descriptors 3, 4, ..., and LISTEN_PID is its process."""
        moves = "".join(f"exec {3 + number}<&{sock.fileno()};" for number, sock in enumerate(sockets))
        listen = f"LISTEN_PID={pid} LISTEN_FDS={count if count is not None else len(sockets)}" if sockets or count else ""
        process = subprocess.Popen(
            ["bash", "-c", f'{moves} {listen} exec "$0" "$@"', BINARY, "serve", "--memory", *flags],
            env=clean_environment(os.devnull) | (variables or {}), pass_fds=[sock.fileno() for sock in sockets],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.stderr.close)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        return process

    def listening_socket(self, host="127.0.0.1", family=socket.AF_INET):
        sock = socket.socket(family)
        self.addCleanup(sock.close)
        # Above those that a server takes over.
        high = os.dup2(sock.fileno(), 60 + len(os.listdir("/proc/self/fd")), inheritable=True)
        sock.detach()
        sock = socket.socket(family, fileno=high)
        self.addCleanup(sock.close)
        sock.bind((host, 0))
        sock.listen()
        return sock

    def read_until(self, process, word):
        text = ""
        while word not in text:
            line = process.stdout.readline()
            self.assertTrue(line, f"the server ended: {text}{process.stderr.read() if process.poll() is not None else ''}")
            text += line
        return text

    def ask(self, port):
        with socket.create_connection(("127.0.0.1", port), PATIENCE_S) as sock:
            sock.sendall(request_bytes("ListTables", {}, "Connection: close"))
            with contextlib.closing(AnswerReader(sock)) as reader:
                return reader.next().status

    def test_a_socket_that_is_handed_over_is_served(self):
        sock = self.listening_socket()
        port = sock.getsockname()[1]
        process = self.start("--port", "1", sockets=[sock])
        self.assertIn(f"listening on http://127.0.0.1:{port} ", self.read_until(process, "listening on"))
        self.assertEqual(self.ask(port), 200)

    def test_several_sockets_are_all_served(self):
        socks = [self.listening_socket(), self.listening_socket()]
        process = self.start(sockets=socks)
        self.read_until(process, "listening on")
        self.assertEqual([self.ask(sock.getsockname()[1]) for sock in socks], [200, 200])

    def test_sockets_of_another_process_are_not_taken(self):
        sock = self.listening_socket()
        process = self.start("--port", "0", sockets=[sock], pid="1")
        self.assertNotIn(f":{sock.getsockname()[1]} ", self.read_until(process, "listening on"))

    def test_a_socket_that_others_can_reach_needs_keys_and_tls(self):
        process = self.start(sockets=[self.listening_socket(), self.listening_socket("0.0.0.0")])
        self.assertEqual(process.wait(PATIENCE_S), 2)
        self.assertIn("everybody who reaches 0.0.0.0", process.stderr.read())

    def test_what_is_no_socket_is_refused(self):
        self.assertEqual(self.start(count="x").wait(PATIENCE_S), 2)
        process = self.start(count=1)
        self.assertNotEqual(process.wait(PATIENCE_S), 0)
        self.assertIn("descriptor 3 is not a socket", process.stderr.read())

    def test_the_manager_hears_of_the_start_of_a_reload_and_of_the_end(self):
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as ear:
            ear.bind(str(self.folder / "notify"))
            ear.settimeout(PATIENCE_S)
            process = self.start("--port", "0", variables={"NOTIFY_SOCKET": str(self.folder / "notify")})
            heard = ear.recv(1000).decode()
            self.assertRegex(heard, r"^READY=1\nSTATUS=listening on http://127\.0\.0\.1:\d+$")
            process.send_signal(signal.SIGHUP)
            self.assertRegex(ear.recv(1000).decode(), r"^RELOADING=1\nMONOTONIC_USEC=\d+$")
            self.assertEqual(ear.recv(1000).decode(), heard)
            process.send_signal(signal.SIGTERM)
            self.assertRegex(ear.recv(1000).decode(), r"^STOPPING=1\n")
            self.assertEqual(process.wait(PATIENCE_S), 0)

    def test_an_abstract_socket_is_heard_too(self):
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as ear:
            name = f"dolmen-test-{os.getpid()}"
            ear.bind("\0" + name)
            ear.settimeout(PATIENCE_S)
            self.start("--port", "0", variables={"NOTIFY_SOCKET": "@" + name})
            self.assertTrue(ear.recv(1000).startswith(b"READY=1\n"))


class Stops(Starts):
    @contextlib.contextmanager
    def half_a_request(self, server):
        """A connection whose request is coming in."""
        with server.connect() as sock, contextlib.closing(AnswerReader(sock)) as reader:
            head, _, _ = request_bytes("ListTables", {}, "Expect: 100-continue").partition(b"\r\n\r\n")
            sock.sendall(head + b"\r\n\r\n")
            self.assertEqual(reader.next().status, 100)
            yield sock, reader

    def begin_to_stop(self, server, with_signal=signal.SIGTERM):
        server.process.send_signal(with_signal)
        self.assertTrue(server.process.stdout.readline().startswith("stopping"))
        while True:  # The port closes a moment after the line.
            try:
                socket.create_connection(("127.0.0.1", server.port), PATIENCE_S).close()
            except ConnectionRefusedError:
                return
            except ConnectionResetError:  # It closed in between.
                pass

    def test_a_request_that_is_coming_in_is_finished(self):
        with Server() as server, self.half_a_request(server) as (sock, reader):
            self.begin_to_stop(server)
            sock.sendall(b"{}")
            # The port closes a moment before connections hear of the stop, so the answer need not announce the end.
            self.assertEqual(reader.next().status, 200)
            self.assertIsNone(reader.next())
            self.assertEqual(server.process.wait(PATIENCE_S), 0)

    def test_patience_has_an_end(self):
        with Server(flags=["--stop-seconds-max", "1"]) as server, self.half_a_request(server) as (_, reader):
            self.begin_to_stop(server)
            self.assertEqual(server.process.wait(PATIENCE_S), 0)
            self.assertIsNone(reader.next())

    def test_a_second_signal_ends_the_server_at_once(self):
        for first, second, code in ((signal.SIGTERM, signal.SIGTERM, 143), (signal.SIGINT, signal.SIGINT, 130),
                                    (signal.SIGTERM, signal.SIGINT, 130)):
            with self.subTest(first=first, second=second), Server(flags=["--stop-seconds-max", "3600"]) as server:
                with self.half_a_request(server):
                    self.begin_to_stop(server, first)
                    server.process.send_signal(second)
                    self.assertEqual(server.process.wait(PATIENCE_S), code)

    def test_what_was_acknowledged_survives_a_second_signal(self):
        data = self.folder / "data"
        with Server(data, flags=["--stop-seconds-max", "3600"]) as server, self.half_a_request(server):
            server.must("CreateTable", {"TableName": "things", "BillingMode": "PAY_PER_REQUEST",
                                        "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
                                        "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}]})
            self.begin_to_stop(server)
            server.process.send_signal(signal.SIGTERM)
            server.process.wait(PATIENCE_S)
        with Server(data) as server:
            self.assertEqual(server.must("ListTables", {}), {"TableNames": ["things"]})


if __name__ == "__main__":
    unittest.main()
