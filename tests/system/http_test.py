#!/usr/bin/python3
"""How the server treats connections: HTTP/1.1 as its specification has it, and clients that misbehave harm nobody."""

import contextlib
import socket
import struct
import threading
import time
import unittest

from dolmen_server import PATIENCE_S, AnswerReader, Server, ServerTest, create_table, head_bytes, headers_for, request_bytes

MIB = 1 << 20
BODY_BYTES_MAX = 16 * MIB
LIST = request_bytes("ListTables", {})
TOO_LARGE = b"{}" + b" " * (17 * MIB - 2)


def get(key):
    return request_bytes("GetItem", {"TableName": "things", "Key": {"pk": {"S": key}}})


def put(key, value="x"):
    return request_bytes("PutItem", {"TableName": "things", "Item": {"pk": {"S": key}, "v": {"S": value}}})


def chunked(*pieces, extension=b""):
    """A ListTables request whose body comes in the given pieces."""
    head = head_bytes(["POST / HTTP/1.1", "Host: localhost", "Transfer-Encoding: chunked",
                       *(f"{name}: {value}" for name, value in headers_for("ListTables").items())])
    return head + b"".join(b"%X%s\r\n%s\r\n" % (len(piece), extension, piece) for piece in (*pieces, b""))


class HttpTest(ServerTest):
    """One server for all tests of a class; each test has sockets of its own."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        create_table(cls.server, "things")

    def open(self):
        sock = self.server.connect()
        self.addCleanup(sock.close)
        reader = AnswerReader(sock)
        self.addCleanup(reader.close)
        return sock, reader

    def exchange(self, *pieces):
        """Sends the pieces on a connection of their own and returns the reader of what comes back."""
        sock, reader = self.open()
        for piece in pieces:
            sock.sendall(piece)
        return reader

    def expect_refused_and_closed(self, status, *pieces):
        reader = self.exchange(*pieces)
        answer = reader.next()
        self.assertEqual((answer.status, answer.headers["connection"]), (status, "close"))
        self.assertTrue(reader.at_end())


class Connections(HttpTest):
    def test_a_connection_serves_many_requests(self):
        sock, reader = self.open()
        for i in range(500):
            sock.sendall(put(f"many{i}") if i % 2 else get(f"many{i - 1}"))
            self.assertEqual(reader.next().status, 200)

    def test_a_whole_uri_stands_for_its_path(self):
        for uri in (b"http://localhost/", b"http://localhost:8000", b"HTTPS://localhost/?a=b"):
            with self.subTest(uri):
                request = put("uri").replace(b"POST / ", b"POST %s " % uri)
                self.assertEqual(self.exchange(request).next().json(), {})

    def test_pipelined_requests_are_answered_in_order(self):
        keys = [f"ordered{i}" for i in range(25)]
        sock, reader = self.open()
        sock.sendall(b"".join(put(key, value=key) + get(key) for key in keys))
        for key in keys:
            self.assertEqual(reader.next().json(), {})
            self.assertEqual(reader.next().json(), {"Item": {"pk": {"S": key}, "v": {"S": key}}})

    def test_refused_requests_keep_their_place_among_pipelined_ones(self):
        sock, reader = self.open()
        sock.sendall(b"".join(request_bytes("ListTables", {"Limit": 1 - i % 2}) for i in range(50)))
        self.assertEqual([reader.next().status for _ in range(50)], [200, 400] * 25)

    def test_bytes_that_come_one_at_a_time_make_a_request(self):
        sock, reader = self.open()
        for request in (put("slow"), chunked(b"{", b"}")):
            for i in range(len(request)):
                sock.sendall(request[i:i + 1])
            self.assertEqual(reader.next().status, 200)

    def test_a_request_may_be_cut_anywhere(self):
        sock, reader = self.open()
        for cut in range(1, len(LIST)):
            sock.sendall(LIST[:cut])
            sock.sendall(LIST[cut:])
            self.assertEqual(reader.next().status, 200, cut)

    def test_close_is_honoured_and_announced(self):
        for value in ("close", "Close", "keep-alive, close"):
            with self.subTest(value):
                reader = self.exchange(request_bytes("ListTables", {}, f"Connection: {value}"))
                answer = reader.next()
                self.assertEqual((answer.status, answer.headers["connection"]), (200, "close"))
                self.assertTrue(reader.at_end())

    def test_requests_after_a_close_are_not_served(self):
        reader = self.exchange(request_bytes("ListTables", {}, "Connection: close") + put("after close"))
        self.assertEqual(reader.next().status, 200)
        self.assertEqual(self.server.must("GetItem", {"TableName": "things", "Key": {"pk": {"S": "after close"}}}), {})

    def test_http_1_0_closes_after_the_response(self):
        reader = self.exchange(head_bytes(["GET / HTTP/1.0"]))
        self.assertEqual(reader.next().status, 200)
        self.assertTrue(reader.at_end())

    def test_head_has_no_body(self):
        sock, reader = self.open()
        sock.sendall(head_bytes(["HEAD / HTTP/1.1", "Host: localhost"]) + LIST)
        reader.next(to="HEAD")
        self.assertEqual(reader.next().status, 200)

    def test_200_connections_are_served_at_once(self):
        clients = [self.open() for _ in range(200)]
        for turn in range(5):
            for i, (sock, _) in enumerate(clients):
                sock.sendall(put(f"crowd{i}", value=str(turn)))
            for _, reader in clients:
                self.assertEqual(reader.next().json(), {})
        for i, (sock, reader) in enumerate(clients):
            sock.sendall(get(f"crowd{i}"))
            self.assertEqual(reader.next().json()["Item"]["v"], {"S": "4"})

    def test_200_clients_that_come_and_go_at_once_are_all_served(self):
        statuses = []
        def visit():
            statuses.append(self.server.call("ListTables", {}).status)
        visitors = [threading.Thread(target=visit) for _ in range(200)]
        for visitor in visitors:
            visitor.start()
        for visitor in visitors:
            visitor.join()
        self.assertEqual(statuses, [200] * 200)


class Bodies(HttpTest):
    def test_a_chunked_body_is_put_together(self):
        tables = self.server.must("ListTables", {})
        for pieces in ([b"{}"], [b"{", b"}"], [b'{"Lim', b'it": 1', b"00}"], [b" " * 100_000, b"{}", b" " * 100_000],
                       [bytes([byte]) for byte in b'{"Limit": 100}']):
            with self.subTest(len(pieces)):
                self.assertEqual(self.exchange(chunked(*pieces)).next().json(), tables)

    def test_chunk_extensions_are_passed_over(self):
        self.assertEqual(self.exchange(chunked(b"{}", extension=b";name=value")).next().status, 200)

    def test_the_next_request_begins_where_a_chunked_body_ends(self):
        reader = self.exchange((chunked(b"{", b"}") + LIST) * 10)
        self.assertEqual([reader.next().status for _ in range(20)], [200] * 20)

    def test_a_malformed_chunk_is_refused(self):
        head = head_bytes(["POST / HTTP/1.1", "Host: localhost", "Transfer-Encoding: chunked"])
        for chunk in (b"x\r\n{}\r\n", b"-2\r\n{}\r\n", b"0x2\r\n{}\r\n", b"2\r\n{}}\r\n", b"\r\n{}\r\n", b"1" * 300):
            with self.subTest(chunk[:20]):
                self.expect_refused_and_closed(400, head + chunk + b"0\r\n\r\n")

    def test_a_client_that_asks_may_send_its_body(self):
        body = b'{"Limit": 1}'
        head, _, _ = request_bytes("ListTables", body, "Expect: 100-continue").partition(b"\r\n\r\n")
        sock, reader = self.open()
        sock.sendall(head + b"\r\n\r\n")
        self.assertEqual(reader.next().status, 100)
        sock.sendall(body)
        self.assertEqual(reader.next().json(), {"TableNames": ["things"]})

    def test_a_client_that_asks_before_too_large_a_body_is_refused_at_once(self):
        self.expect_refused_and_closed(413, head_bytes(["POST / HTTP/1.1", "Host: localhost", "Expect: 100-continue",
                                                        f"Content-Length: {BODY_BYTES_MAX + 1}"]))

    def test_a_body_may_have_16_mib(self):
        self.assertEqual(self.server.call("ListTables", b"{}" + b" " * (BODY_BYTES_MAX - 2)).status, 200)

    def test_a_body_of_a_byte_more_is_too_large(self):
        self.expect_refused_and_closed(413, head_bytes(["POST / HTTP/1.1", "Host: localhost",
                                                        f"Content-Length: {BODY_BYTES_MAX + 1}"]))

    def test_a_body_of_17_mb_is_refused_while_it_is_sent(self):
        for request in (request_bytes("ListTables", TOO_LARGE), chunked(*[b" " * MIB] * 17)):
            sock, reader = self.open()
            with contextlib.suppress(ConnectionError):
                sock.sendall(request)
            self.assertEqual(reader.next().status, 413)

    def test_a_client_that_sends_all_of_17_mb_before_it_reads_gets_the_refusal(self):
        sock, reader = self.open()
        sock.sendall(request_bytes("ListTables", TOO_LARGE))
        answer = reader.next()
        self.assertEqual((answer.status, answer.type), (413, "RequestEntityTooLargeException"))


class Framing(HttpTest):
    """What two parsers could understand differently is refused."""

    POST = ["POST / HTTP/1.1", "Host: localhost"]

    def test_a_length_is_given_once_and_in_digits(self):
        for lines in (["Content-Length: 2", "Content-Length: 2"], ["Content-Length: 2", "Content-Length: 3"],
                      ["Content-Length: 2, 2"], ["Content-Length: +2"], ["Content-Length: -2"], ["Content-Length: 0x2"],
                      ["Content-Length: 2 2"], ["Content-Length:"], ["Content-Length: 99999999999999999999999"],
                      ["Content-Length: 2", "Transfer-Encoding: chunked"],
                      ["Transfer-Encoding: chunked", "Content-Length: 2"]):
            with self.subTest(lines):
                self.expect_refused_and_closed(400, head_bytes(self.POST + lines) + b"{}")

    def test_a_malformed_head_is_refused(self):
        for lines in (["POST /"], ["POST  / HTTP/1.1", "Host: a"], ["PO ST / HTTP/1.1", "Host: a"],
                      ["POST /\x01 HTTP/1.1", "Host: a"], ["", "", ""], ["POST / HTTP/1.1"],
                      ["POST / HTTP/1.1", "Host : a"], *([*self.POST, line] for line in (
                          "Host: b", " folded", "no colon", ": no name", "X: \x00", "X: a\nb"))):
            with self.subTest(lines):
                self.expect_refused_and_closed(400, head_bytes(lines))

    def test_what_is_not_understood_is_named_as_such(self):
        for status, lines in ((505, ["POST / HTTP/2.0", "Host: a"]),
                              (501, [*self.POST, "Transfer-Encoding: gzip, chunked"]),
                              (501, [*self.POST, "Transfer-Encoding: identity"]),
                              (417, [*self.POST, "Expect: wonders"])):
            with self.subTest(lines):
                self.expect_refused_and_closed(status, head_bytes(lines))

    def test_headers_of_more_than_16_kib_are_too_long(self):
        fits = "X-Filler: " + "x" * (15 << 10)
        self.assertEqual(self.exchange(request_bytes("ListTables", {}, fits)).next().status, 200)
        self.expect_refused_and_closed(400, head_bytes([*self.POST, "X-Filler: " + "x" * (16 << 10)]))
        self.expect_refused_and_closed(400, head_bytes([*self.POST, *[f"X-{i}: {'x' * 400}" for i in range(60)]]))

    def test_a_request_line_of_more_than_16_kib_is_too_long(self):
        for path_bytes, status in ((16 << 10, 400), (17_000, 400), (1 << 20, 400)):
            with self.subTest(path_bytes):
                self.expect_refused_and_closed(status, head_bytes([f"POST /{'x' * path_bytes} HTTP/1.1", "Host: a"]))
        self.expect_refused_and_closed(400, b"P" * (33 << 10))

    def test_more_than_128_headers_are_too_many(self):
        self.expect_refused_and_closed(400, head_bytes([*self.POST, *[f"X-{i}: x" for i in range(200)]]))


class Misbehaviour(HttpTest):
    def expect_unharmed(self):
        self.assertIsNone(self.server.process.poll(), "the server has died")
        self.assertEqual(self.server.must("ListTables", {}), {"TableNames": ["things"]})

    def reset(self, sock):
        """Leaves without a goodbye."""
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        sock.close()

    def test_a_client_that_leaves_in_the_middle_of_a_request_harms_nobody(self):
        request = put("half")
        for leave in (socket.socket.close, self.reset):
            for sent in (0, 1, 20, request.index(b"\r\n\r\n") + 2, request.index(b"\r\n\r\n") + 4, len(request) - 1):
                sock = self.server.connect()
                sock.sendall(request[:sent])
                leave(sock)
        self.expect_unharmed()
        self.assertEqual(self.server.must("GetItem", {"TableName": "things", "Key": {"pk": {"S": "half"}}}), {})

    def test_a_client_that_leaves_before_its_responses_harms_nobody(self):
        self.server.must("PutItem", {"TableName": "things", "Item": {"pk": {"S": "big"}, "v": {"S": "x" * 400_000}}})
        for leave in (socket.socket.close, self.reset):
            sock = self.server.connect()
            sock.sendall(get("big") * 20 + put("unread") * 20)
            leave(sock)
        self.expect_unharmed()

    def test_a_client_that_closes_its_side_still_gets_all_its_responses(self):
        self.server.must("PutItem", {"TableName": "things", "Item": {"pk": {"S": "big"}, "v": {"S": "x" * 400_000}}})
        for requests in ([put("half closed")], [get("big")] * 20):
            with self.subTest(len(requests)):
                sock, reader = self.open()
                sock.sendall(b"".join(requests))
                sock.shutdown(socket.SHUT_WR)
                self.assertEqual([reader.next().status for _ in requests], [200] * len(requests))
                self.assertTrue(reader.at_end())


class SlowReaders(unittest.TestCase):
    def test_a_client_that_asks_for_much_and_reads_nothing_does_not_fill_the_servers_memory(self):
        asked, item_bytes, memory_bytes_max = 1000, 400_000, 100 * MIB
        # With one network thread, an answer on one connection means that the other has had its turn.
        with Server(flags=["--threads", "1"]) as server, server.connect() as greedy:
            create_table(server, "things")
            server.must("PutItem", {"TableName": "things", "Item": {"pk": {"S": "big"}, "v": {"S": "x" * item_bytes}}})
            request = get("big")
            greedy.setblocking(False)
            sent = 0
            with contextlib.closing(server.connection()) as other:
                for _ in range(200):
                    with contextlib.suppress(BlockingIOError):
                        sent += greedy.send((request * asked)[sent:])
                    server.must("ListTables", {}, other)
            self.assertLess(server.memory_max_bytes(), memory_bytes_max, f"after {sent // len(request)} requests")


class LargeRequests(unittest.TestCase):
    def test_a_server_gives_the_memory_of_a_large_request_back(self):
        body = b'{"Unknown": [' + b"[]," * 5_000_000 + b"[]]}"
        head = head_bytes(["POST / HTTP/1.1", "Host: localhost", f"Content-Length: {len(body)}",
                           *(f"{name}: {value}" for name, value in headers_for("ListTables").items())])
        with Server(flags=["--threads", "1"]) as server, server.connect() as sock:
            server.must("ListTables", {})
            before = server.memory_bytes()
            sock.sendall(head + body)
            with contextlib.closing(AnswerReader(sock)) as reader:
                self.assertEqual(reader.next().json(), {"TableNames": []})
            deadline = time.monotonic() + PATIENCE_S
            while server.memory_bytes() - before >= 2 * len(body):
                self.assertLess(time.monotonic(), deadline, f"{server.memory_bytes() - before} bytes more than before")
                time.sleep(0.05)


if __name__ == "__main__":
    unittest.main()
